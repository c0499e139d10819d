// Package say is the command that plays a customer of the local cloud. It passes one message to the simulated WhatsApp,
// or a text or an email to the functions as AWS would, and prints the result.
package say

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/email"
	"github.com/haatline/haatline/infra/local/whatsappsim"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// timeout is longer than the simulator waits for the webhook.
const timeout = 40 * time.Second

// Run sends the message in the arguments and prints one line. It returns an error if the webhook did not accept the
// message.
func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("say", flag.ContinueOnError)
	flags.SetOutput(out)
	var said whatsappsim.SayRequest
	flags.StringVar(&said.From, "from", "", "the customer's number, with its country code")
	flags.StringVar(&said.UserID, "user-id", "",
		"the customer's business-scoped user id, instead of the number or with it")
	flags.StringVar(&said.GroupID, "group", "", "the WhatsApp group in which the customer writes")
	flags.StringVar(&said.Name, "name", "", "the customer's name")
	flags.StringVar(&said.Text, "text", "",
		"what the customer writes; the arguments after the flags where it is left out")
	flags.StringVar(&said.Button, "button", "",
		"the button that the customer taps, of the latest message that has it: its title or payload")
	flags.StringVar(&said.PhoneNumberID, "phone", "", "the phone number id the customer writes to")
	from := flags.String("sms", "", "the number of a person who writes by SMS, in E.164")
	var mail email.Letter
	flags.StringVar(&mail.From, "email", "", "the address of a person who writes by email")
	flags.StringVar(&mail.Subject, "subject", "",
		"of the email; that of the last one to the person from the company, which it answers, where it is left out")
	to := flags.String("to", "",
		"the company's number to which they write by SMS, in E.164, or its address to which they write by email")
	wait := flags.Duration("wait", 20*time.Second,
		"how long to wait until the message is in the running local cloud's inbox; 0 does not wait")
	address := flags.String("addr", "", "the simulated WhatsApp; that of the running local cloud where it is left out")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if said.Text == "" && said.Button == "" {
		said.Text = strings.Join(flags.Args(), " ")
	}
	if *from != "" {
		return text(ctx, *from, *to, said.Text, out)
	}
	if mail.From != "" {
		mail.To, mail.Text = *to, said.Text
		return letter(ctx, mail, out)
	}
	database := ""
	if *address == "" {
		*address, database = defaultAddress(os.Getenv)
	}
	answer, err := post(ctx, *address, said)
	if err != nil {
		return err
	}
	if answer.Status != http.StatusOK {
		return fmt.Errorf("said %s, but the webhook answered %s; WhatsApp will try again", answer.ID, outcome(answer))
	}
	if database == "" || *wait == 0 {
		_, err = fmt.Fprintf(out, "said %s, and the webhook took it\n", answer.ID)
		return err
	}
	if err := await(ctx, database, model.MessageID(answer.ID), *wait); err != nil {
		return fmt.Errorf("said %s, and the webhook took it, but %w", answer.ID, err)
	}
	_, err = fmt.Fprintf(out, "said %s: the webhook took it, and it is in the inbox\n", answer.ID)
	return err
}

// await waits until the message is stored. Its conversation is written in the same transaction.
func await(ctx context.Context, database string, id model.MessageID, wait time.Duration) error {
	client, key := engine.Client(database), keys.Message(id)
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		got, err := client.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: aws.String(tables.Messages.Resolve(os.Getenv, tables.Dev)), ConsistentRead: aws.Bool(true),
			Key: map[string]types.AttributeValue{key.PartitionName: &types.AttributeValueMemberS{Value: key.Partition}},
		})
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("it is not in the inbox after %s: the logs of the local cloud say why", wait)
		case err != nil:
			return fmt.Errorf("the inbox cannot be read: %w", err)
		case len(got.Item) > 0:
			return nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

func outcome(answer whatsappsim.SayAnswer) string {
	if answer.Status == 0 {
		return "nothing (" + answer.Error + ")"
	}
	return fmt.Sprint(answer.Status)
}

// defaultAddress returns the addresses of the simulated WhatsApp and the tables of the running local cloud, or their
// default addresses.
func defaultAddress(getenv func(string) string) (whatsapp, database string) {
	if root, err := engine.Root(); err == nil {
		if running, err := cloud.ReadAddresses(cloud.Dir(root, getenv)); err == nil && running.WhatsApp != "" {
			return running.WhatsApp, running.DynamoDB
		}
	}
	if port := getenv("WHATSAPP_PORT"); port != "" {
		return "127.0.0.1:" + port, ""
	}
	return "127.0.0.1:3001", ""
}

// post sends a customer's message to the simulated WhatsApp.
func post(ctx context.Context, address string, said whatsappsim.SayRequest) (answer whatsappsim.SayAnswer, err error) {
	status, err := control(ctx, address, "say", said, &answer)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("not said: %s", answer.Error)
	}
	return answer, err
}

// control calls an operation of the simulated WhatsApp's control API.
func control(ctx context.Context, address, operation string, in, answer any) (status int, err error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	body, err := json.Marshal(in)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost,
		strings.TrimSuffix(address, "/")+"/simulator/"+operation, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, fmt.Errorf("reach the simulated WhatsApp (is the local cloud running?): %w", err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(answer); err != nil {
		return 0, fmt.Errorf("%s is not the simulated WhatsApp: it answered %d", address, response.StatusCode)
	}
	return response.StatusCode, nil
}
