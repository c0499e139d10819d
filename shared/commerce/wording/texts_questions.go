package wording

// questionTexts are the answers to questions and remarks.
var questionTexts = []text{
	{"price", sentence{
		English: "{product}: {price} per {unit}",
		Hindi:   "{product}: {price} प्रति {unit}",
		Latin:   "{product}: {price} per {unit}",
	}},
	{"available", sentence{
		English: "Yes, we have it: {products}.",
		Hindi:   "हाँ, है: {products}।",
		Latin:   "Haan, hai: {products}.",
	}},
	{"not_available", sentence{
		English: "No, we do not have that.",
		Hindi:   "नहीं, वह हमारे पास नहीं है।",
		Latin:   "Nahi, woh hamare paas nahi hai.",
	}},
	{"thanks", sentence{
		English: "You are welcome!",
		Hindi:   "आपका स्वागत है!",
		Latin:   "Aapka swagat hai!",
	}},
	{"hold", sentence{
		English: "All right, take your time. Nothing is ordered yet. Write yes when it may go.",
		Hindi:   "ठीक है, आराम से बताइए। अभी कुछ ऑर्डर नहीं किया है। जब भेजना हो, हाँ लिखिए।",
		Latin:   "Theek hai, aaram se bataiye. Abhi kuch order nahi kiya hai. Jab bhejna ho, haan likhiye.",
	}},
	{"hold_nothing", sentence{
		English: "All right, take your time.",
		Hindi:   "ठीक है, आराम से बताइए।",
		Latin:   "Theek hai, aaram se bataiye. Hum yahin hain.",
	}},
	{"unread", sentence{
		English: "I did not understand this: “{words}”.",
		Hindi:   "यह समझ नहीं आया: “{words}”।",
		Latin:   "Yeh samajh nahi aaya: “{words}”.",
	}},
	{"asked_shop", sentence{
		English: "I cannot answer this myself: “{words}”. Somebody from {store} will write to you.",
		Hindi:   "इसका जवाब दुकान ही दे सकती है: “{words}”। {store} से कोई आपको लिखेगा।",
		Latin:   "Iska jawab dukaan hi de sakti hai: “{words}”. {store} se koi aapko likhega.",
	}},
	{"complaint", sentence{
		English: "I am sorry about that. I have told {store}; somebody will answer you here.",
		Hindi:   "इसके लिए माफ़ी चाहते हैं। {store} को बता दिया है, कोई आपको यहीं जवाब देगा।",
		Latin:   "Iske liye maafi chahte hain. {store} ko bata diya hai, koi aapko yahin jawab dega.",
	}},
	{"haggle", sentence{
		English: "{store} sets the prices, and I cannot change them.",
		Hindi:   "दाम {store} ने तय किए हैं, यहाँ बदल नहीं सकते।",
		Latin:   "Daam {store} ne tay kiye hain, yahan badal nahi sakte hain.",
	}},
	{"hours", sentence{
		English: "{store} is open today from {opens} to {closes}.",
		Hindi:   "{store} का समय आज {opens} से {closes} तक है।",
		Latin:   "{store} ka samay aaj {opens} se {closes} tak hai.",
	}},
	{"hours_always", sentence{
		English: "You can order from {store} at any time.",
		Hindi:   "{store} में आप किसी भी समय ऑर्डर कर सकते हैं।",
		Latin:   "{store} mein aap kisi bhi samay order kar sakte hain.",
	}},
	{"hours_closed", sentence{
		English: "{store} is closed today. You can still write your order.",
		Hindi:   "{store} आज बंद है। ऑर्डर आप फिर भी लिख सकते हैं।",
		Latin:   "{store} aaj band hai. Order aap phir bhi likh sakte hain.",
	}},
	{"place", sentence{
		English: "{store} is here: {address}.",
		Hindi:   "{store} यहाँ है: {address}।",
		Latin:   "{store} yahan hai: {address}.",
	}},
	{"delivery_terms", sentence{
		English: "{terms}",
		Hindi:   "{terms}",
		Latin:   "{terms}",
	}},
	{"terms.minimum", sentence{
		English: "We take orders of {minimum} or more. Write your address, or that you will collect the goods.",
		Hindi:   "हम कम से कम {minimum} का ऑर्डर लेते हैं। अपना पता लिखिए, या लिखिए कि आप ख़ुद लेने आएँगे।",
		Latin:   "Hum kam se kam {minimum} ka order lete hain. Apna pata likhiye, ya likhiye ki aap khud lene aayenge.",
	}},
	{"terms.shop", sentence{
		English: "Nothing is added to the total that I show you. Write your address, or that you will " +
			"collect the goods.",
		Hindi: "जो कुल रकम दिखाई है, उसमें कुछ और नहीं जुड़ता। अपना पता लिखिए, या लिखिए कि आप ख़ुद लेने आएँगे।",
		Latin: "Jo kul rakam dikhayi hai, usmein kuch aur nahi judta hai. Apna pata likhiye, ya likhiye ki aap " +
			"khud lene aayenge.",
	}},
	{"payment_ways", sentence{
		English: "You can pay by: {ways}.",
		Hindi:   "आप इन तरीकों से भुगतान कर सकते हैं: {ways}।",
		Latin:   "Aap in tareekon se payment kar sakte hain: {ways}.",
	}},
	{"pay_refused", sentence{
		English: "The shop does not take {way}. You can pay by: {ways}.",
		Hindi:   "दुकान {way} नहीं लेती। आप इन तरीकों से भुगतान कर सकते हैं: {ways}।",
		Latin:   "Dukaan {way} nahi leti hai. Aap in tareekon se payment kar sakte hain: {ways}.",
	}},
	{"menu", sentence{
		English: "Some of what we have: {products}. Write what you need, and I will tell you what it costs.",
		Hindi:   "हमारे यहाँ मिलता है: {products}, और भी बहुत कुछ। जो चाहिए लिखिए, दाम बता देंगे।",
		Latin:   "Hamare yahan milta hai: {products}, aur bhi bahut kuch. Jo chahiye likhiye, daam bata denge.",
	}},
	{"total_nothing", sentence{
		English: "You have nothing on your order yet. Write what you need.",
		Hindi:   "अभी आपके ऑर्डर में कुछ नहीं है। जो चाहिए लिखिए।",
		Latin:   "Abhi aapke order mein kuch nahi hai. Jo chahiye likhiye.",
	}},
	{"details_noted", sentence{
		English: "Noted for your order. Write what you need.",
		Hindi:   "आपके ऑर्डर के लिए लिख लिया। जो चाहिए लिखिए।",
		Latin:   "Aapke order ke liye likh liya hai. Jo chahiye likhiye.",
	}},
	{"place_noted", sentence{
		English: "Noted: {address}. Your next order will go there.",
		Hindi:   "लिख लिया: {address}। आपका अगला ऑर्डर वहीं आएगा।",
		Latin:   "Likh liya hai: {address}. Aapka agla order wahin aayega.",
	}},
	{"media", sentence{
		English: "I cannot read that here. Somebody from {store} will look at it. Or write what you need.",
		Hindi:   "यह यहाँ पढ़ा नहीं जा सकता। {store} से कोई देखेगा। या जो चाहिए, लिख दीजिए।",
		Latin:   "Yeh yahan padha nahi ja sakta. {store} se koi dekhega. Ya jo chahiye, likh dijiye.",
	}},
	{"language_set", sentence{
		English: "All right, in English from now on. Write what you need.",
		Hindi:   "ठीक है, अब से हिंदी में। जो चाहिए लिखिए।",
		Latin:   "Theek hai, ab se Hindi mein. Jo chahiye likhiye.",
	}},
	{"which_order", sentence{
		English: "Which order do you mean?",
		Hindi:   "आपका मतलब किस ऑर्डर से है?",
		Latin:   "Aap kaun sa order keh rahe hain?",
	}},
	{"shown.pickup", sentence{
		English: "You will collect it",
		Hindi:   "आप ख़ुद लेने आएँगे",
		Latin:   "Aap khud lene aayenge",
	}},
	{"shown.pickup_shop", sentence{
		English: "The customer will collect it",
		Hindi:   "ग्राहक ख़ुद लेने आएगा",
		Latin:   "Customer khud lene aayega",
	}},
	{"shown.delivery", sentence{
		English: "To your home",
		Hindi:   "घर पर डिलीवरी",
		Latin:   "Ghar par delivery",
	}},
	{"shown.address", sentence{
		English: "To: {address}",
		Hindi:   "पता: {address}",
		Latin:   "Pata: {address}",
	}},
	{"shown.when", sentence{
		English: "When: {when}",
		Hindi:   "समय: {when}",
		Latin:   "Samay: {when}",
	}},
	{"shown.slot", sentence{
		English: "Delivery: {slot}",
		Hindi:   "डिलीवरी: {slot}",
		Latin:   "Delivery: {slot}",
	}},
	{"slot.past", sentence{
		English: "It is too late for that time. The next free one is {slot}.",
		Hindi:   "उस समय के लिए अब देर हो गई है। अगला ख़ाली समय है {slot}।",
		Latin:   "Us samay ke liye ab der ho gayi hai. Agla khaali samay hai {slot}.",
	}},
	{"slot.full", sentence{
		English: "That time is fully booked. The next free one is {slot}.",
		Hindi:   "उस समय के सारे ऑर्डर भर चुके हैं। अगला ख़ाली समय है {slot}।",
		Latin:   "Us samay ke saare order bhar chuke hain. Agla khaali samay hai {slot}.",
	}},
	{"slot.none", sentence{
		English: "We deliver at these times: {slots}. The next free time is {slot}.",
		Hindi:   "हम इन समयों पर सामान पहुँचाते हैं: {slots}। अगला ख़ाली समय है {slot}।",
		Latin:   "Hum in samayon par saamaan pahunchate hain: {slots}. Agla khaali samay hai {slot}.",
	}},
	{"slot.gone", sentence{
		English: "All our delivery times for the next few days are taken. {store} will tell you when it will come.",
		Hindi:   "अगले कुछ दिनों के सारे डिलीवरी समय भर चुके हैं। {store} से बताया जाएगा कि सामान कब आएगा।",
		Latin:   "Agle kuch dinon ke saare samay bhar chuke hain. {store} se bataya jayega ki saamaan kab aayega.",
	}},
	{"shown.payment", sentence{
		English: "Payment: {payment}",
		Hindi:   "भुगतान: {payment}",
		Latin:   "Payment: {payment}",
	}},
	{"shown.note", sentence{
		English: "Note: {note}",
		Hindi:   "नोट: {note}",
		Latin:   "Note: {note}",
	}},
	{"address_ask", sentence{
		English: "Where shall we bring it? Write the address, or that you will collect it.",
		Hindi:   "सामान कहाँ पहुँचाएँ? पता लिखिए, या लिखिए कि आप ख़ुद लेने आएँगे।",
		Latin:   "Saamaan kahan pahunchayein? Pata likhiye, ya likhiye ki aap khud lene aayenge.",
	}},
	{"address_button", sentence{
		English: "Fill in the address",
		Hindi:   "पता भरें",
		Latin:   "Pata bharein",
	}},
	{"terms.free_from", sentence{
		English: "Delivery costs {charge}. It is free for orders of {free} or more.",
		Hindi:   "डिलीवरी {charge} है, {free} या उससे ज़्यादा के ऑर्डर पर मुफ़्त।",
		Latin:   "Delivery {charge} hai, {free} ya usse zyada ke order par free.",
	}},
	{"terms.charge", sentence{
		English: "Delivery costs {charge}.",
		Hindi:   "डिलीवरी के {charge} लगते हैं।",
		Latin:   "Delivery ke {charge} lagte hain.",
	}},
}
