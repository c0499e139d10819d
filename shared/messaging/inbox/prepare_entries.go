package inbox

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// incoming is a logged value with its decoded messages and the items that were prefetched for its batch.
type incoming struct {
	store      *Inbox
	entry      model.WebhookEvent
	messages   []decodedMessage
	attached   []decodedMessage
	files      []decodedMessage
	declined   []string
	unplaced   []model.Message
	problems   []string
	prefetched *contacts.Prefetch
	claim      func() error // assigns the number to a tenant, once for the whole batch
	err        error        // why the value could not be read
}

// open decodes logged values and prefetches the items of their customers together, so that a batch of many customers
// costs two lookups.
func (s *Inbox) open(ctx context.Context, entries []model.WebhookEvent) []*incoming {
	ahead := new(contacts.Prefetch)
	all := make([]*incoming, len(entries))
	wanted := map[model.PhoneNumberID][]model.CustomerID{}
	type number struct {
		phone model.PhoneNumberID
		waba  model.WABAID
	}
	claims := map[number]func() error{}
	for i, entry := range entries {
		in := &incoming{store: s, entry: entry, prefetched: ahead}
		all[i] = in
		var value json.RawMessage
		if value, in.err = s.Log.Value(ctx, entry); in.err != nil {
			continue
		}
		decoded := decodeMessages(entry, value)
		in.messages, in.attached, in.files = decoded.messages, decoded.attached, decoded.files
		in.unplaced, in.declined, in.problems = decoded.unplaced, decoded.declined, decoded.problems
		for _, a := range in.messages {
			wanted[entry.PhoneNumberID] = append(wanted[entry.PhoneNumberID], a.identifiers()...)
		}
		of := number{entry.PhoneNumberID, entry.WABAMetaID}
		if claims[of] == nil {
			claims[of] = sync.OnceValue(func() error { return s.Numbers.Claim(ctx, of.phone, of.waba, value) })
		}
		in.claim = claims[of]
	}
	var jobs []func() error
	for phone, ids := range wanted {
		jobs = append(jobs, func() error { return s.Contacts.Prefetch(ctx, phone, ids, ahead) })
	}
	_ = lanes.Concurrently(groupWidth, jobs...) // a failed prefetch is repeated, and reported, by each value
	return all
}

// order returns the ordering keys of the value: values that share a key are processed one after the other. The keys are
// the conversations of the customers, by every identifier and by where it leads.
func (in *incoming) order() []string {
	var order []string
	phone := in.entry.PhoneNumberID
	for _, a := range in.attached {
		order = append(order, a.message.PK, a.attachment.target)
	}
	for _, a := range in.files {
		order = append(order, a.message.PK)
	}
	for _, a := range in.messages {
		for _, id := range a.identifiers() {
			order = append(order, in.prefetched.Conversations(phone, id)...)
		}
	}
	return order
}
