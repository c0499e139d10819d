package nlu

// languageOf returns the language of a message: en, hi (Devanagari), hi-Latn, or mixed; "" if no word tells it.
func languageOf(tokens []token) string {
	devanagari, latin, hindi, english := 0, 0, 0, 0
	for i, t := range tokens {
		switch {
		case t.kind != word || unitOf(t).kind != 0:
		case t.devanagari:
			devanagari++
		default:
			latin++
			switch {
			case englishWords()[t.text], t.text == "do" && i+1 < len(tokens) && englishYou()[tokens[i+1].text]:
				english++
			case hindiWords()[t.text]:
				hindi++
			}
		}
	}
	switch {
	case devanagari > 0 && latin > 0:
		return "mixed"
	case devanagari > 0:
		return "hi"
	case hindi > 0 && english > 2 && english > hindi:
		return "en"
	case hindi > 0 && english > 1:
		return "mixed"
	case hindi > 0:
		return "hi-Latn"
	}
	return "en"
}

// TellsLanguage reports whether a text tells in which language it is: a name of a product and a number do not.
func TellsLanguage(text string) bool {
	for _, t := range tokenise(normalise(text)) {
		if t.kind == word && (t.devanagari || hindiWords()[t.text] || englishWords()[t.text]) {
			return true
		}
	}
	return false
}

// hindiWords and englishWords are common words that tell the language. A word that is one of both tells nothing.
var (
	hindiWords = lazySet(`aur hai hain kya ka ki ke ko bhaiya bhai bhej bhejo bhejna bhejiye dena dedo dijiye chahiye
		chaiye nahi nahin mat rehne ek teen char paanch panch aadha adha pav dedh dhai
		kilo wala wali wale jaldi mera meri mere kitna kitne kitni kab kahan bhav karo kar karna baat ji haan thik
		theek daal cheeni chini namak doodh aloo pyaz tel chawal kal aaj ghar se mein lao la bas sirf thoda
		bhijwa bhijwana likh lo wahi pichle hamesha ya rupaye hata milega milegi aap kuch lena mangwana ho bhi darjan
		saath sabun dahi anda ande do pe par ha haa han hn nhi h kr krdo kardo rakhna batao
		bataiye kaun kaunsa kyu kyun kaise abhi ruko isko ise yeh ye woh wo hum main maine mujhe hoga hogi raha rahe
		rahi gaya gaye tha thi apna aapka aapke dukan dukaan paise paisa udhaar khata khate
		sahi acha accha bolo dikhao pehle wapas dono itna itne zyada kam mehnga sasta chhota bada badi choti chahie
		haanji namaste dhanyavad shukriya subah shaam sham raat`)
	englishWords = lazySet(`i the a and please need want send is are of for my you have can what how price when where
		me with to in this not dont your deliver today it them more one no yes yeah add make that thats also
		hello hi hey good morning evening thanks thank there any some which who why would could will should at on by
		from instead cancel tomorrow available did does was it's its i'm im we our us`)
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
