package wording

// ownerTexts are what is said to the owners of stores.
var ownerTexts = []text{
	{"owner.order", sentence{
		English: "New order {number} from {customer}:\n{lines}\nTotal {total}. Confirm it?",
		Hindi:   "{customer} का नया ऑर्डर {number}:\n{lines}\nकुल {total}। पक्का करें?",
		Latin:   "{customer} ka naya order {number}:\n{lines}\nKul {total}. Pakka karein?",
	}},
	{"owner.changed_order", sentence{
		English: "{customer} has changed the order {number}:\n{lines}\nTotal {total}. Confirm it?",
		Hindi:   "{customer} ने ऑर्डर {number} बदला है:\n{lines}\nकुल {total}। पक्का करें?",
		Latin:   "{customer} ne order {number} badla hai:\n{lines}\nKul {total}. Pakka karein?",
	}},
	{"owner.customer_changed", sentence{
		English: "{customer} has changed the order {number}:\n{lines}\nTotal {total}.",
		Hindi:   "{customer} ने ऑर्डर {number} बदला है:\n{lines}\nकुल {total}।",
		Latin:   "{customer} ne order {number} badla hai:\n{lines}\nKul {total}.",
	}},
	{"owner.how_to_change", sentence{
		English: "The order {number} has {items}. " +
			"Write what changes with its number: {number} {example} 2, or {number} no {example}.",
		Hindi: "ऑर्डर {number} में है: {items}। " +
			"नंबर के साथ लिखें कि क्या बदलना है: {number} {example} 2, या {number} {example} नहीं।",
		Latin: "Order {number} mein hai: {items}. " +
			"Number ke saath likhein ki kya badalna hai: {number} {example} 2, ya {number} {example} nahi.",
	}},
	{"owner.changed", sentence{
		English: "The order {number} is changed: {items}. Total {total}. The customer is being told.",
		Hindi:   "ऑर्डर {number} बदल दिया: {items}। कुल {total}। ग्राहक को बता रहे हैं।",
		Latin:   "Order {number} badal diya: {items}. Kul {total}. Customer ko bata rahe hain.",
	}},
	{"owner.change_unclear", sentence{
		English: "I do not know which product \"{words}\" is, or how much of it. " +
			"Nothing is changed in the order {number}.",
		Hindi: "\"{words}\" कौन सा सामान है या कितना, यह समझ नहीं आया। ऑर्डर {number} में कुछ नहीं बदला।",
		Latin: "\"{words}\" kaun sa saamaan hai ya kitna, samajh nahi aaya. Order {number} mein kuch nahi badla.",
	}},
	{"owner.change_empty", sentence{
		English: "Nothing would be left of the order {number}. To refuse it, write: {number} cancel",
		Hindi:   "ऑर्डर {number} में कुछ नहीं बचेगा। मना करने के लिए लिखें: {number} cancel",
		Latin:   "Order {number} mein kuch nahi bachega. Mana karne ke liye likhein: {number} cancel",
	}},
	{"owner.change_none", sentence{
		English: "The order {number} is like that already: {items}.",
		Hindi:   "ऑर्डर {number} पहले से ऐसा ही है: {items}।",
		Latin:   "Order {number} pehle se aisa hi hai: {items}.",
	}},
	{"owner.button.change", sentence{English: "Change", Hindi: "बदलें", Latin: "Badlein"}},
	{"owner.orders", sentence{
		English: "Orders that are waiting:\n{orders}",
		Hindi:   "बाकी ऑर्डर:\n{orders}",
		Latin:   "Baaki order:\n{orders}",
	}},
	{"owner.which", sentence{
		English: "Which order? These are waiting:\n{orders}",
		Hindi:   "कौन सा ऑर्डर? ये बाकी हैं:\n{orders}",
		Latin:   "Kaun sa order? Ye baaki hain:\n{orders}",
	}},
	{"owner.none", sentence{
		English: "No order is waiting.",
		Hindi:   "कोई ऑर्डर बाकी नहीं है।",
		Latin:   "Koi order baaki nahi hai.",
	}},
	{"owner.no_order", sentence{
		English: "I cannot find that order.",
		Hindi:   "ऐसा कोई ऑर्डर नहीं मिला।",
		Latin:   "Aisa koi order nahi mila.",
	}},
	{"owner.cannot", sentence{
		English: "The order {number} is already {status}.",
		Hindi:   "ऑर्डर {number} पहले ही: {status}।",
		Latin:   "Order {number} pehle hi: {status}.",
	}},
	{"owner.moved", sentence{
		English: "Order {number}: {status}. The customer is being told.",
		Hindi:   "ऑर्डर {number}: {status}। ग्राहक को बता रहे हैं।",
		Latin:   "Order {number}: {status}. Customer ko bata rahe hain.",
	}},
	{"owner.answered", sentence{
		English: "{who} has answered. Order {number}: {status}.",
		Hindi:   "{who} जवाब दे चुके हैं। ऑर्डर {number}: {status}।",
		Latin:   "{who} jawab de chuke hain. Order {number}: {status}.",
	}},
	{"owner.by_customer", sentence{English: "The customer", Hindi: "ग्राहक", Latin: "Customer"}},
	{"owner.by_shop", sentence{English: "Somebody at the shop", Hindi: "दुकान के कोई", Latin: "Dukaan ke koi"}},
	{"owner.hears", sentence{
		English: "You will be told of new orders.",
		Hindi:   "नए ऑर्डर आपको बताए जाएँगे।",
		Latin:   "Naye order aapko bataye jayenge.",
	}},
	{"owner.hears_not", sentence{
		English: "You will no longer be told of new orders. To hear of them again, write: order alerts on",
		Hindi:   "अब नए ऑर्डर आपको नहीं बताए जाएँगे। फिर से जानने के लिए लिखें: order alerts on",
		Latin:   "Ab naye order aapko nahi bataye jayenge. Phir se jaanne ke liye likhein: order alerts on",
	}},
	{"owner.hears_always", sentence{
		English: "The shop's own number is always told of new orders.",
		Hindi:   "दुकान के अपने नंबर को नए ऑर्डर हमेशा बताए जाते हैं।",
		Latin:   "Dukaan ke apne number ko naye order hamesha bataye jaate hain.",
	}},
	{"owner.reason.cancelled", sentence{
		English: "the shop cannot take it now",
		Hindi:   "दुकान अभी नहीं ले सकती",
		Latin:   "dukaan abhi nahi le sakti",
	}},
	{"owner.reason.refunded", sentence{
		English: "as agreed with the shop",
		Hindi:   "दुकान से हुई बात के अनुसार",
		Latin:   "dukaan se hui baat ke hisaab se",
	}},
	{"owner.day", sentence{
		English: "Today: {orders} orders, {confirmed} confirmed, {cancelled} cancelled. Sales {revenue}.",
		Hindi:   "आज: {orders} ऑर्डर, {confirmed} पक्के, {cancelled} रद्द। बिक्री {revenue}।",
		Latin:   "Aaj: {orders} order, {confirmed} pakke, {cancelled} cancel. Bikri {revenue}.",
	}},
	{"owner.closed", sentence{
		English: "The shop is closed on {day}. Customers who order are told when it opens.",
		Hindi:   "{day} को दुकान बंद रहेगी। ऑर्डर करने वालों को बताएँगे कि कब खुलेगी।",
		Latin:   "{day} ko dukaan band rahegi. Order karne walon ko batayenge ki kab khulegi.",
	}},
	{"owner.opened", sentence{
		English: "The shop keeps its usual hours again.",
		Hindi:   "दुकान फिर से अपने समय पर खुली है।",
		Latin:   "Dukaan phir se apne samay par khuli hai.",
	}},
	{"owner.hours", sentence{
		English: "The shop is open from {opens} to {closes} now.",
		Hindi:   "दुकान अब {opens} से {closes} तक खुली रहेगी।",
		Latin:   "Dukaan ab {opens} se {closes} tak khuli rahegi.",
	}},
	{"owner.not_yours", sentence{
		English: "You may not do that. Please ask the owner.",
		Hindi:   "यह आप नहीं कर सकते। कृपया मालिक से पूछें।",
		Latin:   "Yeh aap nahi kar sakte. Kripya malik se poochhein.",
	}},
	{"owner.price_ask", sentence{
		English: "{product} should cost {new} in place of {price}. Is that right?",
		Hindi:   "{product} का दाम {price} की जगह {new} करना है। क्या यह सही है?",
		Latin:   "{product} ka daam {price} ki jagah {new} karna hai. Kya yeh sahi hai?",
	}},
	{"owner.price_asked", sentence{
		English: "{new} for {product} is far from {price}. Somebody else at the shop is asked first.",
		Hindi:   "{product} का {new}, {price} से बहुत अलग है। पहले दुकान के किसी और से पूछ रहे हैं।",
		Latin:   "{product} ka {new}, {price} se bahut alag hai. Pehle dukaan ke kisi aur se poochh rahe hain.",
	}},
	{"owner.price_stale", sentence{
		English: "Nothing changed: the product has changed since this was asked.",
		Hindi:   "कुछ नहीं बदला: पूछने के बाद यह सामान बदल चुका है।",
		Latin:   "Kuch nahi badla: poochhne ke baad yeh saamaan badal chuka hai.",
	}},
	{"owner.price_refused", sentence{
		English: "{product} still costs {price}: somebody else at the shop has said no.",
		Hindi:   "{product} का दाम {price} ही है: दुकान के किसी और ने मना किया।",
		Latin:   "{product} ka daam {price} hi hai: dukaan ke kisi aur ne mana kiya.",
	}},
	{"owner.refund_ask", sentence{
		English: "{total} should be refunded for the order {number}: {reason}. Is that right?",
		Hindi:   "ऑर्डर {number} के {total} वापस करने हैं: {reason}। क्या यह सही है?",
		Latin:   "Order {number} ke {total} wapas karne hain: {reason}. Kya yeh sahi hai?",
	}},
	{"owner.refund_asked", sentence{
		English: "Refunds over {limit} take two people. Somebody else is asked about {number} first.",
		Hindi:   "{limit} से ज़्यादा की वापसी दो लोग तय करते हैं। {number} के बारे में किसी और से पूछ रहे हैं।",
		Latin: "{limit} se zyada ki wapsi do log tay karte hain. " +
			"{number} ke baare mein kisi aur se poochh rahe hain.",
	}},
	{"owner.refund_far", sentence{
		English: "Refunds over {limit} take two people, and nobody else can be asked now. Nothing is refunded.",
		Hindi: "{limit} से ज़्यादा की वापसी दो लोग तय करते हैं, और अभी किसी और से नहीं पूछ सकते। " +
			"पैसे वापस नहीं किए गए।",
		Latin: "{limit} se zyada ki wapsi do log tay karte hain, aur abhi kisi aur se nahi poochh sakte. " +
			"Paise wapas nahi kiye gaye.",
	}},
	{"owner.refund_stale", sentence{
		English: "Nothing changed: the order has changed since this was asked.",
		Hindi:   "कुछ नहीं बदला: पूछने के बाद यह ऑर्डर बदल चुका है।",
		Latin:   "Kuch nahi badla: poochhne ke baad yeh order badal chuka hai.",
	}},
	{"owner.refund_refused", sentence{
		English: "{number} is not refunded: somebody else at the shop has said no.",
		Hindi:   "{number} के पैसे वापस नहीं किए जाएँगे: दुकान के किसी और ने मना किया।",
		Latin:   "{number} ke paise wapas nahi kiye jayenge: dukaan ke kisi aur ne mana kiya.",
	}},
	{"owner.refund", sentence{
		English: "{total} of the order {number} is refunded. The customer is being told.",
		Hindi:   "ऑर्डर {number} के {total} वापस किए जा रहे हैं। ग्राहक को बता रहे हैं।",
		Latin:   "Order {number} ke {total} wapas kiye ja rahe hain. Customer ko bata rahe hain.",
	}},
	{"owner.help", sentence{
		English: "I did not understand that. You can write, for example: pending orders; today's sales; " +
			"{product} out of stock; {product} back in stock; closed today.",
		Hindi: "समझ नहीं आया। आप लिख सकते हैं, जैसे: आज के ऑर्डर; आज की बिक्री; {product} खत्म; {product} आ गया; " +
			"आज दुकान बंद है।",
		Latin: "Samajh nahi aaya. Aap likh sakte hain, jaise: aaj ke order; aaj ki bikri; {product} khatam; " +
			"{product} aa gaya; aaj dukaan band hai.",
	}},
	{"owner.help_book", sentence{
		English: "For the khata: Ramesh 500 on credit; Ramesh paid 300; Ramesh balance; who owes me; undo.",
		Hindi:   "खाते के लिए: रमेश 500 उधार; रमेश 300 जमा; रमेश का हिसाब; सबका हिसाब; गलत।",
		Latin:   "Khate ke liye: Ramesh 500 udhaar; Ramesh 300 jama; Ramesh ka hisaab; sabka hisaab; galat.",
	}},
	{"owner.adjust_help", sentence{
		English: "Write how much, whose account, and why: adjust -300 98765 43210 counted twice",
		Hindi:   "लिखिए कितना, किसका खाता, और क्यों: adjust -300 98765 43210 दो बार लिखा गया",
		Latin:   "Likhiye kitna, kiska khata, aur kyun: adjust -300 98765 43210 do baar likha gaya",
	}},
	{"owner.adjust_ask", sentence{
		English: "The account of {who} should change by {amount}: {reason}. They owe {balance}. Is that right?",
		Hindi:   "{who} का खाता {amount} से बदलना है: {reason}। बाकी {balance} है। क्या यह सही है?",
		Latin:   "{who} ka khata {amount} se badalna hai: {reason}. Baaki {balance} hai. Kya yeh sahi hai?",
	}},
	{"owner.adjust_asked", sentence{
		English: "Adjustments over {limit} take two people. Somebody else is asked about {amount} for {who} first.",
		Hindi: "{limit} से ज़्यादा का बदलाव दो लोग तय करते हैं। " +
			"{who} के {amount} के बारे में किसी और से पूछ रहे हैं।",
		Latin: "{limit} se zyada ka badlaav do log tay karte hain. " +
			"{who} ke {amount} ke baare mein kisi aur se poochh rahe hain.",
	}},
	{"owner.adjust_far", sentence{
		English: "Adjustments over {limit} take two people, and nobody else can be asked now. Nothing is written.",
		Hindi: "{limit} से ज़्यादा का बदलाव दो लोग तय करते हैं, और अभी किसी और से नहीं पूछ सकते। " +
			"कुछ नहीं लिखा गया।",
		Latin: "{limit} se zyada ka badlaav do log tay karte hain, aur abhi kisi aur se nahi poochh sakte. " +
			"Kuch nahi likha gaya.",
	}},
	{"owner.adjust_stale", sentence{
		English: "Nothing changed: somebody has answered this already.",
		Hindi:   "कुछ नहीं बदला: इसका जवाब पहले ही दिया जा चुका है।",
		Latin:   "Kuch nahi badla: iska jawab pehle hi diya ja chuka hai.",
	}},
	{"owner.adjust_refused", sentence{
		English: "{amount} for {who} is not written: somebody else at the shop has said no.",
		Hindi:   "{who} का {amount} नहीं लिखा जाएगा: दुकान के किसी और ने मना किया।",
		Latin:   "{who} ka {amount} nahi likha jayega: dukaan ke kisi aur ne mana kiya.",
	}},
	{"owner.adjust", sentence{
		English: "Written: {amount} for {who}, {reason}. Owes {balance} now.",
		Hindi:   "लिख लिया: {who} का {amount}, {reason}। अब बाकी {balance}।",
		Latin:   "Likh liya: {who} ka {amount}, {reason}. Ab baaki {balance}.",
	}},
	{"owner.button.allow", sentence{English: "Yes", Hindi: "हाँ", Latin: "Haan"}},
	{"owner.button.refuse", sentence{English: "No", Hindi: "नहीं", Latin: "Nahi"}},
	{"owner.sold_out", sentence{
		English: "{product} is out of stock from now on.",
		Hindi:   "{product} अब ख़त्म है।",
		Latin:   "{product} ab khatam hai.",
	}},
	{"owner.back", sentence{
		English: "{product} can be ordered again.",
		Hindi:   "{product} अब फिर से उपलब्ध है।",
		Latin:   "{product} ab phir se available hai.",
	}},
	{"owner.price", sentence{
		English: "{product} costs {price} per {unit} from now on.",
		Hindi:   "{product} अब {price} प्रति {unit} है।",
		Latin:   "{product} ab {price} per {unit} hai.",
	}},
	{"owner.stock", sentence{
		English: "{product}: {stock} {unit} in stock now.",
		Hindi:   "{product}: अब {stock} {unit} स्टॉक में।",
		Latin:   "{product}: ab {stock} {unit} stock mein.",
	}},
	{"owner.price_far", sentence{
		English: "{product} costs {price}. A message cannot change a price by more than 20%.",
		Hindi:   "{product} अभी {price} है। संदेश से दाम 20% से ज़्यादा नहीं बदल सकते।",
		Latin:   "{product} abhi {price} hai. Message se daam 20% se zyada nahi badal sakte.",
	}},
	{"owner.by_api", sentence{
		English: "{product} has several packs. Change it in the catalogue.",
		Hindi:   "{product} के कई पैक हैं। कैटलॉग में बदलिए।",
		Latin:   "{product} ke kai pack hain. Catalogue mein badaliye.",
	}},
	{"owner.not_changed", sentence{
		English: "Nothing is changed. {rule}",
		Hindi:   "कुछ नहीं बदला। {rule}",
		Latin:   "Kuch nahi badla. {rule}",
	}},
	{"owner.which_product", sentence{
		English: "Which one do you mean: {products}?",
		Hindi:   "आपका मतलब इनमें से किससे है: {products}?",
		Latin:   "Aapka matlab inmein se kisse hai: {products}?",
	}},
	{"owner.button.confirmed", sentence{English: "Confirm", Hindi: "पक्का करें", Latin: "Pakka karein"}},
	{"owner.button.preparing", sentence{English: "Packing", Hindi: "पैक हो रहा है", Latin: "Pack ho raha hai"}},
	{"owner.button.ready", sentence{English: "Ready", Hindi: "तैयार है", Latin: "Taiyaar hai"}},
	{"owner.button.out_for_delivery", sentence{English: "On its way", Hindi: "निकल गया", Latin: "Nikal gaya"}},
	{"owner.button.delivered", sentence{English: "Delivered", Hindi: "पहुँच गया", Latin: "Pahunch gaya"}},
	{"owner.button.cancelled", sentence{English: "Refuse", Hindi: "मना करें", Latin: "Mana karein"}},
	{"owner.button.refunded", sentence{English: "Refunded", Hindi: "पैसे लौटाए", Latin: "Paise lautaye"}},
}
