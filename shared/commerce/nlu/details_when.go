package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// days and parts of the day are times of their own.
var (
	dayWords = &wordSet{of: `aaj kal parso parson today tomorrow tmrw tonight tomo monday tuesday wednesday thursday friday
		saturday sunday somvar somwar mangalvar mangalwar budhvar budhwar
		guruvar guruwar shukravar shukrawar shanivar shaniwar ravivar raviwar itwar आज कल परसों सोमवार मंगलवार बुधवार
		गुरुवार शुक्रवार शनिवार रविवार`}

	partWords = &wordSet{of: "subah subh dopahar dopeher shaam sham raat morning afternoon evening night " +
		"noon सुबह दोपहर शाम रात"}
	// oClock make a time of the number before them.
	oClock = &wordSet{of: "baje bje baj am pm oclock बजे"}
	// lasting make a time of the number before them, after in or within.
	lasting = &wordSet{of: "minute minutes min mins ghante ghanta hour hours hr hrs मिनट घंटे घंटा"}
	// besideTime may stand between and around words of time.
	besideTime = &wordSet{of: "ko ke baad tak tk se pehle pahle by at before after around in within the " +
		"this next hi karib lagbhag me mein " +
		"main between to till until को के बाद तक से पहले ही में"}

	// strongBeside belong to the time that they stand beside.
	strongBeside = &wordSet{of: "baad tak tk pehle pahle by before after till until around within बाद तक पहले"}
	// pastTime make a time one that is over, or say of whom something is.
	pastTime = &wordSet{of: "wala wali wale ka ki tha thi the diya diye nikla nikli nikle mila mili " +
		"sent was were had वाला वाली का की " +
		"था थी थे"}
)

// timeIn finds when the customer wants the goods in a clause.
func (x *Index) timeIn(tokens []token, e extent) (extent, bool) {
	for i := e.from; i < e.to; i++ {
		if !isTime(tokens, i, e) || x.inName(tokens, i) ||
			i > 0 && (tokens[i-1].text == "good" || tokens[i-1].text == "shubh" || tokens[i-1].text == "गुड") {
			continue
		}
		from, to := i, i+1
		for from > e.from &&
			(besideTime.Has(tokens[from-1].text) && strongBeside.Has(tokens[from-1].text) ||
				isTime(tokens, from-1, e)) {
			from--
		}
		for to < e.to && (besideTime.Has(tokens[to].text) || isTime(tokens, to, e)) {
			to++
		}
		for to > from+1 && besideTime.Has(tokens[to-1].text) && !strongBeside.Has(tokens[to-1].text) {
			to--
		}
		if to < e.to && pastTime.Has(tokens[to].text) || to < e.to && tokens[to].text == "se" ||
			alone(tokens[from:to]) &&
				slices.ContainsFunc(tokens[e.from:e.to], func(t token) bool { return pastWords.Has(t.text) }) {
			return extent{}, false
		}
		return extent{from, to}, true
	}
	return extent{}, false
}

// alone reports whether a time is nothing but a day.
func alone(tokens []token) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool { return t.kind == number || partWords.Has(t.text) })
}

// isTime reports whether a token is of a time: a day, a part of it, an hour, a number before or after a word of hours.
func isTime(tokens []token, at int, e extent) bool {
	t := tokens[at]
	next := func(n int) string {
		if at+n < e.to {
			return tokens[at+n].text
		}
		return ""
	}
	before := ""
	if at > e.from {
		before = tokens[at-1].text
	}
	switch {
	case dayWords.Has(t.text), partWords.Has(t.text):
		return true
	case oClock.Has(t.text) || lasting.Has(t.text):
		return at > e.from && isCountWord(tokens[at-1])
	case !isCountWord(t):
		return false
	case oClock.Has(next(1)) || next(1) == "-" && oClock.Has(next(3)) || strings.Contains(t.text, ":"):
		return true
	case lasting.Has(next(1)):
		return before == "in" || before == "within" || next(2) == "me" || next(2) == "mein" || next(2) == "tak" ||
			next(2) == "baad" || next(2) == "में" || next(2) == "ke"
	case before == "by" || before == "before" || before == "after" || before == "around":
		return t.kind == number && len(t.text) < 3 &&
			(next(1) == "" || !hasUnit(tokens, at+1) && tokens[at+1].kind == mark)
	}
	if (before == "at" || before == "@") && (dayWords.Has(next(1)) || partWords.Has(next(1))) { // at 8 tonight
		return t.kind == number && len(t.text) < 3
	}
	return partWords.Has(before) && t.kind == number && len(t.text) < 3 && next(1) == ""
}

// isCountWord reports whether a token is a number, in digits or as a word.
func isCountWord(t token) bool {
	if t.kind == number {
		return true
	}
	_, is := numerals.Get()[t.text]
	return is
}

// payments are the words for each way to pay.
var payments = []struct{ method, words string }{
	{"upi", "upi gpay googlepay phonepe fonepe paytm bhim online यूपीआई गूगलपे फोनपे पेटीएम ऑनलाइन आनलाइन"},
	{"cod", "cash cod nakad nagad nakit कैश नकद नगद"},
	{"credit", "udhaar udhar udhari khate khata khaate khaata account credit tab hisab hisaab उधार खाते खाता हिसाब"},
	{"card", "card कार्ड"},
}

