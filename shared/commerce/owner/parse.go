package owner

import (
	"slices"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/lazy"
)

// what says what an owner wants.
type what int

const (
	nothing what = iota
	move         // an order into another state
	list         // the orders that wait
	day          // the figures of the day
	soldOut      // a product has run out
	back         // a product is there again
	price        // a product costs something else
	stock        // how much of a product there is
	closeToday
	closeTomorrow
	openAgain
	change       // the lines of an order
	setHours     // from when to when the store is open
	tellOrders   // the member who writes wants to hear of orders
	tellNoOrders // of none
	adjusts      // what a customer owes
)

// command is what an owner's message asks for.
type command struct {
	what   what
	to     commercemodel.OrderStatus
	number string // of an order, or its end; "" for none
	order  bool   // it speaks of an order
	reply  nlu.Reply
	reason string
	goods  string // the words that name a product
	rest   string // the text without the order's number
	amount decimal.Decimal
	hours  commercemodel.Hours
}

var numberForm = lazy.Regexp(`(?i)\bord-\d{8}-[0-9a-z]{8}\b|\bord-[0-9a-z]{4,8}\b`)

// moves are the words by which an owner moves an order on, the first that fits winning.
var moves = []struct {
	to    commercemodel.OrderStatus
	words string
}{
	{commercemodel.OrderRefunded, "refund refunded refund_kar_do paise_wapas paise_vapas paisa_wapas paise_lauta " +
		"paise_lautao paise_lauta_do रिफंड रिफ़ंड पैसे_वापस पैसे_लौटा"},
	{commercemodel.OrderCancelled, "cancel cancle reject refuse mana inkaar nahi_kar_sakte kaat रद्द कैंसिल मना"},
	{commercemodel.OrderDelivered,
		"delivered deliver_ho_gaya deliver_kar_diya pahunch_gaya pahuncha_diya de_diya mil_gaya पहुँच_गया दे_दिया"},
	{commercemodel.OrderOutForDelivery,
		"out_for_delivery dispatch dispatched nikal_gaya nikal_gayi bhej_diya on_the_way raste_me raste_mein " +
			"निकल_गया भेज_दिया"},
	{commercemodel.OrderReady, "ready redy taiyar taiyaar tayyar tayar तैयार"},
	{commercemodel.OrderPreparing, "preparing pack_kar packing bana_rahe pack_ho पैक"},
	{commercemodel.OrderConfirmed,
		"confirm confirmed pakka accept accepted manzoor le_lo le_liya kar_do kar_dijiye पक्का कन्फर्म मंजूर"},
}

var orderWords = lazy.Words("order orders ordar ऑर्डर आर्डर")

// maxCommand bounds the texts that are read.
const maxCommand = 200

