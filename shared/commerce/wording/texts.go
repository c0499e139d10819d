package wording

import "sync"

// texts are what the assistant says, by key and language, made when they are first read: not every start needs them.
var texts = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{
		"greeting": {
			English: "Hello! This is {store}. Write what you need, for example: {example}.",
			Hindi:   "नमस्ते! यह {store} है। जो चाहिए लिखिए, जैसे: {example}।",
			Latin:   "Namaste! Yeh {store} hai. Jo chahiye likhiye, jaise: {example}.",
		},
		"not_understood": {
			English: "Sorry, I did not understand that. Write what you need and how much, for example: {example}.",
			Hindi:   "माफ़ कीजिए, समझ नहीं आया। जो चाहिए और कितना, लिखिए, जैसे: {example}।",
			Latin:   "Maaf kijiye, samajh nahi aaya. Jo chahiye aur kitna, likhiye, jaise: {example}.",
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
			English: "Write what should be different, for example: {example}. Or what you do not want.",
			Hindi:   "क्या बदलना है लिखिए, जैसे: {example}। या जो नहीं चाहिए वह लिखिए।",
			Latin:   "Kya badalna hai likhiye, jaise: {example}. Ya jo nahi chahiye woh likhiye.",
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
		"basket_amended": {
			English: "Your order {number} would be:\n{lines}\nTotal {total}. Shall I confirm the change?",
			Hindi:   "आपका ऑर्डर {number} ऐसा होगा:\n{lines}\nकुल {total}। बदलाव कर दूँ?",
			Latin:   "Aapka order {number} aisa hoga:\n{lines}\nKul {total}. Badlaav kar doon?",
		},
		"order_amended": {
			English: "Your order {number} is changed. It comes to {total} now.",
			Hindi:   "आपका ऑर्डर {number} बदल दिया है। अब कुल {total} है।",
			Latin:   "Aapka order {number} badal diya hai. Ab kul {total} hai.",
		},
		"cannot_add": {
			English: "Your order {number} is already {status}: nothing can be added to it. This is a new order.",
			Hindi:   "आपका ऑर्डर {number} {status}, उसमें कुछ जोड़ नहीं सकते। यह नया ऑर्डर है।",
			Latin:   "Aapka order {number} {status}, usmein kuch jod nahi sakte. Yeh naya order hai.",
		},
		"changed_since": {
			English: "Something has changed since I showed you the order. Please look again.",
			Hindi:   "ऑर्डर दिखाने के बाद कुछ बदल गया है। कृपया फिर से देख लीजिए।",
			Latin:   "Order dikhane ke baad kuch badal gaya hai. Kripya phir se dekh lijiye.",
		},
		"hold": {
			English: "All right, take your time. Nothing is ordered yet. Write yes when it may go.",
			Hindi:   "ठीक है, आराम से बताइए। अभी कुछ ऑर्डर नहीं किया है। जब भेजना हो, हाँ लिखिए।",
			Latin:   "Theek hai, aaram se bataiye. Abhi kuch order nahi kiya hai. Jab bhejna ho, haan likhiye.",
		},
		"hold_nothing": {
			English: "All right, take your time.",
			Hindi:   "ठीक है, आराम से बताइए।",
			Latin:   "Theek hai, aaram se bataiye. Hum yahin hain.",
		},
		"unread": {
			English: "I did not understand this: “{words}”.",
			Hindi:   "यह समझ नहीं आया: “{words}”।",
			Latin:   "Yeh samajh nahi aaya: “{words}”.",
		},
		"asked_shop": {
			English: "That I cannot answer myself: “{words}”. Somebody of {store} will write to you.",
			Hindi:   "इसका जवाब मैं नहीं दे सकता: “{words}”। {store} से कोई आपको लिखेगा।",
			Latin:   "Iska jawab main nahi de sakta: “{words}”. {store} se koi aapko likhega.",
		},
		"complaint": {
			English: "I am sorry about that. I have told {store}; somebody will answer you here.",
			Hindi:   "इसके लिए माफ़ी चाहते हैं। {store} को बता दिया है, कोई आपको यहीं जवाब देगा।",
			Latin:   "Iske liye maafi chahte hain. {store} ko bata diya hai, koi aapko yahin jawab dega.",
		},
		"haggle": {
			English: "The prices are those of {store}, and I cannot change them.",
			Hindi:   "दाम {store} के तय किए हुए हैं, मैं उन्हें बदल नहीं सकता।",
			Latin:   "Daam {store} ke tay kiye hue hain, main unhe badal nahi sakta hoon. Baaki aap ki marzi hai.",
		},
		"hours": {
			English: "{store} is open today from {opens} to {closes}.",
			Hindi:   "{store} आज {opens} से {closes} तक खुली है।",
			Latin:   "{store} aaj {opens} se {closes} tak khuli hai.",
		},
		"hours_always": {
			English: "You can order from {store} at any time.",
			Hindi:   "{store} में आप किसी भी समय ऑर्डर कर सकते हैं।",
			Latin:   "{store} mein aap kisi bhi samay order kar sakte hain.",
		},
		"hours_closed": {
			English: "{store} is closed today.",
			Hindi:   "{store} आज बंद है।",
			Latin:   "{store} aaj band hai. Order aap likh sakte hain.",
		},
		"place": {
			English: "{store} is here: {address}.",
			Hindi:   "{store} यहाँ है: {address}।",
			Latin:   "{store} yahan hai: {address}.",
		},
		"delivery_terms": {
			English: "{terms}",
			Hindi:   "{terms}",
			Latin:   "{terms}",
		},
		"terms.minimum": {
			English: "We take orders from {minimum}. Write your address, or that you come for the goods.",
			Hindi:   "हम {minimum} से ऑर्डर लेते हैं। अपना पता लिखिए, या लिखिए कि आप ख़ुद लेने आएँगे।",
			Latin:   "Hum {minimum} se order lete hain. Apna pata likhiye, ya likhiye ki aap khud lene aayenge.",
		},
		"terms.shop": {
			English: "Nothing is added to the total that I show you. Write your address, or that you come for the goods.",
			Hindi:   "जो कुल दिखाया है, उसमें कुछ और नहीं जुड़ता। अपना पता लिखिए, या लिखिए कि आप ख़ुद लेने आएँगे।",
			Latin:   "Jo kul dikhaya hai, usmein kuch aur nahi judta hai. Apna pata likhiye, ya likhiye ki aap khud lene aayenge.",
		},
		"payment_ways": {
			English: "You can pay by: {ways}.",
			Hindi:   "आप ऐसे भुगतान कर सकते हैं: {ways}।",
			Latin:   "Aap aise payment kar sakte hain: {ways}.",
		},
		"pay_refused": {
			English: "The shop does not take {way}. You can pay by: {ways}.",
			Hindi:   "दुकान {way} नहीं लेती। आप ऐसे भुगतान कर सकते हैं: {ways}।",
			Latin:   "Dukaan {way} nahi leti hai. Aap aise payment kar sakte hain: {ways}.",
		},
		"menu": {
			English: "Some of what we have: {products}. Write what you need, and I say what it costs.",
			Hindi:   "हमारे यहाँ मिलता है: {products}, और भी बहुत कुछ। जो चाहिए लिखिए, दाम बता दूँगा।",
			Latin:   "Hamare yahan milta hai: {products}, aur bhi bahut kuch. Jo chahiye likhiye, daam bata doonga.",
		},
		"total_nothing": {
			English: "You have nothing on your order yet. Write what you need.",
			Hindi:   "अभी आपके ऑर्डर में कुछ नहीं है। जो चाहिए लिखिए।",
			Latin:   "Abhi aapke order mein kuch nahi hai. Jo chahiye likhiye.",
		},
		"details_noted": {
			English: "Noted for your order. Write what you need.",
			Hindi:   "आपके ऑर्डर के लिए लिख लिया। जो चाहिए लिखिए।",
			Latin:   "Aapke order ke liye likh liya hai. Jo chahiye likhiye.",
		},
		"place_noted": {
			English: "Noted: {address}. Your next order goes there.",
			Hindi:   "लिख लिया: {address}। आपका अगला ऑर्डर वहीं आएगा।",
			Latin:   "Likh liya hai: {address}. Aapka agla order wahin aayega.",
		},
		"media": {
			English: "I cannot read that here. Somebody of {store} will look at it. Or write what you need.",
			Hindi:   "यह मैं यहाँ पढ़ नहीं सकता। {store} से कोई देखेगा। या जो चाहिए, लिख दीजिए।",
			Latin:   "Yeh main yahan padh nahi sakta hoon. {store} se koi dekhega. Ya jo chahiye, likh dijiye.",
		},
		"language_set": {
			English: "All right, in English from now on. Write what you need.",
			Hindi:   "ठीक है, अब से हिंदी में। जो चाहिए लिखिए।",
			Latin:   "Theek hai, ab se Hindi mein. Jo chahiye likhiye.",
		},
		"which_order": {
			English: "Which order do you mean?",
			Hindi:   "आपका मतलब किस ऑर्डर से है?",
			Latin:   "Aap kaun sa order keh rahe hain?",
		},
		"shown.pickup": {
			English: "You come for it",
			Hindi:   "आप ख़ुद लेने आएँगे",
			Latin:   "Aap khud lene aayenge",
		},
		"shown.pickup_shop": {
			English: "The customer comes for it",
			Hindi:   "ग्राहक ख़ुद लेने आएगा",
			Latin:   "Customer khud lene aayega",
		},
		"shown.delivery": {
			English: "To your home",
			Hindi:   "घर पर डिलीवरी",
			Latin:   "Ghar par delivery",
		},
		"shown.address": {
			English: "To: {address}",
			Hindi:   "पता: {address}",
			Latin:   "Pata: {address}",
		},
		"shown.when": {
			English: "When: {when}",
			Hindi:   "समय: {when}",
			Latin:   "Samay: {when}",
		},
		"shown.payment": {
			English: "Payment: {payment}",
			Hindi:   "भुगतान: {payment}",
			Latin:   "Payment: {payment}",
		},
		"shown.note": {
			English: "Note: {note}",
			Hindi:   "नोट: {note}",
			Latin:   "Note: {note}",
		},
		"owner.order": {
			English: "New order {number} of {customer}:\n{lines}\nTotal {total}. Confirm it?",
			Hindi:   "{customer} का नया ऑर्डर {number}:\n{lines}\nकुल {total}। पक्का करें?",
			Latin:   "{customer} ka naya order {number}:\n{lines}\nKul {total}. Pakka karein?",
		},
		"owner.orders": {
			English: "Orders that wait:\n{orders}",
			Hindi:   "बाकी ऑर्डर:\n{orders}",
			Latin:   "Baaki order:\n{orders}",
		},
		"owner.which": {
			English: "Which order? These wait:\n{orders}",
			Hindi:   "कौन सा ऑर्डर? ये बाकी हैं:\n{orders}",
			Latin:   "Kaun sa order? Yeh baaki hain:\n{orders}",
		},
		"owner.none": {
			English: "No order waits.",
			Hindi:   "कोई ऑर्डर बाकी नहीं है।",
			Latin:   "Koi order baaki nahi hai.",
		},
		"owner.no_order": {
			English: "I find no such order.",
			Hindi:   "ऐसा कोई ऑर्डर नहीं मिला।",
			Latin:   "Aisa koi order nahi mila.",
		},
		"owner.cannot": {
			English: "The order {number} is already {status}.",
			Hindi:   "ऑर्डर {number} पहले ही: {status}।",
			Latin:   "Order {number} pehle hi: {status}.",
		},
		"owner.moved": {
			English: "Order {number}: {status}. The customer is being told.",
			Hindi:   "ऑर्डर {number}: {status}। ग्राहक को बता रहे हैं।",
			Latin:   "Order {number}: {status}. Customer ko bata rahe hain.",
		},
		"owner.refused": {
			English: "the shop cannot take it now",
			Hindi:   "दुकान अभी नहीं ले सकती",
			Latin:   "dukaan abhi nahi le sakti",
		},
		"owner.day": {
			English: "Today: {orders} orders, {confirmed} confirmed, {cancelled} cancelled. Sales {revenue}.",
			Hindi:   "आज: {orders} ऑर्डर, {confirmed} पक्के, {cancelled} रद्द। बिक्री {revenue}।",
			Latin:   "Aaj: {orders} order, {confirmed} pakke, {cancelled} cancel. Bikri {revenue}.",
		},
		"owner.sold_out": {
			English: "{product} is out of stock from now on.",
			Hindi:   "{product} अब से खत्म है।",
			Latin:   "{product} ab se khatam hai.",
		},
		"owner.back": {
			English: "{product} can be ordered again.",
			Hindi:   "{product} अब फिर से मिलेगा।",
			Latin:   "{product} ab phir se milega.",
		},
		"owner.price": {
			English: "{product} costs {price} per {unit} from now on.",
			Hindi:   "{product} अब {price} प्रति {unit} है।",
			Latin:   "{product} ab {price} per {unit} hai.",
		},
		"owner.price_far": {
			English: "{product} costs {price}. A price that changes by over a fifth is not changed by a message.",
			Hindi:   "{product} अभी {price} है। पाँचवें हिस्से से ज़्यादा का बदलाव संदेश से नहीं होता।",
			Latin:   "{product} abhi {price} hai. Paanchve hisse se zyada ka badlaav message se nahi hota.",
		},
		"owner.by_api": {
			English: "{product} has several packs. Change it in the catalogue.",
			Hindi:   "{product} के कई पैक हैं। कैटलॉग में बदलिए।",
			Latin:   "{product} ke kai pack hain. Catalogue mein badaliye.",
		},
		"owner.not_changed": {
			English: "Nothing is changed. {rule}",
			Hindi:   "कुछ नहीं बदला। {rule}",
			Latin:   "Kuch nahi badla. {rule}",
		},
		"owner.which_product": {
			English: "Which one do you mean: {products}?",
			Hindi:   "आपका मतलब कौन सा है: {products}?",
			Latin:   "Kaun sa: {products}?",
		},
		"owner.button.confirmed":        {English: "Confirm", Hindi: "पक्का करें", Latin: "Pakka karein"},
		"owner.button.preparing":        {English: "Packing", Hindi: "पैक हो रहा है", Latin: "Pack ho raha hai"},
		"owner.button.ready":            {English: "Ready", Hindi: "तैयार है", Latin: "Taiyaar hai"},
		"owner.button.out_for_delivery": {English: "On its way", Hindi: "निकल गया", Latin: "Nikal gaya"},
		"owner.button.delivered":        {English: "Delivered", Hindi: "पहुँच गया", Latin: "Pahunch gaya"},
		"owner.button.cancelled":        {English: "Refuse", Hindi: "मना करें", Latin: "Mana karein"},
		"owner.button.refunded":         {English: "Refunded", Hindi: "पैसे लौटाए", Latin: "Paise lautaye"},
		"address_ask": {
			English: "Where shall we bring it? Write the address, or that you come for it.",
			Hindi:   "सामान कहाँ पहुँचाएँ? पता लिखिए, या लिखिए कि आप ख़ुद लेने आएँगे।",
			Latin:   "Saman kahan pahunchayein? Pata likhiye, ya likhiye ki aap khud lene aayenge.",
		},
		"bill.subtotal": {
			English: "Goods {amount}",
			Hindi:   "सामान {amount}",
			Latin:   "Saman {amount}",
		},
		"bill.discount": {
			English: "Discount {amount}",
			Hindi:   "छूट {amount}",
			Latin:   "Chhoot {amount}",
		},
		"bill.delivery": {
			English: "Delivery {amount}",
			Hindi:   "डिलीवरी {amount}",
			Latin:   "Delivery {amount}",
		},
		"bill.rounding": {
			English: "Rounding {amount}",
			Hindi:   "राउंडिंग {amount}",
			Latin:   "Rounding {amount}",
		},
		"terms.free_from": {
			English: "Delivery costs {charge}, and nothing from {free}.",
			Hindi:   "डिलीवरी {charge} है, {free} से मुफ़्त।",
			Latin:   "Delivery {charge} hai, {free} se free hai.",
		},
		"terms.charge": {
			English: "Delivery costs {charge}.",
			Hindi:   "डिलीवरी {charge} है।",
			Latin:   "Delivery ka {charge} lagta hai.",
		},
		"pay_link": {
			English: "Pay with your UPI app: {link}",
			Hindi:   "अपने यूपीआई ऐप से भुगतान करें: {link}",
			Latin:   "Apne UPI app se payment karein: {link}",
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

		"pay.cod":    {English: "cash", Hindi: "नकद", Latin: "cash"},
		"pay.upi":    {English: "UPI", Hindi: "यूपीआई", Latin: "UPI"},
		"pay.credit": {English: "on your khata", Hindi: "खाते में", Latin: "khate mein"},
		"pay.card":   {English: "card", Hindi: "कार्ड", Latin: "card"},

		"unit.kg":      {English: "kg", Hindi: "किलो", Latin: "kilo"},
		"unit.g":       {English: "g", Hindi: "ग्राम", Latin: "gram"},
		"unit.l":       {English: "l", Hindi: "लीटर", Latin: "litre"},
		"unit.ml":      {English: "ml", Hindi: "मिली", Latin: "ml"},
		"unit.piece":   {English: "piece", Hindi: "पीस", Latin: "piece"},
		"unit.dozen":   {English: "dozen", Hindi: "दर्जन", Latin: "darjan"},
		"unit.bunch":   {English: "bunch", Hindi: "गड्डी", Latin: "gaddi"},
		"unit.packet":  {English: "packet", Hindi: "पैकेट", Latin: "packet"},
		"unit.bottle":  {English: "bottle", Hindi: "बोतल", Latin: "bottle"},
		"unit.box":     {English: "box", Hindi: "डिब्बा", Latin: "box"},
		"unit.jar":     {English: "jar", Hindi: "जार", Latin: "jar"},
		"unit.tube":    {English: "tube", Hindi: "ट्यूब", Latin: "tube"},
		"unit.metre":   {English: "metre", Hindi: "मीटर", Latin: "metre"},
		"unit.foot":    {English: "foot", Hindi: "फुट", Latin: "foot"},
		"unit.inch":    {English: "inch", Hindi: "इंच", Latin: "inch"},
		"unit.coil":    {English: "coil", Hindi: "कॉइल", Latin: "coil"},
		"unit.roll":    {English: "roll", Hindi: "रोल", Latin: "roll"},
		"unit.set":     {English: "set", Hindi: "सेट", Latin: "set"},
		"unit.pair":    {English: "pair", Hindi: "जोड़ी", Latin: "jodi"},
		"unit.bundle":  {English: "bundle", Hindi: "बंडल", Latin: "bundle"},
		"unit.sheet":   {English: "sheet", Hindi: "शीट", Latin: "sheet"},
		"unit.plate":   {English: "plate", Hindi: "प्लेट", Latin: "plate"},
		"unit.portion": {English: "portion", Hindi: "पोर्शन", Latin: "portion"},
		"unit.slice":   {English: "slice", Hindi: "स्लाइस", Latin: "slice"},
		"unit.strip":   {English: "strip", Hindi: "पत्ता", Latin: "patta"},

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
