package whatsapp

import (
	"bytes"
	"cmp"
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

// Graph is a client of Meta's Cloud API.
type Graph struct {
	URL   string // with the API version
	Token func(context.Context) (string, error)
	HTTP  *http.Client
}

// SendTimeout bounds one send. The lease of an outbox event is longer.
const SendTimeout = 20 * time.Second

// idleConnTimeout is how long an idle connection is reused. It is short because a send must not be repeated: if it
// fails on a dead connection, nobody can tell whether it arrived.
const idleConnTimeout = 10 * time.Second

// HTTPClient returns a client for sends. The function closes its idle connections before an invocation that comes after
// a rest.
func HTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.IdleConnTimeout = idleConnTimeout
	transport.MaxIdleConnsPerHost = transport.MaxIdleConns // an invocation sends to several people at once
	return &http.Client{Transport: transport}
}

// errAddress does not contain the address, because somebody may have put a token into it, and errors are logged.
var errAddress = errors.New(
	"it is not an address with a version and nothing behind it, such as https://graph.facebook.com/v23.0")

// CheckURL returns an error unless text is a Cloud API address that ends in a version, such as v23.0. Without a version
// Meta uses the oldest one that it still serves.
func CheckURL(text string) error {
	address, err := url.Parse(text)
	https := err == nil && (address.Scheme == "https" || address.Scheme == "http")
	if !https || address.Host == "" || strings.Trim(address.Path, "/") == "" || address.RawQuery != "" ||
		address.Fragment != "" {
		return errAddress
	}
	return nil
}

// maxAnswer bounds how many bytes of an answer are read.
const maxAnswer = 1 << 20

// SendError says why a send failed and whether it may have had an effect.
type SendError struct {
	Class Class
	Meta  Error // Meta's error, zero if there is none
	HTTP  int
	// Ambiguous is true if Meta may have taken the message. Wait for its statuses before sending it again.
	Ambiguous bool
	Cause     error
	// Credential is the fingerprint of the token that was used, set if the class is StopSender.
	Credential string
}

// Fingerprint returns a short hash of a token, to tell tokens apart. A token has too many bits to be guessed from it.
func Fingerprint(token string) string {
	sum := sha256.Sum256([]byte("haatline token " + strings.TrimSpace(token)))
	return hex.EncodeToString(sum[:8])
}

func (e *SendError) Error() string {
	switch {
	case e.Meta.Code == NoCode && e.Meta.Message != "":
		return e.Meta.Message
	case e.Meta.Code != 0 || e.Meta.Message != "":
		return fmt.Sprintf("WhatsApp error %d: %s", e.Meta.Code, cmp.Or(e.Meta.Details, e.Meta.Message, e.Meta.Title))
	case e.HTTP != 0:
		return fmt.Sprintf("WhatsApp answered HTTP %d", e.HTTP)
	}
	return "no answer from WhatsApp"
}

// Code returns Meta's error code, and whether there is one. 0 is a valid code.
func (e *SendError) Code() (int64, bool) {
	said := e.HTTP != 0 && e.Meta != (Error{}) && e.Meta.Code != NoCode
	return e.Meta.Code, said
}

// Unwrap returns the cause.
func (e *SendError) Unwrap() error { return e.Cause }

// Request is a message to be sent from a number.
type Request struct {
	PhoneNumberID string
	Body          json.RawMessage
	CallbackData  string // comes back with every status of the message
	Marketing     bool   // goes the way of marketing messages, by which Meta chooses the time
}

// Taken is a message that Meta has accepted.
type Taken struct {
	ID   string // empty for a read receipt
	Held bool   // Meta holds it back for a check of its quality, and has not sent it yet
	// Recipient has the identifiers of the customer who gets it: the number that answers may differ from the one it was
	// sent to.
	Recipient []string
}

// Send posts a message with its callback data. Every error is a *SendError.
func (g *Graph) Send(ctx context.Context, r Request) (Taken, error) {
	if !isPhoneNumberID(r.PhoneNumberID) {
		return Taken{},
			&SendError{Class: Never, Cause: errPhoneNumberID, Meta: Error{Message: errPhoneNumberID.Error()}}
	}
	body, err := r.Message()
	if err != nil {
		return Taken{},
			&SendError{Class: Never, Cause: err, Meta: Error{Message: "the stored message is not an object"}}
	}
	path := "/messages"
	if r.Marketing {
		path = "/marketing_messages"
	}
	status, answer, token, err := g.post(ctx, url.PathEscape(r.PhoneNumberID)+path, body)
	if err != nil {
		return Taken{}, err
	}
	taken, err := readAnswer(status, answer)
	return taken, withCredential(err, token)
}

