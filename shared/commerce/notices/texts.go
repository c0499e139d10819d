package notices

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/wording"
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

// states are what the template order_update says of an order after its number, by state and language. {reason} is
// replaced. What a message of free text says is in the package wording, under notice.{state}.
var states = map[commercemodel.OrderStatus]map[string]string{
	commercemodel.OrderPending: {
		"en": "has arrived; you will hear from us when it is confirmed", "hi": "मिल गया; पक्का होते ही बताएँगे"},
	commercemodel.OrderConfirmed:      {"en": "is confirmed", "hi": "पक्का हो गया"},
	commercemodel.OrderPreparing:      {"en": "is being packed", "hi": "पैक हो रहा है"},
	commercemodel.OrderReady:          {"en": "is ready", "hi": "तैयार है"},
	commercemodel.OrderOutForDelivery: {"en": "is on its way", "hi": "रास्ते में है"},
	commercemodel.OrderDelivered:      {"en": "has been delivered", "hi": "पहुँच गया"},
	commercemodel.OrderCancelled:      {"en": "was cancelled: {reason}", "hi": "रद्द हो गया: {reason}"},
	commercemodel.OrderRefunded:       {"en": "is refunded: {reason}", "hi": "के पैसे वापस किए जा रहे हैं: {reason}"},
}

// changedState is what the template order_update says of an order that the shop has changed.
var changedState = map[string]string{"en": "was changed by the shop; please write to see it",
	"hi": "में दुकान ने बदलाव किया है; देखने के लिए लिखें"}

// languageOf returns the language of an order's customer; the store's first where it is unknown.
func languageOf(store commercemodel.Store, language string) string {
	if slices.Contains(wording.Languages, language) {
		return language
	}
	return wording.Language(store.Settings, "", "")
}

// templateLanguage returns the language of a template. A customer who writes Hindi in Latin letters may not read
// Devanagari.
func templateLanguage(language string) string {
	if slices.Contains(templateLanguages, language) {
		return language
	}
	return templateLanguages[0]
}

// parameter returns a text as a template takes it: one line without wide gaps, of bounded length.
func parameter(text string) string {
	const longest = 300
	return model.Truncate(strings.Join(strings.Fields(model.Shown(text)), " "), longest)
}
