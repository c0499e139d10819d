package chat

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// ParseAccount returns the words that name a customer in a text that asks for their account: ramesh ka hisaab,
// ramesh ne
// 500 diya kya. It reports false for any other.
func ParseAccount(text string) (who []string, ok bool) {
	if len(text) > maxSpoken || slices.ContainsFunc(wordsOf(text), shopWords.Has) {
		return nil, false
	}
	account, asks, happens := false, strings.Contains(text, "?"), false
	for i, word := range wordsOf(text) {
		_, isAmount := amountOf(word)
		ofBook := doneWords(word) || dueWords.Has(word) || owedWords.Has(word) || isDoubtful(word)
		account = account || accountWords.Has(word)
		asks = asks || language.Asks(word) || showWords.Has(word) || i == 0 && askedFirst.Has(word)
		happens = happens || totalWords.Has(word) || ofBook
		switch {
		case accountWords.Has(word), askingWords.Has(word), language.Asks(word), spokenFillers.Has(word):
		case accountFillers.Has(word), isAmount, isCurrency(word), ofBook:
		default:
			who = append(who, word)
		}
	}
	return who, (account || asks && happens) && len(who) > 0 && len(who) <= maxName
}

// doneWords reports whether a word says that something was done for the book.
func doneWords(word string) bool {
	return settleWords.Has(word) || giveWords.Has(word) || receiveWords.Has(word) || takeWords.Has(word) ||
		creditWords.Has(word)
}

// AsksForBook reports whether a text asks who owes what, and says nothing else: sabka hisaab, kis kis ka kitna
// baaki hai.
func AsksForBook(text string) bool {
	if len(text) > maxSpoken {
		return false
	}
	everybody, owed := false, false
	for _, word := range wordsOf(text) {
		everybody = everybody || everybodyWords.Has(word)
		owed = owed || accountWords.Has(word) || owedWords.Has(word) || creditWords.Has(word) || dueWords.Has(word) ||
			giveWords.Has(word)
		switch {
		case everybodyWords.Has(word), accountWords.Has(word), owedWords.Has(word), creditWords.Has(word),
			dueWords.Has(word), askingWords.Has(word), accountFillers.Has(word):
		case spokenFillers.Has(word) && !todayWords.Has(word), selves.Has(word), giveWords.Has(word), noWords.Has(word):
		default:
			return false
		}
	}
	return everybody && owed
}

// Undoes reports whether a text takes back the last entry, and says nothing else. Goods, money and orders go back, too:
// such a word counts only beside one for an entry.
func Undoes(text string) bool {
	if len(text) > maxSpoken || strings.Contains(text, "?") {
		return false
	}
	takesBack, back, entry := false, false, false
	for _, word := range wordsOf(text) {
		switch {
		case undoWords.Has(word):
			takesBack = true
		case backWords.Has(word):
			back = true
		case !undoFillers.Has(word):
			return false
		}
		entry = entry || strings.HasPrefix(word, "entr") || word == "एंट्री"
	}
	return takesBack || back && entry
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

var (
	accountWords = lazy.Words(`
		hisaab hisab khata khaata khate khaate account balance udhaar udhar udhari ledger statement owe owes dues
		balances हिसाब खाता खाते उधार बैलेंस`)
	askingWords = lazy.Words(`
		kitna kitni kitne kya batao bata bataao batana bataiye dikhao dikha dikhana dikhaiye bhejo bhej bhejna please
		show what whats what's of how much many tell send give check kab kaun कितना कितनी कितने क्या बताओ बताइए दिखाओ
		दिखाइए भेजो कब`)
	askedFirst = lazy.Words("did has have does is was how what when")
	// accountFillers may stand beside a name in a question about an account.
	accountFillers = lazy.Words(`
		ne ko se hai hain to from does did has have is was do me us hua hui bana banta abhi tak paise paisa paiso
		money rupay ने को से है हैं पैसे पैसा तक`)
	// everybodyWords ask about all customers.
	everybodyWords = lazy.Words(`
		sab sabka sabke sabki sabhi sabse kis kiska kiske kiski kisne kisko kaun who whom whose everyone everybody all
		total list market bazaar bazar kul customers सब सबका सबके सबकी सभी किस किसका किसके किसकी किसने किसको कुल लिस्ट`)
	showWords  = lazy.Words("batao batana bataiye dikhao dikhaiye show बताओ बताइए दिखाओ दिखाइए")
	totalWords = lazy.Words("hua hui bana banta total हुआ बना")
	todayWords = lazy.Words("aaj today आज")
	undoWords  = lazy.Words(`
		galat galti undo reverse revert delete hatao hata mitao mita wrong mistake गलत ग़लत गलती हटाओ`)
	backWords   = lazy.Words("wapas vapas cancel वापस")
	undoFillers = lazy.Words(`
		ho gaya gayi hai h he ye yeh ye-wali wo woh wali wala entry entries last aakhri akhri aakhiri antim latest hua
		hui pichli pichla abhi ki ka ko lo le lena do de karo kar dena dijiye kardo gya likh likha di diya se ise isko
		it the that this please ji bhai sorry maaf oops isme mein me एंट्री ये यह वो वाली वाला ले लो कर दो हो गई गया
		है थी thi tha थी था`)
	yesWords = lazy.Words(`
		haan han ha haa haanji hanji yes yeah yep ok okay theek thik mila mile mil aaya aaye aa confirm done sahi
		pakka likh likho हाँ हां हा ठीक मिल मिला मिले पक्का सही लिख 👍 ✅ 👌 ji जी`)
	noWords      = lazy.Words("nahi nahin nhi nai no nope mat galat नहीं नही ना मत गलत")
	replyFillers = lazy.Words(`
		ji gaya gaye hai hain h lo do kar karo dijiye bhai please khate mein me ab जी गया गए है लो दो कर दीजिए`)
)
