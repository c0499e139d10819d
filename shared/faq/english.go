package faq

import (
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// englishWords are words of English that say nothing of what is asked, unless a row has them. Unlike emptyWords they
// are compared as they are written, because words of Hindi are spelt like many of them.
const englishWords = `
came gave given went gone made make said says saying told asked ask asking thought think know knew known seen saw
looking look looks find found felt feel keep kept put set try tried trying called usually normally generally actually
basically simply really quite rather enough too much many lot lots bit little few several both either neither own
myself yourself himself herself itself ourselves themselves else other others another same different such thing things
stuff way ways sort place time times day days back up down out over under again further once here there why all most
more less least very about above across after against along among around before behind below between beyond during
except inside near since through throughout toward towards until upon within without though although unless whether
because while whereas whenever wherever whatever whichever whoever however therefore otherwise instead also even still
just only ever never always sometimes often maybe perhaps probably possible possibly sure certain exactly like unlike
please thanks sorry excuse hey hi good great fine nice wonderful happen happened happening seem seems seemed become
becomes became getting going gonna wanna wont dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt shouldnt
couldnt wouldnt cannot cant lets ill youll well theyll weve youve theyve im youre hes shes theyre thats whats whos
wheres hows whens whys ago yet already soon currently recently finally per via etc anyway regarding concerning related
relevant mentioned based according respect suppose supposed assume assuming expect expected wish hope hoping wondering
wonder planning plan plans decide decided deciding am pm mr mrs ms dr st nd rd th s t d m ll ve re don didn doesn isn
wasn won haven shouldn wouldn couldn aren hasn hadn
`

// irregularRows are verbs of English whose forms are not made by endings, or are spelt like other words: the verb, and
// after it its forms.
const irregularRows = `
buy bought; send sent; fall fell fallen; broken broke break breaking; lose losing; leave leaving; pay paying; steal stole; tear tore
begin began begun; choose chose chosen; drive drove driven; eat ate eaten; forget forgot forgotten forgetting
grow grew grown; hear heard; hold held; lend lent; meet met; ring rang rung; run ran; sell sold; sleep slept
speak spoke spoken; spend spent; swim swam; teach taught; throw threw thrown; understand understood; wear wore worn
write wrote written writing; withdraw withdrew withdrawn; hide hid hidden; ride rode ridden; shake shook
sing sang sung; sit sat; stand stood; build built; burn burnt; catch caught; feed fed; fight fought; freeze froze
hang hung; lay laid; lead led; shut shutting; spill spilt spilled; spoil spoilt; stick stuck; wake woke; bring brought
arrive arriving; receive receiving; charge charging; store storing
`

// irregular maps each form to its verb.
var irregular = lazy.Of[map[string]string]{Make: func() map[string]string {
	all := map[string]string{}
	for row := range strings.Lines(irregularRows) {
		for forms := range strings.SplitSeq(row, ";") {
			words := strings.Fields(forms)
			for _, w := range words[min(1, len(words)):] {
				all[w] = words[0]
			}
		}
	}
	return all
}}
