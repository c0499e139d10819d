package faq

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// intentRows are what people ask of any business, a row each: the name, and after it the ways to ask. A way is some
// words of which all stand in the text, in any order; a word may be one of several. They are in English, and in Hindi
// in Latin letters. A question and a message with the same intent belong together, whichever words they use.
const intentRows = `
location: distance; how|kitni|kitna far|dur|door; how|kaise|kese reach|aaye|aaye|pahunche|station; where office|shop|store|branch|center|centre|clinic|institute|located|situated|address|showroom|school|hotel|gym|lab;
	address; location; directions; landmark; map; kahan|kaha|kidhar office|dukan|clinic|center|branch|institute|coaching|hotel|pata|store;
	pata kya|batao|bata; kaise pahunche|pahunchu|pahunchein; how reach; where you; aap kahan|kaha
boarding: where board|catch|boarding; from where|kahan|kaha get|catch|take|board; kahan|kaha se milegi|milega|pakdu|pakadni|pakde|chadhna|lena|leni;
	pickup|boarding|pick point|stop
hours: timing|timings; opening|closing|working|business|office hours|time|hour; open till|until|upto|time|when|late|kab|kitne;
	kab|when khulta|khulti|khulte|khula|band|open|close|closes; what|kis|kya time open|office|shop|clinic|store|khulta;
	kitne baje khulta|khulti|band|khulega
sunday: sunday|sundays|weekend|weekends|ravivar|itvar|itwar|saturday|holiday|holidays|chhutti open|work|khula|aate|come|band|closed|milenge|kaam|chalu|available;
	open|work|khula|kaam|khulta sunday|sundays|weekend|ravivar|itvar
price: how much; price|cost|rate|rates|charge|charges|fee|fees|fare|kiraya|tariff|kimat|daam|shulk; kitna|kitne|kitni paisa|paise|rupaye|lagega|lagta|lete|loge|padega|ka|ki;
	what cost|charge; kitne ka|ki; bhav|rate kya|batao
deducted: cancel|cancellation|radd cut|deduct|deducted|charge|charges|penalty|katega|kategi|katoge|lagega|fee|kat; kitna|much katega|kategi|deducted|cut|kat
discount: discount|offer|offers|coupon|promo|concession|chhoot|scheme|sasta|cheaper|cashback
instalment: instalment|instalments|installment|installments|emi|kist|kisht|kiston|kisto|part|parts pay|payment|de|fee|fees|emi|kist|monthly;
	emi; pay monthly; monthly pay|payment|instalment; kist|kisht|kiston|kisto; thoda karke|kar
paying: how pay|payment; payment|pay kaise|method|methods|mode|modes|option|options|accept|online|how; upi|gpay|paytm|phonepe|card|cards|cash|cheque|netbanking|google-pay;
	pay|payment|paise|paisa upi|card|cash|online
invoice: bill|invoice|receipt|rasid|gst need|get|send|chahiye|milega|dete|copy|download|want|office; gst bill|invoice|number; tax invoice
refund-when: refund when|kab|days|din|received|receive|aaya|aayega|milega|arrive|long|status|yet; paisa|paise|money|amount wapas|back|returned|lautega kab|when|din|kitne
refund-if: money back; refund|refunded|refundable if|leave|policy|possible|milega; paisa|paise wapas; leave|chhod|chhodne|quit refund|back|wapas|paise|fee|fees
cancel: cancel|cancelled|cancellation|radd|raddh|nirast; nahi|not chahiye|need ab|anymore
reschedule: change|move|shift|badal|badalna|badalni|badlu|badle|postpone|prepone|reschedule|aage date|time|day|timing|appointment|visit|slot|journey|tarikh|tareekh|samay|din|booking;
	instead; another|other|dusre|doosre|kisi-aur day|date|din|time; postpone; reschedule; prepone; later aa|come; kal aa|aana|aao aaj|nahi; aage badha|badhana|badhani|karna
track: where order|parcel|bus|technician|delivery|package|shipment|courier|he|driver|engineer|cab|rider; track|tracking; not|nahi|yet|abhi reached|arrived|come|aaya|aayi|pahuncha|pahunchi|received|mila|delivered;
	kahan|kaha|kidhar pahuncha|pahunchi|pahunche|order|parcel|bus|technician|hai-abhi; abhi-tak|abhi nahi|aaya|pahuncha|mila; still waiting|not; where reached|now; late where|kahan|kab
soon: not|nahi yet|abhi|tak come|aaya|aayi|arrived|received|mila|mili; how soon|quickly|fast|long; same day; today come|deliver|delivery|possible|itself|available; kitni|kitne der|din|time aayega|aaega|lagega|me|mein|lagenge|milega|aaoge; how-many days; kab aayega|aaega|aaoge|aaenge|milega|pahunchega|tak;
	when come|arrive|deliver|delivered|receive|get; aaj aa|aayega|aaoge|milega|ho; delivery time
booking: book|booking|reserve|appointment|slot|schedule how|kaise|karna|want|need|karni|lena|leni|please|chahiye|online; how|kaise order|book|apply|register|reserve;
	need|want|chahiye appointment|ticket|tickets|booking|table|room|slot|cab|repair|visit|service; book|booking karna|karni|karwana|karwani|kar; send|bhejo|bhejiye|bhej someone|somebody|kisi|technician|mechanic|mistri|aadmi|koi;
	kharab|leaking|working|cooling|thik|theek|broken repair|someone|kisi|banwana|banwani|karwana|send|bhejo|need|not|nahi
area: which areas|area|cities|city|locations|pincode|pin|place|places; do come|deliver|serve|service|ship area|city|pincode|nagar|village|outside; you come to; deliver|delivery|aate|aati|aaoge|bhejte|pahunchate|service ho|kya|hai me|mein|tak|yahan|yaha;
	kin|kaun|kis|kahan ilake|ilakon|shahar|shaharon|area|jagah|areas; serve|cover areas|area; hamare|hamari|mere|my|our area|gaon|colony|city|shahar|yahan
contact: customer care; helpline; contact|phone|call|whatsapp number|no; number batao|de|do|chahiye|please|send|kya; toll free; email id|address
person: talk|speak|baat|connect person|human|agent|manager|someone|kisi|insaan|executive|expert|doctor|sir
documents: documents|document|papers|paper|kagaz|kagaj|kagzat|dastavej|proof|id need|needed|required|bring|chahiye|lagenge|lagega|lana|which|what|kaun|kaunse|submit;
	what|kya bring|need|carry|required|lana|laana|lagega|lagta|chahiye admission|visit|new|apply|interview|with|sath|saath|liye|le|joining|open
age: age; umar|umra|aayu; minimum|maximum age; years|saal old|can|apply|ka|ki|ke join|apply|hoon|hun|old; too old|young
seniors: senior|seniors|elderly|bujurg|budhe|budhape|pensioner; senior citizen; father|mother|papa|mummy|pita|mata|parents 55|58|60|62|65|68|70|72|75|80|old
trial: trial; demo; free|try class|session|sample|trial|demo|once|ek|pehle|before; pehle|ek|first dekh|try|attend|class; sample dekh|see|milega
remote: online; from|at home; ghar baithe|se|pe|par|baith; on phone|mobile|laptop|video|zoom; video call|consultation; live app|class; remote|virtual|wfh
job: vacancy|vacancies|hiring|recruitment|bharti|job|naukri|opening|openings chahiye|want|available|hai|any|for|need|milegi|apply
parking: parking; park|parking|gaadi|car park|parking|khadi|lagane|lagani|space
again: again|fir|phir|dobara|wapas|wahi|same|back stopped|stop|problem|fault|kharab|issue|band|broken|came|aa|not|come|repair|repaired|ho
warranty: warranty|guarantee|guaranty|waranti|garanti
genuine: original|genuine|asli|duplicate|fake|nakli|authentic|pure|shuddh
quality: fresh|organic|quality|hygienic|hygiene|taza|safai|clean how|is|are|hai|kya
lost: lost|forgot|left|bhul|bhool|chhut|chhoot|rah|kho|reh|gum bag|item|phone|something|saman|samaan|luggage|wallet|purse|umbrella|gaya|gayi|gya in|mein|me|on|seat;
	left|forgot something|bag|my|behind; lost found|item
missed: missed|miss; chhut|chhoot|choot|chut gayi|gaya|gai; reached|late gone|left|had|gayi; late ho gaya|gayi|hua
result: result|results|selection|selections|success|topper|toppers|rank|ranks|pass|passed|selected last|year|how|many|kitne|record|kaisa|saal|pichle
staff: experienced|qualified|experience|qualification|who|kaun|trained|certified teacher|teachers|faculty|trainer|trainers|staff|doctor|doctors|team|instructor|coach|engineer|technician|stylist|chef
count: how-many|many|kitne|kitni students|student|people|seats|log|bachche|bacche|kids|children|members|persons|strength
limit: how-many|many|much|kitna|kitne|maximum|limit allowed|allow|carry|take|le|max|limit|free
starting: when|kab|date|next|new|naya|nayi start|starts|starting|begin|begins|shuru|chalu|commence|launch|batch; start date; kab se
duration: how long; duration; kitne|kitna din|mahine|saal|time|samay lagta|lagega|lagenge|ka|chalta; how-many months|days|weeks|years|hours|sessions
installing: install|installation|fit|fitting|fitted|lagwana|lagwani|lagate|lagana|setup|fix new|naya|nayi|bought|ac|tv|geyser|how|charge|it; new install|fit|fitted|lagwana|lagwani|setup
removing: uninstall|dismantle|remove|utarwana|utarna|utar|nikalna|khol; take down
shifting: moving|shifting|shift|relocate|relocating|house|ghar|makan|transfer badal|badalna|new|moving|shifting|shift|house|city|dusri|address|connection
selling: sell|bechna|bechni|beche|bechu|kharidte|exchange|buyback|scrap old|purana|purani|used|second|my|apna|apni|mera; you|aap|kya buy|kharidte old|purana|purani|used|second
pickup: pick|pickup|collect|drop|le home|house|drop|from|ghar|up|jaoge|jaaoge|point|facility|collection; workshop; will take; le jaoge|jaate|jayenge
without: without|bina|bagair
women: women|woman|ladies|lady|girl|girls|female|mahila|mahilaye|mahilaon|ladki|ladkiyan|ladkiyon|aurat|auraton
children: kid|kids|child|children|baby|babies|infant|toddler|son|daughter|bachcha|bachche|bachchon|bacche|baccho|beta|beti
pets: dog|dogs|cat|cats|pet|pets|animal|animals|kutta|kutte|billi|janwar|paltu
food: food|meal|meals|lunch|dinner|breakfast|khana|khane|nashta|canteen|tiffin|snacks|veg|vegetarian|jain
stay: hostel|accommodation|room|rooms|stay|lodging|pg|rehne|rahne|rehna|thaharne
toilet: toilet|toilets|washroom|bathroom|restroom|peshab; bus|raste|way stop|rukegi|rukti|halt
transport: transport|conveyance|cab|van|shuttle; bus|van facility|school|service|ghar|office|pickup; pick|drop facility|up|service|home
wifi: wifi|wi-fi|internet; charge|charging mobile|phone|point|socket|laptop
loan: loan|finance|karz|rin
yearly: annual|yearly|amc|contract; saal|sal bhar|plan; maintenance contract|plan
insurance: insurance|bima|mediclaim|cashless|tpa accept|chalta|chalega|covered|take|have|available|hai
home-visit: ghar|home|doorstep come|aate|aakar|visit|se|pe|par|sample|service|delivery|collection; come|visit home|house
visit-fee: visit|visiting|inspection|aane|aana charge|charges|fee|cost|kitna|paise|lagega|lete
bulk: bulk|wholesale|corporate|party|wedding|marriage|shaadi|shadi|barat|baraat|function|event|group|whole|puri|poori order|hire|book|bus|people|rate|hall|milegi|chahiye|log|need
returning: return|returns|exchange|replace|replacement|wapas|badal|badalna product|item|order|karna|kar|policy|how|size|saman|days|din|damaged|wrong|galat; damaged|defective|broken|wrong|galat received|got|aaya|mila|item|product
password: password|login|log|otp|pin|username forgot|reset|not|bhul|bhool|nahi|change|problem|aa
profile: change|update|correct|badal|badalna|galat name|address|number|mobile|email|details|naam|pata
complaint: complaint|complain|shikayat|grievance|unhappy
branches: which|how-many|other|dusri|kitni branch|branches|outlets|centres|centers|stores
brands: which|kaun product|products|brand|company use|istemal|lagate|lagaate; which|kaun|kin|all|kis brand|brands|company|companies|kampani|make; brand|brands
plans: plan|plans|package|packages|pack which|what|batao|bataye|rate|price|monthly|available|list|tell|show|best
safe: safe|safety|secure|surakshit|data|privacy|private
certificate: certificate|praman|certification
material: notes|book|books|material|kitab|kitabe|kitaben|handout|pdf|library
language: hindi|english|language|medium|bhasha|madhyam in|me|mein|which|speak|kis|medium
`

