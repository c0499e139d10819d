package sending

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// forOne reports whether a message is for the person alone who has the identifier by which the customer is named.
func (out Outgoing) forOne() bool { return out.Secret || out.Since != "" }

// prepareForOne prepares a message that is for the person alone who has an identifier now. A conversation that has the
// identifier in its key may be somebody else's by now. It returns ErrUnreachable if the person is to have had the
// identifier for longer.
func (s *Sender) prepareForOne(ctx context.Context, out Outgoing, found dynamo.Found) (Prepared, error) {
	out.asked = out.Customer
	owner, err := s.Contacts.WhoHad(ctx, out.Phone, out.asked, model.At(s.Now()))
	if err != nil {
		return Prepared{}, fmt.Errorf("who has the identifier: %w", err)
	}
	if out.Since != "" {
		before, err := s.Contacts.WhoHad(ctx, out.Phone, out.asked, out.Since)
		if err != nil {
			return Prepared{}, fmt.Errorf("who had the identifier: %w", err)
		}
		if before != owner {
			return Prepared{}, ErrUnreachable
		}
	}
	if owner != out.Customer {
		out.Customer = owner
		if found, err = s.DB.BatchGet(ctx, s.Refs(out)); err != nil {
			return Prepared{}, fmt.Errorf("read conversation: %w", err)
		}
	}
	return s.Prepare(ctx, out, found)
}

// goesWhereAsked reports whether a recipient is the one to whom what is for one person alone is to go. Meta has two
// forms of some numbers.
func (out Outgoing) goesWhereAsked(to whatsapp.Recipient) bool {
	asked := string(out.asked)
	return to.ID == asked || slices.Contains(whatsapp.OtherForms(asked), to.ID)
}

// Shown returns what an event holds as operators see it: without what a message says that is for its recipient alone.
func Shown(event model.OutboxEvent) model.Document {
	var payload messagePayload
	if event.EventType != EventMessage || json.Unmarshal(event.Payload, &payload) != nil || !payload.Secret {
		return event.Payload
	}
	payload.Request = nil
	shown, _ := json.Marshal(payload) // it was read from JSON
	return shown
}
