package say

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// Fill has a customer of the local cloud open the form of the latest message to them that has one, or send a screen of
// it, and prints the screen that comes next.
func Fill(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fill", flag.ContinueOnError)
	flags.SetOutput(out)
	var filled whatsappsim.FillRequest
	flags.StringVar(&filled.From, "from", "", "the customer's number")
	flags.StringVar(&filled.Screen, "screen", "", "the screen that is sent; left out, the form is opened")
	data := flags.String("data", "", "what is filled in, as a JSON object")
	address := flags.String("addr", "", "the simulated WhatsApp; that of the running local cloud where it is left out")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if *data != "" {
		if err := json.Unmarshal([]byte(*data), &filled.Data); err != nil {
			return fmt.Errorf("what is filled in is no JSON object: %w", err)
		}
	}
	if *address == "" {
		*address, _ = defaultAddress(os.Getenv)
	}
	var answer struct {
		whatsappsim.FillAnswer
		Error string
	}
	status, err := control(ctx, *address, "fill", filled, &answer)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("not filled in: %s", answer.Error)
	}
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("the endpoint of forms answered %d", answer.Status)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s %s\n", answer.Screen, answer.Data)
	return err
}
