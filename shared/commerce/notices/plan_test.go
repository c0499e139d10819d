package notices

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// steps returns a store, an order that came by a chat or by the API and was cancelled by the shop, and its two steps.
func steps(by string) (commercemodel.Store, commercemodel.Order, [2]Step) {
	store := commercemodel.Store{
		ID: "STR-1", Name: "Sharma Kirana Store", PhoneNumberIDs: []model.PhoneNumberID{"1"},
		ContactInfo: commercemodel.ContactInfo{WhatsApp: "+919811111111"},
		Settings:    commercemodel.Settings{Currency: "INR", Languages: []string{"hi"}},
	}
	order := commercemodel.Order{
		StoreID: "STR-1", ID: "ORD-1", OrderNumber: "ORD-1", Customer: "919876543210", CustomerName: "Asha",
		PhoneNumberID: "1", Status: commercemodel.OrderCancelled, Version: 2, Language: "en",
		TotalAmount: model.Amount{Decimal: decimal.NewFromInt(50)},
		History: []commercemodel.Change{
			{By: by, Status: commercemodel.OrderPending, Version: 1},
			{By: "0192-user", Status: commercemodel.OrderCancelled, Reason: "no salt", Version: 2},
		},
	}
	return store, order,
		[2]Step{{To: "pending", Version: 1, At: model.At(noon)},
			{From: "pending", To: "cancelled", Version: 2, At: model.At(noon)}}
}

// asked is the question to the shop about the order.
const asked = "Asha का नया ऑर्डर ORD-1:\n\nकुल ₹50। पक्का करें?"

