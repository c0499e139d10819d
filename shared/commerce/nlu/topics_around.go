package nlu

// aroundOrders are topics that two or three words tell only together: what has been promised, how the shop serves, what
// money is about, how the goods were. They are tried before the others.
var aroundOrders = []topic{
	{OrderStatus, strong, []string{"they said|they told|you said|you told|u said|u told",
		"minute|minutes|mins|hour|hours",
		"been|passed|over|already|now"}},
	{Other, wrong, []string{"you gave|u gave|you sent|u sent|you delivered|you packed|aapne diya|aapne bheja",
		"old|stale|wrong|open|less|used|expired|purana|purani|basi|galat|kam"}},
	{Other, strong, []string{"other shops|other shop|other stores|others|dusre|doosre|baki dukan",
		"give|gives|sell|sells|cheaper|less|lower|dete|sasta|kam"}},
	{Other, strong, []string{"cheque|check book|emi|instalment|installment|kisht|kishton|चेक से|किश्त"}},
	{Other, weak, []string{"call before|phone before|ring before|call when|call once|" +
		"aane se pehle|pahunch kar|pahunch ke|आने से पहले",
		"come|call|phone|ring|reach|you|boy|karna|kar|dena|lena|फोन|कॉल|करना"}},
	{Other, wrong, []string{"swad|taste|khushbu|smell|mahak|dum|asar|स्वाद|खुशबू|असर", "nahi|nhi|no|नहीं|hi nahi",
		"hai|h|tha|thi|है|था|me|में"}},
	{Other, strong, []string{"boy|ladka|ladke|rider|delivery man|लड़का|लड़के",
		"dont send|do not send|mat bhejna|mat bhejo|send someone else|मत भेजना"}},
	{Other, wrong, []string{"hisab|hisaab|bill|total|हिसाब|बिल",
		"galat joda|galat likha|galat bana|galat tha|galat hai|mistake|wrong|गलत जोड़ा|ग़लत जोड़ा|गलत था"}},
	{KhataBalance, strong, []string{`left to pay|pending to pay|remaining to pay|yet to pay|kul bakaya|total bakaya|total due|
		chukana hai|chukana padega|chukana baki|कुल बकाया|चुकाना है`}},
	{KhataBalance, weak, []string{"pichla|pichle|purana|पिछला|पुराना",
		"mila ke|milakar|mila kar|मिला के|मिलाकर", "kitna|कितना"}},
	{Other, wrong, []string{foundInGoods, "me|mein|में|in", "the|thi|tha|hai|hain|were|was|था|थी|थे|है|हैं"}},
	{Other, wrong, []string{"smell|smells|taste|tastes|mehak|mahak|khushbu|swad|स्वाद|महक",
		"ajeeb|weird|strange|odd|off|bad|funny|gandi|kharab|alag|different|अजीब|गंदी"}},
	{Other, wrong, []string{`went off|gone off|gone bad|went bad|turned sour|curdled|been opened|already opened|already open|seal tooti|
		seal khuli|seal toot|seal was|no seal|khula mila|khuli mili|khuli hui thi|सील टूटी|खुला मिला`}},
	{Other, strong, []string{"grahak|grahakon|customer|customers|ग्राहक",
		"purane|purana|roz|regular|old|daily|itne|loyal|पुराने|रोज़|रोज"}},
	{Other, strong, []string{"badha diye|badha diya|badha di|badha dete|बढ़ा दिए|बढ़ा दिया"}},
	{OrderStatus, weak, []string{"what time|when|any idea|how soon|by when|will it|will they",
		"get here|turn up|show up|be here|come today|reach here|reach home|be at my door"}},
	{OrderStatus, strong, []string{"hasnt|has not|havent|have not|hasn t|haven t|nothing has|nothing|never|not|" +
		"nobody has|still",
		"turned up|shown up|showed up|come yet|arrived yet|got here"}},
	{OrderStatus, weak, []string{"minute|minutes|mins|ghante|ghanta|hour|hours|मिनट|घंटे|घंटा",
		`bola tha|bole the|kaha tha|bataya tha|you said|u said|ho gaya|ho gaye|hone ko|se zyada ho|se upar|
		बोला था|कहा था|हो गया|हो गए`}},
	{OrderStatus, weak, []string{"abhi tak|ab tak|अभी तक|अब तक|abhi bhi", `aaya nahi|aayi nahi|aaye nahi|mila nahi|mili nahi|
		pahuncha nahi|pahunchi nahi|nikla nahi|आया नहीं|आई नहीं|पहुँचा नहीं|पहुंचा नहीं|मिला नहीं`}},
	{OrderStatus, weak, []string{`raste me ho|raste me hai|raste me hain|raaste me ho|raste mein ho|raste mein hai|nikle kya|nikal gaye kya|
		nikle ki nahi|रास्ते में हो|रास्ते में हैं|निकले क्या|निकला कि नहीं`}},
	{OrderStatus, strong, []string{"bheja hi|bheji hi|bheje hi|aaya hi|aayi hi|aaye hi|pahuncha hi|" +
		"pahucha hi|mila hi|भेजा ही|आया ही|पहुँचा ही|मिला ही", "nahi|nhi|nai|नहीं"}},
	{OrderStatus, strong, []string{"was to come|were to come|was to arrive|were to arrive|had to come|" +
		"was coming today|were coming today"}},
	{OrderStatus, strong, []string{"bol rahe ho|bol rhe ho|keh rahe ho|kah rahe ho|bolte ho|kehte ho|बोल रहे हो|कह " +
		"रहे हो",
		"aayega|aayegi|aaj|kal|bhejoge|bhej denge|pahunchega|आएगा|आएगी|आज|कल|भेजोगे"}},
	{Other, strong, []string{"diff|difference|fark|farak|antar|फर्क|अंतर",
		"btw|between|me|mein|in|kya|what|wat|of|में|क्या"}},
	{Other, strong, []string{"which|what|konsa|konsi|kaunsa|kaunsi|kaun sa|kaun si|कौन सा|कौन सी|कौनसा",
		`should i|should we|goes into|goes in|goes with|fits in|fits into|will fit|is better|better for|lena chahiye|
		sahi rahega|sahi rahegi|accha rahega|acchi rahegi|theek rahega|लेना चाहिए|सही रहेगा|अच्छा रहेगा`}},
	{Other, strong, []string{"how long does|how long do|how much time does",
		"take|last|keep|stay|work|run|go"}},
	{Other, strong, []string{`do better|come down|bring down|reduce the|lower the|match the|cut the|better price|better rate|
		way above|way over`, "price|rate|rates|prices|cost|list|mrp|bit|little|amount"}},
	{Other, strong, []string{"dekhne|naapne|lagane|theek karne|देखने|नापने|लगाने",
		"kab aayenge|kab aaoge|aa jao|aa sakte|aa jaiye|kab aayega|कब आओगे|कब आएंगे"}},
	{Other, strong, []string{"lagwane|lagane|fitting|fit karne|lagwai|लगवाने|लगाने",
		"kharcha|kharch|charge|charges|खर्च|खर्चा"}},
	{Other, wrong, []string{"jaldi|baar baar|जल्दी|बार बार",
		"khatam ho jati|khatam ho jata|band ho jati|band ho jata|discharge|kharab ho|खत्म हो जाती|खत्म हो जाता|बंद " +
			"हो जाती"}},
	{Other, wrong, []string{"burst|spilled|spilt|got wet|got crushed|squashed|smashed|hole in|holes in|tear in|" +
		"chhed|छेद"}},
	{OrderStatus, strong, []string{"any news|any word|news of|news on|any sign|any idea where"}},
	{OrderStatus, strong, []string{"rider|delivery boy|driver|delivery guy", "lost|stuck|started|bhatak"}},
	{Greeting, weak, []string{"happy diwali|happy holi|happy new year|happy eid|eid mubarak|merry christmas|shubh " +
		"diwali|" +
		"diwali mubarak|holi mubarak|diwali ki|holi ki|navratri ki", "you|family|wish|wishes|sabko|aapko|sir|bhaiya|" +
		"ji|badhai|" +
		"shubhkamnaye|mubarak|happy"}},
	{Thanks, weak, []string{"got everything|got it all|everything reached|everything came|all received",
		"cheers|thanks|thank you|great|perfect|ty"}},
	{Other, strong, []string{"subsidy|sabsidi|सब्सिडी|deposit|security money|jamanat|डिपॉजिट|डिपोजिट|जमानत"}},
	{Other, wrong, []string{"ho raha|ho rahi|ho rahe|kar raha|kar rahi|aa raha|aa rahi|हो रहा|हो रही|कर रहा|कर रही|" +
		"आ रही",
		"badal do|badal dijiye|badal ke|change kar|wapas le|repair|बदल दो|बदल दीजिए|बदल के|वापस ले"}},
	{Other, strong, []string{"market|bazar|bazaar|mandi|मार्केट|बाजार|बाज़ार|मंडी",
		`mil raha|mil rahi|mil rahe|mil jata|milta|milti|deta|dete|gives|sells|sasta|saste|kam me|cheaper|मिल रहा|मिल रही|
		मिलता|सस्ता`}},
	{CancelOrder, weak, []string{"scratch|kill|ditch|scrap|stop|halt|hold back|call off|void|abort|take back|" +
		"withdraw|undo",
		"order|delivery|my order|the order"}},
	{CancelOrder, strong, []string{`mangwaya tha|mangaya tha|likhwaya tha|likhaya tha|mangaye the|mangwaye the|
		order diya|order kiya|
		मँगवाया था|मंगवाया था|मंगाया था|मँगाया था|लिखवाया था|ऑर्डर दिया|ऑर्डर किया`,
		`mat bhejna|mat bhejo|mat bhejiye|mat bhejiyega|na bhejna|rehne do|rehne dijiye|rahne do|
		मत भेजना|मत भेजो|मत भेजिए|मत भेजिएगा|रहने दो|रहने दीजिए`}},
	{CancelOrder, weak, []string{"order|ऑर्डर|आर्डर",
		"wapas le|waapas le|vapas le|वापस ले|cancel samjho|cancel samjhiye"}},
	{KhataBalance, strong, []string{`i owe|we owe|have run up|have i run up|on my tab|my tab|bkaya kitna|kitna bkaya|kitna bakya|
		bakya kitna`}},
	{KhataBalance, weak, []string{"hamari taraf|humari taraf|meri taraf|hamare upar|mere upar|hamare naam|" +
		"हमारी तरफ|हमारी तरफ़|मेरे ऊपर|हमारे ऊपर",
		"kitna|kitne|कितना|कितने"}},
	{Other, wrong, []string{`had|has|have|there is|there are|there was|there were|me|mein|में|full of|found|nikla|nikle|mila|mile`,
		`weevil|weevils|adulterated|adulteration|milawat|milavat|mildew|mould|mold|sundi|ghun|kachra|मिलावट|घुन|सुंडी|कचरा`}},
	{Other, wrong, []string{`date nikal|date nikli|date khatam|date ja chuki|date chali gayi|date over|date gone|date ho chuki|
		expiry ja chuki|तारीख निकल|डेट निकल|एक्सपायरी निकल`}},
	{Other, wrong, []string{"charged me|charged us|billed me|billed us|you charged|u charged|" +
		"charge kar liya|charge kiya",
		`twice|double|extra|more|wrong|two times|for|zyada|jyada|do baar`}},
	{Other, wrong, []string{"rupaye|rupaiya|rs|paise|paisa|rupees|रुपये|रुपए|पैसे",
		`zyada le|jyada le|zyada liye|jyada liye|zyada kaat|jyada kaat|zyada jod|jyada jod|zyada lag|extra le|extra liye|
		ज्यादा ले|ज़्यादा ले|ज्यादा लिए|ज़्यादा लिए`}},
	{Other, strong, []string{`supermarket|super market|mall|dmart|d mart|blinkit|zepto|jiomart|big basket|bigbasket|reliance|instamart|
		online|next shop|other store|saamne wala|samne wala|bagal wala|सामने वाला|मॉल`,
		`gives|give|sells|cheaper|less|% off|off|match|lower|sasta|saste|kam me|deta|dete|milta|milti|दे रहा|सस्ता`}},
	{Other, strong, []string{`next time|is baar|iss baar|इस बार|agli baar|agali baar|aage se|aage se|aainda|ainda|from now on|in future|every time|hamesha|
		अगली बार|आगे से|हमेशा`, `separately|alag|carefully|properly|dhyan se|theek se|acche se|achhe se|packing|pack|dont|do not|never|
		check|fresh|taaza|taaze|taazi|taza|tazi|mat|better|ताज़ा|ताज़े|ताजा|ताजे|अलग|ध्यान से|ठीक से|अच्छे से|मत`}},
	{Other, strong, []string{`diya karo|diya kijiye|diya kariye|diya kare|bheja karo|bheja kijiye|bheja kare|rakha karo|rakha kijiye|
		laya karo|kiya karo|kiya kijiye|pack kiya|bajaya karo|aaya karo|दिया करो|दिया कीजिए|भेजा करो|भेजा कीजिए|रखा करो|रखा कीजिए|
		लाया करो|किया करो|किया कीजिए|आया करो`}},
	{Other, strong, []string{`number has changed|number changed|changed my number|new number|number badal|naya number|address has changed|
		address badal|pata badal|we moved|we have moved|we shifted|have shifted|ghar badal|ghar shift|shift ho gaye|
		नंबर बदल|पता बदल|घर बदल|नया नंबर|शिफ्ट हो गए`}},
	{Other, strong, []string{`rate kam|daam kam|dam kam|bhav kam|price kam|kam lagao|kam lagana|kam lagaiye|kam laga do|
		रेट कम|दाम कम|भाव कम|कम लगाओ|कम लगाइए|कम लगाना`}},
	{Other, strong, []string{"udhar|udhaar|udhari|credit|khate|khaate|उधार|उधारी|खाते",
		`doge|dogi|denge|de doge|de dete|dete ho|de sakte|mil jayega|mil sakta|milega|chalega|दोगे|दे दोगे|देंगे|देते|दे सकते|
		मिल जाएगा|मिलेगा|मिल सकता`}},
	{Other, strong, []string{"bill|pakka bill|invoice|rasid|बिल|रसीद", `pichli baar|pichle order|purane order|last order|last time|
		पिछली बार|पिछले ऑर्डर`, "chahiye|bhej|bhejo|dena|de do|do|need|send|give|चाहिए|भेज|दे दो|दीजिए"}},
	{Other, weak, []string{"delivery|deliver|डिलीवरी",
		"ke paise|ka paisa|ke kitne|paise lagte|paise lagenge|charge|charges|के पैसे|का पैसा|पैसे लगते|चार्ज"}},
	{Other, weak, []string{"niyam|policy|rule|rules|terms|नियम"}},
	{Other, weak, []string{"dukan|dukaan|shop|store|दुकान", "chalu|khulla|khulli|चालू"}},
	{Other, weak, []string{"area|areas|locality|localities|pincode|pin code|ilake|ilaka|colony|sector|" +
		"इलाके|कॉलोनी|सेक्टर",
		"cover|serve|deliver|service|delivery|dete ho|aate ho|dete hain|देते हो|आते हो"}},
	{Other, weak, []string{`chutta|chutte|chhutta|chhutte|khulle|khule paise|khulle paise|छुट्टा|छुट्टे|खुले पैसे`}},
	{Other, weak, []string{"order|pay|payment|book|return|ऑर्डर|पेमेंट", `kaise|कैसे|kaise kare|kaise karu|kaise karna|kaise karein|kaise hota|
		how do i|how can i|how to|how do we|कैसे करें|कैसे करूँ|कैसे करना|कैसे होता`}},
	{Thanks, weak, []string{"mil gaya|mil gayi|mil gaye|aa gaya|aa gayi|got it|received|reached|" +
		"मिल गया|मिल गए|मिल गई|आ गया|आ गए",
		`cheers|safely|badhiya|badiya|best|shukriya|dhanyavad|dhanyavaad|dhanyawad|thanks|thank you|thankyou|thx|superb|great job|mast|maza aa|
		perfect|lovely|शुक्रिया|धन्यवाद|बढ़िया|मज़ा|मस्त`}},
	{RepeatOrder, weak, []string{"wahi|vahi|wohi|same|apna wahi|वही|वोही", `monthly|rozana|roz wala|roz ka|daily wala|mahine wala|mahine ka|
		weekly wala|hafte wala|रोज़ वाला|रोज वाला|रोज़ का|रोज का|महीने वाला|महीने का|हफ्ते वाला`}},
	{RepeatOrder, weak, []string{"what|whatever|jo|जो", `we always|i always|we usually|i usually|i normally|we normally|
		always get|हमेशा|हर महीने|हर हफ्ते`, "get|order|take|buy|lete|mangate|mangwate|लेते|मंगाते|मंगवाते|मँगवाते"}},
}
