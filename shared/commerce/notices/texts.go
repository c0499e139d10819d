package notices

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Templates are those that customers and shops get where free text may not be sent.
var Templates = []whatsapp.OwnTemplate{
	{Name: orderUpdate, Languages: templateLanguages, Body: 3},
	{Name: orderToConfirm, Languages: templateLanguages, Body: 3},
	{Name: lowStock, Languages: templateLanguages, Body: 2},
}

const (
	orderUpdate    = "order_update"
	orderToConfirm = "order_to_confirm"
	lowStock       = "low_stock"
)

var templateLanguages = []string{"en", "hi"}

// text is what a customer is told of one step of an order. {number}, {total}, {reason} and {store} are replaced.
type text struct {
	Whole string // as a message
	State string // in the template order_update, after the order's number
}

// texts are those of the steps, by state and language. A shop may replace a whole one by its setting notice.{state}.
var texts = map[commercemodel.OrderStatus]map[string]text{
	commercemodel.OrderPending: {
		"en":      {"{store} has your order {number} for {total}. You will hear from us when it is confirmed.", "has arrived; you will hear from us when it is confirmed"},
		"hi":      {"{store} को आपका ऑर्डर {number} मिल गया, कुल {total}। पक्का होते ही बताएँगे।", "मिल गया; पक्का होते ही बताएँगे"},
		"hi-Latn": {"{store} ko aapka order {number} mil gaya, kul {total}. Pakka hote hi batayenge.", ""},
	},
	commercemodel.OrderConfirmed: {
		"en":      {"Your order {number} for {total} is confirmed.", "is confirmed"},
		"hi":      {"आपका ऑर्डर {number} पक्का हो गया, कुल {total}।", "पक्का हो गया"},
		"hi-Latn": {"Aapka order {number} pakka ho gaya, kul {total}.", ""},
	},
	commercemodel.OrderPreparing: {
		"en":      {"Your order {number} is being packed.", "is being packed"},
		"hi":      {"आपका ऑर्डर {number} पैक हो रहा है।", "पैक हो रहा है"},
		"hi-Latn": {"Aapka order {number} pack ho raha hai.", ""},
	},
	commercemodel.OrderReady: {
		"en":      {"Your order {number} is ready.", "is ready"},
		"hi":      {"आपका ऑर्डर {number} तैयार है।", "तैयार है"},
		"hi-Latn": {"Aapka order {number} taiyar hai.", ""},
	},
	commercemodel.OrderOutForDelivery: {
		"en":      {"Your order {number} is on its way.", "is on its way"},
		"hi":      {"आपका ऑर्डर {number} रास्ते में है।", "रास्ते में है"},
		"hi-Latn": {"Aapka order {number} raste mein hai.", ""},
	},
	commercemodel.OrderDelivered: {
		"en":      {"Your order {number} has been delivered. Thank you!", "has been delivered"},
		"hi":      {"आपका ऑर्डर {number} पहुँच गया। धन्यवाद!", "पहुँच गया"},
		"hi-Latn": {"Aapka order {number} pahunch gaya. Dhanyavaad!", ""},
	},
	commercemodel.OrderCancelled: {
		"en":      {"Your order {number} was cancelled: {reason}", "was cancelled: {reason}"},
		"hi":      {"आपका ऑर्डर {number} रद्द हो गया: {reason}", "रद्द हो गया: {reason}"},
		"hi-Latn": {"Aapka order {number} cancel ho gaya: {reason}", ""},
	},
	commercemodel.OrderRefunded: {
		"en":      {"You get the {total} of your order {number} back: {reason}", "is refunded: {reason}"},
		"hi":      {"आपके ऑर्डर {number} के {total} वापस किए जा रहे हैं: {reason}", "के पैसे वापस किए जा रहे हैं: {reason}"},
		"hi-Latn": {"Aapke order {number} ke {total} wapas kiye ja rahe hain: {reason}", ""},
	},
}

// languageOf returns the language of an order's customer; the store's first where it is unknown.
func languageOf(store commercemodel.Store, language string) string {
	for _, known := range append([]string{language}, store.Settings.Languages...) {
		if slices.Contains(stores.Languages, known) {
			return known
		}
	}
	return stores.Languages[0]
}

// templateLanguage returns the language of a template. Who writes Hindi in Latin letters may not read others.
func templateLanguage(language string) string {
	if slices.Contains(templateLanguages, language) {
		return language
	}
	return templateLanguages[0]
}

// fill replaces what a text has in braces.
func fill(text string, store commercemodel.Store, order commercemodel.Order, reason string) string {
	return strings.NewReplacer(
		"{number}", string(order.OrderNumber), "{total}", Money(store.Settings.Currency, order.TotalAmount), "{reason}", reason, "{store}", store.Name,
	).Replace(text)
}

// Money returns an amount as customers read it.
func Money(currency string, a model.Amount) string {
	digits := strings.TrimSuffix(a.StringFixed(2), ".00")
	if currency == "INR" {
		return "₹" + digits
	}
	return currency + " " + digits
}

// parameter returns a text as a template takes it: one line without wide gaps, of bounded length.
func parameter(text string) string {
	const longest = 300
	return model.Truncate(strings.Join(strings.Fields(text), " "), longest)
}
