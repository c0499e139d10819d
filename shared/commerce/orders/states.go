package orders

import (
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

// State is a state of an order, and what an order may become from it.
type State struct {
	Name  commercemodel.OrderStatus
	Means string
	Next  []commercemodel.OrderStatus
	// Editable is set where the lines may still change.
	Editable bool
	// Taken is set where what was ordered has left the stock.
	Taken bool
	// Sold is set where the order counts as revenue.
	Sold bool
	// Reason is set where coming into the state needs a reason.
	Reason bool
}

// The states of an order, in the order in which an order passes them.
const (
	pending   = commercemodel.OrderPending
	confirmed = commercemodel.OrderConfirmed
	preparing = commercemodel.OrderPreparing
	ready     = commercemodel.OrderReady
	out       = commercemodel.OrderOutForDelivery
	delivered = commercemodel.OrderDelivered
	cancelled = commercemodel.OrderCancelled
	refunded  = commercemodel.OrderRefunded
)

// States is the state machine of orders.
var States = []State{
	{Name: pending, Means: "the shop has to confirm it", Next: statuses(confirmed, cancelled), Editable: true},
	{Name: confirmed, Means: "the shop has taken it", Next: statuses(preparing, cancelled), Editable: true, Taken: true,
		Sold: true},
	{Name: preparing, Means: "it is being packed", Next: statuses(ready, cancelled), Taken: true, Sold: true},
	{Name: ready, Means: "it can be fetched or sent", Next: statuses(out, delivered, cancelled), Taken: true,
		Sold: true},
	{Name: out, Means: "it is on its way", Next: statuses(delivered, cancelled), Taken: true, Sold: true},
	{Name: delivered, Means: "the customer has it", Next: statuses(refunded), Taken: true, Sold: true},
	{Name: cancelled, Means: "nothing comes of it", Reason: true},
	{Name: refunded, Means: "the customer has the money back", Reason: true, Taken: true},
}

func statuses(all ...commercemodel.OrderStatus) []commercemodel.OrderStatus { return all }

// StateOf returns a state. An unknown one allows nothing.
func StateOf(status commercemodel.OrderStatus) State {
	for _, state := range States {
		if state.Name == status {
			return state
		}
	}
	return State{Name: status}
}

// MayBecome reports whether an order in this state may come into another.
func (s State) MayBecome(next commercemodel.OrderStatus) bool { return slices.Contains(s.Next, next) }

// Open reports whether anything can still become of an order that the customer waits for.
func (s State) Open() bool { return s.MayBecome(cancelled) }

// Diagram returns the states and moves as a Mermaid diagram.
func Diagram() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n    [*] --> pending\n    [*] --> confirmed: automatic\n")
	for _, state := range States {
		for _, next := range state.Next {
			fmt.Fprintf(&b, "    %s --> %s\n", state.Name, next)
		}
		if len(state.Next) == 0 {
			fmt.Fprintf(&b, "    %s --> [*]\n", state.Name)
		}
	}
	return b.String()
}
