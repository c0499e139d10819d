package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
)

// isNumberSign reports whether a no belongs to the number before it: 9 no ke studs.
func isNumberSign(tokens []token, at int) bool {
	return tokens[at].text == "no" && at > 0 && isNumber(tokens[at-1]) && at+1 < len(tokens) &&
		joins.Has(tokens[at+1].text)
}

// groupNouns are words for goods in general. Where they are counted, they are things.
var groupNouns = &wordSet{of: `sabzi sabji subji bhaji vegetable fruit phal kirana nashta lunch dinner breakfast khana
		meal cake
	सब्जी सब्ज़ी फल खाना नाश्ता`}

// articles are words for one that may only begin what is said of a thing.
var articles = &wordSet{of: "ek one a an एक"}

// isCountedName reports whether a small word is the last one of a name here, and counted: bell 1 lock 1.
func (x *Index) isCountedName(tokens []token, at int) bool {
	t := tokens[at]
	if x.initials[t.text] && at+1 < len(tokens) && tokens[at+1].kind == number { // fr 300 2
		return true
	}
	if at > 0 && isNumber(tokens[at-1]) && x.vocab[t.key] && len(t.text) > 3 && !known.Get().verbs[t.text] &&
		(at+1 == len(tokens) || tokens[at+1].kind != word) { // 3 taza 1 ltr wala 1 gold
		return true
	}
	if x.isListedName(tokens, at) {
		return true
	}
	return x.ends[t.key] && (x.written[t.text] || x.written[t.text+"s"] || x.aloneLocal[t.key]) && len(t.text) > 3 &&
		!known.Get().verbs[t.text] && at+1 < len(tokens) &&
		isNumber(tokens[at+1]) && tokens[at+1].text != "do" && tokens[at+1].text != "दो"
}

// isListedName reports whether a word of a name stands between the number or the unit of another good and its own
// number: kurta pajama 1 set lungi 2.
func (x *Index) isListedName(tokens []token, at int) bool {
	return x.vocab[tokens[at].key] && x.written[tokens[at].text] && len(tokens[at].text) > 3 &&
		at+1 < len(tokens) && tokens[at+1].kind == number &&
		at > 0 && (tokens[at-1].kind != word || unitOf(tokens[at-1]).kind != 0) ||
		x.startsCounted(tokens, at)
}

// startsCounted reports whether a word that begins a name stands between an and and a number: gamcha 3 aur lungi ek, 2
// lungi aur ek gamcha.
func (x *Index) startsCounted(tokens []token, at int) bool {
	t := tokens[at]
	if at == 0 || at+1 >= len(tokens) || len(t.text) < 4 || !x.written[t.text] ||
		!slices.ContainsFunc(x.byWord[t.key], func(i int) bool { return x.products[i].nameWords[0] == t.key }) {
		return false
	}
	before, after := tokens[at-1], tokens[at+1]
	return isNumber(before) && andWords.Has(after.text) || isNumber(after) && andWords.Has(before.text)
}

// isCountedLike reports whether a small word sounds like a good that the shop sells, and is counted: cheez 1.
func (x *Index) isCountedLike(goods entry, tokens []token, at int) bool {
	return !known.Get().verbs[tokens[at].text] && len(tokens[at].text) > 3 && at+1 < len(tokens) &&
		tokens[at+1].kind == number && x.sells(goods.goods)
}

// isNoTablet reports whether a word for a tablet is of a name in a shop that sells none: a cap.
func (x *Index) isNoTablet(t token) bool {
	return unitOf(t).name == "tablet" && !x.tablets && x.written[t.text]
}

// isShortBrand reports whether a word of two letters is a brand here: hp.
func (x *Index) isShortBrand(t token) bool {
	return len(t.text) == 2 && x.brands[t.key] && x.written[t.text] && unitOf(t).kind == 0 && !numeralsOf(t)
}

// isAcronym reports whether a word is two consonants of a name: PP rope, SS rod.
func (x *Index) isAcronym(t token) bool {
	return len(t.text) == 2 && x.written[t.text] && !strings.ContainsAny(t.text, "aeiou") && unitOf(t).kind == 0
}

