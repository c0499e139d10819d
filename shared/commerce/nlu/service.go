package nlu

import "slices"

// asksService reports whether a question is if the shop does something with the goods, and not if it has them: masala
// pees ke dete ho, do you exchange old furniture, racket ki gutting karte ho.
func (x *Index) asksService(tokens []token) bool {
	for i, t := range tokens {
		next, after := at(tokens, i+1), at(tokens, i+2)
		switch {
		case i == 0 && mayI.Has(t.text) && next == "i" && ownActs.Has(after), // can I send the file
			asksFirst.Has(t.text) && youWords.Has(next) && englishServices.Has(after),
			t.text == "do" && youWords.Has(next) && x.isService(tokens, i+2),
			i == 0 && (t.text == "can" || t.text == "could") && youWords.Has(next) && x.isService(tokens, i+2) &&
				!asksWithin(tokens[i+2:min(i+4, len(tokens))]),
			t.text == "can" && sends.Has(next) && (englishServices.Has(after) || englishServices.Has(at(tokens, i+3))),
			t.text == "will" && (youWords.Has(next) || sends.Has(next)) && after == "come",
			habits.Has(t.text) && (youAre.Has(next) || youAre.Has(after) || next == "kya" || next == "क्या"),
			workedUp.Has(t.text) && keWords.Has(next) &&
				(givesUsually.Has(after) || after == "bhi" && givesUsually.Has(at(tokens, i+3))),
			(t.text == "karke" || t.text == "krke" || t.text == "करके") && givesUsually.Has(next), // puja karke doge
			workedOn.Has(t.text) && promises.Has(next):
			return true
		}
	}
	return false
}

// asksWhich reports whether an English question is which thing does or is something, and not which there is: which
// drill bit do I need, what grade are your bolts.
func asksWhich(tokens []token) bool {
	if len(tokens) > 3 && tokens[0].text == "why" { // why has my honey crystallised
		return true
	}
	if len(tokens) < 4 || !whichFirst.Has(tokens[0].text) || asksStock(tokens) ||
		slices.ContainsFunc(tokens, func(t token) bool {
			return (selling.Has(t.text) || askedFor.Has(t.text)) && !goesWith.Has(t.text)
		}) {
		return false
	}
	for i := 2; i < min(len(tokens)-1, mostAsked); i++ {
		if serving.Has(tokens[i].text) { // which battery lasts longer
			return true
		}
		if auxiliaries.Has(tokens[i].text) && suits.Has(tokens[i+1].text) { // which scale is best for a shop
			return true
		}
		if auxiliaries.Has(tokens[i].text) && (subjects.Has(tokens[i+1].text) || tokens[i+1].text == "these") {
			return !slices.ContainsFunc(tokens[1:i], func(t token) bool { return priceWords.Has(t.text) })
		}
	}
	return false
}

// mostAsked is how many words of a question stand before its verb at most.
const mostAsked = 5

var (
	whichFirst = &wordSet{of: "what which wat wich"}
	serving    = &wordSet{of: "lasts works runs goes fits suits stays keeps gives tastes looks"}
	suits      = &wordSet{of: "best better good right suitable ideal stronger safer recommended"}
	goesWith   = &wordSet{of: `is are was were does did r should can use buy need want think mean make do
		know still also even really not get`}
	priceWords = &wordSet{of: "price prices rate rates cost mrp charge charges amount total time is are"}
)

var (
	ableTo      = &wordSet{of: "will would does"}
	determiners = &wordSet{of: "a an the this that these it"}
	stockWords  = &wordSet{of: "have available stock come comes cost costs left in get sell"}
)

// asksAble reports whether a message asks what a thing can do: will a 100 watt panel run a fridge?
func asksAble(tokens []token) bool {
	last := len(tokens) - 1
	if last > 1 && tokens[0].text == "can" && things.Has(tokens[1].text) && !asksStock(tokens) {
		return true // can it run on batteries
	}
	return last > 1 && ableTo.Has(tokens[0].text) && determiners.Has(tokens[1].text) && tokens[last].text == "?" &&
		!asksStock(tokens)
}

var things = &wordSet{of: "it they this these that those"}

// asksDegree reports whether a message asks how a thing is, in English, and neither how much it costs nor how much
// there is: how accurate is the scale.
func asksDegree(tokens []token) bool {
	return len(tokens) > 3 && tokens[0].text == "how" && tokens[1].kind == word && !howWords.Has(tokens[1].text) &&
		(tokens[2].text == "is" || tokens[2].text == "are") && subjects.Has(tokens[3].text)
}

var howWords = &wordSet{of: "much many come about expensive costly cheap long soon far"}

// asksStock reports whether a question holds a word of what there is or costs.
func asksStock(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return stockWords.Has(t.text) })
}

// asksWithin reports whether one of some words asks for something: can you quickly send a wallet.
func asksWithin(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return askedFor.Has(t.text) || known.Get().verbs[t.text] })
}

// isService reports whether a word behind do you is a verb of what a shop does, and neither one of selling nor a good:
// do you stuff old pillows.
func (x *Index) isService(tokens []token, at int) bool {
	return at+1 < len(tokens) && tokens[at].kind == word && !selling.Has(tokens[at].text) && !x.vocab[tokens[at].key] &&
		!known.Get().isGoodSpelt(tokens[at].text)
}

// selling are words behind do you that ask what there is, or nothing alone.
var selling = &wordSet{of: `have hav hv sell sel stock keep kep carry get got deal offer supply know also still even really
	not want need mean think do make ever show arrange ship supply provide spare parcel post courier drop`}

var (
	youWords        = &wordSet{of: "you u ya they the"}
	englishServices = &wordSet{of: `do repair fix exchange install grind cut accept provide service refill charge polish stitch
		alter teach rent buy take return replace sharpen assemble fit customise customize print send change come visit
		look help suggest guide explain advise recommend check`}

	mayI = &wordSet{of: "can could should shall may must"}

	ownActs = &wordSet{of: `send return come visit pay exchange bring share upload collect change see try
		check look test feel watch choose touch cancel email mail whatsapp call wait write`}

	// what a shop does again and again
	habits = &wordSet{of: `karte karti krte karwate lagate lagaate peeste silte seete dhote lete badalte bharte kaatte
		katte sikhate chhapte करते करती लगाते पीसते सिलते धोते लेते बदलते भरते काटते सिखाते`}

	// can your man come, can someone fit it
	sends = &wordSet{of: "your someone somebody anyone anybody"}

	youAre       = &wordSet{of: "ho hai hain he h ho? हो हैं है"}
	workedUp     = &wordSet{of: "pees pees pis kaat kat saaf cut bana sil dho bhar पीस काट साफ बना सिल धो भर"}
	keWords      = &wordSet{of: "ke kar karke के कर करके"}
	givesUsually = &wordSet{of: "dete deti doge denge dogi देते देती दोगे देंगे"}
	workedOn     = &wordSet{of: "kar kr laga badal pees kaat dho sil bhar कर लगा बदल पीस काट धो सिल भर"}
	promises     = &wordSet{of: "doge denge dete dogi दोगे देंगे देते"}
)

// onlyAsked reports whether none of some items says how much of it is wanted.
func onlyAsked(items []*item) bool {
	return !slices.ContainsFunc(items, func(it *item) bool { return it.said && !it.article && it.state == ordered })
}
