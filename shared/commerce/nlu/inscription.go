package nlu

import "slices"

// Words about what is to be written upon a cake or a gift. It is no good: upar Happy Birthday Riya likhna.
var (
	writes = &wordSet{of: `likhna likhana likhwana likhvana likhwa likhva likha likhe likho likh likhdo likhwado likhen
		likhein write written writing print printed
		लिखना लिखाना लिखवाना लिखवा लिखा लिखे लिखो लिख लिखें`}

	upon   = &wordSet{of: "upar uppar uper ooper uspe uspar ispe ispar top naam name ऊपर उसपर नाम"}
	on     = &wordSet{of: "on par per pe पर पे"}
	wishes = &wordSet{of: "happy hbd anniversary congratulations congrats badhai mubarak shubh " +
		"janamdin janmdin welcome हैप्पी हैपी " +
		"एनिवर्सरी बधाई मुबारक शुभ जन्मदिन"}
)

// withoutInscriptions makes fillers of the elements that are only to be written upon something, and returns where they
// stand.
func withoutInscriptions(tokens []token, elements []element) (written []extent) {
	from := 0
	for i := range len(elements) + 1 {
		if i == len(elements) || elements[i].kind == breakElement || elements[i].kind == pauseElement {
			if e := skipInscription(tokens, elements[from:i]); e.to > e.from {
				written = append(written, e)
			}
			from = i + 1
		}
	}
	return written
}

// skipInscription makes fillers of the inscription between two pauses: what stands between a wish or a word for the
// place and the verb, or after both. A measure or a pack is of goods.
func skipInscription(tokens []token, elements []element) extent {
	is := func(set map[string]bool) func(element) bool {
		return func(e element) bool {
			return slices.ContainsFunc(tokens[e.from:e.to], func(t token) bool { return set[t.text] })
		}
	}
	verb := slices.IndexFunc(elements, is(writes.Set()))
	place, wish := slices.IndexFunc(elements, is(upon.Set())), slices.IndexFunc(elements, is(wishes.Set()))
	if verb < 0 || place < 0 && wish < 0 {
		return extent{}
	}
	from, to := verb, verb+1
	for _, at := range []int{place, wish} {
		if at >= 0 && at < from {
			from = at
		}
	}
	if at := slices.IndexFunc(elements, is(on.Set())); at >= 0 && at < verb &&
		!slices.ContainsFunc(elements, isQuantity) {
		from = 0 // the thing that it is written upon is ordered elsewhere
	}
	said := func(e element) bool { return e.kind == goodsElement || e.kind == unknownElement }
	if !slices.ContainsFunc(elements[from:to], said) {
		to = len(elements)
	}
	if slices.ContainsFunc(elements[from:to], func(e element) bool { return isQuantity(e) && !e.quantity.counts() }) {
		return extent{}
	}
	for i := range elements[from:to] {
		elements[from+i] = element{kind: fillerElement, from: elements[from+i].from, to: elements[from+i].to}
	}
	return extent{elements[from].from, elements[to-1].to}
}
