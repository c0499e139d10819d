package orders

import (
	"os"
	"strings"
	"testing"
)

// The picture in the documents is drawn from the states themselves.
func TestTheDocumentShowsTheStates(t *testing.T) {
	text, err := os.ReadFile("../SHOP.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "```mermaid\n"+Diagram()+"```\n") {
		t.Errorf("SHOP.md does not hold:\n%s", Diagram())
	}
}

// Every move that the states do not list is refused, and names what may come.
func TestAnOrderMakesNoOtherMove(t *testing.T) {
	for _, from := range States {
		for _, to := range States {
			o := Orders{Now: now}
			order := made(from.Name)
			changed, err := o.move(&order, Move{To: to.Name, Reason: "because", By: "somebody"})
			switch {
			case from.Name == to.Name:
				if changed || err != nil {
					t.Errorf("%s again: %v, %v", to.Name, changed, err)
				}
			case from.MayBecome(to.Name):
				if !changed || err != nil || order.Status != to.Name ||
					order.History[len(order.History)-1].Status != to.Name {
					t.Errorf("%s to %s: %v, %v", from.Name, to.Name, changed, err)
				}
			case changed || err == nil || order.Status != from.Name:
				t.Errorf("%s became %s", from.Name, to.Name)
			}
		}
	}
}

func TestSomeMovesNeedAReason(t *testing.T) {
	for _, state := range States {
		for _, next := range state.Next {
			o := Orders{Now: now}
			order := made(state.Name)
			if _, err := o.move(&order, Move{To: next}); (err != nil) != StateOf(next).Reason {
				t.Errorf("%s to %s without a reason: %v", state.Name, next, err)
			}
		}
	}
}
