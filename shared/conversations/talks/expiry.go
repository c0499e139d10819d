package talks

import (
	"encoding/json"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// ExpiryType is the type of the outbox events by which conversations expire.
const ExpiryType = "conversations.expiry"

// Plan plans an event of the outbox: outbox.Outbox.Plan.
type Plan func(d outbox.Draft, at model.Time) (dynamo.Write, error)

// planned plans the end of a conversation that begins to wait for the person. While it waits, nothing is planned again
// for a message: the event finds that it is too early, and waits for the new time. A conversation that does not wait
// any more keeps its event, which then finds nothing to do: to take it back would cost a write each time.
func (t *Talks) planned(c *conversationsmodel.Conversation) ([]dynamo.Write, error) {
	if !c.Status.Waits() {
		c.ExpiryPlanned = false
		return nil, nil
	}
	if c.ExpiryPlanned {
		return nil, nil
	}
	c.ExpiryPlanned = true
	payload, err := json.Marshal(IDOf(*c))
	if err != nil {
		return nil, err
	}
	of := Entity(*c, keys.EntityExpiry)
	plan, err := t.Plan(
		outbox.Draft{Type: ExpiryType, Tenant: of.Tenant, EntityType: of.Type, EntityID: of.ID, Payload: payload},
		c.LookAt(t.Now()))
	return []dynamo.Write{plan}, err
}