// way is the words of one way to ask, of which each is one of several.
type way [][]string

// intent is what people ask of any business, the ways to ask it, and the words in them.
type intent struct {
	name  string
	ways  []way
	words map[string]bool
}

// intents reads the rows at first use.
var intents = lazy.Of[[]intent]{Make: func() []intent {
	var all []intent
	for row := range strings.SplitSeq(intentRows, "\n") {
		name, ways, begins := strings.Cut(row, ":")
		if !begins {
			ways = row
		}
		if begins {
			all = append(all, intent{name: "!" + name, words: map[string]bool{}})
		}
		for text := range strings.SplitSeq(ways, ";") {
			var w way
			for _, words := range strings.Fields(text) {
				var some []string
				for word := range strings.SplitSeq(words, "|") {
					stem := ""
					for part := range strings.SplitSeq(word, "-") {
						stem += language.Stem(keyOf(part))
					}
					if known.Get().common[stem] && !known.Get().usual[word] {
						continue // khana, food, is written like can
					}
					some = append(some, stem)
					all[len(all)-1].words[stem] = true
				}
				w = append(w, some)
			}
			if len(w) > 0 {
				last := &all[len(all)-1]
				last.ways = append(last.ways, w)
			}
		}
	}
	return all
}}

// intentsOf returns the intents of a text, by all its words in order.
func intentsOf(words []string) []term {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = language.Stem(keyOf(w))
	}
	for i := range len(stems) - 1 {
		stems = append(stems, stems[i]+stems[i+1])
	}
	var all []term
	for _, in := range intents.Get() {
		if slices.ContainsFunc(in.ways, func(w way) bool { return w.in(stems) }) {
			all = append(all, term{key: in.name, stem: in.name, ways: in.words})
		}
	}
	return all
}

// in reports whether a text has a way's words: each part by a word of its own.
func (w way) in(stems []string) bool {
	used := make([]int, 0, len(w))
	for _, some := range w {
		at := -1
		for i, s := range stems {
			if slices.Contains(some, s) && !slices.Contains(used, i) {
				at = i
				break
			}
		}
		if at < 0 {
			return false
		}
		used = append(used, at)
	}
	return true
}
