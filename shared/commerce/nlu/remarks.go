package nlu

import (
	"slices"
	"strings"
)

// RemarkKind says what a part of a message is that is about no goods.
type RemarkKind string

// The kinds of remarks.
const (
	Wish    RemarkKind = "wish"    // how the customer wants something done: no plastic bag, call before you come
	Asked   RemarkKind = "asked"   // a question
	Unknown RemarkKind = "unknown" // it is not understood
	Refused RemarkKind = "refused" // it refuses something that the message does not order
)

// Remark is a part of a message that is neither goods nor a reply nor a detail.
type Remark struct {
	Kind RemarkKind `json:"kind"`
	Text string     `json:"text"`
}

// wishWords are words by which a customer says how something is to be done.
var wishWords = &wordSet{of: `karna karke kar_ke kariye kijiye bhejna bhejiye dena dijiye likhna likhwa likho lana laana
	rakhna rakhiye pack packing packed write put call ring send bring give keep wrap cut make without bina
	extra alag saath separate separately carefully please plz dhyan chahiye no dont mat only less kam zyada fresh taza
	taaza good achha accha achhe name naam phone leave bell gate bill invoice
	cleaned clean saaf kata kati kate kaat kat chopped dressed peeled washed
	expiry check candle knife spoon message naam called saying note cutting cut sliced slice mix sab ek soft strong
	करना भेजना देना लिखना लाना रखना बिना अलग साथ ध्यान चाहिए मत कम ज्यादा ताज़ा ताजा अच्छा नाम फोन बिल लिख पैक`}

// remarks returns the parts of a message that none of its items, details and replies account for.
func (x *Index) remarks(text string, tokens []token, r *itemReader, details []extent, reading *Reading) []Remark {
	var all []Remark
	of := func(at int) bool {
		return slices.ContainsFunc(details, func(e extent) bool { return at >= e.from && at < e.to })
	}
	for _, e := range r.unused {
		all = append(all, Remark{Unknown, strings.Trim(textOf(text, tokens, e.from, e.to), " ,.-;:!")})
	}
	for _, e := range remarkParts(tokens) {
		refuses := onlyRefused(e, r)
		if x.accounted(tokens, e, r, reading) && !refuses || !x.says(tokens, e, of, len(r.items) > 0) {
			continue
		}
		from, to := trimmed(tokens, e, of)
		if to <= from {
			continue
		}
		said := strings.Trim(textOf(text, tokens, from, to), " ,.-;:!")
		if said == "" || ReplyOf(said, nil) != "" {
			continue
		}
		kind := Unknown
		switch {
		case refuses && x.accounted(tokens, e, r, reading):
			kind = Refused
		case asksSomething(tokens, e):
			kind = Asked
		case slices.ContainsFunc(tokens[from:to], func(t token) bool { return wishWords.Has(t.text) }):
			kind = Wish
		}
		all = append(all, Remark{kind, said})
	}
	return all
}

// onlyRefused reports whether a part names nothing but what is refused, in a message that orders nothing.
func onlyRefused(e extent, r *itemReader) bool {
	within := slices.DeleteFunc(slices.Clone(r.items),
		func(it *item) bool { return it.from >= e.to || it.to <= e.from })
	others := slices.ContainsFunc(r.items, func(it *item) bool { return it.state == ordered })
	return !others && len(within) > 0 &&
		!slices.ContainsFunc(within, func(it *item) bool { return it.state != refused })
}

// trimmed returns a part without details and contrasts at its ends.
func trimmed(tokens []token, e extent, detail func(at int) bool) (from, to int) {
	from, to = e.from, e.to
	drop := func(at int) bool {
		return detail(at) || tokens[at].kind == mark && tokens[at].text != "?" || contrasts.Has(tokens[at].text)
	}
	for from < to && drop(from) {
		from++
	}
	for to > from && drop(to-1) {
		to--
	}
	return from, to
}

// contrasts begin a part that says something else.
var contrasts = &wordSet{of: "par lekin magar but however though पर लेकिन मगर"}

// remarkParts returns the parts of a message between ends of sentences, commas and contrasts.
func remarkParts(tokens []token) []extent {
	var all []extent
	from := 0
	for i := 0; i <= len(tokens); i++ {
		if i < len(tokens) && tokens[i].text != "," && !endsSentence(tokens, i) &&
			!(i > from && isContrast(tokens, i)) {
			continue
		}
		end := i
		if i < len(tokens) && tokens[i].text == "?" {
			end++
		}
		if end > from {
			all = append(all, extent{from, end})
		}
		from = i
		if i < len(tokens) && !isContrast(tokens, i) {
			from++
		}
	}
	return all
}

