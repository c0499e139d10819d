package pushes

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/webpush"
)

const (
	// lasting is for how long a notification is worth anything: a push service keeps it so long for a browser that is
	// closed, and what is older than that is not sent.
	lasting = time.Hour
	// longestWait bounds what a push service may ask for with Retry-After.
	longestWait = 10 * time.Minute
	// maxText bounds the text of a notification, in characters.
	maxText = 200
)

// waits are the times between the attempts to notify one browser.
var waits = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute}

// Poster posts notifications to push services: posting.Poster.
type Poster interface {
	Post(ctx context.Context, to webpush.Browser, m webpush.Message) (webpush.Answer, error)
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
func (p *Pushes) Handlers(poster Poster) map[string]outbox.Handler {
	return map[string]outbox.Handler{EventNotify: {
		Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
			return "", p.notify(ctx, event, poster)
		},
		Repeats: true,
	}}
}

// notify makes one attempt to notify a browser. Every error is a *outbox.Failure.
func (p *Pushes) notify(ctx context.Context, event model.OutboxEvent, poster Poster) error {
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
	reads, err := p.mayRead(ctx, d)
	switch {
	case err != nil:
		return outbox.Unfinished(err, "the tenant's people could not be read")
	case !reads:
		return outbox.Unfinished(p.forget(ctx, d), outbox.NotWritten)
	}
	c, there, err := p.Conversation(ctx, of.MessageID)
	if err != nil {
		return outbox.Unfinished(err, "the conversation could not be read")
	}
	if !there || over(of.Kind, c) {
		return nil
	}
	phone, _, _ := keys.ConversationIDs(c.PK)
	switch owner, err := p.Owner(ctx, phone); {
	case err != nil:
		return outbox.Unfinished(err, "the tenant of the number could not be read")
	case owner != d.TenantID:
		return nil // the number is another's now
	}
	text, err := json.Marshal(notificationOf(of.Kind, c, d.Language))
	if err != nil {
		return outbox.Unreadable(err)
	}
	m, err := p.messageOf(ctx, d.TenantID, c, text)
	if err != nil {
		return outbox.Unfinished(err, "the tenant's keys could not be opened")
	}
	got, err := poster.Post(ctx, webpush.Browser{Endpoint: d.Endpoint, P256dh: d.P256dh, Auth: d.Auth}, m)
	return p.after(ctx, d, event, got, err)
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

// messageOf returns the message that notifies a browser of a tenant of something in a conversation.
func (p *Pushes) messageOf(ctx context.Context, tenant model.TenantID, c model.Conversation,
	text []byte) (m webpush.Message, err error) {
	key, err := p.key(ctx, tenant)
	if err != nil {
		return m, err
	}
	if p.Vault == nil {
		return m, errNoVault
	}
	private, err := p.Vault.Open(ctx, key.PrivateKey, owner(tenant))
	hash := sha256.Sum256([]byte(c.PK))
	return webpush.Message{
		Text: text, Topic: base64.RawURLEncoding.EncodeToString(hash[:24]), Lasts: lasting, At: p.Now(),
		Keys: webpush.Keys{Private: private, Public: key.PublicKey}}, err
}

// after does what a push service's answer asks for. A browser that it does not know, or that takes nothing by the
// tenant's keys, is forgotten.
func (p *Pushes) after(ctx context.Context, d model.PushDevice, event model.OutboxEvent, got webpush.Answer,
	err error) error {
	busy := &outbox.Failure{
		Reason: "the push service could not be reached", Kind: "unreached", Class: "unreached",
		Attempts: len(waits) + 1, Quiet: true}
	busy.Wait = waits[min(event.FailuresByClass[busy.Class], len(waits)-1)]
	switch {
	case err != nil:
		return busy
	case got.Status < 300:
		return nil
	case got.Status == http.StatusRequestTimeout, got.Status == http.StatusTooManyRequests,
		got.Status >= http.StatusInternalServerError:
		busy.Reason, busy.Kind = "the push service is busy", strconv.Itoa(got.Status)
		busy.Code, busy.Wait = int64(got.Status), max(busy.Wait, min(got.After, longestWait))
		return busy
	case got.Status == http.StatusRequestEntityTooLarge:
		return &outbox.Failure{
			Reason: "the notification is too large", Kind: strconv.Itoa(got.Status), Attempts: 1}
	}
	return outbox.Unfinished(p.forget(ctx, d), outbox.NotWritten)
}
