package owner

import (
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

func TestWhoWantsToHearOfOrders(t *testing.T) {
	for text, want := range map[string]what{
		"order alerts band karo":     tellNoOrders,
		"mujhe order mat bhejo":      tellNoOrders,
		"mujhe naye order mat batao": tellNoOrders,
		"turn off notifications":     tellNoOrders,
		"stop order messages please": tellNoOrders,
		"मुझे ऑर्डर की सूचना मत भेजो": tellNoOrders,
		"order alerts on":                     tellOrders,
		"orders ki khabar phir se shuru karo": tellOrders,
		"नए ऑर्डर की सूचना चालू करो": tellOrders,
		"order band karo": nothing,
		"refund ORD-20261121-21RNW7MA, maal kharab tha": move,
		"order cancel karo":                             move,
		"aaj dukaan band hai":                           closeToday,
		"aaj ke order batao":                            list,
	} {
		if got := parse(text); got.what != want {
			t.Errorf("%s: %d, want %d", text, got.what, want)
		}
	}
}

func TestMoneyGoesBackOnlyByAPlainCommand(t *testing.T) {
	for text, want := range map[string]commercemodel.OrderStatus{
		"refund ORD-20261121-21RNW7MA":                  commercemodel.OrderRefunded,
		"order ka refund kar do":                        commercemodel.OrderRefunded, // and the owner chooses which
		"order cancel karo, customer ko refund chahiye": commercemodel.OrderCancelled,
		"order ka refund ho gaya kya?":                  "",
		"order ka refund mat karo":                      "",
		"refund":                                        "",
		"don't refund ORD-20261121-21RNW7MA":            "",
		"ORD-20261121-21RNW7MA refund hua kya":          "",
	} {
		if got := parse(text); got.to != want {
			t.Errorf("%s: %q, want %q", text, got.to, want)
		}
	}
}

func TestAWordAloneMovesAnOrder(t *testing.T) {
	for text, want := range map[string]commercemodel.OrderStatus{
		"accept": commercemodel.OrderConfirmed, "Ready": commercemodel.OrderReady,
		"delivered": commercemodel.OrderDelivered, "ready?": "", "paneer": "",
	} {
		if got := parse(text); got.to != want {
			t.Errorf("%s: %q, want %q", text, got.to, want)
		}
	}
}