// isLittle reports whether a word says that there is little or much of something, and asks for nothing: budget kam hai.
func isLittle(tokens []token, at int) bool {
	return degrees.Has(tokens[at].text) && at+1 < len(tokens) && isWords.Has(tokens[at+1].text)
}

// isPackThere reports whether a pack is one that is spoken of, and none that is to be made: 4 wala pack hai?
func isPackThere(tokens []token, at int) bool {
	return tokens[at].text == "pack" && at+1 < len(tokens) && isWords.Has(tokens[at+1].text)
}

// soundsHindi are English words for things that sound like small words of Hindi.
var soundsHindi = &wordSet{of: "car core cub"}

// spokenOf are English words for what was spoken of.
var spokenOf = &wordSet{of: "them they it its those these their"}

// englishYou stand after the do of an English question.
var englishYou = &wordSet{of: "you u not"}

// endsNumber reports whether a word only says what the number before it is: 10th, long book 200 pg.
func endsNumber(tokens []token, at int) bool {
	t := tokens[at]
	return at > 0 && tokens[at-1].kind == number &&
		(unitOf(t).kind == measureUnit || t.glued && ordinalEndings.Has(t.text))
}

// isPlaceInOrder reports whether a number is one of a good's name and says its place in an order: 10th.
func (x *Index) isPlaceInOrder(tokens []token) bool {
	return len(tokens) > 1 && ordinalEndings.Has(tokens[1].text) && x.byWord[tokens[0].key] != nil
}

// onlyWords after a quantity say that it is no more than that.
var onlyWords = &wordSet{of: "hi ही"}

// isOne reports whether a one stands for the thing of which the count is already said: three packs, the bigger one.
func isOne(tokens []token, at int, before []element) bool {
	if last := len(before) - 1; tokens[at].text != "one" || last < 0 ||
		!before[last].quantity.Smallest && !before[last].quantity.Largest {
		return false
	}
	return saidBefore(before)
}

// isWords say that something is there.
var isWords = &wordSet{of: "hai he hain h hoga hogi है हैं"}

// onlyHow reports whether a small word that also says which of some goods is meant says so of none here: no good
// follows, and none in this shop is of that kind.
func (x *Index) onlyHow(goods entry, tokens []token) bool {
	if len(goods.goods) == 1 && goods.goods[0] == "ripe" && len(x.byWord["ripe"]) == 0 {
		return true
	}
	return known.Get().fillers[tokens[0].text] && !x.vocab[tokens[0].key] && len(x.byWord[goods.goods[0]]) == 0 &&
		!slices.ContainsFunc(goods.goods, notPlain) && !(len(tokens) > 1 && x.namesGood(tokens[1:]))
}

// inThere are verbs that say what there is in something: how many is no price then.
var inThere = &wordSet{of: "aata aati aate ata ati ate hota hoti hote rehta rehti rahti rahta milta " +
	"milti milte आता आती " +
	"आते होता होती होते मिलती मिलता"}

// isGiftPack reports whether gift and a word for packing say how the goods are to be packed.
func (x *Index) isGiftPack(tokens []token, at int) bool {
	if tokens[at].text != "gift" || at+1 >= len(tokens) || !packings.Has(tokens[at+1].text) ||
		x.vocab[tokens[at].key] && x.written[tokens[at+1].text] {
		return false
	}
	if at+2 < len(tokens) && packs.Has(tokens[at+2].text) {
		return true
	}
	if x.vocab[tokens[at].key] && at > 0 && isNumber(tokens[at-1]) { // 1 gift pack
		return false
	}
	return at+2 == len(tokens) || tokens[at+2].kind == mark || known.Get().verbs[tokens[at+2].text] ||
		courtesy.Get()[tokens[at+2].text] || // gift wrap the sweater names the sweater
		tokens[at+2].text == "it" || tokens[at+2].text == "them"
}

// greetsBy reports whether two words wish a good time of the day, in whatever spelling: gud mrng.
func greetsBy(tokens []token, at int) bool {
	if hails.Has(tokens[at].text) && at+1 < len(tokens) && hailed.Has(tokens[at+1].text) { // jai is oats, too
		return true
	}
	return goodWords.Has(tokens[at].text) && at+1 < len(tokens) && dayTimes.Has(tokens[at+1].text)
}

