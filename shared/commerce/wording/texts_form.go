package wording

// formTexts are what the form shows on which customers say where they want their goods.
var formTexts = []text{
	{"form.heading", sentence{
		English: "Where shall we bring it?",
		Hindi:   "सामान कहाँ पहुँचाएँ?",
		Latin:   "Saamaan kahan pahunchayein?",
	}},
	{"form.label.name", sentence{
		English: "Name",
		Hindi:   "नाम",
		Latin:   "Naam",
	}},
	{"form.label.phone_number", sentence{
		English: "Phone number",
		Hindi:   "फ़ोन नंबर",
		Latin:   "Phone number",
	}},
	{"form.label.house_number", sentence{
		English: "House, floor",
		Hindi:   "मकान, मंज़िल",
		Latin:   "Makaan, manzil",
	}},
	{"form.label.address", sentence{
		English: "Street",
		Hindi:   "सड़क, गली",
		Latin:   "Sadak, gali",
	}},
	{"form.label.landmark_area", sentence{
		English: "What is near",
		Hindi:   "पास में क्या है",
		Latin:   "Paas mein kya hai",
	}},
	{"form.label.city", sentence{
		English: "City",
		Hindi:   "शहर",
		Latin:   "Sheher",
	}},
	{"form.label.state", sentence{
		English: "State",
		Hindi:   "राज्य",
		Latin:   "Rajya",
	}},
	{"form.label.postal_code", sentence{
		English: "PIN code",
		Hindi:   "पिन कोड",
		Latin:   "PIN code",
	}},
	{"form.default", sentence{
		English: "Use this address from now on",
		Hindi:   "आगे से यही पता इस्तेमाल करें",
		Latin:   "Aage se yahi pata istemaal karein",
	}},
	{"form.send", sentence{
		English: "Send",
		Hindi:   "भेजें",
		Latin:   "Bhejein",
	}},
	{"form.wrong.missing", sentence{
		English: "Please fill this in.",
		Hindi:   "कृपया इसे भरें।",
		Latin:   "Kripya ise bharein.",
	}},
	{"form.wrong.long", sentence{
		English: "This is too long.",
		Hindi:   "यह बहुत लंबा है।",
		Latin:   "Yeh bahut lamba hai.",
	}},
	{"form.wrong.postal_code", sentence{
		English: "A PIN code has six digits.",
		Hindi:   "पिन कोड में छह अंक होते हैं।",
		Latin:   "PIN code mein 6 ank hote hain.",
	}},
	{"form.wrong.phone_number", sentence{
		English: "This is not a phone number.",
		Hindi:   "यह फ़ोन नंबर नहीं है।",
		Latin:   "Yeh phone number nahi hai.",
	}},
}
