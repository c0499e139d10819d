package nlu

import (
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// shorthand are ways in which people in haste write the small words by which a message says what it is about.
var shorthand = lazy.Of[map[string]string]{Make: func() map[string]string {
	full := map[string]string{}
	for _, row := range rowsOf(shortForms) {
		for _, w := range strings.Fields(row.also) {
			full[w] = row.name
		}
	}
	return full
}}

// topicKey returns what a word is known by where a message is asked what it is about.
func topicKey(text string) string {
	if full := shorthand.Get()[text]; full != "" {
		text = full
	}
	if text == "kal" { // tomorrow sounds like a call
		return "=kal"
	}
	return language.Fold(language.Plain(text))
}

const shortForms = `
	kab: kb kbb; tak: tk tkk; kidhar: kidr kidhr kdhr kider; kahan: khn kahn kahaa;
	order: ordr odr oder ordar orda ordder oredr orfer; cancel: cancl cncl cancil cansl cancle cancal cansel;
	nahi: nhi nai nahin ni nahii; raha: rha rh; rahi: rhi; rahe: rhe; gaya: gya; gayi: gyi gai; gaye: gye; kar: kr;
	karo: kro; kardo: krdo; hai: h hy hae; mera: mra mera; kitna: ktna kitnaa; kitne: ktne;
	aayega: aayga ayga aega ayegaa aaega aaiga; aayegi: aaygi aygi aegi aaegi;
	pahuncha: pahucha phucha pohcha phuncha pahunchaa pohncha; pahunchega: pahuchega phuchega pohchega; bhej: bhj;
	bhejo: bhjo; saman: smaan samaan smn saamaan; abhi: abi abhii; khata: khta; udhar: udhr udar udhaar;
	hisab: hisb hisaab; batao: btao; bata: bta; kya: kia kyaa; chalega: chlega chlga; chalegi: chlegi; band: bnd;
	khuli: khli; lagegi: lgegi; lagega: lgega; laga: lga; lagenge: lgenge; der: dr; jayegi: jyegi jygi;
	jayega: jyega jyga; chahiye: chaiye chahie`
