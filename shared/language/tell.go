package language

import (
	"strings"
	"unicode"

	"github.com/haatline/haatline/shared/lazy"
)

// The languages that people write.
const (
	English = "en"
	Hindi   = "hi"      // in Devanagari
	Latin   = "hi-Latn" // Hindi in Latin letters
)

// Tell returns the language of a text, or "" if no word tells it: a name and a number do not.
func Tell(text string) string {
	hindi, english := 0, 0
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\''
	}) {
		switch {
		case strings.ContainsFunc(word, IsDevanagari):
			return Hindi
		case IsHindi(word):
			hindi++
		case IsEnglish(word):
			english++
		}
	}
	switch {
	case hindi > 0 && hindi >= english:
		return Latin
	case english > 0:
		return English
	}
	return ""
}

// IsHindi reports whether a word in Latin letters is a common one of Hindi. A word that is one of both languages tells
// nothing, so it is neither.
func IsHindi(word string) bool { return hindiWords.Has(word) }

// IsEnglish reports whether a word is a common one of English.
func IsEnglish(word string) bool { return englishWords.Has(word) }

// hindiWords and englishWords are common words that tell the language.
var (
	hindiWords = lazy.Words(`aur hai hain kya ka ki ke ko bhaiya bhai bhej bhejo bhejna bhejiye dena dedo dijiye chahiye
		chaiye nahi nahin mat rehne ek teen char paanch panch aadha adha pav dedh dhai
		kilo wala wali wale jaldi mera meri mere kitna kitne kitni kab kahan bhav karo kar karna baat ji haan thik
		theek daal cheeni chini namak doodh aloo pyaz tel chawal kal aaj ghar se mein lao la bas sirf thoda
		bhijwa bhijwana likh lo wahi pichle hamesha ya rupaye hata milega milegi aap kuch lena mangwana ho bhi darjan
		saath sabun dahi anda ande do pe par ha haa han hn nhi h kr krdo kardo rakhna batao
		bataiye kaun kaunsa kyu kyun kaise abhi ruko isko ise yeh ye woh wo hum main maine mujhe hoga hogi raha rahe
		rahi gaya gaye tha thi apna aapka aapke dukan dukaan paise paisa udhaar khata khate
		sahi acha accha bolo dikhao pehle wapas dono itna itne zyada kam mehnga sasta chhota bada badi choti chahie
		haanji namaste dhanyavad shukriya subah shaam sham raat`)
	englishWords = lazy.Words(`i the a and please need want send is are of for my you have can what how price when where
		me with to in this not dont your deliver today it them more one no yes yeah add make that thats also
		hello hi hey good morning evening thanks thank there any some which who why would could will should at on by
		from instead cancel tomorrow available did does was it's its i'm im we our us`)
)
