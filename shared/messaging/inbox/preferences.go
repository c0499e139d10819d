package inbox

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
)

// maxNameBytes bounds a name that a business has for a customer.
const maxNameBytes = 512

// PreferenceReader returns the reader of the customers' choices in WhatsApp: whether a business may send them marketing
// messages.
func (s *Inbox) PreferenceReader() webhooklog.Reader {
	apply := func(ctx context.Context, event webhooklog.Event) error {
		for i, p := range event.Value.List("user_preferences").Objects() {
			choice := p.Text("value")
			if p.Text("category") != "marketing_messages" || choice != "stop" && choice != "resume" {
				continue // a kind nobody knows yet stays in the log
			}
			who := model.ParseCustomers(p.Text("wa_id"), p.Text("user_id"))
			at := event.Place(p.Text("timestamp"), i)
			if err := s.SetMarketing(ctx, event.Entry.PhoneNumberID, who, choice == "stop", at); err != nil {
				return err
			}
		}
		return nil
	}
	return s.Log.ReaderOf(webhooklog.Fields("user_preferences"), apply)
}

// SetMarketing records whether a customer, whom any of the identifiers means, has stopped marketing messages. The
// condition is that no later choice is recorded: the last one counts, in whatever order they arrive. Of somebody
// without a conversation nothing is recorded.
func (s *Inbox) SetMarketing(
	ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID, stopped bool, at model.Order,
) error {
	do := dynamo.Do{Set: []string{"marketingOrder = :at"}}
	values := dynamo.Item{":at": dynamo.S(at)}
	if stopped {
		do.Set = append(do.Set, "marketingStoppedAt = :when")
		values[":when"] = dynamo.S(at.At())
	} else {
		do.Remove = []string{"marketingStoppedAt"}
	}
	return s.markLatest(ctx, phone, who, "marketingOrder", do.String(), values)
}

// NameReader returns the reader of the names that a business's phone app has for its customers.
func (s *Inbox) NameReader() webhooklog.Reader {
	apply := func(ctx context.Context, event webhooklog.Event) error {
		for i, p := range event.Value.List("state_sync").Objects() {
			contact := p.Object("contact")
			name := model.Truncate(contact.Text("full_name"), maxNameBytes)
			if name == "" {
				name = model.Truncate(contact.Text("first_name"), maxNameBytes)
			}
			if p.Text("type") != "contact" || p.Text("action") == "remove" || name == "" {
				continue
			}
			at := event.Place(p.Object("metadata").Text("timestamp"), i)
			who := model.ParseCustomers(contact.Text("phone_number"))
			const do = "SET senderName = :name, contactOrder = :at"
			values := dynamo.Item{":name": dynamo.S(name), ":at": dynamo.S(at)}
			if err := s.markLatest(ctx, event.Entry.PhoneNumberID, who, "contactOrder", do, values); err != nil {
				return err
			}
		}
		return nil
	}
	return s.Log.ReaderOf(webhooklog.Fields("smb_app_state_sync"), apply)
}

// markLatest updates the conversation of the first identifier that has one. The condition is that the order is earlier
// than :at.
func (s *Inbox) markLatest(
	ctx context.Context, phone model.PhoneNumberID, who []model.CustomerID, order, do string, values dynamo.Item,
) error {
	if phone == "" {
		return nil
	}
	for _, customer := range who {
		err := s.OnCurrent(ctx, phone, customer, func(customer model.CustomerID) (dynamo.Item, error) {
			return s.DB.UpdateReturning(ctx, MarkChanged(dynamo.Update{
				Table: tables.Messages, Key: keys.Conversation(phone, customer), Do: do, Values: values,
				If: "attribute_exists(pk) AND attribute_not_exists(mergedInto) AND " +
					"(attribute_not_exists(" + order + ") OR " + order + " < :at)",
			}, phone, s.Now()))
		})
		if !errors.Is(err, ErrNoConversation) {
			return err
		}
	}
	return nil
}
