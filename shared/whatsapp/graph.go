package whatsapp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// Graph is a client of the Cloud API.
type Graph struct {
	URL   string // with version
	Token func(context.Context) (string, error)
	HTTP  *http.Client
}

// SendTimeout is how long a send may take. A lease on an outbox event lasts longer.
const SendTimeout = 20 * time.Second

// keptFor is how long an idle connection is used again. A send must not be repeated, so one that goes out on a connection
// that has died cannot be told from one that arrived.
const keptFor = 10 * time.Second

// HTTPClient returns a client to send with. Its idle connections are closed before each invocation of the function.
func HTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.IdleConnTimeout = keptFor
	return &http.Client{Transport: transport}
}

// errAddress does not repeat the address: somebody may have put a token into it, and it ends in a log.
var errAddress = errors.New("it is not an address with a version and nothing behind it, such as https://graph.facebook.com/v23.0")

// CheckURL returns an error unless the text is an address of the Cloud API that ends in a version, such as v23.0. For an address
// without a version, Meta uses the oldest version that it still serves.
func CheckURL(text string) error {
	address, err := url.Parse(text)
	https := err == nil && (address.Scheme == "https" || address.Scheme == "http")
	if !https || address.Host == "" || strings.Trim(address.Path, "/") == "" || address.RawQuery != "" || address.Fragment != "" {
		return errAddress
	}
	return nil
}

// maxAnswer bounds what is read of an answer.
const maxAnswer = 1 << 20

// SendError says why a send did not succeed and what is known of its effect.
type SendError struct {
	Class    Class
	Platform Error // what the platform said, if it did
	HTTP     int
	// Ambiguous: the platform may have taken the message. It must not be sent again before its statuses had time to come.
	Ambiguous bool
	Cause     error
	// Credential is a fingerprint of the token that a stop of the sender was answered to.
	Credential string
}

// Fingerprint is a short hash of a token, by which another one can be told from it. A token has too many bits to be guessed
// by it.
func Fingerprint(token string) string {
	sum := sha256.Sum256([]byte("haatline token " + strings.TrimSpace(token)))
	return hex.EncodeToString(sum[:8])
}

func (e *SendError) Error() string {
	switch {
	case e.Platform.Code != 0 || e.Platform.Message != "":
		return fmt.Sprintf("platform error %d: %s", e.Platform.Code, firstOf(e.Platform.Details, e.Platform.Message, e.Platform.Title))
	case e.HTTP != 0:
		return fmt.Sprintf("platform answered HTTP %d", e.HTTP)
	}
	return "no answer from the platform"
}

// Code returns the platform's code, and false where it gave none. 0 is a code of its own.
func (e *SendError) Code() (int64, bool) {
	said := e.HTTP != 0 && e.Platform != (Error{}) && e.Platform.Code != noCode
	return e.Platform.Code, said
}

// Unwrap is the cause.
func (e *SendError) Unwrap() error { return e.Cause }

// Send posts a message body, with the callback data in it, for a number. It returns the platform's message id, empty for
// a read receipt. Every error is a *SendError.
func (g *Graph) Send(ctx context.Context, phoneNumberID string, message json.RawMessage, callbackData string) (string, error) {
	if !isPhoneNumberID(phoneNumberID) {
		return "", &SendError{Class: Never, Cause: errPhoneNumberID, Platform: Error{Message: errPhoneNumberID.Error()}}
	}
	body, err := withCallback(message, callbackData)
	if err != nil {
		return "", &SendError{Class: Never, Cause: err, Platform: Error{Message: "the stored message is not an object"}}
	}
	token, err := g.Token(ctx)
	if err != nil {
		return "", &SendError{Class: Retry, Cause: err, Platform: Error{Message: "the access token could not be read"}}
	}
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(g.URL, "/")+"/"+url.PathEscape(phoneNumberID)+"/messages", bytes.NewReader(body))
	if err != nil {
		return "", &SendError{Class: Never, Cause: err, Platform: Error{Message: "the Graph URL is not a URL"}}
	}
	// A secret pasted with a line break would be refused before it is sent, by the transport.
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	request.Header.Set("Content-Type", "application/json")
	response, err := g.HTTP.Do(request)
	if err != nil {
		return "", &SendError{Class: Retry, Cause: errors.New("transport"), Ambiguous: !neverReached(err)}
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "", &SendError{Class: Retry, Cause: errors.New("transport"), HTTP: response.StatusCode, Ambiguous: true}
	}
	id, err := readAnswer(response.StatusCode, answer)
	var refused *SendError
	if errors.As(err, &refused) && refused.Class == StopSender {
		refused.Credential = Fingerprint(token)
	}
	return id, err
}

// errPhoneNumberID means that a message is to go out from what is no number.
var errPhoneNumberID = errors.New("the id of the sending number is not 5 to 20 digits")

// isPhoneNumberID reports whether a text is the id of a number. As a part of a path, me, app or .. would be another
// address, asked with our token.
func isPhoneNumberID(id string) bool {
	return len(id) >= 5 && len(id) <= 20 && strings.Trim(id, "0123456789") == ""
}

// readAnswer tells acceptance, refusal and what is neither. A 2xx without an id, and a 5xx without an error of the
// platform, come from something on the way: the message may have been taken.
func readAnswer(status int, answer []byte) (string, error) {
	o := objectOf(answer) // what is not JSON says nothing
	var id string
	if messages := o.List("messages").Objects(); len(messages) > 0 {
		id = messages[0].Text("id")
	}
	refusal := o.Object("error")
	code, hasCode := refusal.int("code")
	if !hasCode {
		code = noCode
	}
	class := ClassOf(code, status)
	if subcode, _ := refusal.int("error_subcode"); code == 100 && subcode == 33 { // the token may not use the number, or there is none
		class = StopSender
	}
	switch {
	case hasCode || refusal != nil && status >= 300 && status < 500:
		return "", &SendError{
			Class: class, HTTP: status,
			Platform: Error{
				Code: code, Title: refusal.Text("type"), Message: refusal.Text("message"),
				Details: firstOf(refusal.Object("error_data").Text("details"), refusal.Text("error_user_msg")),
			},
		}
	case status < 300 && id != "":
		return id, nil
	case status < 300 && o.Bool("success"):
		return "", nil
	case status < 300 || status >= 500:
		return "", &SendError{Class: Retry, HTTP: status, Ambiguous: true}
	}
	return "", &SendError{Class: class, HTTP: status}
}

// noCode stands for the code of an error that has none: 0 is a code of its own.
const noCode = -1

// withCallback puts the callback data into the body. A read receipt takes none: it has no statuses.
func withCallback(message json.RawMessage, callbackData string) ([]byte, error) {
	var o Object
	if err := json.Unmarshal(message, &o); err != nil {
		return nil, err
	}
	if o == nil {
		return nil, errors.New("not an object")
	}
	if _, receipt := o["status"]; !receipt {
		o["biz_opaque_callback_data"], _ = json.Marshal(callbackData)
	}
	return json.Marshal(o)
}

// neverReached says whether a transport error means that the platform has not seen the request.
func neverReached(err error) bool {
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns) || errors.Is(err, syscall.ECONNREFUSED)
}
