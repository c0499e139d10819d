package policy

import (
	"slices"
	"strings"
	"sync"

	"github.com/haatline/haatline/shared/language"
)

// Words of requests, a list each, in English, in Hindi, and in Hindi in Latin letters.
var (
	persons = language.NewList(`human person agent operator representative executive manager supervisor staff owner boss insaan
		insan aadmi admi aadmee banda bande vyakti karmchari malik adhikari इंसान इन्सान आदमी व्यक्ति एजेंट कर्मचारी मालिक मैनेजर
		अधिकारी प्रतिनिधि ऑपरेटर`)
	anybody = language.NewList(`someone somebody anyone kisi किसी`)
	talking = language.NewList(`talk speak speaking talking chat connect transfer forward baat bat बात baatcheet बातचीत karao karwao
		karwa कराओ कराइए करवाइए`)
	wishing  = language.NewList(`want need please chahiye chaiye bulao bhejo चाहिए बुलाओ milao मिलाओ`)
	bots     = language.NewList(`bot robot chatbot रोबोट बॉट`)
	machines = language.NewList(`bot robot machine computer ai automated automatic chatbot मशीन रोबोट बॉट`)
	humans   = language.NewList(`human insaan insan aadmi इंसान आदमी`)
	refusing = language.NewList(`not dont no never nahi nahin mat नहीं मत`)
	fillers  = language.NewList(`a an koi ek kya real actual just the कोई एक क्या`)
	// greetings and thanks make a courtesy if nothing else stands beside them.
	greetings = language.NewList(`hi hii hello helo hey namaste namaskar namaskaram good morning afternoon evening night day dear sir madam
		mam ji bhai bhaiya team ram salam नमस्ते नमस्कार हेलो हैलो हाय जी भाई सर मैडम सुप्रभात`)
	thanks = language.NewList(`thanks thank thankyou thanx thx ty dhanyavad dhanyavaad shukriya ok okay k great nice welcome you so much
		very theek thik thikhai hai accha acha bahut धन्यवाद शुक्रिया ठीक है अच्छा ओके थैंक्स बहुत`)
	ends = language.NewList(`or ya ho hai hain kya हो हैं या`)
	// aboutCalls are words of questions on calls, which ask for no call.
	aboutCalls = language.NewList(`number timing timings नंबर`)
)

// pronouns address whoever answers.
var pronouns = phrases(`are you|r u|you are|u r|am i talking to|am i chatting with|aap|ap|tum|आप|तुम`)

// ofMachines are words on the machine that answers, and not on one that is sold or mended.
var ofMachines = phrases(`to a machine|with a machine|machine se|मशीन से`)

// requests are phrases that ask for a person whatever stands beside them.
var requests = phrases(`customer care se baat|customer care executive|customer support se baat|talk to customer care|
	talk to support|speak to customer care|speak to support|speak with support|call me|call me back|call back|callback|
	give me a call|phone me|ring me|mujhe call|mujhe phone|call karo|call kijiye|call kariye|phone karo|phone kijiye|
	phone kariye|मुझे कॉल|मुझे फोन|मुझे फ़ोन|कॉल करो|कॉल कीजिए|फोन कीजिए|फोन करो|फ़ोन कीजिए|कस्टमर केयर से बात|
	kisi se baat|किसी से बात`)

// longest is how many words a message has at most that names a person and nothing else.
const longest = 3

// WantsPerson reports whether a message asks to be answered by a person.
func WantsPerson(text string) bool {
	said := language.Words(text)
	switch {
	case slices.ContainsFunc(requests(), func(p []string) bool { return has(said, p) }):
		return !aboutCalls.Any(said)
	case bots.Any(said) || slices.ContainsFunc(ofMachines(), func(p []string) bool { return has(said, p) }):
		return refusing.Any(said) || persons.Any(said) && talking.Any(said)
	case persons.Any(said):
		return !refuses(said) && (talking.Any(said) || wishing.Any(said) ||
			len(said) <= longest && !strings.Contains(text, "?"))
	}
	return anybody.Any(said) && talking.Any(said)
}

// refuses reports whether a message says that no person is wanted: "I don't need an agent", "agent nahi chahiye".
func refuses(said []string) bool {
	for i, w := range said {
		next, before, after := said[i+1:min(i+3, len(said))], said[max(0, i-3):i], said[i+1:]
		if refusing.Has(w) && (wishing.Any(next) || persons.Any(next) || persons.Any(before)) &&
			(!persons.Any(after) || wishing.Any(next)) {
			return true
		}
	}
	return false
}

// asksForMachine reports whether a message asks whether a machine answers: "are you a bot?", "aap insaan ho?"
func asksForMachine(text string) bool {
	said := language.Words(text)
	for i := range said {
		for _, p := range pronouns() {
			if !has(said[i:min(i+len(p), len(said))], p) {
				continue
			}
			rest := said[i+len(p):]
			for len(rest) > 0 && fillers.Has(rest[0]) {
				rest = rest[1:]
			}
			named := len(rest) > 0 && (machines.Has(rest[0]) || humans.Has(rest[0]))
			if named && (len(rest) == 1 || ends.Has(rest[1])) {
				return true
			}
		}
	}
	return false
}

func phrases(text string) func() [][]string {
	return sync.OnceValue(func() [][]string {
		var all [][]string
		for p := range strings.SplitSeq(text, "|") {
			all = append(all, language.Words(p))
		}
		return all
	})
}
