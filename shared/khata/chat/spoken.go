package chat

import (
	"strings"
	"unicode"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
)

// maxSpoken bounds the texts that are read as what an owner says about the book.
const maxSpoken = 160

// Spoken is an entry that an owner writes as one says it: Ramesh 500 diya, geeta ji ko 300 ka udhaar.
type Spoken struct {
	Sale   bool
	Amount model.Amount
	Who    []string // the words that name the customer
	When   string   // the word for the day on which it happened; "" for today
}

// ParseSpoken returns the entry that an owner's text tells of, and reports whether it tells of one: one amount, a word
// for what was done, and a name. What was done is a payment, or goods on credit.
func ParseSpoken(text string) (s Spoken, ok bool) {
	if len(text) > maxSpoken || strings.ContainsAny(text, "?\n") {
		return s, false
	}
	amounts, sale, paid := 0, false, false
	var words []string
	for _, word := range wordsOf(text) {
		amount, isAmount := amountOf(word)
		switch {
		case isDay(word):
			s.When = word
		case isAmount && len(word) < localDigits:
			amounts++
			s.Amount = amount
		case soldWords.Has(word):
			sale = true
		case paidWords.Has(word):
			paid = true
		case isCurrency(word), spokenFillers.Has(word):
		default:
			words = append(words, word)
		}
	}
	s.Sale, s.Who = sale, words
	return s, amounts == 1 && s.Amount.IsPositive() && (sale || paid) && len(words) > 0 && len(words) <= maxName
}

// maxName is how many words a name has at most.
const maxName = 5

// ParseAccount returns the words that name a customer in a text that asks for their account: ramesh ka hisaab. It
// reports false for any other.
func ParseAccount(text string) (who []string, ok bool) {
	if len(text) > maxSpoken {
		return nil, false
	}
	asks := false
	for _, word := range wordsOf(text) {
		switch {
		case accountWords.Has(word):
			asks = true
		case spokenFillers.Has(word), askingWords.Has(word):
		default:
			who = append(who, word)
		}
	}
	return who, asks && len(who) > 0 && len(who) <= maxName
}

// Undoes reports whether a text takes back the last entry, and says nothing else.
func Undoes(text string) bool {
	if len(text) > maxSpoken {
		return false
	}
	takesBack := false
	for _, word := range wordsOf(text) {
		switch {
		case undoWords.Has(word):
			takesBack = true
		case !undoFillers.Has(word):
			return false
		}
	}
	return takesBack
}

// reply returns whether a text is nothing but a yes (1) or a no (-1); 0 for any other.
func reply(text string) int {
	if len(text) > maxSpoken || strings.ContainsAny(text, "?") {
		return 0
	}
	yes, no := false, false
	for _, word := range wordsOf(text) {
		switch {
		case noWords.Has(word):
			no = true
		case yesWords.Has(word):
			yes = true
		case !replyFillers.Has(word):
			return 0
		}
	}
	switch {
	case no:
		return -1
	case yes:
		return 1
	}
	return 0
}

// wordsOf returns the words of a text in small letters, with Latin digits, without punctuation.
func wordsOf(text string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(latinDigits(strings.ToLower(text)),
		func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("!।;:()\"'", r) }) {
		if word = strings.Trim(word, ",.-"); word != "" {
			words = append(words, word)
		}
	}
	return words
}

var (
	soldWords = lazy.Words(
		`udhaar udhar udhari udhaari credit saman samaan khate khata le liya leke gaya likho likh likhna baaki ` +
			`baki उधार खाते खाता ले लिया लिखो लिख बाकी`)
	// spokenFillers may stand beside a name, an amount and what was done.
	spokenFillers = lazy.Words(
		`ne ko ka ki ke se me mein main par pe aaj abhi kal hai hain h tha the diye gaye gaya gayi wapas vapas de ` +
			`do lo karo kar dena dijiye jama cash nakad upi gpay phonepe
		paytm online ji bhai bhaiya bhayya uncle aunty saab sahab sahib madam sir mr mrs ab aur and from by for to on the naam rupaye total ने को का की के से में पर आज अभी कल है हैं था थे गए गया वापस
		जी भाई भैया अंकल आंटी साहब नकद दे दो लो`)
	accountWords = lazy.Words(
		"hisaab hisab khata khaata account balance baaki baki bakaya udhaar udhar ledger statement हिसाब खाता बाकी " +
			"बकाया उधार")
	askingWords = lazy.Words(
		"kitna kitni kitne kya batao bata dikhao bhejo bhej please show what is whats of how much owe owes does " +
			"tell कितना कितनी क्या बताओ दिखाओ")
	undoWords = lazy.Words(
		"galat galti undo wapas vapas reverse hatao hata mitao cancel wrong mistake गलत ग़लत गलती वापस हटाओ " +
			"mita revert")
	undoFillers = lazy.Words(
		`ho gaya gayi hai h he ye yeh ye-wali wo woh wali wala entry entries last aakhri akhri aakhiri antim ` +
			`latest hua hui pichli pichla abhi ki ka ko lo le lena do de karo kar dena dijiye kardo thi tha likh ` +
			`likha di diya se ise isko
		it the that this was is please ji bhai sorry maaf oops isme mein me एंट्री ये यह वो वाली वाला ले लो कर दो हो गई गया है थी`)
	yesWords = lazy.Words(
		"haan han ha haa haanji hanji yes yeah yep ok okay theek thik mila mile mil aaya aaye aa confirm done sahi " +
			"pakka likh likho हाँ हां हा ठीक मिल मिला मिले पक्का सही लिख 👍 ✅ 👌 ji जी")
	noWords      = lazy.Words("nahi nahin nhi nai no nope mat galat नहीं नही ना मत गलत")
	replyFillers = lazy.Words(
		"ji gaya gaye hai hain h lo do kar karo dijiye bhai please sab aa raha khate mein me ab please जी गया गए " +
			"है लो दो कर दीजिए")
)