var (
	hails  = &wordSet{of: "jai jay"}
	hailed = &wordSet{of: "shri shree sri ram krishna mata hind bhole jinendra siyaram sitaram hanuman mahadev"}

	goodWords = &wordSet{of: "good gud gd goood gooood"}
	dayTimes  = &wordSet{of: "morning mrng mornin morng mrning mrnng moning evening evng evning eveng " +
		"afternoon aftrnoon " +
		"noon"}
)

var packings = &wordSet{of: "pack packed packing wrap wrapped wrapping"}

// isPlainCounted reports whether a word asks for the plain kind of the thing before an and, and a count follows: cheese
// sandwich 1 aur sada 1.
func isPlainCounted(tokens []token, at int, before []element) bool {
	last := len(before) - 1
	return plainWords.Has(tokens[at].text) && last > 0 && at+1 < len(tokens) && isNumber(tokens[at+1]) &&
		(before[last].kind == pauseElement || before[last].marker == joiner) &&
		slices.ContainsFunc(before, func(e element) bool { return e.kind == goodsElement })
}

// plainKind returns the word of names for the plain kind of the things before a number, where a word behind the number
// asks for that: naan 2 butter wale 3 sade. "" for none.
func (x *Index) plainKind(tokens []token, at int, before []element) string {
	last := len(before) - 1
	if !plainWords.Has(tokens[at].text) || last < 1 || !isBareCount(before[last]) || x.vocab[tokens[at].key] {
		return ""
	}
	for _, e := range before {
		for _, w := range plainWords.List() {
			if key := language.Fold(w); e.kind == goodsElement && x.vocab[key] &&
				x.sells(append(slices.Clone(e.words), key)) {
				return key
			}
		}
	}
	return ""
}

// isToMake reports whether a word is banana, to make, and no fruit: it ends a part, and no bananas are sold or counted.
func (x *Index) isToMake(tokens []token, at int, goods []string) bool {
	return tokens[at].text == "banana" && at > 0 && !isNumber(tokens[at-1]) && !x.sells(goods) &&
		(at+1 == len(tokens) || endsSegment(tokens[at+1]))
}

// withoutParticiples drops the hua between two words of names, which Hindi says or leaves out: saje hue kalash.
func (x *Index) withoutParticiples(tokens []token) []token {
	for i := len(tokens) - 2; i > 0; i-- {
		if participles.Has(tokens[i].text) && x.vocab[tokens[i-1].key] && x.vocab[tokens[i+1].key] {
			tokens = slices.Delete(tokens, i, i+1)
		} else if honorifics.Has(tokens[i].text) && x.vocab[tokens[i-1].key] &&
			!known.Get().fillers[tokens[i-1].text] &&
			(isNumber(tokens[i+1]) || joins.Has(tokens[i+1].text) || x.vocab[tokens[i+1].key]) { // ganesh ji ki murti
			tokens = slices.Delete(tokens, i, i+1)
		}
	}
	return tokens
}

// honorifics stand behind the names of gods and of people.
var honorifics = &wordSet{of: "ji jee maa maharaj bhagwan जी माँ महाराज"}

var participles = &wordSet{of: "hua hui hue huye हुआ हुई हुए"}

// onlyPast reports whether a word that is a lamp or a verb is the verb: this shop sells no lamps, and none are counted.
func (x *Index) onlyPast(tokens []token, at int) bool {
	t := tokens[at]
	return at > 0 && (t.text == "diya" || t.text == "diye") && tokens[at-1].kind == word && !isNumber(tokens[at-1]) &&
		!x.vocab[t.key] && (at+1 == len(tokens) || !isNumber(tokens[at+1]))
}

// isCountedLamp reports whether a word that is a lamp or a verb is the lamp: this shop sells lamps, and they are
// counted.
func (x *Index) isCountedLamp(tokens []token, at int) bool {
	t := tokens[at]
	return t.devanagari && (t.text == "दिया" || t.text == "दिए" || t.text == "दिये") && x.vocab[t.key] &&
		(at+1 < len(tokens) && isNumber(tokens[at+1]) || at > 1 && unitOf(tokens[at-1]).kind != 0)
}
