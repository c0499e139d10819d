package chat

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Templates are those that shop and customers get where free text may not be sent.
var Templates = []whatsapp.OwnTemplate{
	{Name: paymentClaim, Languages: []string{"en", "hi"}, Body: 3, Replies: 2},
	{Name: khataAnswer, Languages: []string{"en", "hi"}, Body: 2},
}

const (
	paymentClaim = "payment_claim"
	khataAnswer  = "khata_answer"
)

// texts are what is said, by key and language, made when they are first read. Names in braces are replaced.
var texts = lazy.Of[map[string]map[string]string]{Make: func() map[string]map[string]string {
	return map[string]map[string]string{
		"claim_noted": {
			"en": "Thank you. We have asked {store} to check {amount}. It is in your khata when they confirm it.",
			"hi": "धन्यवाद। हमने {store} को {amount} जाँचने के लिए कहा है। पक्का होते ही आपके खाते में आ जाएगा।",
			"hi-Latn": "Dhanyavaad. Humne {store} ko {amount} check karne ko kaha hai. Pakka hote hi aapke khate " +
				"mein aa jayega.",
		},
		"claim_ask": {
			"en":      "{who} says that they have paid {amount}. They owe {balance}. Have you got it?",
			"hi":      "{who} कहते हैं कि उन्होंने {amount} दिए हैं। बाकी {balance} है। क्या मिल गया?",
			"hi-Latn": "{who} kehte hain ki unhone {amount} diye hain. Baaki {balance} hai. Kya mil gaya?",
		},
		"claim_yes": {"en": "Yes, write it down", "hi": "हाँ, लिख लो", "hi-Latn": "Haan, likh lo"},
		"claim_no":  {"en": "No", "hi": "नहीं", "hi-Latn": "Nahi"},
		"claim_paid": {
			"en":      "{store} has got {amount}. You owe {balance} now.",
			"hi":      "{store} को {amount} मिल गए। अब बाकी {balance} है।",
			"hi-Latn": "{store} ko {amount} mil gaye. Ab baaki {balance} hai."},
		"claim_refused": {
			"en":      "{store} has not found your payment of {amount} yet. Please ask them.",
			"hi":      "{store} को {amount} अभी नहीं मिले। कृपया दुकान से पूछ लें।",
			"hi-Latn": "{store} ko {amount} abhi nahi mile. Kripya dukaan se poochh lein."},
		"claim_refused_shop": {
			"en":      "Nothing was written down. {who} is being told.",
			"hi":      "कुछ नहीं लिखा गया। {who} को बताया जा रहा है।",
			"hi-Latn": "Kuch nahi likha gaya. {who} ko bataya ja raha hai.",
		},
		"claim_was_confirmed": {
			"en":      "Nothing changed: {amount} of {who} was written down before.",
			"hi":      "कुछ नहीं बदला: {who} के {amount} पहले ही लिखे जा चुके हैं।",
			"hi-Latn": "Kuch nahi badla: {who} ke {amount} pehle hi likhe ja chuke hain.",
		},
		"claim_was_refused": {
			"en":      "Nothing changed: {who} was told before that {amount} had not come.",
			"hi":      "कुछ नहीं बदला: {who} को पहले ही बताया गया कि {amount} नहीं मिले।",
			"hi-Latn": "Kuch nahi badla: {who} ko pehle hi bataya gaya ki {amount} nahi mile.",
		},
		"claim_was_withdrawn": {
			"en":      "Nothing was written down: {who} has deleted the message about {amount}.",
			"hi":      "कुछ नहीं लिखा गया: {who} ने {amount} वाला संदेश हटा दिया है।",
			"hi-Latn": "Kuch nahi likha gaya: {who} ne {amount} wala message hata diya hai.",
		},
		"claim_gone": {
			"en":      "Nothing was written down: this question is not open any more.",
			"hi":      "कुछ नहीं लिखा गया: यह सवाल अब खुला नहीं है।",
			"hi-Latn": "Kuch nahi likha gaya: yeh sawaal ab khula nahi hai.",
		},
		"written": {
			"en":      "Written: {who} paid {amount}. Owes {balance} now.",
			"hi":      "लिख लिया: {who} ने {amount} दिए। अब बाकी {balance}।",
			"hi-Latn": "Likh liya: {who} ne {amount} diye. Ab baaki {balance}."},
		"written_sale": {
			"en":      "Written: {amount} on credit for {who}. Owes {balance} now.",
			"hi":      "लिख लिया: {who} का उधार {amount}। अब बाकी {balance}।",
			"hi-Latn": "Likh liya: {who} ka udhaar {amount}. Ab baaki {balance}."},
		"command_help": {
			"en": "Whose? Write the number after the amount: +500 98765 43210 rice for a sale on credit, -200 " +
				"98765 43210 for a payment.",
			"hi": "किसका? रकम के बाद नंबर लिखें: उधार के लिए +500 98765 43210 चावल, भुगतान के लिए -200 " +
				"98765 43210।",
			"hi-Latn": "Kiska? Rakam ke baad number likhein: udhaar ke liye +500 98765 43210 chawal, payment ke " +
				"liye -200 98765 43210.",
		},
		"lines": {"en": "{lines}", "hi": "{lines}", "hi-Latn": "{lines}"},
		"which_customer": {
			"en": "Which one do you mean by {who}? Nothing was written down yet. Choose, or write the number: " +
				"{names}.",
			"hi":      "{who} से आपका मतलब कौन है? अभी कुछ नहीं लिखा। पूरा नाम या नंबर लिखें: {names}।",
			"hi-Latn": "{who} yaani kaun? Abhi kuch nahi likha. Poora naam ya number likhein: {names}.",
		},
		"chosen_already": {
			"en":      "Nothing changed: this entry was written down before.",
			"hi":      "कुछ नहीं बदला: यह एंट्री पहले ही लिखी जा चुकी है।",
			"hi-Latn": "Kuch nahi badla: yeh entry pehle hi likhi ja chuki hai.",
		},
		"what_is_it": {
			"en":      "{who}, {amount}: what shall I write down? Nothing was written down yet.",
			"hi":      "{who}, {amount}: क्या लिखूँ? अभी कुछ नहीं लिखा।",
			"hi-Latn": "{who}, {amount}: kya likhun? Abhi kuch nahi likha.",
		},
		"is_paid":    {"en": "A payment", "hi": "पैसे मिले", "hi-Latn": "Paise mile"},
		"is_sale":    {"en": "On credit", "hi": "उधार दिया", "hi-Latn": "Udhaar diya"},
		"is_nothing": {"en": "Nothing", "hi": "कुछ नहीं", "hi-Latn": "Kuch nahi"},
		"nothing_written": {
			"en": "Nothing was written down.", "hi": "कुछ नहीं लिखा गया।", "hi-Latn": "Kuch nahi likha gaya."},
		"not_written": {
			"en":      "Not written: {line}. Please write it again by itself.",
			"hi":      "नहीं लिखा: {line}। इसे अलग से फिर लिखें।",
			"hi-Latn": "Nahi likha: {line}. Ise alag se phir likhein.",
		},
		"number_of_payer": {
			"en": "There is nobody called {who} in the khata. Send their number, and the payment of {amount} " +
				"is written down.",
			"hi":      "खाते में {who} नाम का कोई नहीं है। उनका नंबर भेजें, {amount} मिले लिख दिए जाएँगे।",
			"hi-Latn": "Khate mein {who} naam ka koi nahi hai. Unka number bhejein, {amount} mile likh diye jayenge.",
		},
		"number_of_buyer": {
			"en": "There is nobody called {who} in the khata. Send their number, and {amount} is written down " +
				"on credit.",
			"hi":      "खाते में {who} नाम का कोई नहीं है। उनका नंबर भेजें, {amount} उधार लिख दिया जाएगा।",
			"hi-Latn": "Khate mein {who} naam ka koi nahi hai. Unka number bhejein, {amount} udhaar likh diya jayega.",
		},
		"book": {"en": "Who owes you:\n{lines}", "hi": "किसका कितना बाकी:\n{lines}", "hi-Latn": "Kiska kitna " +
			"baaki:\n{lines}"},
		"book_more": {
			"en":      "Who owes you most:\n{lines}\nMore are in the console.",
			"hi":      "सबसे ज़्यादा बाकी:\n{lines}\nऔर नाम कंसोल में हैं।",
			"hi-Latn": "Sabse zyada baaki:\n{lines}\nAur naam console mein hain.",
		},
		"nobody_owes": {
			"en": "Nobody owes you anything.", "hi": "किसी का कुछ बाकी नहीं है।", "hi-Latn": "Kisi ka kuch baaki " +
				"nahi hai."},
		"choose": {"en": "Choose", "hi": "चुनें", "hi-Latn": "Chunein"},
		"account": {
			"en":      "{who} owes {balance}.\n{lines}",
			"hi":      "{who} का बाकी {balance} है।\n{lines}",
			"hi-Latn": "{who} ka baaki {balance} hai.\n{lines}",
		},
		"undone": {
			"en":      "Taken back: {amount} of {who}. Owes {balance} now.",
			"hi":      "वापस लिया: {who} की {amount} की एंट्री। अब बाकी {balance}।",
			"hi-Latn": "Wapas liya: {who} ki {amount} ki entry. Ab baaki {balance}.",
		},
		"late": {
			"en":      "Your message came too late. Nothing was written down. Please send it again.",
			"hi":      "आपका संदेश देर से पहुँचा। कुछ नहीं लिखा गया। कृपया फिर से भेजें।",
			"hi-Latn": "Aapka message der se pahuncha. Kuch nahi likha gaya. Kripya phir se bhejein.",
		},
		"refused": {
			"en": "Nothing was written down. {rule}", "hi": "कुछ नहीं लिखा गया। {rule}",
			"hi-Latn": "Kuch nahi likha gaya. {rule}"},
	}
}}