// isContrast reports whether a token begins a part that says something else. "par" after a place or a time is "on".
func isContrast(tokens []token, at int) bool {
	t := tokens[at].text
	return contrasts.Has(t) &&
		(t != "par" && t != "पर" || at == 0 || replyGrammars.Get()[Yes].words[replyKeyOf(tokens[at-1])])
}

// accounted reports whether a part names goods that the message orders or asks about.
func (x *Index) accounted(tokens []token, e extent, r *itemReader, reading *Reading) bool {
	for _, it := range r.items {
		if it.from >= e.to || it.to <= e.from {
			continue
		}
		if it.narrows {
			return true
		}
		if it.state == refused && (len(x.meant(it)) == 0 || !x.concerns(it, r, reading)) {
			return false
		}
		if it.state == ordered && !it.said && len(x.named(it.words)) == 0 {
			continue // a kind of nothing
		}
		if it.state != dropped && (it.known || it.said) {
			return true
		}
		if slices.ContainsFunc(reading.Asks,
			func(a Ask) bool { return a.Missing == MissingProduct && strings.Contains(a.Text, tokens[it.from].text) }) {
			return true
		}
	}
	return false
}

// concerns reports whether what is refused is among the goods that the message orders, or narrows them.
func (x *Index) concerns(it *item, r *itemReader, reading *Reading) bool {
	if !slices.ContainsFunc(r.items, func(other *item) bool { return other.state == ordered }) {
		return true
	}
	meant := x.meant(it)
	for _, other := range r.items {
		if other.state != ordered {
			continue
		}
		if slices.ContainsFunc(x.meant(other), func(id string) bool { return slices.Contains(meant, id) }) ||
			subset(it.words, other.words) || subset(other.words, it.words) {
			return true
		}
	}
	return false
}

// plainVerbs ask for something and do not say for what.
var plainVerbs = &wordSet{of: `chahiye chaiye chahie bhejna bhejiye bhejo bhej bhijwana dena dijiye de do lana laana lao
	karna kariye kijiye pahunchana pahuncha send bring give need want deliver come
	चाहिए चाहिये भेजना भेजिए देना दीजिए लाना करना पहुँचाना`}

// saysHowMuch reports whether a word is of a quantity or a size.
func saysHowMuch(t token) bool {
	m, took := known.Get().markers.find([]token{t})
	return isCountWord(t) || unitOf(t).kind != 0 ||
		took > 0 && (m.marker == smallest || m.marker == largest || m.marker == loose || m.marker == packed ||
			m.marker == attribute || m.marker == each)
}

// says reports whether a part says anything beside details and words without meaning.
func (x *Index) says(tokens []token, e extent, detail func(at int) bool, goods bool) bool {
	meaning := 0
	but := isContrast(tokens, e.from)
	for i := e.from; i < e.to; i++ {
		t := tokens[i]
		if but && packings.Has(t.text) { // haan par packing achhi karna
			meaning++
		}
		if t.kind == mark || detail(i) || contrasts.Has(t.text) || courtesy.Get()[t.text] ||
			replyGrammars.Get()[Yes].words[replyKeyOf(t)] {
			continue
		}
		if receivers.Has(t.text) && i+1 < e.to && toWhom.Has(tokens[i+1].text) { // guard ko de dena
			meaning++
		}
		if known.Get().fillers[t.text] && !noWords.Has(t.text) && !wishWords.Has(t.text) && !asking.Has(t.text) {
			continue
		}
		if plainVerbs.Has(t.text) {
			continue
		}
		if goods && saysHowMuch(t) { // it belongs to the goods before it
			continue
		}
		meaning++
	}
	return meaning > 0
}

// receivers are people and places that goods may be left with, and toWhom says so behind them.
var (
	receivers = &wordSet{of: `guard watchman security reception padosi neighbour neighbor naukar maid mummy papa maa beta beti
		wife husband family bhabhi didi uncle aunty office driver staff gate गार्ड वॉचमैन पड़ोसी मम्मी पापा भाभी दीदी`}
	toWhom = &wordSet{of: "ko ke k ki pe par को के पर पे"}
)
