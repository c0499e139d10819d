package nlu

import "strings"

// verbs ask for something to be sent or put on the list. A "do" after the stem of one is no number.
const verbs = `
bhej bhejo bhejna bhejdo bhejiye bhejiyega bhejdena bhejwa bhejwao bhijwa bhijwao bhijwana bhijwado bhijwaiye bhejwana
bhejwado bhejde bhejdijiye
bhejni bhejne bhijva bhijvana bhijwaiyega bhejiyo bhejyo de dena dedo dedena dijiye dijie dijiyega dijiega dijyega
dijiyo dijyo diyo deejiye dede
deni dene deyo la lao laana lana laiye lado ladena lete rakh rakhna rakhdo rakho rakhdena rakhiye pack pahuncha
pahunchao pahunchana pahunchado
pohcha pohchado pahucha pahuchado pahunchadena pahunchwa likh likho likhna likhlo likhdo likhdena daal dalo daldo dalna
daldena nikal nikaal nikalo
mangwa mangwao mangwana mangwani manga mangana mangani mangao mangwado lagao laga lagado lagana chahiye chahie chaiye
chahiyen chahye chahia send
need want give giv write bring deliver order add parcel chaahiye chayie भेज भेजो भेजना भेजिए भेजिये भेजिएगा भेजें भेजे
भिजवा भिजवाना भिजवाइए भिजवाओ भिजवाइएगा
भिजवाएं भेजनी भेजने दे देना दीजिए दीजिये दीजिएगा दीजियेगा दें देनी देने ला लाओ लाना लाइए रख रखना रखिए रखो रखिएगा लिख
लिखो लिखना लिखिए डाल डालो डालना
डालिए पैक पहुंचा पहुँचा पहुंचाना पहुँचाना पहुंचाइए चाहिए चाहिये मंगा मंगवा मंगवाना मंगाना लगा लगाना लगाओ भेजवा kar kr
कर bata बता hata हटा nikaal
bana banana banao banwa banwana banado बना बनाना बनाओ बनवा chahi chahin joiye joie pahije paije chahida chaida निकाल
snd sned bhjo bhj bhjdo bhjna bhjdena bhejio dyo diyo dio dijo देयो दियो दीयो
bol jod जोड़ karwa karva utha बढ़ा badha ghata घटा badal बदल kam कम
`

// futureStems and futureEndings make the forms of verbs that ask for something by saying that it will be needed:
// lagega, mangwayenge.
const (
	futureStems   = "lag pad bhej rakh likh manga mangwa bhijwa bhejwa khareed kharid le"
	futureEndings = "ega egi enge engi oge ogi unga ungi oonga oongi yega yegi yenge"
)

// futureVerbs returns the forms.
func futureVerbs() []string {
	var forms []string
	for _, stem := range strings.Fields(futureStems) {
		for _, ending := range strings.Fields(futureEndings) {
			forms = append(forms, stem+ending)
		}
	}
	return forms
}