// parse returns what an owner's text asks for.
func parse(text string) command {
	c := command{}
	if text = strings.TrimSpace(text); text == "" || len(text) > maxCommand {
		return c
	}
	words := wordsOf(text)
	if len(words) == 0 {
		return c
	}
	c.reply = nlu.ReplyOf(text, nil)
	numbers := numberForm.Get().FindAllString(text, 2)
	if len(numbers) > 0 {
		found := numbers[0]
		c.number, c.order = strings.ToUpper(found), true
		c.rest = strings.TrimSpace(strings.Replace(text, found, " ", 1))
	}
	for _, w := range words {
		c.order = c.order || orderWords.Has(w)
	}
	has := saying(" " + strings.Join(words, " ") + " ")
	question := strings.Contains(text, "?") ||
		has("kitne kitna kitni kya kaunse kaun dikhao batao list show koi कितने कितना क्या कौन दिखाओ बताओ")
	doubtful := doubtful(headOf(text))
	switch {
	case adjusting.Has(words[0]):
		c.what, c.rest = adjusts, strings.TrimSpace(strings.TrimPrefix(text, strings.Fields(text)[0]))
	case !question && !doubtful && c.waiveCommand(words):
	case !strings.Contains(text, "?") && c.hearingCommand(words, has):
	case !question && (c.closingCommand(words, has) || c.hoursCommand(text, has)):
	case c.order && c.number == "" && !c.anyMove(has) && (question || has("aaj today pending naye new baaki waiting "+
		"ke orders all sab आज नए बाकी")):
		c.what = list
	case asksForDay(words):
		c.what = day
	case c.order && c.anyMove(has) && !(c.reply == nlu.Yes && c.moveOf(has) == commercemodel.OrderConfirmed) &&
		(doubtful || len(numbers) > 1 || !c.onlyMoves(text)):
		// It says something else beside: that it is not so, whose order it is, when it will be. Or it names goods.
		if !doubtful && len(numbers) == 1 && !question {
			c.what = change
		}
	case c.reply == nlu.No && len(words) > maxNo:
		// it declines something else
	case c.moveOf(has) == commercemodel.OrderRefunded && (question || has("mat nahi nahin na not don't dont मत नहीं")):
		// it asks about a refund, or wants none
	case c.order && c.anyMove(has), c.number != "" && c.anyMove(has):
		c.what, c.to = move, c.moveOf(has)
		c.reason = reasonOf(text)
	case c.reply == nlu.Yes || c.reply == nlu.No:
		c.what, c.to = move,
			map[nlu.Reply]commercemodel.OrderStatus{
				nlu.Yes: commercemodel.OrderConfirmed, nlu.No: commercemodel.OrderCancelled}[c.reply]
	case !c.order && c.anyMove(has) && len(words) <= 6 && !doubtful && c.onlyMoves(text) &&
		(has("it isko ise ye yeh confirm") ||
			!question && len(words) == 1 && c.moveOf(has) != commercemodel.OrderRefunded): // accept
		c.what, c.to = move, c.moveOf(has)
	case c.number != "" && c.rest != "" && !question:
		c.what = change
	case !question && !c.order && c.number == "":
		c.goodsCommand(text)
	}
	return c
}

// saying returns a function that reports whether words, with spaces around each, hold one of some phrases. A low line
// stands between the words of a phrase.
func saying(words string) func(phrases string) bool {
	return func(phrases string) bool {
		return slices.ContainsFunc(strings.Fields(phrases), func(p string) bool {
			return strings.Contains(words, " "+strings.ReplaceAll(p, "_", " ")+" ")
		})
	}
}

// adjusting are the words with which a message begins that adjusts what a customer owes.
var adjusting = lazy.Words("adjust adjustment adjustments adjast एडजस्ट")

// maxNo is how many words a no to what the owner was asked about has at most.
const maxNo = 3

// onlyMoves reports whether a text says nothing but that an order is moved, and perhaps why.
func (c *command) onlyMoves(text string) bool {
	said := " " + strings.Join(wordsOf(numberForm.Get().ReplaceAllString(headOf(text), " ")), " ") + " "
	to := c.moveOf(saying(said))
	for _, m := range moves {
		if m.to != to {
			continue
		}
		for _, phrase := range strings.Fields(m.words) {
			said = strings.ReplaceAll(said, " "+strings.ReplaceAll(phrase, "_", " ")+" ", "  ")
		}
	}
	asked := to == commercemodel.OrderConfirmed || to == commercemodel.OrderCancelled ||
		to == commercemodel.OrderPreparing || to == commercemodel.OrderRefunded
	for _, word := range strings.Fields(said) {
		if !orderWords.Has(word) && !moveBeside.Has(word) && !(asked && moveAsked.Has(word)) {
			return false
		}
	}
	return true
}

var (
	// moveBeside may stand beside what moves an order, and moveAsked beside what the owner wants done.
	moveBeside = lazy.Words(`
		ho customer hai h hain ye yeh wo woh is it the this ka ki ke ko ji please now abhi ab hi gaya gayi gaye gya
		hua hui diya diye chuka kar ne se me mein already bhai isko ise है हैं ये यह का की के को जी अब अभी हो गया गई
		गए दिया कर`)
	moveAsked = lazy.Words(`
		karo kardo kr ha haan han theek thik sahi ok okay yes do dijiye kijiye lo liya le rahe raha rahi hum sakte
		nahi करो दो दीजिए लो रहे रहा`)
)