// besidePayment may stand beside the word for the way to pay.
var besidePayment = &wordSet{of: `se me mein main par pe on in into my mere apne the put it will pay payment paying by via with
	using through dunga doonga dungi doongi de dena do karunga karungi kar kr karna likh
	likhna likhlo likho lena lo daal dal add write charge delivery google phone ki ka ke i ill hum denge hai h please
	pls ji hi to bhugtan milega milegi lelo le diya diye jayega hoga only
	online baad kal mujhe transfer scan se में पर से लिख लेना देना दूँगा दूंगा करूँगा करूंगा कर दो लो पेमेंट भुगतान
	मेरे ऑन डिलीवरी`}

var paymentOf = lazy.Of[map[string]string]{Make: func() map[string]string {
	all := map[string]string{}
	for _, p := range payments {
		for _, w := range strings.Fields(p.words) {
			all[normalise(w)] = p.method
		}
	}
	return all
}}

// noWords say that something is not so.
var noWords = &wordSet{of: "nahi nahin nhi nai no not dont mat without bina nahee नहीं नही मत बिना"}

// paidBy finds how the customer wants to pay in a clause. What is owed is asked, and not a way to pay: an account needs
// a word that puts the order there.
func paidBy(tokens []token, e extent) (string, extent, bool) {
	for i := e.from; i < e.to; i++ {
		method := paymentOf.Get()[tokens[i].text]
		if method == "" && i+1 < e.to && (tokens[i].text == "google" || tokens[i].text == "phone") &&
			tokens[i+1].text == "pay" || tokens[i].text == "phone" && i+1 < e.to && tokens[i+1].text == "pe" {
			method = "upi"
		}
		if method == "" ||
			slices.ContainsFunc(tokens[max(e.from, i-3):min(e.to, i+3)],
				func(t token) bool { return noWords.Has(t.text) }) {
			continue
		}
		from, to := i, i+1
		for from > e.from && besidePayment.Has(tokens[from-1].text) {
			from--
		}
		for to < e.to && (besidePayment.Has(tokens[to].text) || paymentOf.Get()[tokens[to].text] == method) {
			to++
		}
		span := extent{from, to}
		// a memory card is no way to pay, and neither is the one to be written on
		if method == "card" && to-from < e.to-e.from && !slices.ContainsFunc(tokens[from:to], paysBy) {
			continue
		}
		if method == "credit" && !putsThere(tokens[from:to]) ||
			slices.ContainsFunc(tokens[from:to], func(t token) bool { return paidAlready.Has(t.text) }) {
			return "", extent{}, false
		}
		return method, span, true
	}
	return "", extent{}, false
}

// paysBy reports whether a word makes a way to pay of the one beside it.
func paysBy(t token) bool { return paying.Has(t.text) }

var paying = &wordSet{of: "pay payment paying by with via using through se dunga doonga dungi karunga karungi से"}

// paidAlready say that a payment has been made.
var paidAlready = &wordSet{of: "diya diye kiya paid"}

// putsThere reports whether words put an order on an account.
func putsThere(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return puts.Has(t.text) })
}

var puts = &wordSet{of: "likh likhna likhlo likho put on daal dal add me mein par pe udhaar udhar " +
	"charge write में पर लिख उधार"}

// fetching are phrases by which customers say that they come for the goods, or want them brought.
var fetching = []struct {
	way     string
	phrases string
}{
	{Pickup, `khud le jaunga|khud le jaungi|khud lene|khud aake|khud aa ke|khud aakar|aake le jaunga|aake le lunga|
		aa ke le|aakar le|lene aaunga|lene aa raha|lene aaungi|pick it up|pick up|pickup|picking up|
		collect it|collect|self pickup|come and take|come and get|dukan se le|dukaan se le|shop se le|le jaunga|
		le jaungi|खुद ले|खुद आ|ले जाऊँगा|ले जाऊंगा|लेने आऊँगा|लेने आऊंगा|आकर ले`},
	{Delivery, "home delivery|ghar bhej|ghar pe bhej|ghar par bhej|ghar pahuncha|ghar pe de|ghar bhijwa|deliver at " +
		"home|deliver home|होम डिलीवरी|घर भेज|घर पर भेज|घर पहुँचा"},
}

// besideFetching may stand beside them.
var besideFetching = &wordSet{of: "main mai mein i will ill hum it them aake khud from the shop " +
	"store dukan dukaan se myself self jaunga lunga " +
	"jaungi lungi want would like to please bhej do dena bhejna karna kar by मैं हम दुकान से"}

// fetched finds how the goods are to reach the customer in a clause.
func fetched(tokens []token, e extent) (string, extent, bool) {
	for _, f := range fetching {
		for _, phrase := range strings.Split(f.phrases, "|") {
			words := strings.Fields(phrase)
			at := indexOf(tokens[e.from:e.to], words)
			if at < 0 {
				continue
			}
			from, to := e.from+at, e.from+at+len(words)
			for from > e.from && besideFetching.Has(tokens[from-1].text) {
				from--
			}
			for to < e.to && besideFetching.Has(tokens[to].text) {
				to++
			}
			return f.way, extent{from, to}, true
		}
	}
	return "", extent{}, false
}
