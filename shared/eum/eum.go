// Package eum sends WhatsApp messages through AWS End User Messaging Social. It is a thin client over AWS's: an outbox
// event needs to know whether a message may have been taken, and what follows from a refusal.
package eum

import (
	"context"
	"errors"
	"net/http"
	"path"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/socialmessaging"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/haatline/haatline/shared/awsenv"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Client sends messages, in AWS_REGION, with Lambda's credentials. AWS_ENDPOINT_URL_SOCIALMESSAGING, AWS's own
// variable, is the address of another server.
type Client struct {
	api     *socialmessaging.Client
	version string
}

// New returns a client. The version of Meta's API is that of WHATSAPP_GRAPH_URL. It makes one attempt: a message must
// not be sent twice, and the outbox repeats what may be repeated.
func New(getenv func(string) string, client *http.Client) *Client {
	options := socialmessaging.Options{
		Region: getenv("AWS_REGION"), Credentials: awsenv.Provider(getenv), HTTPClient: client,
		Retryer: aws.NopRetryer{},
	}
	if address := getenv("AWS_ENDPOINT_URL_SOCIALMESSAGING"); address != "" {
		options.BaseEndpoint = &address
	}
	return &Client{socialmessaging.New(options), path.Base(getenv("WHATSAPP_GRAPH_URL"))}
}

// Send sends a message from a number, by AWS's id of it: phone-number-id-…. AWS itself chooses the way of marketing
// messages. Every error is a *whatsapp.SendError.
//
// AWS answers with an id of its own, which no status has. Then Send returns no id: the first status says Meta's.
func (c *Client) Send(ctx context.Context, number string, r whatsapp.Request) (whatsapp.Taken, error) {
	message, err := r.Message()
	if err != nil {
		return whatsapp.Taken{}, &whatsapp.SendError{
			Class: whatsapp.Never, Cause: err, Meta: whatsapp.Error{Message: "the stored message is not an object"}}
	}
	ctx, cancel := context.WithTimeout(ctx, whatsapp.SendTimeout)
	defer cancel()
	out, err := c.api.SendWhatsAppMessage(ctx, &socialmessaging.SendWhatsAppMessageInput{
		OriginationPhoneNumberId: &number, Message: message, MetaApiVersion: &c.version})
	if err != nil {
		return whatsapp.Taken{}, withCredential(failure(err), number)
	}
	id := aws.ToString(out.MessageId)
	if id == "" {
		return whatsapp.Taken{}, &whatsapp.SendError{Class: whatsapp.Retry, HTTP: http.StatusOK, Ambiguous: true}
	}
	if !strings.HasPrefix(id, "wamid.") {
		id = ""
	}
	return whatsapp.Taken{ID: id}, nil
}

// Credential returns the fingerprint of what a number at AWS sends with: the number's id, because the credentials are
// the function's own.
func Credential(number string) string { return whatsapp.Fingerprint("aws " + number) }

// withCredential notes in a refusal of the number with what it was sent.
func withCredential(refused *whatsapp.SendError, number string) *whatsapp.SendError {
	if refused.Class == whatsapp.StopSender {
		refused.Credential = Credential(number)
	}
	return refused
}

// classes holds what follows from AWS's exceptions, where the status of HTTP does not say it.
var classes = map[string]whatsapp.Class{
	"AccessDeniedException":          whatsapp.StopSender,
	"AccessDeniedByMetaException":    whatsapp.StopSender,
	"ExpiredTokenException":          whatsapp.StopSender,
	"InvalidSignatureException":      whatsapp.StopSender,
	"UnrecognizedClientException":    whatsapp.StopSender,
	"ResourceNotFoundException":      whatsapp.StopSender, // the number is not, or not any more, in the account
	"LimitExceededException":         whatsapp.Retry,
	"ThrottledRequestException":      whatsapp.Retry,
	"ThrottlingException":            whatsapp.Retry,
	"RequestExpired":                 whatsapp.Retry,
	"ServiceUnavailableException":    whatsapp.Retry,
	"InternalServiceException":       whatsapp.Retry,
	"DependencyException":            whatsapp.Retry,
	"ValidationException":            whatsapp.Never,
	"InvalidParametersException":     whatsapp.Never,
	"RequestEntityTooLargeException": whatsapp.Never,
}

// tooFast is Meta's code for a number that sends too much at once. It has the whole number send more slowly.
const tooFast = 130429

// failure returns what an error of AWS's client means. It keeps AWS's name of the exception, and not AWS's words, which
// may name a person. An error of Meta's decides if AWS passes one on.
func failure(err error) *whatsapp.SendError {
	var response *smithyhttp.ResponseError
	status := 0
	if errors.As(err, &response) {
		status = response.HTTPStatusCode()
	}
	var said smithy.APIError
	if !errors.As(err, &said) {
		return unclear(err, status)
	}
	if meta, found := whatsapp.ErrorIn(said.ErrorMessage()); found {
		return &whatsapp.SendError{Class: whatsapp.ClassOf(meta.Code, status), HTTP: status, Meta: meta}
	}
	class, known := classes[said.ErrorCode()]
	if !known {
		class = whatsapp.ClassOf(whatsapp.NoCode, status)
	}
	meta := whatsapp.Error{Code: whatsapp.NoCode, Title: said.ErrorCode(), Message: "AWS answered " + said.ErrorCode()}
	if status == http.StatusTooManyRequests {
		meta.Code = tooFast
	}
	return &whatsapp.SendError{
		Class: class, HTTP: status, Meta: meta, Ambiguous: status >= http.StatusInternalServerError}
}

// unclear returns what an error without an exception of AWS's means. A request that nobody has received has no effect,
// and neither has one that was refused.
func unclear(err error, status int) *whatsapp.SendError {
	if status >= 300 && status < http.StatusInternalServerError {
		return &whatsapp.SendError{Class: whatsapp.ClassOf(whatsapp.NoCode, status), HTTP: status}
	}
	return &whatsapp.SendError{
		Class: whatsapp.Retry, HTTP: status, Cause: errors.New("transport"), Ambiguous: !whatsapp.NeverReached(err)}
}
