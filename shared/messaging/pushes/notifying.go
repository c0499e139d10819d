package pushes

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/outward"
)

const (
	// timeout is how long a push service may take to answer.
	timeout = 10 * time.Second
	// lasting is for how long a notification is worth anything: a push service keeps it so long for a browser that is
	// closed, and what is older than that is not sent.
	lasting = time.Hour
	// maxAnswer bounds what is read of an answer. Nobody looks at it: reading ends the request in good order.
	maxAnswer = 4 << 10
	// longestWait bounds what a push service may ask for with Retry-After.
	longestWait = 10 * time.Minute
	// maxText bounds the text of a notification, in characters.
	maxText = 200
	// contact is whom a push service may ask about what it is sent (RFC 8292).
	contact = "https://github.com/haatline/haatline"
)

// waits are the times between the attempts to notify one browser.
var waits = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute}

// Poster posts notifications to push services.
type Poster struct{ client *http.Client }

// NewPoster returns a poster that dials the addresses that allowed reports: outward.Public, in everything that is
// deployed. transport is changed: it dials by that rule, and uses no proxy.
func NewPoster(allowed func(netip.Addr) bool, transport *http.Transport) *Poster {
	return &Poster{outward.Client(allowed, transport, timeout)}
}

// Notification is what the console's service worker shows.
type Notification struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	// Conversation is its id. The next notification about it takes the place of this one.
	Conversation string `json:"conversation"`
}

// Handlers returns the handler of the outbox events. It is of the slow lane. A push service may get a notification
// twice: it takes the place of the first one.
func (p *Pushes) Handlers(poster *Poster) map[string]outbox.Handler {
	return map[string]outbox.Handler{EventNotify: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			return "", p.notify(ctx, event, poster)
		},
		Repeats: true,
	}}
}

// notify makes one attempt to notify a browser. Every error is a *outbox.Failure.
func (p *Pushes) notify(ctx context.Context, event model.OutboxEvent, poster *Poster) error {
	of, err := outbox.PayloadOf[notice](event)
	if err != nil {
		return err
	}
	if p.Now().Sub(of.At.Go()) > lasting {
		return nil
	}
	d, err := p.Get(ctx, event.EcosystemID, of.Subject, of.Device)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil // it was deleted a moment ago
	}
	if err != nil {
		return outbox.Unfinished(err, "the browser could not be read")
	}
	member, err := p.works(ctx, d.TenantID, d.Subject)
	switch {
	case err != nil:
		return outbox.Unfinished(err, "the tenant's people could not be read")
	case !member:
		return outbox.Unfinished(p.forget(ctx, d), outbox.NotWritten)
	}
	c, there, err := p.Conversation(ctx, of.MessageID)
	if err != nil {
		return outbox.Unfinished(err, "the conversation could not be read")
	}
	if !there || over(of.Kind, c) {
		return nil
	}
	text, err := json.Marshal(notificationOf(of.Kind, c, d.Language))
	if err != nil {
		return outbox.Unreadable(err)
	}
	options, err := p.options(ctx, d.TenantID, c, poster)
	if err != nil {
		return outbox.Unfinished(err, "the tenant's keys could not be opened")
	}
	return p.answered(ctx, d, event, text, options)
}

// over reports whether somebody has dealt with what a notification is about.
func over(kind string, c model.Conversation) bool {
	if kind == inbox.EventPerson {
		return c.NeedsPersonSince == ""
	}
	return c.UnreadCount == 0 || c.Archived
}

// texts say that an assistant has left a conversation to a person.
var texts = map[string]string{"en": "Waits for a person: ", "hi": "किसी का इंतज़ार है: "}

func notificationOf(kind string, c model.Conversation, language string) Notification {
	n := Notification{Title: c.SenderName, Body: c.LastPreview, Conversation: keys.ConversationID(c.PK)}
	if n.Title == "" {
		n.Title = "+" + c.From
	}
	if kind == inbox.EventPerson {
		n.Body = texts[language] + n.Body
	}
	if body := []rune(n.Body); len(body) > maxText {
		n.Body = string(body[:maxText-1]) + "…"
	}
	return n
}

// options returns how a notification about a conversation is posted.
func (p *Pushes) options(ctx context.Context, tenant model.TenantID, c model.Conversation,
	poster *Poster) (*webpush.Options, error) {
	key, err := p.key(ctx, tenant)
	if err != nil {
		return nil, err
	}
	if p.Vault == nil {
		return nil, errNoVault
	}
	private, err := p.Vault.Open(ctx, key.PrivateKey, owner(tenant))
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(c.PK))
	return &webpush.Options{
		HTTPClient: poster.client, Subscriber: contact, TTL: int(lasting / time.Second),
		Topic:   base64.RawURLEncoding.EncodeToString(hash[:24]), // 32 characters at most
		Urgency: webpush.UrgencyHigh, VAPIDPublicKey: key.PublicKey, VAPIDPrivateKey: private,
		VapidExpiration: p.Now().Add(lasting),
	}, nil
}

// answered posts a notification, and does what the answer asks for. A browser that the push service does not know, or
// that takes nothing by the tenant's keys, is forgotten.
func (p *Pushes) answered(ctx context.Context, d model.PushDevice, event model.OutboxEvent, text []byte,
	options *webpush.Options) error {
	response, err := webpush.SendNotificationWithContext(ctx, text, &webpush.Subscription{
		Endpoint: d.Endpoint, Keys: webpush.Keys{Auth: d.Auth, P256dh: d.P256dh}}, options)
	failure := &outbox.Failure{
		Reason: "the push service could not be reached", Kind: "unreached", Class: "unreached",
		Attempts: len(waits) + 1, Quiet: true}
	failure.Wait = waits[min(event.FailuresByClass[failure.Class], len(waits)-1)]
	if err != nil {
		return failure // the error has the address, which is a secret
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer))
	switch status := response.StatusCode; {
	case status < 300:
		return nil
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests,
		status >= http.StatusInternalServerError:
		failure.Reason, failure.Kind = "the push service is busy", strconv.Itoa(status)
		failure.Code = int64(status)
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
			failure.Wait = max(failure.Wait, min(time.Duration(seconds)*time.Second, longestWait))
		}
		return failure
	case status == http.StatusRequestEntityTooLarge:
		return &outbox.Failure{Reason: "the notification is too large", Kind: strconv.Itoa(status), Attempts: 1}
	default:
		return outbox.Unfinished(p.forget(ctx, d), outbox.NotWritten)
	}
}
