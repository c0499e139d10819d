package arrivals

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/optout"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/webhooklog"
)

// Reader hands logged messages to subscriptions. Messages of one person are handed over one after another.
func (a *Arrivals) Reader(subscriptions func() []inbound.Subscription) webhooklog.Reader {
	return webhooklog.Reader{
		Reads: func(entry model.WebhookEvent) bool {
			return entry.EventType == webhooklog.KindEmail || entry.EventType == webhooklog.KindSMS
		},
		Open: func(_ context.Context, entries []model.WebhookEvent) []stream.Job {
			jobs := make([]stream.Job, len(entries))
			for i, entry := range entries {
				jobs[i].Do = func(ctx context.Context) error { return a.read(ctx, entry, subscriptions()) }
				var m model.Received
				if json.Unmarshal(entry.Payload, &m) == nil && m.CustomerID != "" {
					jobs[i].Order = []string{string(m.TenantID) + "#" + string(m.CustomerID)}
				}
			}
			return jobs
		},
	}
}

// ErrUnread means that an entry says that a message has come which was not read. It has to be sent again.
var ErrUnread = fmt.Errorf("%w: the message was not read, and has to be sent again", dynamo.ErrPermanent)

// read hands one message over.
func (a *Arrivals) read(ctx context.Context, entry model.WebhookEvent, subscriptions []inbound.Subscription) error {
	value, err := a.Log.Value(ctx, entry)
	if err != nil {
		return err
	}
	var m model.Received
	if len(value) == 0 {
		return nil // erased
	}
	if json.Unmarshal(value, &m) != nil || m.CustomerID == "" || m.Channel == "" {
		return ErrUnread
	}
	stored, err := a.Get(ctx, entry.EventID)
	if errors.Is(err, dynamo.ErrNotFound) {
		return a.Log.Empty(ctx, entry.EventID) // it was erased before it was logged
	}
	if err != nil {
		return err
	}
	what, refused, err := a.dispatch(ctx, entry.EventID, m, subscriptions)
	if err != nil {
		return fmt.Errorf("react to %s: %w", entry.EventID, err)
	}
	if stored.Outcome != what {
		err := a.DB.Update(ctx, outcome(entry.EventID, m, what))
		if err = dynamo.IgnoreConditionFailed(err); err != nil {
			return fmt.Errorf("outcome of %s: %w", entry.EventID, err)
		}
	}
	return dynamo.AsPermanent(refused)
}

// dispatch has the domains react to a message, and returns what has become of it. Only what a person has written
// reaches them, and nothing that asks to stop. A machine may pass on that somebody leaves: their mail program writes
// the one word.
func (a *Arrivals) dispatch(ctx context.Context, id model.EventID, m model.Received,
	subscriptions []inbound.Subscription) (what string, refused []string, err error) {
	if out, decides := decision(m); decides {
		if err := a.List.Decide(ctx, m.TenantID, m.Person, out, m.ReceivedAt); err != nil {
			return "", nil, err
		}
		if err := a.Decided(ctx, id, m, out); err != nil {
			return "", nil, err
		}
		if out {
			return OptedOut, nil, nil
		}
		return OptedIn, nil, nil
	}
	if m.Held != "" {
		return Held, nil, nil
	}
	what = Unclaimed
	for _, s := range subscriptions {
		claims := s
		claims.React = func(ctx context.Context, of inbound.Message) (bool, error) {
			claimed, err := s.React(ctx, of)
			if claimed && err == nil {
				what = Claimed
			}
			return claimed, err
		}
		some, err := inbound.Dispatch(ctx, []inbound.Message{a.shown(id, m)}, []inbound.Subscription{claims})
		if refused = append(refused, some...); err != nil || what == Claimed {
			return what, refused, err
		}
	}
	return what, refused, nil
}

// mayDecide are those who may say for a person that they leave: their mail program, and a list that they are on.
var mayDecide = map[string]bool{"": true, "automatic": true, "list": true}

// unsubscribes is the subject of an email by which a mail program unsubscribes somebody, as our emails name it.
const unsubscribes = "unsubscribe"

// decision reports whether a message is one word about being written to, and whether it asks to stop. A mail program
// that unsubscribes writes the word as the subject, and may say in the text what it is.
func decision(m model.Received) (out, decides bool) {
	if !mayDecide[m.Held] {
		return false, false
	}
	if out, decides = optout.Decides(m.Text); decides || m.Channel != model.ChannelEmail {
		return out, decides
	}
	if strings.EqualFold(strings.TrimSpace(m.Subject), unsubscribes) {
		return true, true
	}
	if text := strings.TrimSpace(m.Text); text == "" || strings.EqualFold(text, m.Subject) {
		return optout.Decides(m.Subject)
	}
	return false, false
}

// shown returns a message as domains see it.
func (a *Arrivals) shown(id model.EventID, m model.Received) inbound.Message {
	text := m.Text
	for _, file := range m.Files {
		text = strings.TrimLeft(text+"\n["+file.Name+"]", "\n")
	}
	return inbound.Message{
		Tenant:  func(context.Context) (model.TenantID, error) { return m.TenantID, nil },
		Channel: m.Channel, Business: m.Business, Person: m.Person, Customer: m.CustomerID, Phone: m.PhoneNumberID,
		ID: model.MessageID(id), Kind: "text", At: m.ReceivedAt, Live: true, Text: cmp.Or(text, m.Subject),
		Subject: m.Subject, Name: m.SenderName, EmailID: m.EmailID, References: m.References,
		Claim: []dynamo.Write{outcome(id, m, Claimed)},
	}
}
