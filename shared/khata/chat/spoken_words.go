package chat

import "github.com/haatline/haatline/shared/lazy"

// betweenLines and betweenParts stand between two entries of one text, and numbering before one.
var (
	betweenLines = lazy.Regexp(`\s*[\n;]\s*`)
	betweenParts = lazy.Regexp(`(?i),\s+|\s+(?:aur|and|और)\s+`)
	numbering    = lazy.Regexp(`^\s*(?:\d{1,2}[.)]|[•*])\s+`)
)

// What an owner's words say of an entry. Each word is in one list.
var (
	// settleWords say that somebody has paid what they owe.
	settleWords = lazy.Words(`
		jama chukaya chukaye chukayi chuka chukta chukti payment deposit deposited cleared clear settled जमा चुकाया
		चुकाए चुकाये चुका पेमेंट`)
	// giveWords say that somebody has given money.
	giveWords = lazy.Words(`
		diya diye dia die di dye bheja bheje bhej bharaa bhara bhare paid pay pays gave given sent transfer
		transferred transfered returned lauta lautaya lautaye wapas vapas wapis dekar दिया दिए दिये दी भेजा भेजे भेज
		भरा लौटा लौटाया लौटाए वापस ट्रांसफर`)
	givesOut = lazy.Words("paid pay gave given sent transferred transfered returned")
	// receiveWords say that the shop has got money.
	receiveWords = lazy.Words(`
		received recieved recd rcvd got vasool vasuli wasool वसूल mila mile mili mil aaya aaye aayi aya aye aa aagaya
		aagaye मिला मिले मिली मिल आया आए आये आ`)
	// takeWords say that somebody has taken something.
	takeWords = lazy.Words(`
		liya liye li lia liyaa uthaya uthaye took taken bought kharida kharide लिया लिए लिये ली उठाया`)
	// postpositions follow a name, and no verb.
	postpositions = lazy.Words("ne ko ने को")
	departs       = lazy.Words("gaya gayi gaye gya gye gayee गया गई गए")
	creditWords   = lazy.Words("udhaar udhar udhari udhaari udhaara udar udhr credit crdt उधार उधारी")
	ownWords      = lazy.Words("ka ke ki का के की")
	ofWords       = lazy.Words("ka ke ki wala wale wali me mein का के की वाला वाले में")
	goodsWords    = lazy.Words("saman samaan sauda maal mal goods items सामान माल सौदा")
	owedWords     = lazy.Words("baaki baki bakaya bakayaa due dues बाकी बाक़ी बकाया")
	writeWords    = lazy.Words(`
		khata khate khaate khaata account acct hisaab hisab likho likh likhna likhdo likhlo write note add jod jodo
		jodna daal daalo dal dalo chadha chadhao chadhado naam name खाता खाते हिसाब लिखो लिख लिखना जोड़ जोड़ो डालो डाल
		चढ़ा नाम`)
	// shopWords are of the shop's day, and of nobody's account.
	shopWords = lazy.Words(`
		order orders ordar delivery deliver delivered kisi koi kuch rate price bhav daam stock ready refund cancel
		dispatch dispatched adjust adjustment adjustments adjast ऑर्डर आर्डर डिलीवरी रेट भाव दाम`)
	// waiveWords let somebody off a debt, which is an adjustment: the shop's day reads it, and may ask a second person.
	waiveWords = lazy.Words("maaf maafi waive waived chhod chhodo chod माफ माफ़ छोड़")
	// selves are words for who writes; selfDoes are those that say that they have done something.
	selves = lazy.Words(`
		main mai maine mainne meine mene humne hamne hum ham mujhe mujh mujhko hume hamko humko hame i we me us my our
		मैं मैंने मैने हमने हम मुझे मुझको हमें हमको`)
	selfDoes = lazy.Words("maine mainne meine mene humne hamne i we मैंने मैने हमने")
	methods  = lazy.Words(`
		upi gpay phonepe phonepay paytm cash nakad naqad online bank neft imps card cheque check chq google यूपीआई नकद
		बैंक कैश`)
	// measures stand after a number that is no money.
	measures = lazy.Words(`
		kg kgs kilo kilos g gm gms gram grams l ltr litre liter litres ml packet packets pkt pkts pack packs pc pcs
		piece pieces dozen darjan bag bags bori box boxes bottle bottles meter metre metres mtr feet ft foot inch pair
		jodi plate baje bje baj din dino day days hafte hafta week weeks mahine mahina month months saal year years
		bar baar baari log aadmi bachche kist installment installments star ghante ghanta minute number no percent
		pratishat jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august
		september october november december tarikh tareekh dollar बजे दिन महीने साल बार लोग तारीख किलो ग्राम लीटर
		पैकेट दर्जन बोरी पीस`)
	// labels stand before a number that names something.
	labels = lazy.Words(`
		bill invoice flat room number no pin otp code gaadi gadi train makan ghar plot gali ward phone mobile aadhaar
		aadhar pan ref utr txn नंबर`)
	// relatives behind "ka" are somebody else.
	relatives = lazy.Words(`
		bhai bhaiya bhayya uncle aunty aunti madam sir didi bhabhi chacha chachi dada mama mausi भाई भैया अंकल आंटी`)
	wala    = lazy.Words("wala wale wali वाला वाले वाली")
	isWords = lazy.Words("hai hain tha thi owes है हैं था थी")
	// doubtWords make it doubtful that something has happened, beside those of any sentence.
	doubtWords = lazy.Words(`
		tell give tak pending outstanding bounce bounced fail failed mana band total limit maang mang maanga maangta
		maangti manga mangta mangti asked asking asks ask needs need yaad remind reminder promise promised vaada wada
		discount kam galat wrong raha rahi rahe soch मांग माँग रहा रही रहे गलत ग़लत`)
	// dueWords say that something is to be given or taken, unless they end a command: likh dena.
	dueWords = lazy.Words(`
		dena dene deni lena lene leni maangna mangna maangne mangne send give देना देने लेना लेने माँगना मांगना`)
	doneBy = lazy.Words("likh kar kr jama daal dal jod note add chadha bata dikha लिख कर जमा डाल जोड़ चढ़ा बता दिखा")
	// spokenFillers may stand beside a name, an amount and what was done.
	spokenFillers = lazy.Words(`
		ka ki ke mein par pe pr aaj abhi h the gaya gayi gaye gya gye do lo karo kar kr karna kardo karlo kiya kiye
		kia kro dijiye lijiye ho hua hue ji bhai bhaiya bhayya uncle aunty aunti didi bhabhi chacha chachi dada mama
		mausi karaye karaya karwaye karwaya saab sahab sahib madam sir mr mrs miss smt shri ab aur and by for of on at
		a his her their he she they has have had is was rupaye total wala wale ye yeh wo woh today just now का की के
		में पर आज अभी थे गया गई गए जी भाई भैया अंकल आंटी साहब दो लो कर करो किया किए हो हुआ श्री ये यह वो`)
)