// language returns the language for somebody: their own where the texts are in it, else the store's first.
func (t talk) language(own string) string {
	for _, language := range append([]string{own}, t.shop.Languages...) {
		if _, known := texts.Get()["written"][language]; known {
			return language
		}
	}
	return "en"
}

// text returns a text with its names replaced.
func (t talk) text(language, key string, values map[string]string) string {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(texts.Get()[key][t.language(language)])
}

// values are what texts about a customer's balance name.
func (t talk) values(b khatamodel.Balance, who string) map[string]string {
	if b.CustomerName != "" {
		who = b.CustomerName + " (" + who + ")"
	}
	return map[string]string{
		"who": model.ShownLine(who), "balance": t.money(b.OutstandingBalance), "store": t.shop.Name}
}

// money returns an amount as people read it.
func (t talk) money(a model.Amount) string {
	if t.shop.Currency == "INR" || t.shop.Currency == "" {
		return "₹" + strings.TrimSuffix(a.StringFixed(2), ".00")
	}
	return t.shop.Currency + " " + a.StringFixed(2)
}

// templateLanguage returns the language of a template. A customer who writes Hindi in Latin letters may not read
// Devanagari.
func templateLanguage(language string) string {
	if slices.Contains(Templates[0].Languages, language) {
		return language
	}
	return Templates[0].Languages[0]
}

// oneLine returns a text as a template takes it.
func oneLine(text string) string {
	const longest = 300
	return model.Truncate(strings.Join(strings.Fields(model.Shown(text)), " "), longest)
}
