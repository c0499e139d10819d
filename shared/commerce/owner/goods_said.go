package owner

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/lazy"
)

// goodsCommand reads what an owner says of a product: paneer khatam, no paneer today, paneer aa gaya, paneer 400 kar
// do, bread stock 25.
func (c *command) goodsCommand(text string) {
	words := wordsOf(text)
	var goods, amounts, units []string
	for i, w := range words {
		amount, isAmount := amountOf(w)
		unit := at(words, i+1)
		switch {
		case isAmount && measures.Has(unit) && !counts(words, i):
			goods = append(goods, w) // of the pack: amul doodh 500 ml
		case isAmount:
			c.amount, amounts = amount, append(amounts, w)
		case measures.Has(w) && slices.Contains(goods, at(words, i-1)) && i > 0 && isNumber(words[i-1]):
			goods = append(goods, w)
		case measures.Has(w):
			units = append(units, w)
		case !commandWords.Has(w):
			goods = append(goods, w)
		}
	}
	if len(goods) == 0 || len(goods) > 6 || slices.ContainsFunc(goods, doneWords.Has) {
		return
	}
	said := " " + strings.Join(words, " ") + " "
	has := func(list *lazy.WordSet) bool { return slices.ContainsFunc(words, list.Has) }
	number := len(amounts) == 1 && c.amount.IsPositive()
	switch {
	case len(amounts) == 0 && has(noneWords) && !has(endWords):
		if goods = without(goods, noneWords); len(goods) > 0 && !slices.ContainsFunc(goods, isDoubtful) {
			c.what = soldOut
		}
	case slices.ContainsFunc(words, isDoubtful), strings.Contains(said, " ho raha "),
		strings.Contains(said, " khatam karo "):
	case len(amounts) == 0 && has(endWords):
		c.what = soldOut
	case len(amounts) == 0 && isBack(said):
		c.what = back
	case number && has(stockWords):
		c.what = stock
	case number && len(units) <= 1 && (has(priceWords) || has(setWords) || has(moneyWords) && len(units) == 1):
		c.what = price
	}
	c.goods = strings.Join(goods, " ")
}

// isBack reports whether words, with spaces around each, say that a product is there again.
func isBack(said string) bool {
	return slices.ContainsFunc(backPhrases, func(phrase string) bool { return strings.Contains(said, phrase) })
}

// counts reports whether the number at a place counts what is in stock, or is a sum of money: not the size of a pack.
func counts(words []string, i int) bool {
	return !slices.ContainsFunc(words[i+1:], isNumber) && (slices.ContainsFunc(words, stockWords.Has) ||
		slices.ContainsFunc(words, priceWords.Has) && i > 0 && slices.ContainsFunc(words[:i], priceWords.Has))
}

func at(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i]
}

func isNumber(word string) bool { _, is := amountOf(word); return is }

func amountOf(word string) (decimal.Decimal, bool) {
	word = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(word, "rs."), "₹"), "/-")
	value, err := decimal.NewFromString(word)
	return value, err == nil
}

func without(words []string, list *lazy.WordSet) []string {
	return slices.DeleteFunc(words, list.Has)
}

var (
	// doneWords say what somebody does, or that it is nearly so, or of another price: the text is no command.
	doneWords = lazy.Words(`
		tak aaya aayi aaye mila mile mili diya diye liya liye bola dena lena bhejo bhej chahiye dukaan dukan shop
		store customer staff timing jaye jaaye hota jaldi lagbhag almost about karna karne karein karu du expiry bill
		mehnga mehngi sasta sasti pata purana purani kal mandi market yahan wahan rakhna kharida kharidi bech becha
		badha badhao badhana kam zyada less more half aadha din dino chhod ko limit recharge rent cost दुकान तक आया
		दिया चाहिए कल discount offer fresh accha achha acchi return wholesale kharid increase reduce by pe par udhaar
		udhar aur and mangwana mangwani me mein`)
	// endWords say that a product has run out.
	endWords = lazy.Words(`
		khatam khatm khtm khatum khtam finish finished over soldout sold-out khallas khalaas bik bikgaya out खत्म
		ख़त्म ख़तम खतम`)
	// noneWords say that there is none: paneer nahi hai, no paneer today.
	noneWords = lazy.Words("nahi nahin nhi nai no नहीं नही")
	// backPhrases say that a product is there again.
	backPhrases = []string{" aa gaya ", " aa gayi ", " aa gaye ", " aagaya ", " aagayi ", " aagaye ", " aagya ",
		" aa gya ", " aa gyi ", " available ", " back ", " wapas aa ", " mil raha ", " mil rahi ", " mil rahe ",
		" आ गया ", " आ गयी ", " आ गई ", " आ गए ", " मिल रहा ", " मिल रही "}
	priceWords = lazy.Words("rate price bhav bhaav daam kimat keemat cost costs रेट भाव दाम कीमत")
	// setWords say that a product costs something from now on.
	setWords   = lazy.Words("kar kardo karo set change badlo badal now ab kijiye कर करो अब")
	moneyWords = lazy.Words("rs rupaye rupay rupees rupee rupaiye रुपये रुपए")
	stockWords = lazy.Words("stock bacha bache bachi left remaining स्टॉक बचा बचे")
	measures   = lazy.Words(`
		kg kgs kilo g gm gms gram grams l ltr litre liter ml packet packets pkt pkts pack pc pcs piece pieces dozen
		darjan bag bags bori box bottle bottles किलो ग्राम लीटर पैकेट दर्जन`)
	// commandWords are those of a command that name no product.
	commandWords = lazy.Words(`
		h hogya hogaya gyi bilkul chuka chuki khatam khatm khtm khatum khtam khallas khalaas ho gaya gayi gaye gya out
		of stock sold finish finished over aa aagaya aagayi aagaye back in available now wapas phir se fir rate price
		bhav bhaav daam kimat keemat cost costs ka ki ke ab aaj abhi hai hain karo kar kardo do set change changed
		updated badlo badal milega milegi milenge bacha new naya nayi is are to rs rupaye rupay rupees rupee per the a
		ji please today bik sab saara bache bachi left remaining mil raha rahi rahe hua hui only sirf kijiye
		everything खत्म ख़त्म ख़तम खतम हो गया गयी गई गए आ रेट भाव दाम कीमत का की के अब आज है हैं कर करो दो से रुपये
		रुपए मिल रहा रही स्टॉक बचा बचे सब`)
)
