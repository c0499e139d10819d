package inbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// UserIDReader returns the reader of logged notices of changed user ids.
func (s *Inbox) UserIDReader() webhooklog.Reader {
	return webhooklog.Reader{
		Reads: func(entry model.WebhookEvent) bool { return entry.EventType == whatsapp.KindUserID },
		Open: func(ctx context.Context, entries []model.WebhookEvent) []stream.Job {
			jobs := make([]stream.Job, len(entries))
			for i, entry := range entries {
				u, err := s.openUserIDs(ctx, entry)
				jobs[i] = stream.Job{Order: u.order(), Do: func(ctx context.Context) error {
					if err != nil {
						return err
					}
					return u.apply(ctx)
				}}
			}
			return jobs
		},
	}
}

// userIDs is a decoded value of changed user ids.
type userIDs struct {
	store    *Inbox
	entry    model.WebhookEvent
	notices  []model.IdentityFact
	problems []string
}

func (s *Inbox) openUserIDs(ctx context.Context, entry model.WebhookEvent) (userIDs, error) {
	u := userIDs{store: s, entry: entry}
	value, err := s.Log.Value(ctx, entry)
	if err != nil {
		return u, err
	}
	var v whatsapp.Object
	_ = json.Unmarshal(value, &v)
	for i, o := range v.List("user_id_update").Objects() {
		c, ok := u.notice(i, o)
		if !ok {
			u.problems = append(u.problems, fmt.Sprintf("user_id_update[%d]: without a number or without both ids", i))
			continue
		}
		u.notices = append(u.notices, c)
	}
	return u, nil
}

// notice decodes one notice. It returns false for one that does not say what has changed.
func (u userIDs) notice(index int, o whatsapp.Object) (model.IdentityFact, bool) {
	updated := o.Object("user_id")
	gives := model.ParseCustomers(cmp.Or(updated.Text("previous"), o.Text("previous_user_id")))
	takes := model.ParseCustomers(cmp.Or(updated.Text("current"), o.Text("current_user_id"), o.Text("user_id")))
	change := contacts.ChangeOf(gives, takes, model.ParseCustomers(o.Text("wa_id")))
	if u.entry.PhoneNumberID == "" || change == nil {
		return model.IdentityFact{}, false
	}
	stamp := whatsapp.Text(o.Text("timestamp")).Seconds()
	if stamp.IsZero() { // without a time it cannot order messages: all these identifiers belong to one person
		change = &contacts.Change{Shows: change.Identifiers()}
	}
	arrival := model.Arrival(u.entry.ReceivedAt, u.entry.Position, index)
	at := model.OrderOf(model.StoredTime(stamp, u.entry.ReceivedAt), arrival)
	return model.IdentityFact{At: at, Gives: change.Gives, Takes: change.Takes, Shows: change.Shows}, true
}

// order returns the conversations of the customers whose identifiers change.
func (u userIDs) order() []string {
	var order []string
	for _, c := range u.notices {
		for _, id := range identity.Identifiers(c) {
			order = append(order, keys.Conversation(u.entry.PhoneNumberID, id).Partition)
		}
	}
	return order
}

// apply applies the notices in the order of the body, because one may depend on the one before.
func (u userIDs) apply(ctx context.Context) error {
	for _, c := range u.notices {
		if err := u.store.ApplyNotice(ctx, u.entry.PhoneNumberID, c); err != nil {
			return fmt.Errorf("identify for %s: %w", u.entry.EventID, err)
		}
	}
	return dynamo.AsPermanent(u.problems)
}
