package paper

import (
	"cmp"
	"time"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
)

// words are what a statement says, by key and language.
var words = map[string]map[string]string{
	"heading":   {"en": "Your account", "hi": "आपके खाते का हिसाब", "hi-Latn": "Aapke khate ka hisaab"},
	"owed":      {"en": "You owe now", "hi": "अब बाकी", "hi-Latn": "Ab baaki"},
	"credit":    {"en": "You have paid ahead", "hi": "आपका जमा", "hi-Latn": "Aapka jama"},
	"as_of":     {"en": "as of {at}", "hi": "{at} तक", "hi-Latn": "{at} tak"},
	"opening":   {"en": "Owed at the start", "hi": "शुरू में बाकी", "hi-Latn": "Shuru mein baaki"},
	"closing":   {"en": "Owed at the end", "hi": "आख़िर में बाकी", "hi-Latn": "Aakhir mein baaki"},
	"sold":      {"en": "Bought on credit", "hi": "कुल उधार", "hi-Latn": "Kul udhaar"},
	"paid":      {"en": "Paid", "hi": "कुल जमा", "hi-Latn": "Kul jama"},
	"balance":   {"en": "balance", "hi": "बाकी", "hi-Latn": "baaki"},
	"order":     {"en": "Order", "hi": "ऑर्डर", "hi-Latn": "Order"},
	"reference": {"en": "Reference", "hi": "रसीद", "hi-Latn": "Raseed"},
	"nothing": {
		"en": "No entries in this period.", "hi": "इस समय में कोई लेन-देन नहीं।",
		"hi-Latn": "Is samay mein koi len-den nahi."},
	"ages":       {"en": "How long it has been due", "hi": "कितने दिन से बाकी", "hi-Latn": "Kitne din se baaki"},
	"up_to_30":   {"en": "up to 30 days", "hi": "30 दिन तक", "hi-Latn": "30 din tak"},
	"up_to_60":   {"en": "31–60 days", "hi": "31–60 दिन", "hi-Latn": "31–60 din"},
	"up_to_90":   {"en": "61–90 days", "hi": "61–90 दिन", "hi-Latn": "61–90 din"},
	"older":      {"en": "more than 90 days", "hi": "90 दिन से ज़्यादा", "hi-Latn": "90 din se zyada"},
	"upi":        {"en": "Pay by UPI to", "hi": "UPI से यहाँ भेजें", "hi-Latn": "UPI se yahan bhejein"},
	"sale":       {"en": "Bought on credit", "hi": "उधार लिया", "hi-Latn": "Udhaar liya"},
	"payment":    {"en": "Paid", "hi": "जमा किया", "hi-Latn": "Jama kiya"},
	"cash":       {"en": "Paid in cash", "hi": "नकद दिया", "hi-Latn": "Nakad diya"},
	"by_upi":     {"en": "Paid by UPI", "hi": "UPI से दिया", "hi-Latn": "UPI se diya"},
	"adjustment": {"en": "Corrected", "hi": "हिसाब सुधारा", "hi-Latn": "Hisaab sudhara"},
	"before":     {"en": "Owed from before", "hi": "पुराना बाकी", "hi-Latn": "Purana baaki"},
	"reversal":   {"en": "Entry taken back", "hi": "एंट्री वापस ली", "hi-Latn": "Entry wapas li"},
}

// what returns the key of the word for an entry.
func what(t khatamodel.Transaction) string {
	switch t.Type {
	case khatamodel.CreditSale:
		return "sale"
	case khatamodel.Payment:
		return cmp.Or(map[string]string{"cash": "cash", "upi": "by_upi"}[t.PaymentMethod], "payment")
	case khatamodel.Reversal:
		return "reversal"
	}
	if t.Opening {
		return "before"
	}
	return "adjustment"
}

// dayOf returns a day of the ledger as people write it.
func dayOf(date, language string) string {
	at, err := time.Parse(shop.DateLayout, date)
	if err != nil {
		return date
	}
	return shop.Day(at, language)
}
