package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// About is what a message is about beside goods, where a shop's own data has the answer.
type About string

// The topics of messages.
const (
	AboutHours     About = "hours"
	AboutPlace     About = "place"
	AboutDelivery  About = "delivery"
	AboutPayment   About = "payment"
	AboutTotal     About = "total"
	AboutMenu      About = "menu"
	AboutHaggle    About = "haggle"
	AboutComplaint About = "complaint"
	AboutBill      About = "bill"
)

// abouts are the phrases by which one asks about each, the first that fits winning. A row of two groups needs one of
// each.
var abouts = []struct {
	about  About
	groups []string
}{
	{AboutTotal, []string{`kitna padega|kitna banega|bill kitna|kitna bill|how much is it|how much in all|
		how much for all|how much do i pay|kitna dena|kitne rupaye|final amount|कुल|टोटल|कितना हुआ|कितने हुए|
		कितने के पड़े|कितना पड़ा|कितना बना|कितने पैसे|kitne ka`}},
	{AboutDelivery, []string{`delivery charge|delivery charges|delivery free|free delivery|delivery ka|delivery kitna|
		delivery kitne|how much is delivery|delivery alag|home delivery|deliver karte|delivery karte|delivery hoti|
		delivery hai|do you deliver|deliver kar doge|deliver ho|shipping|delivery fee|delivery cost|delivery included|
		including delivery|डिलीवरी`}},
	{AboutHaggle, []string{`kam kar|kam kijiye|kam ho|kam lagao|thoda kam|saste|sasti|mehnga|mehenga|mehngi|mehnge|
		rate jyada|jyada lag|expensive|costly|too much|too high|cheaper|best price|last price|last rate|discount|
		offer|concession|reduce|bargain|competitor|sells at|sells it|selling at|gets it for|elsewhere|milna chahiye|
		free milna|free me milna|other shop|dusri dukaan|amazon|flipkart|sahi lagao|theek lagao|less price|
		more than i thought|महँगा|महंगे|महँगी|सस्ता|कम करो|कम नहीं|कम होगा|कुछ कम|ज़्यादा है|डिस्काउंट|सही दाम|छूट`}},
	{AboutHours,
		[]string{`khulta|khulega|open|close|closing|opening|timing|timings|closed|खुला|खुले|खुली|खुलती|खुलेगी|बंद|
		टाइमिंग|hours`,
			`baje|time|timing|timings|when|till|until|what|today|now|sunday|itwar|ho|shop|store|you|कब|आज|अभी|दुकान|
		है|समय`}},
	{AboutPlace, []string{`where is your shop|where is the shop|where is your store|your address|shop address|
		store address|dukaan kahan|dukan kidhar|shop kahan|shop kaha|address kya|location bhejo|send location|
		location kya|aap kahan|where are you|kahan par hai dukan|kahan pe hai|दुकान कहां|आपका पता|पता क्या|
		दुकान का पता`}},
	{AboutMenu, []string{`catalogue|catalog|price list|rate list|pricelist|ratelist|what do you sell|what do you have|
		what all|list bhejo|list bhej|list dikhao|items list|मेनू|मेन्यू|रेट लिस्ट|क्या क्या`}},
	{AboutPayment,
		[]string{"upi|gpay|phonepe|paytm|card|pay|cash|qr|scanner|account number|भुगतान|पेमेंट|यूपीआई|उधार|कैश",
			`chalta|accept|number|id|how|can i|do you|qr|scanner|hota|hoga|batao|bhejo|de sakte|doge|milega|क्या|कैसे|
		चलेगा|लेते|नंबर`}},
	{AboutBill, []string{"invoice|invoyce|बिल|इनवॉइस|इनवॉयस", `bhejiye|bhejiyega|bhejdo|bhejdena|send|share|
		chahie|dedo|de dena|dijiye|dijiyega|mil jayega|give me|pdf|copy|भेज|भेजो|भेजना|भेजिए|चाहिए|दे दो|दीजिए|मिलेगा|
		मिल जाएगा|बना दो|बनाओ`}},
	{AboutBill, []string{`invoice|invoyce|इनवॉइस|इनवॉयस|gst bill|bill please|need bill|need a bill|need the bill|
		need my bill|want bill|want a bill|want the bill|want my bill|get a bill|get the bill|get my bill|बिल दो|
		बिल प्लीज|पक्का बिल`}},
}

// offers are the phrases that make the number right before them a price: 450 me de do, 400 ka mil raha hai. Without a
// number they say how the goods are packed: packet me de do.
var offers = lazy.Of[[]string]{Make: func() []string {
	return foldedPhrases(`me de do|me do to|me doge|mein de do|mein doge|me dena|me lunga|में दे दो|में दोगे|` +
		`mil raha|mil rahi|mil rahe|mil jata|मिल रहा|मिल रही`)
}}

// mostOfferWords are more tokens than the longest of the phrases has.
const mostOfferWords = 8

// offerJoins may stand between the number and the phrase: 400 rs ka mil raha hai.
var offerJoins = &wordSet{of: "rs rupaye rupay rupees rupee ₹ रुपये रुपए ka ke ki me mein का के की में"}

// offersPrice reports whether a number of some words is a price that is offered. A number with a unit is none.
func offersPrice(tokens []token) bool {
	for i, t := range tokens {
		if !isNumber(t) || t.text == "do" || t.text == "दो" {
			continue
		}
		for rest := tokens[i+1:]; len(rest) > 0; rest = rest[1:] {
			text := spaced(rest[:min(mostOfferWords, len(rest))])
			if slices.ContainsFunc(offers.Get(), func(o string) bool { return strings.HasPrefix(text, o) }) {
				return true
			}
			if !offerJoins.Has(rest[0].text) {
				break
			}
		}
	}
	return false
}

// aboutOf returns what a message is about, by its words that name no goods; "" for nothing that a shop's data answers.
func aboutOf(beside, all []token) About {
	text := spaced(beside)
	topics := known.Get().topics
	complains := false
	for i, fits := range known.Get().topicBook.fitting(text) {
		complains = complains || fits && topics[i].weight == wrong
	}
	fits := known.Get().aboutBook.fitting(text)
	for i, row := range known.Get().abouts {
		if (fits[i] || row.about == AboutHaggle && offersPrice(all)) &&
			!(complains && row.about == AboutBill) {
			return row.about
		}
	}
	if complains {
		return AboutComplaint
	}
	return ""
}

// aboutRow is a row of abouts with its alternatives folded.
type aboutRow struct {
	about  About
	groups [][]string
}

func aboutRows() []aboutRow {
	var rows []aboutRow
	for _, a := range abouts {
		row := aboutRow{about: a.about}
		for _, group := range a.groups {
			row.groups = append(row.groups, foldedPhrases(strings.ReplaceAll(group, "\n", " ")))
		}
		rows = append(rows, row)
	}
	return rows
}
