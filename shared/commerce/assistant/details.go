package assistant

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
)

const (
	maxAddress = 300
	maxWhen    = 80
	maxNote    = 200
	maxNotes   = 8
)

// takeDetails takes what the message says about delivery, time and payment, and its wishes. Without an open order it is
// kept for the next.
func (t *turn) takeDetails() {
	d := &commercemodel.Details{}
	if b := t.basket(); b != nil {
		d = &b.Details
	} else if t.context.Details != nil {
		d = t.context.Details
	}
	was := *d
	was.Notes = slices.Clone(d.Notes)
	said := t.reading.Details
	if said.Address != "" {
		d.Address, d.Way = model.Truncate(said.Address, maxAddress), nlu.Delivery
	}
	if said.When != "" {
		d.When = model.Truncate(said.When, maxWhen)
	}
	if said.Way != "" {
		d.Way = said.Way
	}
	if said.Payment != "" {
		t.pays(d, said.Payment)
	}
	for _, remark := range t.reading.Remarks {
		if note := model.Truncate(oneLine(remark.Text), maxNote); t.isNote(remark) && !slices.Contains(d.Notes, note) &&
			len(d.Notes) < maxNotes {
			d.Notes = append(d.Notes, note)
		}
	}
	if t.basket() == nil {
		t.context.Details = d
	} else if !slices.Equal(was.Notes, d.Notes) || was.Address != d.Address || was.When != d.When || was.Way != d.Way ||
		was.Payment != d.Payment {
		t.open() // what was shown is not so any more
	}
}

// isNote reports whether a remark goes with the order, to the shop: a wish, and the refusal of something that is not in
// the order.
func (t *turn) isNote(r nlu.Remark) bool {
	return r.Kind == nlu.Wish || r.Kind == nlu.Refused && (t.basket() == nil || !t.removes())
}

// pays takes how the customer wants to pay, if the store takes that.
func (t *turn) pays(d *commercemodel.Details, method string) {
	if methods := t.store.Settings.PaymentMethods; !slices.Contains(methods, method) {
		t.note("pay_refused", wording.Values{"way": t.text("pay."+method, nil), "ways": t.ways()})
		return
	}
	d.Payment = method
}

// ways returns how one can pay in the store.
func (t *turn) ways() string {
	var all []string
	for _, method := range t.store.Settings.PaymentMethods {
		all = append(all, t.payWord(method))
	}
	return strings.Join(all, ", ")
}

// payWord returns what a way to pay is called; its name where there is no word for it.
func (t *turn) payWord(method string) string {
	if wording.Default("pay."+method, wording.English) == "" {
		return method
	}
	return t.text("pay."+method, nil)
}

func oneLine(text string) string { return strings.Join(strings.Fields(model.Shown(text)), " ") }

// shownDetails returns what was said beside the lines, as the customer reads it, one line each.
func (t *turn) shownDetails(d commercemodel.Details) []string {
	var all []string
	add := func(key, name, value string) {
		if value != "" {
			all = append(all, t.text(key, wording.Values{name: value}))
		}
	}
	if d.Way == nlu.Pickup {
		all = append(all, t.text("shown.pickup", nil))
	} else {
		add("shown.address", "address", d.Address)
		if d.Way == nlu.Delivery && d.Address == "" {
			all = append(all, t.text("shown.delivery", nil))
		}
	}
	if d.Slot != nil {
		add("shown.slot", "slot", d.Slot.Text())
	}
	add("shown.when", "when", d.When)
	if d.Payment != "" {
		add("shown.payment", "payment", t.payWord(d.Payment))
	}
	add("shown.note", "note", strings.Join(d.Notes, "; "))
	return all
}
