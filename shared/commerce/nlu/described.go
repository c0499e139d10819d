package nlu

// infinitives are verbs that say, with a ka or wala behind them, what a good is for: pani garam karne ki ketli.
var infinitives = &wordSet{of: `karne krne rakhne dhone banane pine peene khane lagane saaf kaatne katne pehenne pehne
		pahanne likhne
	sone baithne chalane bhagane marne maarne pisne peesne sukhane nahane sajane bechne bharne chhanne tolne
	करने रखने धोने बनाने पीने खाने लगाने काटने पहनने लिखने सोने बैठने चलाने भगाने मारने पीसने सुखाने नहाने भरने छानने`}

// withoutDescriptions makes fillers of the words that say what a good is for, where the shop sells the good by its own
// name.
func (x *Index) withoutDescriptions(tokens []token, elements []element) {
	for i, e := range elements {
		if e.to-e.from != 1 || !infinitives.Has(tokens[e.from].text) || x.vocab[tokens[e.from].key] ||
			i+2 >= len(elements) {
			continue
		}
		if from := i - 1; from >= 0 && elements[from].kind == goodsElement && elements[i+1].marker == attribute &&
			elements[i+2].kind == fillerElement { // geyser lagane wala bhi aayega kya
			elements[from] = element{kind: fillerElement, from: elements[from].from, to: elements[from].to}
			continue
		}
		after, good := elements[i+1], elements[i+2]
		if after.kind != markerElement || after.marker != possessive && after.marker != attribute ||
			good.kind != goodsElement || !x.sells(good.words) {
			continue
		}
		from := i
		for from > 0 && elements[from-1].kind != quantityElement && !elements[from-1].verb &&
			(elements[from-1].kind == goodsElement || elements[from-1].kind == unknownElement ||
				elements[from-1].kind == fillerElement) {
			from--
		}
		for at := from; at <= i+1; at++ {
			elements[at] = element{kind: fillerElement, from: elements[at].from, to: elements[at].to}
		}
	}
}
