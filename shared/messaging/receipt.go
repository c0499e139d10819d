package messaging

import (
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// receipt is what became of one person's messages.
type receipt struct {
	customer model.CustomerID // whose conversation it is
	stored   []arrival        // now or before
	refused  []string         // what DynamoDB does not take
	erased   bool             // some have been erased: they are not stored again, and nobody reacts to them
}

// and is what became of these messages and of more of the same person's.
func (r receipt) and(more receipt) receipt {
	return receipt{
		customer: model.CustomerID(firstOf(string(more.customer), string(r.customer))), stored: append(r.stored, more.stored...),
		refused: append(r.refused, more.refused...), erased: r.erased || more.erased,
	}
}

// without takes for erased the messages that are not left.
func (r receipt) without(all, left []arrival) receipt {
	if len(left) == len(all) {
		return r
	}
	gone := map[string]bool{}
	for _, a := range all {
		gone[a.message.PK] = true
	}
	for _, a := range left {
		delete(gone, a.message.PK)
	}
	r.erased = true
	r.stored = slices.DeleteFunc(slices.Clone(r.stored), func(a arrival) bool { return gone[a.message.PK] })
	return r
}

// withoutErased takes for erased the messages whose place is held by what stands for an erased one.
func (r receipt) withoutErased(fresh []arrival, reasons []dynamo.Reason) receipt {
	var left []arrival
	for i, a := range fresh {
		if i >= len(reasons) || !reasons[i].Failed() || !erased(reasons[i].Item) {
			left = append(left, a)
		}
	}
	return r.without(fresh, left)
}

// withoutStored leaves out the messages whose condition failed: they are there already. Messages come first among the writes.
func withoutStored(fresh []arrival, reasons []dynamo.Reason) []arrival {
	var left []arrival
	for i, a := range fresh {
		if i >= len(reasons) || !reasons[i].Failed() {
			left = append(left, a)
		}
	}
	return left
}
