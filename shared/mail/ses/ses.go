// Package ses sends email through Amazon SES, as it was written.
package ses

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/haatline/haatline/shared/awsenv"
)

// API is what is used of SES's client. The client should make one attempt: a second one could send a message twice.
type API interface {
	SendEmail(context.Context, *sesv2.SendEmailInput, ...func(*sesv2.Options)) (*sesv2.SendEmailOutput, error)
}

// Client sends email.
type Client struct {
	API    API
	Region string
	// Configuration is the configuration set, by which SES tells what became of a message; "" for none.
	Configuration string
}

// Open returns a client in AWS_REGION, with Lambda's credentials and the configuration set that SES_CONFIGURATION
// names. AWS_ENDPOINT_URL_SESV2, AWS's own variable, is the address of another server.
func Open(getenv func(string) string, client *http.Client) *Client {
	options := sesv2.Options{
		Region: getenv("AWS_REGION"), Retryer: aws.NopRetryer{}, HTTPClient: client,
		Credentials: awsenv.Provider(getenv),
	}
	if endpoint := getenv("AWS_ENDPOINT_URL_SESV2"); endpoint != "" {
		options.BaseEndpoint = aws.String(endpoint)
	}
	return &Client{API: sesv2.New(options), Region: options.Region, Configuration: getenv("SES_CONFIGURATION")}
}

// Timeout bounds one send. The lease of an outbox event is longer.
const Timeout = 20 * time.Second

// Email is a message as package mail writes it, with its envelope.
type Email struct {
	From, To string
	Raw      []byte
	Event    string // comes back with every notice about the message: letters, digits, - and _
}

// eventTag is the name of the tag that carries the event.
const eventTag = "event"

// Refused means that SES has not taken a message. Any other error means that nobody knows.
type Refused struct {
	HTTP int
	Code string // SES's name of the exception
	Day  bool   // the account has sent as many messages as it may send in a day
}

func (e *Refused) Error() string { return fmt.Sprintf("refused: HTTP %d %s", e.HTTP, e.Code) }

// Meaning says what follows from a refusal.
type Meaning int

const (
	Never   Meaning = iota // this message is never taken
	Later                  // another try may succeed
	TooFast                // the account sends too much: all its messages wait
	Stopped                // no message is taken for long: the day is full, or somebody has to mend the account
)

// meanings holds the refusals that do not mean Never.
var meanings = map[string]Meaning{
	"InternalServiceErrorException":      Later,
	"InternalFailure":                    Later,
	"ServiceUnavailable":                 Later,
	"TooManyRequestsException":           TooFast,
	"ThrottlingException":                TooFast,
	"LimitExceededException":             Stopped, // the messages of a day
	"AccountSuspendedException":          Stopped,
	"SendingPausedException":             Stopped,
	"MailFromDomainNotVerifiedException": Stopped,
	"NotFoundException":                  Stopped, // the configuration set is not there
	"AccessDeniedException":              Stopped,
	"ExpiredTokenException":              Stopped,
	"UnrecognizedClientException":        Stopped,
}

// Meaning returns what follows from the refusal. An HTTP status of 5xx means Later.
func (e *Refused) Meaning() Meaning {
	if e.Day {
		return Stopped
	}
	if meaning, known := meanings[e.Code]; known {
		return meaning
	}
	if e.HTTP >= http.StatusInternalServerError {
		return Later
	}
	return Never
}

// Send sends a message and returns the Message-ID that it has at the recipient, without brackets: SES puts its own in
// place of the one that was written. It makes one attempt, and returns a *Refused if SES refuses the message.
func (c *Client) Send(ctx context.Context, email Email) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	in := &sesv2.SendEmailInput{
		FromEmailAddress: &email.From, Destination: &types.Destination{ToAddresses: []string{email.To}},
		Content: &types.EmailContent{Raw: &types.RawMessage{Data: email.Raw}},
	}
	if c.Configuration != "" {
		in.ConfigurationSetName = &c.Configuration
	}
	if email.Event != "" {
		in.EmailTags = []types.MessageTag{{Name: aws.String(eventTag), Value: &email.Event}}
	}
	out, err := c.API.SendEmail(ctx, in)
	if err != nil {
		return "", refused(err)
	}
	if aws.ToString(out.MessageId) == "" {
		return "", errors.New("ses: an answer without an id")
	}
	return MessageID(*out.MessageId, c.Region), nil
}

// errNoAnswer stands for what the SDK says, because that may hold an address.
var errNoAnswer = errors.New("ses: no answer")

// refused returns a *Refused for an error that SES has answered. SES's own message is left out: it may hold an address.
// Only the message tells a full day ("Daily message quota exceeded") from a full second.
func refused(err error) error {
	var response *smithyhttp.ResponseError
	var named smithy.APIError
	if errors.As(err, &response) && errors.As(err, &named) && response.HTTPStatusCode() != 0 {
		day := strings.Contains(strings.ToLower(named.ErrorMessage()), "daily")
		return &Refused{response.HTTPStatusCode(), named.ErrorCode(), day}
	}
	return errNoAnswer
}

// MessageID returns the Message-ID that a message has at its recipient, by SES's id of it and the region.
func MessageID(id, region string) string {
	if strings.Contains(id, "@") {
		return id
	}
	if region == "us-east-1" { // the first region has a name of its own
		region = "email"
	}
	return id + "@" + region + ".amazonses.com"
}
