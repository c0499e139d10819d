package faq

import (
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// loanRows are words with what is written for them: the word, and after it its spellings in Devanagari, without the dot
// below a letter and with a plain nasal, and words of the same sense that a word of the other language would hide: car
// is spelt like kar, do. A semicolon ends the spellings of a word.
const loanRows = `
gaadi car cars कार गाड़ी गाडी; taxi cab cabs टैक्सी; kaat cut cuts cutting
payment pay pays paying paid पेमेंट भुगतान; umar age ages उम्र आयु; price rate rates प्राइस दाम कीमत रेट
discount sale डिस्काउंट; billi cat cats; kutta dog dogs; food meal meals फूड; staff team स्टाफ
account अकाउंट एकाउंट अकाउन्ट खाता खाते; accept एक्सेप्ट असेप्ट; accident एक्सीडेंट; activate एक्टिवेट
address एड्रेस अड्रेस ऐड्रेस; admission एडमिशन ऐडमिशन अडमिशन; advance एडवांस अडवांस एडवान्स; agent एजेंट
agency एजेंसी; agreement एग्रीमेंट अग्रीमेंट; allowed अलाउड अलाउ अलाऊ; ambulance एंबुलेंस एम्बुलेंस; app ऐप एप ऍप
application एप्लीकेशन एप्लिकेशन ऐप्लिकेशन; apply अप्लाई अप्लाय एप्लाई
appointment अपॉइंटमेंट अपॉइन्टमेंट अपाइंटमेंट अप्वाइंटमेंट अपोइंटमेंट; approved अप्रूव अप्रूव्ड; area एरिया
atm एटीएम; auto ऑटो; available अवेलेबल उपलब्ध; baby बेबी; bag बैग; balance बैलेंस बैलन्स; balcony बालकनी; bank बैंक
batch बैच; bathroom बाथरूम; battery बैटरी; bed बेड; bike बाइक बाईक; bill बिल; block ब्लॉक; board बोर्ड; book बुक
booking बुकिंग; box बॉक्स बाक्स डिब्बा; brand ब्रांड; branch ब्रांच शाखा; broker ब्रोकर; bus बस बसें; builder बिल्डर
burner बर्नर; cable केबल; cake केक; call कॉल काल; camera कैमरा कैमरे; camp कैंप; cancel कैंसिल कैंसल कैन्सिल रद्द
canteen कैंटीन; card कार्ड; cash कैश नकद नगद; cashback कैशबैक; cashless कैशलेस; catering कैटरिंग
center सेंटर सेन्टर केंद्र; certificate सर्टिफिकेट प्रमाणपत्र; change चेंज; charge चार्ज; charges चार्जेज चार्जेस
checkup चेकअप; cheque चेक; checkin चेकइन; checkout चेकआउट; child चाइल्ड; claim क्लेम; class क्लास कक्षा
classes क्लासेस क्लासेज; clinic क्लिनिक; club क्लब; clubhouse क्लबहाउस; coach कोच; coaching कोचिंग; college कॉलेज
colour कलर रंग; company कंपनी कम्पनी; complaint कंप्लेंट कम्प्लेंट शिकायत शिकायतें; computer कंप्यूटर
confirm कन्फर्म कंफर्म; connection कनेक्शन; copy कॉपी प्रति; cotton कॉटन; counter काउंटर; coupon कूपन; course कोर्स
courier कूरियर कोरियर; credit क्रेडिट; customer कस्टमर ग्राहक; cylinder सिलेंडर सिलिंडर; damage डैमेज
data डेटा डाटा; date डेट; debit डेबिट; decoration डेकोरेशन; delivery डिलीवरी डिलिवरी; demo डेमो
department डिपार्टमेंट; deposit डिपॉजिट डिपाजिट; diet डाइट; doctor डॉक्टर डाक्टर
document डॉक्यूमेंट डाक्यूमेंट दस्तावेज कागजात कागज; documents डॉक्यूमेंट्स; download डाउनलोड; dress ड्रेस
driver ड्राइवर; driving ड्राइविंग; drop ड्रॉप; due ड्यू; duplicate डुप्लीकेट डुप्लिकेट; electrician इलेक्ट्रीशियन
email ईमेल; emergency इमरजेंसी; emi ईएमआई किस्तें; engineer इंजीनियर; english इंग्लिश अंग्रेजी; entry एंट्री
exam एग्जाम एक्जाम परीक्षा; exchange एक्सचेंज; expire एक्सपायर एक्सपायरी; experience एक्सपीरियंस अनुभव
extra एक्स्ट्रा; facial फेशियल; facility फैसिलिटी सुविधा सुविधाएं; fail फेल; family फैमिली परिवार; fee फीस फी शुल्क
female फीमेल; fine फाइन जुर्माना; filter फिल्टर; fit फिट; flat फ्लैट; flight फ्लाइट; floor फ्लोर; form फॉर्म फार्म
fraud फ्रॉड धोखाधड़ी; free फ्री मुफ्त निशुल्क; fresh फ्रेश ताजा ताजी ताजे; fridge फ्रिज; full फुल; garden गार्डन
gas गैस; gate गेट; general जनरल; gift गिफ्ट; girls गर्ल्स; gold गोल्ड; google गूगल; group ग्रुप; guard गार्ड
guest गेस्ट मेहमान मेहमानों; guarantee गारंटी; gym जिम; hall हॉल हाल; hair हेयर; handover हैंडओवर; help हेल्प मदद
helpline हेल्पलाइन; holiday हॉलिडे छुट्टी छुट्टियां अवकाश; home होम घर; homework होमवर्क; hospital हॉस्पिटल अस्पताल
hostel हॉस्टल छात्रावास; hotel होटल; hour घंटे घंटा घण्टे; id आईडी आइडी; identity पहचान; injection इंजेक्शन
install इंस्टॉल; installation इंस्टॉलेशन; installment किस्त किस्तों किश्त; insurance इंश्योरेंस इन्शुरन्स बीमा
interest इंटरेस्ट ब्याज; internet इंटरनेट; interview इंटरव्यू; invoice इनवॉइस; ac एसी; job जॉब नौकरी
join जॉइन ज्वाइन; joint ज्वाइंट जॉइंट संयुक्त; kit किट; lab लैब; lady लेडी; ladies लेडीज; laptop लैपटॉप
late लेट देर देरी; leak लीक लीकेज; license लाइसेंस लाइसेन्स; lift लिफ्ट; light लाइट; limit लिमिट; line लाइन
link लिंक; list लिस्ट; loan लोन ऋण कर्ज; location लोकेशन; locker लॉकर; login लॉगिन; lunch लंच; machine मशीन
madam मैडम; maintenance मेंटेनेंस मेंटिनेंस मेन्टेनेंस रखरखाव; makeup मेकअप; manager मैनेजर; map मैप
marksheet मार्कशीट अंकपत्र; material मटेरियल; medical मेडिकल; medicine मेडिसिन दवाई दवा दवाइयां; meeting मीटिंग बैठक
member मेंबर मेम्बर सदस्य; membership मेंबरशिप सदस्यता; menu मेन्यू मेनू; message मैसेज; meter मीटर
minimum मिनिमम न्यूनतम; miss मिस; mobile मोबाइल; month महीने महीना माह; name नाम; net नेट; netbanking नेटबैंकिंग
night नाइट; nominee नॉमिनी; notice नोटिस; number नंबर नम्बर; nurse नर्स; offer ऑफर; office ऑफिस दफ्तर कार्यालय
online ऑनलाइन; open ओपन; operation ऑपरेशन; order ऑर्डर आर्डर; original ओरिजिनल ओरिजनल असली; otp ओटीपी
owner ओनर मालिक; package पैकेज; packing पैकिंग; pan पैन; parcel पार्सल; parking पार्किंग; part पार्ट
parts पार्ट्स पुर्जे; partner पार्टनर; party पार्टी; pass पास; passbook पासबुक; passport पासपोर्ट; password पासवर्ड
patient पेशेंट मरीज; pension पेंशन; percent परसेंट प्रतिशत फीसदी; personal पर्सनल; pet पेट्स पालतू; phone फोन
photo फोटो तस्वीर; pickup पिकअप; pin पिन; pipe पाइप; plan प्लान योजना; plot प्लॉट; plumber प्लंबर प्लम्बर
point पॉइंट; policy पॉलिसी; pool पूल तैराकी; possession पजेशन पोजेशन कब्जा; power पावर; premium प्रीमियम
prescription प्रिस्क्रिप्शन पर्ची पर्चा; principal प्रिंसिपल; print प्रिंट; privacy प्राइवेसी
problem प्रॉब्लम समस्या दिक्कत परेशानी; process प्रोसेस प्रक्रिया; product प्रोडक्ट; project प्रोजेक्ट
proof प्रूफ प्रमाण; quality क्वालिटी; query क्वेरी; queue लाइनें कतार; receipt रसीद; recharge रिचार्ज; refill रिफिल
refund रिफंड रीफंड; registration रजिस्ट्रेशन पंजीकरण; registry रजिस्ट्री; regulator रेगुलेटर
reject रिजेक्ट अस्वीकार अस्वीकृत; renew रिन्यू रिन्यूअल नवीनीकरण; rent रेंट किराया किराए किराये
repair रिपेयर रिपेयरिंग मरम्मत; report रिपोर्ट रिपोर्टें; reports रिपोर्ट्स; reschedule रीशेड्यूल
result रिजल्ट परिणाम नतीजा; return रिटर्न; room रूम कमरा कमरे; route रूट; rule रूल नियम; safe सेफ सुरक्षित
safety सेफ्टी सुरक्षा; salary सैलरी वेतन तनख्वाह तनखाह; sale सेल; salon सैलून; sample सैंपल सैम्पल नमूना
school स्कूल विद्यालय; scholarship स्कॉलरशिप छात्रवृत्ति; scooter स्कूटर; scooty स्कूटी; screen स्क्रीन स्क्रीनें
seat सीट सीटें; security सिक्योरिटी सिक्यूरिटी; senior सीनियर बुजुर्ग वरिष्ठ; service सर्विस सेवा सेवाएं
shift शिफ्ट; shop शॉप दुकान; sign साइन हस्ताक्षर दस्तखत; sim सिम; site साइट; size साइज; slip स्लिप; slot स्लॉट
society सोसाइटी सोसायटी; speed स्पीड; station स्टेशन; statement स्टेटमेंट; status स्टेटस स्थिति; stock स्टॉक
store स्टोर; student स्टूडेंट छात्र विद्यार्थी; subsidy सब्सिडी; sugar शुगर; sunday संडे रविवार इतवार
saturday सैटरडे शनिवार; monday सोमवार; tuesday मंगलवार; wednesday बुधवार; thursday गुरुवार; friday शुक्रवार
swimming स्विमिंग; table टेबल; tax टैक्स; teacher टीचर शिक्षक; technician टेक्नीशियन मिस्त्री
tenant टेनेंट किराएदार किरायेदार किरायेदारों; test टेस्ट जांच जाँच; tests जांचें; thyroid थायराइड थायरॉइड थायरॉयड
ticket टिकट; time टाइम समय; timing टाइमिंग; timings टाइमिंग्स; token टोकन; toll टोल; tour टूर; train ट्रेन
trainer ट्रेनर; training ट्रेनिंग; transaction ट्रांजैक्शन ट्रांजेक्शन लेनदेन; transfer ट्रांसफर
transport ट्रांसपोर्ट; trial ट्रायल; tv टीवी; uniform यूनिफॉर्म वर्दी; update अपडेट; upi यूपीआई
urgent अर्जेंट तुरंत; urine यूरिन पेशाब; vaccine वैक्सीन टीका; van वैन; veg वेज शाकाहारी; video वीडियो; visit विजिट
visitor विजिटर; voucher वाउचर; wait वेट इंतजार प्रतीक्षा; warranty वारंटी; washing वाशिंग वॉशिंग; water वाटर पानी
weight वजन; website वेबसाइट; whatsapp व्हाट्सएप व्हाट्सऐप वॉट्सऐप; wifi वाईफाई वाइफाई; xray एक्सरे; yoga योगा योग
year साल वर्ष; women महिला महिलाएं महिलाओं औरत औरतें; children बच्चों बच्चे बच्चा; old पुराना पुरानी पुराने
new नया नयी नई नये नए; doorstep डोरस्टेप; corporate कॉर्पोरेट; transfercertificate टीसी; kyc केवाईसी; fd एफडी
rd आरडी; gst जीएसटी; noc एनओसी अनापत्ति; cctv सीसीटीवी; pf पीएफ; cod सीओडी; sms एसएमएस; bhk बीएचके; mri एमआरआई
ct सीटी; ultrasound अल्ट्रासाउंड सोनोग्राफी; cholesterol कोलेस्ट्रॉल; blood ब्लड खून; fasting फास्टिंग; cooler कूलर
fan पंखा; door दरवाजा; key चाबी; balloon गुब्बारे; drink ड्रिंक; event इवेंट; hotelroom होटलरूम
instalment इंस्टॉलमेंट; invest निवेश; jewellery जेवर गहने आभूषण; leave लीव; minor नाबालिग; saving सेविंग बचत
deduct डिडक्ट; withdraw विड्रॉ; cibil सिबिल; processing प्रोसेसिंग; approve मंजूर मंजूरी स्वीकृत; bounce बाउंस
partial आंशिक; topup टॉपअप; maximum अधिकतम; score स्कोर; renovation तोड़फोड तोडफोड; garbage कचरा कचरे कूडा कूडे
elevator एलिवेटर; maid बाई कामवाली सहायक; gatepass गेटपास; tanker टैंकर; function कार्यक्रम समारोह
community कम्युनिटी; domestic घरेलू; delayed विलंब; complete कम्प्लीट; count काउंट; body बॉडी; lipid लिपिड
accredited मान्यता; advice सलाह; printed छपी छपा; wrong गलत; money पैसा पैसे पैसों राशि रकम
rupees रुपये रुपए रुपयों; charger चार्जर; speaker स्पीकर; software सॉफ्टवेयर; lock लॉक; accessories एक्सेसरीज
cover कवर; missing मिसिंग; expired एक्सपायर्ड; item आइटम सामान; wallet वॉलेट; entrance एंट्रेंस; notes नोट्स
doubt डाउट; syllabus सिलेबस पाठ्यक्रम; attendance हाजिरी उपस्थिति; mock मॉक; series सीरीज
library लाइब्रेरी पुस्तकालय; placement प्लेसमेंट; kab कब; kaam काम; kam कम; raat रात; paas पास; baat बात
bhar भर भरना भरनी भरने भरें भरूं; naam नाम; sona सोना सोने; chhat छत; aay आय; chhutti छुट्टी; kya क्या
`

// loans reads the rows at first use: the word by what is written for it.
var loans = lazy.Of[map[string]string]{Make: func() map[string]string {
	all := map[string]string{}
	for row := range strings.SplitSeq(strings.ReplaceAll(loanRows, "\n", ";"), ";") {
		words := strings.Fields(row)
		for _, w := range words {
			all[w] = words[0]
		}
	}
	return all
}}

// devanagari writes nasals in one way, and leaves out the dot below a letter.
var devanagari = strings.NewReplacer("\u093c", "", "ँ", "ं",
	"क़", "क", "ख़", "ख", "ग़", "ग", "ज़", "ज", "ड़", "ड", "ढ़", "ढ", "फ़", "फ")

// cases are the endings of a loan in Hindi.
var cases = []string{"ों", "ें", "ो", "े"}

// english returns the word that is meant by a spelling in Devanagari or by another word, and any other as it is.
func english(word string) string {
	if base := irregular.Get()[word]; base != "" {
		return base
	}
	plain := devanagari.Replace(word)
	if loan := loans.Get()[plain]; loan != "" {
		return loan
	}
	if !strings.ContainsFunc(word, language.IsDevanagari) {
		return word
	}
	for _, ending := range cases {
		if loan := loans.Get()[strings.TrimSuffix(plain, ending)]; loan != "" {
			return loan
		}
	}
	return word
}
