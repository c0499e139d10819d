package rules

import (
	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/language"
)

// wording is what the assistant says in a language beside the words of the company. again says which form an answer
// has that was not understood.
type wording struct {
	ask, complete string
	// which asks which of some entries is meant, orNone says what to write if it is none, and none stands on a button.
	which, orNone, none string
	again               map[assistant.Kind]string
}

// in returns the words of a language, or those of English.
func in(lang string) wording {
	if said, known := texts[lang]; known {
		return said
	}
	return texts[language.English]
}

var texts = map[string]wording{
	language.English: {
		"Please tell us: %s", "Thank you. We have everything that we need.",
		"Do you mean one of these? Please write its number.", "If it is none of these, write 0.", "None of these",
		map[assistant.Kind]string{
			assistant.Text:   "I have not understood that.",
			assistant.Number: "Please write one number in digits.",
			assistant.Date:   "Please write the date in digits: day/month/year.",
			assistant.Choice: "Please choose one of these.",
			assistant.Phone:  "Please write the phone number with all its digits.",
			assistant.File:   "Please send it here as a photo or a file.",
		},
	},
	language.Hindi: {
		"कृपया बताइए: %s", "धन्यवाद। हमें सारी जानकारी मिल गई।",
		"क्या आपका मतलब इनमें से किसी से है? उसका नंबर लिखें।", "इनमें से कोई नहीं, तो 0 लिखें।", "इनमें से कोई नहीं",
		map[assistant.Kind]string{
			assistant.Text:   "मैं यह नहीं समझा।",
			assistant.Number: "कृपया एक संख्या अंकों में लिखें।",
			assistant.Date:   "कृपया तारीख अंकों में लिखें: दिन/महीना/साल।",
			assistant.Choice: "कृपया इनमें से एक चुनें।",
			assistant.Phone:  "कृपया फ़ोन नंबर पूरे अंकों में लिखें।",
			assistant.File:   "कृपया इसे यहाँ फ़ोटो या फ़ाइल के रूप में भेजें।",
		},
	},
	language.Latin: {
		"Kripya bataiye: %s", "Dhanyavad. Humein saari jankari mil gayi.",
		"Kya aapka matlab inmein se kisi se hai? Uska number likhein.", "Inmein se koi nahi, to 0 likhein.", "Koi nahi",
		map[assistant.Kind]string{
			assistant.Text:   "Main yeh nahi samjha.",
			assistant.Number: "Kripya ek sankhya ankon mein likhein.",
			assistant.Date:   "Kripya tareekh ankon mein likhein: din/mahina/saal.",
			assistant.Choice: "Kripya inmein se ek chunein.",
			assistant.Phone:  "Kripya phone number poore ankon mein likhein.",
			assistant.File:   "Kripya ise yahan photo ya file mein bhejein.",
		},
	},
}
