package wording

// orderTexts are what is said about baskets and orders.
var orderTexts = []text{
	{"greeting", sentence{
		English: "Hello! This is {store}. Write what you need, for example: {example}.",
		Hindi:   "नमस्ते! यह {store} है। जो चाहिए लिखिए, जैसे: {example}।",
		Latin:   "Namaste! Yeh {store} hai. Jo chahiye likhiye, jaise: {example}.",
	}},
	{"not_understood", sentence{
		English: "Sorry, I did not understand that. Write what you need and how much, for example: {example}.",
		Hindi:   "माफ़ कीजिए, समझ नहीं आया। जो चाहिए और कितना, लिखिए, जैसे: {example}।",
		Latin:   "Maaf kijiye, samajh nahi aaya. Jo chahiye aur kitna, likhiye, jaise: {example}.",
	}},
	{"handed_over", sentence{
		English: "Somebody from {store} will answer you here.",
		Hindi:   "{store} से कोई आपको यहीं जवाब देगा।",
		Latin:   "{store} se koi aapko yahin jawab dega.",
	}},
	{"which", sentence{
		English: "Which {thing}?",
		Hindi:   "{thing} में क्या चाहिए?",
		Latin:   "{thing} mein kya chahiye?",
	}},
	{"how_much", sentence{
		English: "How much {product}? It is sold by the {unit}.",
		Hindi:   "{product} कितना चाहिए? यह {unit} में मिलता है।",
		Latin:   "{product} kitna chahiye? Yeh {unit} mein milta hai.",
	}},
	{"not_sold", sentence{
		English: "We do not have {thing}.",
		Hindi:   "हमारे पास {thing} नहीं है।",
		Latin:   "Hamare paas {thing} nahi hai.",
	}},
	{"near", sentence{
		English: "Would one of these do?",
		Hindi:   "क्या इनमें से कोई चलेगा?",
		Latin:   "Kya inmein se koi chalega?",
	}},
	{"noted", sentence{
		English: "Noted: {lines}.",
		Hindi:   "लिख लिया: {lines}।",
		Latin:   "Likh liya: {lines}.",
	}},
	{"basket", sentence{
		English: "Your order:\n{lines}\nTotal {total}. Shall I place it?",
		Hindi:   "आपका ऑर्डर:\n{lines}\nकुल {total}। ऑर्डर कर दूँ?",
		Latin:   "Aapka order:\n{lines}\nKul {total}. Order kar doon?",
	}},
	{"more_lines", sentence{
		English: "and {count} more",
		Hindi:   "और {count} चीज़ें",
		Latin:   "aur {count} cheezein",
	}},
	{"basket_empty", sentence{
		English: "Your order is empty now. Write what you need.",
		Hindi:   "आपका ऑर्डर अब ख़ाली है। जो चाहिए लिखिए।",
		Latin:   "Aapka order ab khaali hai. Jo chahiye likhiye.",
	}},
	{"nothing_open", sentence{
		English: "There is nothing to confirm. Write what you need.",
		Hindi:   "अभी पक्का करने को कुछ नहीं है। जो चाहिए लिखिए।",
		Latin:   "Abhi pakka karne ko kuch nahi hai. Jo chahiye likhiye.",
	}},
	{"change_how", sentence{
		English: "Write what should be different, for example: {example}. Or what you do not want.",
		Hindi:   "क्या बदलना है लिखिए, जैसे: {example}। या जो नहीं चाहिए वह लिखिए।",
		Latin:   "Kya badalna hai likhiye, jaise: {example}. Ya jo nahi chahiye woh likhiye.",
	}},
	{"only_left", sentence{
		English: "{product}: only {stock} {unit} left.",
		Hindi:   "{product}: अब सिर्फ़ {stock} {unit} है।",
		Latin:   "{product}: ab sirf {stock} {unit} hai.",
	}},
	{"out_of_stock", sentence{
		English: "{product} is out of stock just now.",
		Hindi:   "{product} अभी ख़त्म है।",
		Latin:   "{product} abhi khatam hai.",
	}},
	{"below_minimum", sentence{
		English: "We take orders of {minimum} or more. Yours comes to {total}. Would you like anything else?",
		Hindi:   "हम कम से कम {minimum} का ऑर्डर लेते हैं। आपका {total} का है। और कुछ चाहिए?",
		Latin:   "Hum kam se kam {minimum} ka order lete hain. Aapka {total} ka hai. Aur kuch chahiye?",
	}},
	{"too_much", sentence{
		English: "That is too much for one order. Somebody from {store} will answer you here.",
		Hindi:   "यह एक ऑर्डर के लिए बहुत ज़्यादा है। {store} से कोई आपको यहीं जवाब देगा।",
		Latin:   "Yeh ek order ke liye bahut zyada hai. {store} se koi aapko yahin jawab dega.",
	}},
	{"store_closed", sentence{
		English: "{store} is not taking orders at the moment.",
		Hindi:   "{store} में अभी ऑर्डर नहीं लिए जा रहे हैं।",
		Latin:   "{store} mein abhi order nahi liye ja rahe hain.",
	}},
	{"outside_hours", sentence{
		English: "We are closed now and open at {opens}. Your order is for then.",
		Hindi:   "अभी दुकान बंद है, {opens} पर खुलेगी। आपका ऑर्डर तब के लिए है।",
		Latin:   "Abhi dukaan band hai, {opens} par khulegi. Aapka order tab ke liye hai.",
	}},
	{"order_pending", sentence{
		English: "Thank you! Your order {number} for {total} has gone to the shop, which will confirm it.",
		Hindi:   "धन्यवाद! आपका ऑर्डर {number}, {total} का, दुकान को भेज दिया है। दुकान पक्का करेगी।",
		Latin:   "Dhanyavaad! Aapka order {number}, {total} ka, dukaan ko bhej diya hai. Dukaan pakka karegi.",
	}},
	{"order_confirmed", sentence{
		English: "Thank you! Your order {number} for {total} is confirmed.",
		Hindi:   "धन्यवाद! आपका ऑर्डर {number}, {total} का, पक्का हो गया है।",
		Latin:   "Dhanyavaad! Aapka order {number}, {total} ka, pakka ho gaya hai.",
	}},
	{"order_status", sentence{
		English: "Your order {number} for {total}: {status}.",
		Hindi:   "आपका ऑर्डर {number}, {total} का: {status}।",
		Latin:   "Aapka order {number}, {total} ka: {status}.",
	}},
	{"bill_coming", sentence{
		English: "The bill of your order {number} is on its way to you.",
		Hindi:   "आपके ऑर्डर {number} का बिल अभी भेज रहे हैं।",
		Latin:   "Aapke order {number} ka bill abhi bhej rahe hain.",
	}},
	{"bill_early", sentence{
		English: "Your order {number}: {status}. Its bill comes once the shop is preparing it.",
		Hindi:   "आपका ऑर्डर {number}: {status}। जब दुकान इसे तैयार करने लगेगी, तब बिल मिलेगा।",
		Latin:   "Aapka order {number}: {status}. Jab dukaan ise taiyaar karne lagegi, tab bill milega.",
	}},
	{"invoice_caption", sentence{
		English: "{store}: bill {invoice} of your order {number}, {total}.",
		Hindi:   "{store}: आपके ऑर्डर {number} का बिल {invoice}, {total}।",
		Latin:   "{store}: aapke order {number} ka bill {invoice}, {total}.",
	}},
	{"khata_balance", sentence{
		English: "You owe {store} {balance}.",
		Hindi:   "{store} में आपका बाकी {balance} है।",
		Latin:   "{store} mein aapka baaki {balance} hai.",
	}},
	{"khata_nothing", sentence{
		English: "You owe {store} nothing.",
		Hindi:   "{store} में आपका कुछ बाकी नहीं है।",
		Latin:   "{store} mein aapka kuch baaki nahi hai.",
	}},
	{"khata_advance", sentence{
		English: "You owe nothing: {store} has {balance} of yours as an advance.",
		Hindi:   "कुछ बाकी नहीं है: {store} के पास आपके {balance} जमा हैं।",
		Latin:   "Kuch baaki nahi hai: {store} ke paas aapke {balance} jama hain.",
	}},
	{"over_credit", sentence{
		English: "That is more than we can put on your khata now. Somebody from {store} will answer you here.",
		Hindi:   "इतना अभी आपके खाते में नहीं लिख सकते। {store} से कोई आपको यहीं जवाब देगा।",
		Latin:   "Itna abhi aapke khate mein nahi likh sakte. {store} se koi aapko yahin jawab dega.",
	}},
	{"no_order", sentence{
		English: "I cannot find an order of yours. Write what you need.",
		Hindi:   "आपका कोई ऑर्डर नहीं मिला। जो चाहिए लिखिए।",
		Latin:   "Aapka koi order nahi mila. Jo chahiye likhiye.",
	}},
	{"order_cancelled", sentence{
		English: "Your order {number} is cancelled.",
		Hindi:   "आपका ऑर्डर {number} रद्द कर दिया है।",
		Latin:   "Aapka order {number} cancel kar diya hai.",
	}},
	{"cannot_cancel", sentence{
		English: "Your order {number} is already {status}. Somebody from {store} will answer you here.",
		Hindi:   "आपका ऑर्डर {number} पहले ही {status}। {store} से कोई आपको यहीं जवाब देगा।",
		Latin:   "Aapka order {number} pehle hi {status}. {store} se koi aapko yahin jawab dega.",
	}},
	{"declined", sentence{
		English: "All right, nothing has been ordered.",
		Hindi:   "ठीक है, कुछ भी ऑर्डर नहीं किया है।",
		Latin:   "Theek hai, kuch bhi order nahi kiya hai.",
	}},
	{"skipped", sentence{
		English: "All right, without {thing}.",
		Hindi:   "ठीक है, {thing} के बिना।",
		Latin:   "Theek hai, {thing} ke bina.",
	}},
	{"basket_amended", sentence{
		English: "Your order {number} would be:\n{lines}\nTotal {total}. Shall I confirm the change?",
		Hindi:   "आपका ऑर्डर {number} ऐसा होगा:\n{lines}\nकुल {total}। बदलाव कर दूँ?",
		Latin:   "Aapka order {number} aisa hoga:\n{lines}\nKul {total}. Badlaav kar doon?",
	}},
	{"order_amended", sentence{
		English: "Your order {number} is changed. It comes to {total} now.",
		Hindi:   "आपका ऑर्डर {number} बदल दिया है। अब कुल {total} है।",
		Latin:   "Aapka order {number} badal diya hai. Ab kul {total} hai.",
	}},
	{"cannot_add", sentence{
		English: "Your order {number} is already {status}: nothing can be added to it. This is a new order.",
		Hindi:   "आपका ऑर्डर {number} {status}, उसमें कुछ जोड़ नहीं सकते। यह नया ऑर्डर है।",
		Latin:   "Aapka order {number} {status}, usmein kuch jod nahi sakte. Yeh naya order hai.",
	}},
	{"changed_since", sentence{
		English: "Something has changed since I showed you the order. Please look again.",
		Hindi:   "ऑर्डर दिखाने के बाद कुछ बदल गया है। कृपया फिर से देख लीजिए।",
		Latin:   "Order dikhane ke baad kuch badal gaya hai. Kripya phir se dekh lijiye.",
	}},
	{"bill.subtotal", sentence{
		English: "Goods {amount}",
		Hindi:   "सामान {amount}",
		Latin:   "Saamaan {amount}",
	}},
	{"bill.discount", sentence{
		English: "Discount {amount}",
		Hindi:   "छूट {amount}",
		Latin:   "Chhoot {amount}",
	}},
	{"bill.discount_code", sentence{
		English: "Discount with {code} {amount}",
		Hindi:   "{code} से छूट {amount}",
		Latin:   "{code} se chhoot {amount}",
	}},
	{"bill.delivery", sentence{
		English: "Delivery {amount}",
		Hindi:   "डिलीवरी {amount}",
		Latin:   "Delivery {amount}",
	}},
	{"bill.rounding", sentence{
		English: "Rounding {amount}",
		Hindi:   "राउंडिंग {amount}",
		Latin:   "Rounding {amount}",
	}},
	{"bill.tax_included", sentence{
		English: "Includes GST {rate}%: {amount}",
		Hindi:   "इसमें जीएसटी {rate}% शामिल है: {amount}",
		Latin:   "Ismein GST {rate}% shamil hai: {amount}",
	}},
	{"bill.tax_added", sentence{
		English: "GST {rate}%: {amount}",
		Hindi:   "जीएसटी {rate}%: {amount}",
		Latin:   "GST {rate}%: {amount}",
	}},
	{"pay_link", sentence{
		English: "Pay with your UPI app: {link}",
		Hindi:   "अपने यूपीआई ऐप से भुगतान करें: {link}",
		Latin:   "Apne UPI app se payment karein: {link}",
	}},
}
