package nlu

import "slices"

// apartFromTold splits the sentences that first tell of something and then order something else behind a comma: the
// roll was too salty, this time 2 chicken rolls.
func (x *Index) apartFromTold(tokens []token, all [][]element) [][]element {
	var parts [][]element
	for _, sentence := range all {
		from := 0
		if !ordersCounted(sentence) || orders(sentence) || x.told(tokens, sentence) == CancelOrder {
			parts = append(parts, sentence)
			continue
		}
		for i, e := range sentence {
			if e.kind != pauseElement || i == from {
				continue
			}
			rest := sentence[i+1:]
			if ordersCounted(rest) && x.told(tokens, sentence[:i]) != "" && x.told(tokens, rest) == "" {
				parts = append(parts, sentence[:i+1])
				from = i + 1
				break
			}
		}
		parts = append(parts, sentence[from:])
	}
	return parts
}

// told returns what a part tells of beside goods; "" for nothing.
func (x *Index) told(tokens []token, part []element) Intent {
	if len(part) == 0 {
		return ""
	}
	return topicOf(x.besideNames(tokens[part[0].from:part[len(part)-1].to]), true)
}

// ordersCounted reports whether a part has a known thing and how much of it.
func ordersCounted(part []element) bool {
	return slices.ContainsFunc(part, func(e element) bool { return e.kind == goodsElement }) &&
		slices.ContainsFunc(part, isQuantity)
}
