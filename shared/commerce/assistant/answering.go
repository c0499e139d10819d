package assistant

import (
	"cmp"
	"strings"

	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
)

// tellAbout answers from the store's data. An open order stays, and is shown after the answer.
func (t *turn) tellAbout(about nlu.About) {
	switch about {
	case nlu.AboutHours:
		t.note(t.hours())
	case nlu.AboutPlace:
		t.note("place", wording.Values{"store": t.store.Name, "address": cmp.Or(stores.Address(t.store), t.store.Name)})
	case nlu.AboutDelivery:
		t.note("delivery_terms", wording.Values{"terms": t.deliveryTerms()})
	case nlu.AboutPayment:
		t.note("payment_ways", wording.Values{"ways": t.ways()})
	case nlu.AboutHaggle:
		t.note("haggle", t.storeName())
	case nlu.AboutMenu:
		t.note("menu", wording.Values{"products": t.samples(maxAnswers)})
	case nlu.AboutTotal:
		if t.basket() == nil {
			t.note("total_nothing", nil)
		}
	}
	if t.basket() == nil {
		t.answerNotes()
	}
}

// hours returns the text about today's hours and its values.
func (t *turn) hours() (string, wording.Values) {
	opens, closes, ok := stores.Today(t.store, t.now)
	values := wording.Values{"store": t.store.Name, "opens": opens, "closes": closes}
	switch {
	case t.store.ClosedOn != "" && stores.Date(t.store, t.now) == t.store.ClosedOn:
		return "hours_closed", values
	case len(t.store.Settings.BusinessHours) == 0:
		return "hours_always", values
	case !ok:
		return "hours_closed", values
	}
	return "hours", values
}

// deliveryTerms returns what delivery costs, and from what on.
func (t *turn) deliveryTerms() string {
	d := t.store.Settings.Delivery
	switch m := t.store.Settings.MinOrderAmount; {
	case d != nil && d.FreeFrom != nil:
		return t.text("terms.free_from", wording.Values{"charge": t.money(d.Charge), "free": t.money(*d.FreeFrom)})
	case d != nil:
		return t.text("terms.charge", wording.Values{"charge": t.money(d.Charge)})
	case m != nil:
		return t.text("terms.minimum", wording.Values{"minimum": t.money(*m)})
	}
	return t.text("terms.shop", t.storeName())
}

// samples returns the names and prices of some products.
func (t *turn) samples(most int) string {
	var all []string
	for _, p := range t.reader.Sample(most) {
		all = append(all, t.sampleName(p)+" ("+t.money(model.Amount{Decimal: p.Price})+")")
	}
	return strings.Join(all, ", ")
}

func (t *turn) sampleName(p nlu.Product) string {
	name := p.Name
	if wording.ReadsLocal(t.context.Language) && p.LocalName != "" {
		name = p.LocalName
	}
	return strings.TrimSpace(name + " " + p.PackSize)
}

// example returns the values of texts with an example of what can be written to the store: goods that it sells.
func (t *turn) example() wording.Values {
	var said []string
	for i, p := range t.reader.Sample(2) {
		said = append(said, []string{"2 ", "1 "}[i]+t.text("unit."+p.Unit, nil)+" "+t.sampleName(p))
	}
	values := t.storeName()
	values["example"] = strings.Join(said, ", ")
	return values
}
