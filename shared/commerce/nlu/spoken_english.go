package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// spokenEnglish are English words and how Devanagari writes them, where the sounds differ from the spelling.
const spokenEnglish = `
side साइड slide स्लाइड wide वाइड guide गाइड shine शाइन fine फाइन style स्टाइल bike बाइक prime प्राइम
lime लाइम slice स्लाइस spice स्पाइस mobile मोबाइल tyre टायर mirror मिरर rear रियर front फ्रंट back बैक
door डोर window विंडो floor फ्लोर board बोर्ड frame फ्रेम plate प्लेट table टेबल chair चेयर pillow पिलो
cushion कुशन curtain कर्टेन bag बैग bottle बोतल case केस pouch पाउच purse पर्स wallet वॉलेट shoe शू
jacket जैकेट coat कोट cap कैप gloves ग्लव्स watch वॉच tube ट्यूब motor मोटर pump पंप
heater हीटर cooler कूलर fridge फ्रिज machine मशीन iron आयरन mixer मिक्सर grinder ग्राइंडर juicer जूसर
kettle केतली toaster टोस्टर oven ओवन stove स्टोव cooker कुकर knife नाइफ cup कप bucket बकेट rack रैक
hinge हिंज washer वॉशर adapter एडाप्टर camera कैमरा speaker स्पीकर mouse माउस keyboard कीबोर्ड
monitor मॉनिटर printer प्रिंटर ruler रूलर ball बॉल puzzle पज़ल balloon बैलून candle कैंडल serum सीरम
scrub स्क्रब toner टोनर perfume परफ्यूम foundation फाउंडेशन sandwich सैंडविच shake शेक mango मैंगो
apple एप्पल pineapple पाइनएप्पल grape ग्रेप lemon लेमन yogurt योगर्ट prawn प्रॉन cotton कॉटन spade स्पेड
hose होज़ primer प्राइमर roller रोलर ladder लैडर hammer हैमर wrench रिंच plier प्लायर silver सिल्वर
copper कॉपर woollen वूलन yellow येलो purple पर्पल small स्मॉल large लार्ज medium मीडियम double डबल
single सिंगल round राउंड square स्क्वायर digital डिजिटल electric इलेक्ट्रिक manual मैनुअल
automatic ऑटोमैटिक pack पैक family फैमिली premium प्रीमियम natural नेचुरल organic ऑर्गेनिक herbal हर्बल
school स्कूल office ऑफिस home होम kitchen किचन guard गार्ड stand स्टैंड filter फिल्टर bearing बेयरिंग
gasket गैस्केट
wiper वाइपर driver ड्राइवर timer टाइमर hanger हैंगर dryer ड्रायर trimmer ट्रिमर spinner स्पिनर
peeler पीलर container कंटेनर planner प्लानर folder फोल्डर opener ओपनर dispenser डिस्पेंसर
purifier प्यूरीफायर inverter इन्वर्टर stabilizer स्टेबलाइज़र router राउटर scanner स्कैनर
trolley ट्रॉली suitcase सूटकेस umbrella अम्ब्रेला raincoat रेनकोट sweater स्वेटर trouser ट्राउज़र
pyjama पायजामा elbow एल्बो flange फ्लैंज coupling कपलिंग reducer रिड्यूसर shower शॉवर basin बेसिन
geyser गीज़र starter स्टार्टर capacitor कैपेसिटर remote रिमोट sensor सेंसर panel पैनल siren सायरन
brake ब्रेक clutch क्लच gear गियर engine इंजन carburetor कार्बोरेटर radiator रेडिएटर
silencer साइलेंसर shocker शॉकर spoke स्पोक handle हैंडल visor वाइज़र coolant कूलेंट grease ग्रीस
racket रैकेट shuttle शटल stump स्टंप pads पैड्स whistle व्हिसल dumbbell डंबल protein प्रोटीन
guitar गिटार drum ड्रम flute फ्लूट harmonium हारमोनियम canvas कैनवास easel ईज़ल palette पैलेट
globe ग्लोब compass कंपास invitation इनविटेशन banner बैनर ribbon रिबन lantern लैंटर्न crown क्राउन
magic मैजिक drone ड्रोन bracelet ब्रेसलेट necklace नेकलेस earring इयररिंग pendant पेंडेंट
anklet एंकलेट brooch ब्रोच nosepin नोज़पिन hairband हेयरबैंड clutcher क्लचर mirror मिरर
tweezer ट्वीज़र eyeliner आईलाइनर primer प्राइमर concealer कंसीलर blush ब्लश cleanser क्लींजर
moisturiser मॉइस्चराइज़र sunscreen सनस्क्रीन bodywash बॉडीवॉश feeder फीडर sipper सिपर nipple निप्पल
rattle रैटल walker वॉकर cradle क्रेडल stroller स्ट्रोलर wafer वेफर mayonnaise मेयोनीज़ noodle नूडल
vermicelli वर्मिसेली nugget नगेट smoothie स्मूदी sprite स्प्राइट family फैमिली sundae संडे
brownie ब्राउनी croissant क्रोसां onion अनियन capsicum कैप्सिकम lettuce लेट्यूस cucumber कुकंबर
carrot कैरट spinach स्पिनैच`

// spokenPairs are their folded words.
var spokenPairs = lazy.Of[[][2]string]{Make: func() [][2]string {
	var pairs [][2]string
	words := strings.Fields(spokenEnglish)
	for i := 0; i+1 < len(words); i += 2 {
		written, spoken := meaningOf(tokenise(words[i])[0].key), tokenise(normalise(words[i+1]))[0].key
		if len(written) == 1 && !known.Get().keys[spoken] {
			pairs = append(pairs, [2]string{written[0], spoken})
		}
	}
	return pairs
}}

// joinSpoken gives the products that have an English word the word as Devanagari writes it, and the other way around:
// the side of a side mirror is sed.
func (x *Index) joinSpoken() {
	for _, pair := range spokenPairs.Get() {
		written, spoken := slices.Clone(x.byWord[pair[0]]), slices.Clone(x.byWord[pair[1]])
		if len(written)+len(spoken) == 0 {
			continue
		}
		x.giveWord(written, pair[1])
		x.giveWord(spoken, pair[0])
		x.vocab[pair[0]], x.vocab[pair[1]] = true, true
	}
}