// withCredential notes in a refusal of the token which token it was.
func withCredential(err error, token string) error {
	var refused *SendError
	if errors.As(err, &refused) && refused.Class == StopSender {
		refused.Credential = Fingerprint(token)
	}
	return err
}

// post posts JSON, and returns the answer and the token that it was posted with. Every error is a *SendError.
func (g *Graph) post(ctx context.Context, path string, body []byte) (status int, answer []byte, token string,
	err error) {
	token, err = g.Token(ctx)
	if err != nil {
		return 0, nil, "", &SendError{
			Class: Retry, Cause: err, Meta: Error{Message: "the access token could not be read"}}
	}
	ctx, cancel := context.WithTimeout(ctx, SendTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(g.URL, "/")+"/"+path,
		bytes.NewReader(body))
	if err != nil {
		return 0, nil, "", &SendError{Class: Never, Cause: err, Meta: Error{Message: "the Graph URL is not a URL"}}
	}
	// A secret that was pasted with a line break would make the header invalid.
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	request.Header.Set("Content-Type", "application/json")
	response, err := g.HTTP.Do(request)
	if err != nil {
		return 0, nil, "", &SendError{Class: Retry, Cause: errors.New("transport"), Ambiguous: !NeverReached(err)}
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return 0, nil, "", &SendError{
			Class: Retry, Cause: errors.New("transport"), HTTP: response.StatusCode, Ambiguous: true}
	}
	return response.StatusCode, answer, token, nil
}

// errPhoneNumberID means that the sending number's id is malformed.
var errPhoneNumberID = errors.New("the id of the sending number is not 5 to 20 digits")

// isPhoneNumberID reports whether text is the id of a phone number. Other texts, such as me or .., would change the
// request's path and call another endpoint with our token.
func isPhoneNumberID(id string) bool {
	return len(id) >= 5 && len(id) <= 20 && strings.Trim(id, "0123456789") == ""
}

// readAnswer distinguishes acceptance, refusal and unclear answers. A 2xx without an id and a 5xx without Meta's error
// object come from something in between, so the message may have been taken.
func readAnswer(status int, answer []byte) (Taken, error) {
	o := objectOf(answer) // an answer that is not JSON gives an empty object
	var taken Taken
	if messages := o.List("messages").Objects(); len(messages) > 0 {
		taken = Taken{
			ID: messages[0].Text("id"), Held: messages[0].Text("message_status") == "held_for_quality_assessment"}
	}
	if contacts := o.List("contacts").Objects(); len(contacts) == 1 {
		for _, name := range []string{"wa_id", "user_id", "parent_user_id"} {
			if id := contacts[0].Text(name); id != "" {
				taken.Recipient = append(taken.Recipient, id)
			}
		}
	}
	refusal := o.Object("error")
	code, hasCode := refusal.int("code")
	if !hasCode {
		code = NoCode
	}
	class := ClassOf(code, status)
	// the token may not use the number, or the number does not exist
	if subcode, _ := refusal.int("error_subcode"); code == 100 && subcode == 33 {
		class = StopSender
	}
	if _, found := known(code); !found && refusal.Bool("is_transient") {
		class = Retry
	}
	switch {
	case hasCode || refusal != nil && status >= 300 && status < 500:
		return Taken{}, &SendError{Class: class, HTTP: status, Meta: errorOf(refusal, code)}
	case status < 300 && taken.ID != "":
		return taken, nil
	case status < 300 && o.Bool("success"):
		return Taken{}, nil
	case status < 300 || status >= 500:
		return Taken{}, &SendError{Class: Retry, HTTP: status, Ambiguous: true}
	}
	return Taken{}, &SendError{Class: class, HTTP: status}
}

// NoCode is the code of an error without one, because 0 is a valid code.
const NoCode = -1

// Message returns what Meta takes: the body with the callback data. Read receipts get none, because they have no
// statuses.
func (r Request) Message() ([]byte, error) {
	var o Object
	if err := json.Unmarshal(r.Body, &o); err != nil {
		return nil, err
	}
	if o == nil {
		return nil, errors.New("not an object")
	}
	if _, receipt := o["status"]; !receipt {
		o["biz_opaque_callback_data"], _ = json.Marshal(r.CallbackData)
	}
	return json.Marshal(o)
}

// NeverReached reports whether a transport error proves that nobody has received the request.
func NeverReached(err error) bool {
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns) || errors.Is(err, syscall.ECONNREFUSED)
}
