package nlu

import (
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// respelt are words whose spelling in one script or the other does not tell their sound, with the folded word that they
// are.
var respelt = lazy.Of[map[string]string]{Make: func() map[string]string {
	known := map[string]string{}
	for _, row := range rowsOf(respellings) {
		for _, spelling := range strings.Fields(normalise(row.also)) {
			known[spelling] = language.Fold(row.name)
		}
	}
	return known
}}

const respellings = `
	powder: pwd pdr pwdr पाउडर पावडर पाऊडर पौडर; oil: ऑयल ऑइल आयल; liquid: लिक्विड लिक्वीड; gel: जेल jel;
	saree: साड़ी साडी साड़ियाँ साड़ियां; veg: वेज वैज vej veggie veggi वेजी; light: lite lyt;
	birthday: bday bdy birthdy बर्थडे; wash: वॉश वाश; hand: हैंड हैण्ड; face: फेस; baby: बेबी; christmas: xmas;
	cake: केक; juice: जूस ज्यूस; ice: आइस; blue: ब्लू; colour: कलर color; tape: टेप; cleaner: क्लीनर; bread: ब्रेड;
	cheese: चीज़ चीज; sauce: सॉस; paste: पेस्ट; rice: राइस; green: ग्रीन; white: व्हाइट वाइट; black: ब्लैक;
	brown: ब्राउन; lotion: लोशन; tissue: टिश्यू टिशू; paper: पेपर; light: लाइट; cold: कोल्ड; gold: गोल्ड;
	chocolate: चॉकलेट चाकलेट; butter: बटर; size: साइज साइज़; syrup: सिरप सीरप; bar: बार; spray: स्प्रे; super: सुपर;
	cover: कवर; hair: हेयर; nail: नेल; polish: पॉलिश पालिश; remover: रिमूवर; shampoo: शैम्पू शैंपू शेम्पू;
	conditioner: कंडीशनर; toothpaste: टूथपेस्ट; brush: ब्रश; refill: रिफिल; battery: बैटरी; switch: स्विच;
	salt: साल्ट; wholeportion: full फुल फ़ुल; half: हाफ हाफ़; karahi: kadai kadhai karhai कड़ाही कढ़ाई कड़ाई कढ़ाही;
	thumsup: thumbsup thumpsup thamsup thumsap थम्सअप थम्सप थंब्सअप थम्स-अप;
	chowmein: चाउमीन चाऊमीन चाउमिन चौमिन chaumin chaumein chowmin chowmien chawmin; flower: फ्लावर;
	flour: फ्लोर फ्लोअर; towel: टॉवल टावल; bowl: बाउल बोल; lagega: lgega; kitna: ktna kitnaa; kitne: ktne;
	kitni: ktni; kar: kr; karo: kro; karna: krna; kardo: krdo; kardena: krdena; tea: टी; coffee: कॉफी कॉफ़ी;
	honey: हनी; jam: जैम`
