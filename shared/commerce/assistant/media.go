package assistant

import (
	"context"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// unread are the kinds of messages that hold no words to read. A person looks at them.
var unread = lazy.Words("image video audio document sticker location contacts reaction unsupported")

// unreadable says that a person looks at what the customer has sent, once until they write again, and marks the
// conversation. A place is where the goods are wanted.
func (t *turn) unreadable() {
	t.context.Misunderstood = 0
	if place := t.m.Location.String(); place != "" {
		t.takePlace(place)
		return
	}
	t.person = true
	if t.context.MediaAnswered {
		t.silent = true
		return
	}
	t.context.MediaAnswered = true
	t.answer("media", t.storeName())
}

// takePlace takes a place that the customer has sent for the address of the order.
func (t *turn) takePlace(place string) {
	b := t.basket()
	d := t.context.Details
	if d == nil {
		d = &commercemodel.Details{}
	}
	if b != nil {
		t.open()
		d = &b.Details
	}
	d.Address, d.Way = model.Truncate(place, maxAddress), nlu.Delivery
	if b == nil {
		t.context.Details = d
		t.person = true
		t.answer("place_noted", wording.Values{"address": d.Address})
	}
}

// marked marks the conversation of a message that got no answer, after its session is kept.
func (t *turn) marked(ctx context.Context, err error) error {
	if err != nil || !t.person {
		return err
	}
	return t.assistant.Inbox.NeedsPerson(ctx, t.m.Phone, t.m.Customer)
}
