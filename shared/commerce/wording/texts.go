package wording

import "sync"

// texts are what the assistant says, by key and language, made when they are first read: not every start needs them.
var texts = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{
		"greeting": {
			English: "Hello! This is {store}. Write what you need, for example: 2 kg rice, 1 packet salt.",
			Hindi:   "नमस्ते! यह {store} है। जो चाहिए लिखिए, जैसे: 2 किलो चावल, 1 पैकेट नमक।",
			Latin:   "Namaste! Yeh {store} hai. Jo chahiye likhiye, jaise: 2 kilo chawal, 1 packet namak.",
		},
		"not_understood": {
			English: "Sorry, I did not understand that. Write what you need and how much, for example: 2 kg rice.",
			Hindi:   "माफ़ कीजिए, समझ नहीं आया। जो चाहिए और कितना, लिखिए, जैसे: 2 किलो चावल।",
			Latin:   "Maaf kijiye, samajh nahi aaya. Jo chahiye aur kitna, likhiye, jaise: 2 kilo chawal.",
		},
		"handed_over": {
			English: "Somebody of {store} will answer you here.",
			Hindi:   "{store} से कोई आपको यहीं जवाब देगा।",
			Latin:   "{store} se koi aapko yahin jawab dega.",
		},
		"which": {
			English: "Which {thing}?",
			Hindi:   "कौन सा {thing}?",
			Latin:   "Kaun sa {thing}?",
		},
		"how_much": {
			English: "How much {product}? It is sold by the {unit}.",
			Hindi:   "{product} कितना चाहिए? यह {unit} में मिलता है।",
			Latin:   "{product} kitna chahiye? Yeh {unit} mein milta hai.",
		},
		"not_sold": {
			English: "We do not have {thing}.",
			Hindi:   "हमारे पास {thing} नहीं है।",
			Latin:   "Hamare paas {thing} nahi hai.",
		},
		"near": {
			English: "Would one of these do?",
			Hindi:   "क्या इनमें से कोई चलेगा?",
			Latin:   "Kya inmein se koi chalega?",
		},
		"noted": {
			English: "Noted: {lines}.",
			Hindi:   "लिख लिया: {lines}।",
			Latin:   "Likh liya: {lines}.",
		},
		"basket": {
			English: "Your order:\n{lines}\nTotal {total}. Shall I place it?",
			Hindi:   "आपका ऑर्डर:\n{lines}\nकुल {total}। ऑर्डर कर दूँ?",
			Latin:   "Aapka order:\n{lines}\nKul {total}. Order kar doon?",
		},
		"more_lines": {
			English: "and {count} more",
			Hindi:   "और {count} चीज़ें",
			Latin:   "aur {count} cheezein",
		},
		"basket_empty": {
			English: "Your order is empty now. Write what you need.",
			Hindi:   "आपका ऑर्डर अब खाली है। जो चाहिए लिखिए।",
			Latin:   "Aapka order ab khali hai. Jo chahiye likhiye.",
		},
		"nothing_open": {
			English: "There is nothing to confirm. Write what you need.",
			Hindi:   "अभी पक्का करने को कुछ नहीं है। जो चाहिए लिखिए।",
			Latin:   "Abhi pakka karne ko kuch nahi hai. Jo chahiye likhiye.",
		},
		"change_how": {
			English: "Write what should be different, for example: 3 kg rice, or: no salt.",
			Hindi:   "क्या बदलना है लिखिए, जैसे: चावल 3 किलो करो, या: नमक नहीं चाहिए।",
			Latin:   "Kya badalna hai likhiye, jaise: chawal 3 kilo karo, ya: namak nahi chahiye.",
		},
		"only_left": {
			English: "Of {product} only {stock} {unit} is left.",
			Hindi:   "{product} सिर्फ़ {stock} {unit} बचा है।",
			Latin:   "{product} sirf {stock} {unit} bacha hai.",
		},
		"out_of_stock": {
			English: "{product} is out of stock just now.",
			Hindi:   "{product} अभी खत्म है।",
			Latin:   "{product} abhi khatam hai.",
		},
		"below_minimum": {
			English: "We take orders from {minimum}. Yours comes to {total}. Would you like anything else?",
			Hindi:   "हम {minimum} से ऑर्डर लेते हैं। आपका {total} का है। और कुछ चाहिए?",
			Latin:   "Hum {minimum} se order lete hain. Aapka {total} ka hai. Aur kuch chahiye?",
		},
		"too_much": {
			English: "That is too much for one order. Somebody of {store} will answer you here.",
			Hindi:   "यह एक ऑर्डर के लिए बहुत ज़्यादा है। {store} से कोई आपको यहीं जवाब देगा।",
			Latin:   "Yeh ek order ke liye bahut zyada hai. {store} se koi aapko yahin jawab dega.",
		},
		"store_closed": {
			English: "{store} takes no orders at the moment.",
			Hindi:   "{store} अभी ऑर्डर नहीं ले रहा है।",
			Latin:   "{store} abhi order nahi le raha hai.",
		},
		"outside_hours": {
			English: "We are closed now and open at {opens}. Your order is for then.",
			Hindi:   "अभी दुकान बंद है, {opens} पर खुलेगी। आपका ऑर्डर तब के लिए है।",
			Latin:   "Abhi dukaan band hai, {opens} par khulegi. Aapka order tab ke liye hai.",
		},
		"order_pending": {
			English: "Thank you! Your order {number} over {total} has gone to the shop, which will confirm it.",
			Hindi:   "धन्यवाद! आपका ऑर्डर {number}, {total} का, दुकान को भेज दिया है। दुकान पक्का करेगी।",
			Latin:   "Dhanyavaad! Aapka order {number}, {total} ka, dukaan ko bhej diya hai. Dukaan pakka karegi.",
		},
		"order_confirmed": {
			English: "Thank you! Your order {number} over {total} is confirmed.",
			Hindi:   "धन्यवाद! आपका ऑर्डर {number}, {total} का, पक्का हो गया है।",
			Latin:   "Dhanyavaad! Aapka order {number}, {total} ka, pakka ho gaya hai.",
		},
		"order_status": {
			English: "Your order {number} over {total}: {status}.",
			Hindi:   "आपका ऑर्डर {number}, {total} का: {status}।",
			Latin:   "Aapka order {number}, {total} ka: {status}.",
		},
		"khata_balance": {
			English: "You owe {store} {balance}.",
			Hindi:   "{store} में आपका बाकी {balance} है।",
			Latin:   "{store} mein aapka baaki {balance} hai.",
		},
		"khata_nothing": {
			English: "You owe {store} nothing.",
			Hindi:   "{store} में आपका कुछ बाकी नहीं है।",
			Latin:   "{store} mein aapka kuch baaki nahi hai.",
		},
		"khata_advance": {
			English: "You owe nothing: {store} has {balance} of yours as an advance.",
			Hindi:   "कुछ बाकी नहीं है: {store} के पास आपके {balance} जमा हैं।",
			Latin:   "Kuch baaki nahi hai: {store} ke paas aapke {balance} jama hain.",
		},
		"over_credit": {
			English: "That is more than we can put on your khata now. Somebody of {store} will answer you here.",
			Hindi:   "इतना अभी आपके खाते में नहीं लिख सकते। {store} से कोई आपको यहीं जवाब देगा।",
			Latin:   "Itna abhi aapke khate mein nahi likh sakte. {store} se koi aapko yahin jawab dega.",
		},
		"no_order": {
			English: "I find no order of yours. Write what you need.",
			Hindi:   "आपका कोई ऑर्डर नहीं मिला। जो चाहिए लिखिए।",
			Latin:   "Aapka koi order nahi mila. Jo chahiye likhiye.",
		},
		"order_cancelled": {
			English: "Your order {number} is cancelled.",
			Hindi:   "आपका ऑर्डर {number} रद्द कर दिया है।",
			Latin:   "Aapka order {number} cancel kar diya hai.",
		},
		"cannot_cancel": {
			English: "Your order {number} is already {status}. Somebody of {store} will answer you here.",
			Hindi:   "आपका ऑर्डर {number} पहले ही {status}। {store} से कोई आपको यहीं जवाब देगा।",
			Latin:   "Aapka order {number} pehle hi {status}. {store} se koi aapko yahin jawab dega.",
		},
		"declined": {
			English: "All right, nothing is ordered.",
			Hindi:   "ठीक है, कुछ ऑर्डर नहीं किया।",
			Latin:   "Theek hai, kuch order nahi kiya.",
		},
		"skipped": {
			English: "All right, without {thing}.",
			Hindi:   "ठीक है, {thing} के बिना।",
			Latin:   "Theek hai, {thing} ke bina.",
		},
		"price": {
			English: "{product}: {price} per {unit}",
			Hindi:   "{product}: {price} प्रति {unit}",
			Latin:   "{product}: {price} per {unit}",
		},
		"available": {
			English: "Yes, we have it: {products}.",
			Hindi:   "हाँ, है: {products}।",
			Latin:   "Haan, hai: {products}.",
		},
		"not_available": {
			English: "No, we do not have that.",
			Hindi:   "नहीं, वह हमारे पास नहीं है।",
			Latin:   "Nahi, woh hamare paas nahi hai.",
		},
		"thanks": {
			English: "You are welcome!",
			Hindi:   "आपका स्वागत है!",
			Latin:   "Aapka swagat hai!",
		},
		"button.yes":     {English: "Yes, place it", Hindi: "हाँ, कर दो", Latin: "Haan, kar do"},
		"button.change":  {English: "Change", Hindi: "बदलना है", Latin: "Badalna hai"},
		"button.no":      {English: "No", Hindi: "नहीं", Latin: "Nahi"},
		"button.choose":  {English: "Choose", Hindi: "चुनिए", Latin: "Chuniye"},
		"button.without": {English: "None of these", Hindi: "इनमें से नहीं", Latin: "Inmein se nahi"},

		"state.pending":          {English: "the shop has to confirm it", Hindi: "दुकान को पक्का करना है", Latin: "dukaan ko pakka karna hai"},
		"state.confirmed":        {English: "confirmed", Hindi: "पक्का हो गया है", Latin: "pakka ho gaya hai"},
		"state.preparing":        {English: "being packed", Hindi: "पैक हो रहा है", Latin: "pack ho raha hai"},
		"state.ready":            {English: "ready", Hindi: "तैयार है", Latin: "taiyaar hai"},
		"state.out_for_delivery": {English: "on its way", Hindi: "रास्ते में है", Latin: "raaste mein hai"},
		"state.delivered":        {English: "delivered", Hindi: "पहुँच गया है", Latin: "pahunch gaya hai"},
		"state.cancelled":        {English: "cancelled", Hindi: "रद्द हो गया है", Latin: "cancel ho gaya hai"},
		"state.refunded":         {English: "refunded", Hindi: "पैसे लौटा दिए हैं", Latin: "paise lauta diye hain"},

		"unit.kg":     {English: "kg", Hindi: "किलो", Latin: "kilo"},
		"unit.g":      {English: "g", Hindi: "ग्राम", Latin: "gram"},
		"unit.l":      {English: "l", Hindi: "लीटर", Latin: "litre"},
		"unit.ml":     {English: "ml", Hindi: "मिली", Latin: "ml"},
		"unit.piece":  {English: "piece", Hindi: "पीस", Latin: "piece"},
		"unit.dozen":  {English: "dozen", Hindi: "दर्जन", Latin: "darjan"},
		"unit.bunch":  {English: "bunch", Hindi: "गड्डी", Latin: "gaddi"},
		"unit.packet": {English: "packet", Hindi: "पैकेट", Latin: "packet"},
		"unit.bottle": {English: "bottle", Hindi: "बोतल", Latin: "bottle"},
		"unit.box":    {English: "box", Hindi: "डिब्बा", Latin: "box"},
		"unit.jar":    {English: "jar", Hindi: "जार", Latin: "jar"},
		"unit.tube":   {English: "tube", Hindi: "ट्यूब", Latin: "tube"},
		"unit.strip":  {English: "strip", Hindi: "पत्ता", Latin: "patta"},

		"notice.pending": {
			English: "{store} has your order {number} for {total}. You will hear from us when it is confirmed.",
			Hindi:   "{store} को आपका ऑर्डर {number} मिल गया, कुल {total}। पक्का होते ही बताएँगे।",
			Latin:   "{store} ko aapka order {number} mil gaya, kul {total}. Pakka hote hi batayenge.",
		},
		"notice.confirmed": {
			English: "Your order {number} for {total} is confirmed.",
			Hindi:   "आपका ऑर्डर {number} पक्का हो गया, कुल {total}।",
			Latin:   "Aapka order {number} pakka ho gaya, kul {total}.",
		},
		"notice.preparing": {
			English: "Your order {number} is being packed.",
			Hindi:   "आपका ऑर्डर {number} पैक हो रहा है।",
			Latin:   "Aapka order {number} pack ho raha hai.",
		},
		"notice.ready": {
			English: "Your order {number} is ready.",
			Hindi:   "आपका ऑर्डर {number} तैयार है।",
			Latin:   "Aapka order {number} taiyar hai.",
		},
		"notice.out_for_delivery": {
			English: "Your order {number} is on its way.",
			Hindi:   "आपका ऑर्डर {number} रास्ते में है।",
			Latin:   "Aapka order {number} raste mein hai.",
		},
		"notice.delivered": {
			English: "Your order {number} has been delivered. Thank you!",
			Hindi:   "आपका ऑर्डर {number} पहुँच गया। धन्यवाद!",
			Latin:   "Aapka order {number} pahunch gaya. Dhanyavaad!",
		},
		"notice.cancelled": {
			English: "Your order {number} was cancelled: {reason}",
			Hindi:   "आपका ऑर्डर {number} रद्द हो गया: {reason}",
			Latin:   "Aapka order {number} cancel ho gaya: {reason}",
		},
		"notice.refunded": {
			English: "You get the {total} of your order {number} back: {reason}",
			Hindi:   "आपके ऑर्डर {number} के {total} वापस किए जा रहे हैं: {reason}",
			Latin:   "Aapke order {number} ke {total} wapas kiye ja rahe hain: {reason}",
		},
	}
})