// waiveCommand reads that somebody is let off a part of what they owe, which is an adjustment: geeta ka 50 maaf kar do.
func (c *command) waiveCommand(words []string) bool {
	waives, amounts, amount, who := false, 0, "", []string{}
	for _, w := range words {
		value, isAmount := amountOf(w)
		switch {
		case waiveWords.Has(w):
			waives = true
		case isAmount:
			amounts, amount = amounts+1, value.String()
		case !waiveBeside.Has(w):
			who = append(who, w)
		}
	}
	if !waives || amounts != 1 || len(who) == 0 {
		return false
	}
	c.what, c.rest = adjusts, "-"+amount+" "+strings.Join(who, " ")+" maaf"
	return true
}

var (
	waiveWords  = lazy.Words("maaf maafi waive waived chhod chhodo chod माफ माफ़ छोड़")
	waiveBeside = lazy.Words(`
		ka ki ke ko se me mein udhaar udhar baaki baki hisaab hisab khate kar karo kardo do dena dijiye diya kiya rs
		rupaye rupees ji bhai of for off the का की के को से में उधार बाकी कर दो दीजिए रुपये`)
)

// hearingWords are the words of a message by which somebody wants to hear of orders, or of none. A message that has any
// other word is about something else.
var hearingWords = lazy.Words(`
	order orders ordar new naye nayi ka ki ke mujhe me mere mera meri my for to about of the alert alerts notification
	notifications notice notices khabar khabrein suchna soochna message messages msg off on band bandh chalu chaalu
	shuru start stop mute unmute mat nahi nahin na chahiye bhejo bhejna batao batana dena do tell send don't dont kar
	karo kardo kijiye please ji phir se again and turn switch ऑर्डर आर्डर के की का मुझे मेरे नए सूचना खबर ख़बर संदेश
	मैसेज बंद चालू शुरू मत नहीं चाहिए भेजो भेजना बताओ बताना दो कर करो कीजिए फिर से`)

// hearingCommand reads whether somebody wants to hear of orders: order alerts band karo, orders ki khabar chalu karo.
func (c *command) hearingCommand(words []string, has func(string) bool) bool {
	for _, w := range words {
		if !hearingWords.Has(w) {
			return false
		}
	}
	told := has(`alert alerts notification notifications notice notices khabar khabrein suchna soochna message
		messages
		msg सूचना खबर ख़बर संदेश मैसेज batao batana bhejo bhejna tell send बताओ बताना भेजो भेजना`)
	switch {
	case !told || !has("order orders ordar ऑर्डर आर्डर alert alerts notification notifications"):
		return false
	case has("off band bandh stop mute mat nahi nahin don't dont बंद मत नहीं"):
		c.what = tellNoOrders
	case has("on chalu chaalu shuru start unmute चालू शुरू"):
		c.what = tellOrders
	default:
		return false
	}
	return true
}

func (c *command) anyMove(has func(string) bool) bool { return c.moveOf(has) != "" }

// moveOf returns the state into which the words bring an order; "" for none. Money goes back last: a message that names
// no order and says something else beside is about that.
func (c *command) moveOf(has func(string) bool) commercemodel.OrderStatus {
	refund := false
	for _, m := range moves {
		switch {
		case !has(m.words):
		case m.to == commercemodel.OrderRefunded && c.number == "":
			refund = true
		case refund && m.to == commercemodel.OrderConfirmed: // "refund kar do" confirms nothing
		default:
			return m.to
		}
	}
	if refund {
		return commercemodel.OrderRefunded
	}
	return ""
}

// reasonOf returns why an order is refused: what stands after a comma, a dash or a word such as because.
func reasonOf(text string) string {
	_, reason := splitReason(text)
	return strings.TrimSpace(reason)
}

// headOf returns a text without the reason that it gives.
func headOf(text string) string {
	head, _ := splitReason(text)
	return head
}

// beforeReason stands between what is to be done and why.
var beforeReason = lazy.Regexp(`(?i),| - | because | kyunki | kyonki |क्योंकि|:`)

func splitReason(text string) (head, reason string) {
	if at := beforeReason.Get().FindStringIndex(text); at != nil {
		return text[:at[0]], text[at[1]:]
	}
	return text, ""
}

// wordsOf returns the words of a text in small letters without punctuation at their ends.
func wordsOf(text string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",!।;()\"", r) }) {
		if w = strings.Trim(w, ".:?-"); w != "" {
			words = append(words, w)
		}
	}
	return words
}
