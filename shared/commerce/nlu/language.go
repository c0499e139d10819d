package nlu

// languageOf returns the language of a message: en, hi (Devanagari), hi-Latn, or mixed.
func languageOf(tokens []token) string {
	devanagari, latin, hindi, english := 0, 0, 0, 0
	for _, t := range tokens {
		switch {
		case t.kind != word || unitOf(t).kind != 0:
		case t.devanagari:
			devanagari++
		default:
			latin++
			if hindiWords()[t.text] {
				hindi++
			} else if englishWords()[t.text] {
				english++
			}
		}
	}
	switch {
	case devanagari > 0 && latin > 0:
		return "mixed"
	case devanagari > 0:
		return "hi"
	case hindi > 0 && english > 1:
		return "mixed"
	case hindi > 0:
		return "hi-Latn"
	}
	return "en"
}

// hindiWords and englishWords are common words that tell the language.
var (
	hindiWords = lazySet(`aur hai he hain kya ka ki ke ko bhaiya bhai bhej bhejo bhejna bhejiye do dena dedo dijiye chahiye chaiye nahi nahin mat rehne ek teen char paanch panch aadha adha pav dedh dhai
		kilo wala wali wale jaldi mera meri mere kitna kitne kitni kab kahan bhav karo kar karna baat ji haan thik theek daal cheeni chini namak doodh aloo pyaz tel chawal kal aaj ghar pe par se mein na lao la bas sirf thoda
		bhijwa bhijwana likh lo wahi pichle hamesha ya packet-wala rupaye hata milega milegi aap kuch lena mangwana ho to bhi darjan saath sabun dahi anda ande`)
	englishWords = lazySet("i the a and please need want send is are of for my you have do can what how much price order where when me with to in this not dont from your deliver today")
)

// confidence returns the share of the words that are understood, each guessed one counting half.
func confidence(tokens []token, elements []element) float64 {
	words, understood := 0, 0.0
	for _, t := range tokens {
		if t.kind == word {
			words++
			understood++
			if t.guessed {
				understood -= 0.5
			}
		}
	}
	for _, e := range elements {
		if e.kind == unknownElement {
			understood -= float64(e.to - e.from)
		}
	}
	if words == 0 {
		return 0
	}
	return max(0, understood/float64(words))
}