func TestWhatIsToldOfAStep(t *testing.T) {
	for name, c := range map[string]struct {
		by   string
		step int
		set  func(store *commercemodel.Store, order *commercemodel.Order, step *Step)
		at   time.Time
		want []string // the free texts; a template's name where there is none
	}{
		"by the shop": {
			by: "customer", step: 1, want: []string{"Your order ORD-1 was cancelled: no salt"}},
		"by the customer in a chat": {
			by: "customer", step: 1,
			set: func(_ *commercemodel.Store, o *commercemodel.Order, _ *Step) { o.History[1].By = "customer" }},
		"new, by a chat": {by: "customer", set: waiting, want: []string{asked}},
		"new, by the API": {
			by: "0192-user", set: waiting,
			want: []string{
				"Sharma Kirana Store has your order ORD-1 for ₹50. You will hear from us when it is confirmed.",
				asked}},
		"erased": {
			by: "customer", step: 1,
			set: func(_ *commercemodel.Store, o *commercemodel.Order, _ *Step) { o.ErasedAt = model.At(noon) }},
		"no number to tell from": {
			by: "customer", step: 1,
			set: func(_ *commercemodel.Store, o *commercemodel.Order, _ *Step) { o.PhoneNumberID = "" }},
		"a past step, soon": {
			by: "0192-user", at: noon.Add(time.Hour),
			want: []string{
				"Sharma Kirana Store has your order ORD-1 for ₹50. You will hear from us when it is confirmed."}},
		"a past step, after six hours": {by: "0192-user", at: noon.Add(7 * time.Hour)},
		"a past step that was late": {
			by:  "0192-user",
			set: func(_ *commercemodel.Store, _ *commercemodel.Order, step *Step) { step.Late = true }},
		"the state it is in, late": {
			by: "customer", step: 1, at: noon.Add(7 * time.Hour),
			want: []string{"Your order ORD-1 was cancelled: no salt"}},
		"the shop's own words": {
			by: "customer", step: 1, want: []string{"Sorry, no salt."},
			set: func(s *commercemodel.Store, _ *commercemodel.Order, _ *Step) {
				s.Settings.Texts = map[string]map[string]string{"notice.cancelled": {"en": "Sorry, {reason}."}}
			}},
		"the store's language": {
			by: "customer", step: 1, want: []string{"आपका ऑर्डर ORD-1 रद्द हो गया: no salt"},
			set: func(_ *commercemodel.Store, o *commercemodel.Order, _ *Step) {
				o.Language = "fr"
			}},
	} {
		t.Run(name, func(t *testing.T) {
			store, order, both := steps(c.by)
			step := both[c.step]
			if c.set != nil {
				c.set(&store, &order, &step)
			}
			if c.at.IsZero() {
				c.at = noon
			}
			var got []string
			for _, n := range plan(store, order, step, c.at) {
				switch first := n.contents[0].(type) {
				case content.Text:
					got = append(got, first.Body)
				case content.Buttons:
					got = append(got, first.Body)
				case content.Template:
					got = append(got, first.Name)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The customer hears what the shop has changed, and the shop what the customer has. Nobody hears of a change that a
// later one has overtaken.
func TestWhatIsToldOfAnEdit(t *testing.T) {
	const toCustomer = "The shop has changed your order ORD-1:\n2 kg Rice – ₹120\nTotal ₹120. " +
		"If that is not right, please write to us."
	for name, c := range map[string]struct {
		by     string
		status commercemodel.OrderStatus
		later  bool
		at     time.Duration
		want   string
	}{
		"by the shop":                     {by: "+9198", status: commercemodel.OrderConfirmed, want: toCustomer},
		"by the shop, first":              {by: "0192-user", status: commercemodel.OrderPending, want: toCustomer},
		"by the shop, and changed again":  {by: "0192-user", status: commercemodel.OrderConfirmed, later: true},
		"by the shop, long ago":           {by: "0192-user", status: commercemodel.OrderConfirmed, at: 7 * time.Hour},
		"by the shop, of a refused order": {by: "0192-user", status: commercemodel.OrderCancelled},
		"by the customer, first": {by: "customer", status: commercemodel.OrderPending,
			want: "Asha ने ऑर्डर ORD-1 बदला है:\n2 किलो Rice – ₹120\nकुल ₹120। पक्का करें?"},
		"by the customer, afterwards": {by: "customer", status: commercemodel.OrderConfirmed,
			want: "Asha ने ऑर्डर ORD-1 बदला है:\n2 किलो Rice – ₹120\nकुल ₹120।"},
	} {
		t.Run(name, func(t *testing.T) {
			store, order, _ := steps("customer")
			rupees := func(n int64) model.Amount { return model.Amount{Decimal: decimal.NewFromInt(n)} }
			order.Status, order.TotalAmount = c.status, rupees(120)
			order.Items = []commercemodel.Line{{Name: "Rice", Unit: "kg", Quantity: rupees(2), Amount: rupees(120)}}
			order.History[1] = commercemodel.Change{By: c.by, Version: 2, Lines: order.Items}
			if c.later {
				order.History = append(order.History,
					commercemodel.Change{By: "0192-user", Version: 3, Lines: order.Items})
			}
			got := ""
			for _, n := range plan(store, order, Step{Version: 2, At: model.At(noon)}, noon.Add(c.at)) {
				switch first := n.contents[0].(type) {
				case content.Text:
					got += first.Body
				case content.Buttons:
					got += first.Body
				}
			}
			if got != c.want {
				t.Errorf("told %q", got)
			}
		})
	}
}

func waiting(_ *commercemodel.Store, o *commercemodel.Order, _ *Step) {
	o.Status, o.Version, o.History = commercemodel.OrderPending, 1, o.History[:1]
}

func TestEveryStateHasATextInEveryLanguage(t *testing.T) {
	for _, state := range orders.States {
		for _, language := range wording.Languages {
			whole, short := wording.Default("notice."+string(state.Name), language), states[state.Name][language]
			if whole == "" || short == "" && slices.Contains(templateLanguages, language) {
				t.Errorf("%s has no text in %s", state.Name, language)
			}
		}
	}
}
