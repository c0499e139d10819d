// Package sms sends texts through AWS End User Messaging. It is a minimal client, because one operation does not
// justify another SDK module.
package sms

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/awsenv"
)

// Client sends texts, in AWS_REGION, with Lambda's credentials. AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2, AWS's own
// variable, is the address of another server.
type Client struct {
	getenv func(string) string
	client *http.Client
	sender string
}

// New returns a client that sends from SMS_SENDER: the ARN or the id of a sender id, a number or a pool; "" has AWS
// choose.
func New(getenv func(string) string, client *http.Client) *Client {
	return &Client{getenv, client, getenv("SMS_SENDER")}
}

// Sender returns from whom texts go that name no sender of their own; "" if AWS chooses.
func (c *Client) Sender() string { return c.sender }

// Text is a text to send.
type Text struct {
	From string // an ARN or the id of a sender id, a number or a pool; "" for the client's sender
	To   string // E.164
	Body string
	// EntityID and TemplateID are the ids of the registration of the business and of the wording with India's
	// operators; "" elsewhere.
	EntityID, TemplateID string
}

// country returns what the country of a text asks for.
func (t Text) country() map[string]string {
	if t.EntityID == "" {
		return nil
	}
	return map[string]string{"IN_ENTITY_ID": t.EntityID, "IN_TEMPLATE_ID": t.TemplateID}
}

// Refused means that AWS has not taken a text. Any other error means that nobody knows.
type Refused struct {
	HTTP   int
	Code   string // AWS's name of the exception
	Reason string // AWS's reason within the exception; "" for none
}

func (e *Refused) Error() string {
	return strings.TrimSpace(fmt.Sprintf("refused: HTTP %d %s %s", e.HTTP, e.Code, e.Reason))
}

// Meaning says what follows from a refusal.
type Meaning int

const (
	Never    Meaning = iota // this text is never taken
	Later                   // another try may succeed
	TooFast                 // the sender sends too much: all its texts wait for some seconds
	Stopped                 // no text is taken until somebody has mended the permission or the spending limit
	OptedOut                // the person has told AWS that they want no texts
)

// meanings holds the refusals that do not mean Never, by exception, or by exception and reason.
var meanings = map[string]Meaning{
	"InternalServerException":       Later,
	"ThrottlingException":           TooFast,
	"ServiceQuotaExceededException": Stopped,
	"AccessDeniedException":         Stopped,
	"ExpiredTokenException":         Stopped,
	"UnrecognizedClientException":   Stopped,

	"ConflictException DESTINATION_PHONE_NUMBER_OPTED_OUT": OptedOut,
}

// Meaning returns what follows from the refusal. An HTTP status of 5xx means Later.
func (e *Refused) Meaning() Meaning {
	for _, name := range []string{e.Code + " " + e.Reason, e.Code} {
		if meaning, known := meanings[name]; known {
			return meaning
		}
	}
	if e.HTTP >= http.StatusInternalServerError {
		return Later
	}
	return Never
}

const (
	operation = "PinpointSMSVoiceV2.SendTextMessage"
	service   = "sms-voice"
	maxAnswer = 64 << 10
	timeout   = 10 * time.Second
)

// Send sends a text and returns AWS's id of it. It makes one attempt, and returns a *Refused if AWS refuses it.
func (c *Client) Send(ctx context.Context, text Text) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	body, err := json.Marshal(struct {
		To      string            `json:"DestinationPhoneNumber"`
		Sender  string            `json:"OriginationIdentity,omitempty"`
		Text    string            `json:"MessageBody"`
		Type    string            `json:"MessageType"`
		Country map[string]string `json:"DestinationCountryParameters,omitempty"`
	}{text.To, cmp.Or(text.From, c.sender), text.Body, "TRANSACTIONAL", text.country()})
	if err != nil {
		return "", fmt.Errorf("sms: %w", err)
	}
	request, err := c.request(ctx, body)
	if err != nil {
		return "", err
	}
	response, err := c.client.Do(request)
	if err != nil {
		return "", fmt.Errorf("sms: %w", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "", fmt.Errorf("sms: %w", err)
	}
	return read(response.StatusCode, answer)
}

func (c *Client) request(ctx context.Context, body []byte) (*http.Request, error) {
	address := c.getenv("AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2")
	if address == "" {
		address = "https://" + service + "." + c.getenv("AWS_REGION") + ".amazonaws.com/"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("sms: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", operation)
	if err := awsenv.Sign(request, body, service, c.getenv); err != nil {
		return nil, fmt.Errorf("sms: sign: %w", err)
	}
	return request, nil
}

// read returns the id in an answer. AWS's own message is left out: it may hold the number.
func read(status int, answer []byte) (string, error) {
	var out struct {
		ID     string `json:"MessageId"`
		Type   string `json:"__type"`
		Reason string `json:"Reason"`
	}
	err := json.Unmarshal(answer, &out)
	if status == http.StatusOK && err == nil && out.ID != "" {
		return out.ID, nil
	}
	if status == http.StatusOK {
		return "", fmt.Errorf("sms: not an answer: %d bytes", len(answer))
	}
	return "", &Refused{status, out.Type[strings.LastIndexByte(out.Type, '#')+1:], out.Reason}
}
