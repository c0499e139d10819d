package say

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// Pay has a customer of the local cloud pay an order that a message has asked to be paid, and prints one line.
func Pay(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("pay", flag.ContinueOnError)
	flags.SetOutput(out)
	var paid whatsappsim.PayRequest
	flags.StringVar(&paid.PhoneNumberID, "phone", "", "the phone number id that has asked")
	flags.StringVar(&paid.ReferenceID, "order", "", "the reference of the order")
	flags.StringVar(&paid.Status, "status", "captured", "captured, failed or pending")
	flags.Int64Var(&paid.Amount, "amount", 0, "another amount than was asked, in hundredths")
	flags.BoolVar(&paid.Silent, "silent", false,
		"no webhook of WhatsApp's tells of it: the payment gateway's does, if there is one, or it is looked up")
	address := flags.String("addr", "", "the simulated WhatsApp; that of the running local cloud where it is left out")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if *address == "" {
		*address, _ = defaultAddress(os.Getenv)
	}
	var answer struct {
		Status int
		Error  string
	}
	status, err := control(ctx, *address, "pay", paid, &answer)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("not paid: %s", answer.Error)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", paid.ReferenceID, paid.Status)
	return err
}
