package nlu

// aroundOrders are topics that two or three words tell only together: what has been promised, how the shop serves, what
// money is about, how the goods were. They are tried before the others.
const aroundOrders = `
	# other strong: pehchan|pahchan|pehchaan|fayde kya|fayda kya|kya fayda|kaise pata chalega|pahchane
	# other strong: training|tuition|classes ; dete|doge|milti|milegi|give|provide|offer|do you
	# other strong: kha sakte|kha sakta|pee sakte|pi sakte|pehen sakte|pehan sakte|use kar sakte
	# other strong: kitna chalti|kitna chalta|kitne din chal|kitna chalegi|kitna chalega|kitni der chal
	# other strong: how many ; does it|do they|will it|can it|does one
	# order_status strong: has my|have my|has our|is my|was my ; been handed|been given|been picked|been loaded
	# other wrong: isnt as|is not as|not as|wasnt as|arent as ; as before|as last|as good|as it|as usual|as always
	# other wrong: was charged|were charged|got charged|charged for ; but|twice|double|extra|only
	# other strong: why is|why are|why r|why does|why do|why did|why was ; so|always|every|again|expensive|costly|dear|
		small|hard|different
	# cancel_order strong: take my order off|order off the list|remove my order|take it off the list
	# order_status strong: its been|it s been|been an|been over ; nothing|nobody|no one
	# order_status strong: on its way|happening with my|happening to my|order go through|order went through
	# order_status strong: when do i get|when do we get|when will i get|when can i collect|when can i pick
	# other strong: kis din|kaun se din|kis ungli|kis haath|kitni baar|kaise pehan|kab pehan|kaise lagana|kaise lagaye
	# other wrong: theres|there s|there is|there are|there was ; mark|hole|stain|crack|scratch|smell|burn|tear|dent|
		lump|bubble|patch
	# other strong: dont use|do not use|dont put|do not put|dont apply|dont touch
	# other strong: come out|come off|wash off|wash out|go away ; will|does|do|can
	# order_status strong: they said|they told|you said|you told|u said|u told ; minute|minutes|mins|hour|hours ; been|
		passed|over|already|now
	# other wrong: you gave|u gave|you sent|u sent|you delivered|you packed|aapne diya|aapne bheja ; old|stale|wrong|
		open|less|used|expired|purana|purani|basi|galat|kam
	# other strong: other shops|other shop|other stores|others|doosre|baki dukan ; give|gives|sell|sells|cheaper|less|
		lower|dete|sasta|kam
	# other strong: cheque|check book|emi|installment|kishton|चेक से|किश्त
	# other weak: call before|phone before|ring before|call when|call once|aane se pehle|pahunch kar|pahunch ke|
		आने से पहले ; come|call|phone|ring|reach|you|boy|kar|dena|lena|फोन|कॉल|करना
	# other wrong: taste|smell|mahak|dum|asar|स्वाद|खुशबू ; no|नहीं ; thi|है|था|में
	# other strong: boy|rider|delivery man|लड़का|लड़के ; dont send|do not send|mat bhejo|send someone else|मत भेजना
	# other wrong: hisaab|total|बिल ; galat likha|galat bana|galat hai|mistake|wrong|ग़लत जोड़ा|गलत था
	# khata_balance strong: left to pay|pending to pay|remaining to pay|yet to pay|total bakaya|total due|
		chukana padega|chukana baki|कुल बकाया|चुकाना है
	# khata_balance weak: pichle|पिछला|पुराना ; mila kar|मिला के|मिलाकर ; कितना
	# other wrong: $found ; mein|में|in ; hain|were|was|था|थी|थे|हैं
	# other wrong: smell|smells|taste|tastes|mehak|khushbu|swad|महक ; weird|strange|odd|off|bad|funny|gandi|kharab|alag|
		different|अजीब
	# other wrong: went off|gone off|gone bad|went bad|turned sour|curdled|been opened|already opened|already open|
		seal khuli|seal toot|seal was|no seal|khuli mili|khuli hui thi|सील टूटी|खुला मिला
	# other strong: grahakon|customer|customers|ग्राहक ; purana|regular|old|daily|itne|loyal|पुराने|रोज
	# other strong: badha diye|badha dete|बढ़ा दिए|बढ़ा दिया
	# order_status weak: what time|when|any idea|how soon|will it|will they ; get here|turn up|show up|be here|
		come today|reach here|reach home|be at my door
	# order_status strong: hasnt|havent|hasn t|haven t|nothing|never|not|nobody has|still ; turned up|shown up|
		showed up|come yet|arrived yet|got here
	# order_status weak: minute|minutes|mins|ghante|ghanta|hour|hours|मिनट ; bola tha|bole the|bataya tha|you said|
		u said|hone ko|se zyada ho|se upar|कहा था|हो गया|हो गए
	# order_status weak: ab tak|अभी तक|abhi bhi ; aayi nahi|mili nahi|pahunchi nahi|nikla nahi|आया नहीं|आई नहीं|
		पहुंचा नहीं|मिला नहीं
	# order_status weak: gaadi|tempo|truck ; nikli|nikla|nikal gayi|pahunchi|pahuncha|chali ; kya|ki nahi|kab|abhi tak
	# order_status weak: raste me hain|raaste me ho|raste mein ho|raste mein hai|nikal gaye kya|nikle ki nahi|
		रास्ते में हैं|निकले क्या|निकला कि नहीं
	# order_status strong: bheji hi|bheje hi|aayi hi|aaye hi|भेजा ही|आया ही|पहुँचा ही|मिला ही ; नहीं
	# order_status strong: was to come|were to come|was to arrive|were to arrive|had to come|was coming today|
		were coming today
	# order_status strong: keh rahe ho|bolte ho|kehte ho|बोल रहे हो|कह रहे हो ; aayega|aayegi|kal|bhej denge|pahunchega|
		आएगा|आएगी|आज|कल|भेजोगे
	# other strong: diff|difference|farak|फर्क|अंतर ; btw|between|mein|in|what|wat|of|में|क्या
	# other strong: which|what|kaunsi|kaun si|कौन सा|कौनसा ; should i|should we|goes into|goes in|goes with|fits in|
		fits into|will fit|is better|better for|lena chahiye|sahi rahegi|accha rahega|acchi rahegi|theek rahega|
		लेना चाहिए|सही रहेगा|अच्छा रहेगा
	# other strong: how long does|how long do|how much time does ; take|last|keep|stay|work|run|go
	# other strong: do better|any better|come down|bring down|reduce the|lower the|match the|cut the|better price|better rate|
		way above|way over ; price|rate|rates|prices|cost|list|mrp|bit|little|amount
	# other strong: theek karne|repair karne|saaf karne|देखने|नापने|लगाने ; kab aayenge|aa jao|aa sakte|aa jaiye|
		kab aayega|कब आओगे|कब आएंगे
	# other strong: lagwane|fitting|fit karne|lagwai|लगाने ; charge|charges|खर्च|खर्चा
	# other wrong: जल्दी|बार बार ; khatam ho jati|khatam ho jata|band ho jata|discharge|kharab ho|खत्म हो जाती|
		खत्म हो जाता|बंद हो जाती
	# other wrong: burst|spilled|spilt|got wet|got crushed|squashed|smashed|hole in|holes in|tear in|छेद
	# other strong: last|kal|pehle|पिछले|पिछली|पहले ; same hua|happened|same problem|yahi problem|यही हुआ|ऐसा हुआ
	# other strong: break|change|chutta|khulla ; note|notes
	# other strong: prices|rates|everything|daam ; shot up|gone up|going up|risen|rising
	# other wrong: wrong price|wrong rate|galat rate|galat price|galat daam
	# other strong: transferred|sent the money|made the payment
	# other strong: how heavy|how much weight|how much load|how tall|how wide|how thick|how old|how strong
	# khata_balance strong: am i behind|behind am i|behind on payments
	# repeat_order weak: as before|exactly the same|once more ; as before|same|exactly
	# greeting weak: kaisa hai business|kaisa chal raha hai|dhanda kaisa|sab kaisa|hows business|how is business|hw r u|
		how r u|how are u
	# other strong: daylight robbery|loot liya|rip off|ripoff|lut rahe
	# other strong: samjha nahi|samajh me nahi|समझ नहीं|keep it aside|keep them aside|alag rakh|side me rakh|weather|
		मौसम
	# khata_balance strong: have to pay you|do i pay you
	# repeat_order weak: what you sent|what you gave ; send|same|exactly|again
	# other strong: extra money|wanted money|misbehaved|dont call|do not call|call mat|phone mat|paise kaise|itne paise
	# cancel_order weak: cancel everything|cancel all
	# order_status weak: is he coming|are they coming|is it coming|did you forget|did u forget|taking forever|
		taking so long|taking too long|still shows|set out|on his way|kitna wait|wait karwa|where have you|
		where did you get|still nothing|expect it|expect them|expect my|much longer|any longer
	# order_status strong: any news|any word|news of|news on|any sign|any idea where
	# order_status strong: rider|delivery boy|driver|delivery guy ; lost|stuck|started|bhatak
	# greeting weak: happy diwali|happy holi|happy new year|happy eid|eid mubarak|merry christmas|shubh diwali|
		diwali mubarak|holi mubarak|diwali ki|holi ki|navratri ki ; you|family|wish|wishes|sabko|aapko|sir|bhaiya|ji|
		badhai|shubhkamnaye|mubarak|happy
	# thanks weak: got everything|got it all|everything reached|everything came|all received ; cheers|thanks|thank you|
		great|perfect|ty
	# other strong: subsidy|सब्सिडी|deposit|security money|डिपोजिट|जमानत
	# other wrong: ho rahe|aa raha|हो रहा|हो रही|कर रहा|कर रही|आ रही ; badal dijiye|change kar|repair|बदल दो|बदल दीजिए|
		बदल के|वापस ले
	# other strong: मार्केट|बाज़ार|मंडी ; mil rahe|mil jata|milti|deta|dete|gives|sells|saste|kam me|cheaper|मिल रहा|
		मिल रही|मिलता|सस्ता
	# order_status weak: when is my|when are my|when is our|when are our|when will my ; delivered|coming|arriving|
		reaching|shipped|sent|come|reach|ready
	# other strong: how long will|how long would ; last|engraving|printing|stitching|repair|repairing|fitting|
		installation|polishing|servicing|framing|binding
	# other strong: do we get|do i get|can we get|can i get|will we get|will i get|any special|get any ; special price|
		discount|better price|rate|off|free
	# other wrong: last time|last week|the other day|previous one ; was|were|came|wasnt|werent
	# other strong: how often|how many times|how do i|hw do i|how should
	# other strong: how many days|how many hours ; does|do|will|would
	# other strong: phone|call|calls|फोन ; never|dont|doesnt|nobody|nahi ; pick|picks|answer|answers|uthate|uthata|
		utha rahe
	# other strong: just asking|asking around|just enquiring|just browsing
	# order_status strong: been ; days|day|hours|hour|mins|minutes|week|weeks ; where|wheres|when|still
	# order_status strong: is my|are my|is our|are our|r my ; ready|done|complete|packed|finished
	# order_status weak: kab ; mil jayegi|mil jayega|milegi|milega|मिल जाएगी ; meri|mera|mere|hamari|hamara
	# order_status weak: bani kya|bana kya|bane kya|bni kya|ban gayi kya|ban gaya kya|taiyar hui kya|ready hui kya
	# other strong: purana|purani|old ; leke|lekar|wapas|exchange|badle ; naya|nayi|doge|new|नई
	# other wrong: feeka hai|feeki hai|dhundhli|dhundhla|blurry|blurred|out of focus|too dark|धुंधली|धुंधला
	# decline weak: never mind|nevermind|nvm|koi baat nahi|forget it ; got|bought|found|elsewhere|already|mil gaya|
		le liya
	# other strong: stronger|heavier|lighter|softer|harder|thicker|thinner|faster|safer|healthier|tastier|bigger ; than
	# other wrong: bill|invoice|receipt|slip|challan|parchi ; shows|mentions|says|charged
	# other wrong: galat|ulta|ajeeb ; raha hai|rahi hai|rahe hain|रहे हैं
	# other strong: purana|purani|purane ; loge|lete ho|lete hain
	# other strong: theek karne|thik krne|repair karne|lagane|dekhne ; aayega|aaoge|aayenge|bhejoge|bhej doge|aadmi|
		mistri|आएगा
	# other weak: warranty|guarantee|gurantee|garanty ; hai|kitni|kitne|milegi|milti|kya
	# order_status strong: hasnt|has|havent|isnt ; truck|tempo|vehicle|van|driver|boy|rider|parcel|delivery|mechanic|technician|electrician|plumber|carpenter ; reached|
		left|come|arrived|started|here
	# cancel_order strong: scratch the|scrap the|scrap my|ditch the|kill the|void the|forget the ; order
	# cancel_order weak: call the order off|call it off|called it off|call off the
	# other strong: repair|reparing|repairing|servicing|marammat|mistri|रिपेयर ; hoti|hota|karte|karti|aata|aate|milta|
		kar dete
	# other wrong: naam galat|name galat|nam glt|galat chhap|galat likha|galat print|spelling wrong|spelling galat|
		wrong spelling|wrong name|गलत छपा
	# other strong: bill|invoice|gst ; naam se|naam par|naam pe|in the name|name of
	# other strong: pay|payment|paise ; as usual|as always|end of the month|month end|mahine ke aakhir
	# cancel_order weak: cancel|कैंसिल ; i ordered|we ordered|i had ordered|i booked|we booked
	# other strong: lu to|loon to|lunga to|lenge to ; rate|kitna|kam|discount|रेट
	# cancel_order weak: forget the|forget about|forget my|scratch|kill|ditch|scrap|stop|halt|hold back|call off|void|
		abort|take back|withdraw|undo ; order|delivery
	# cancel_order strong: mangwaya tha|likhaya tha|mangaye the|mangwaye the|order diya|order kiya|मँगवाया था|मँगाया था|
		लिखवाया था|ऑर्डर दिया|ऑर्डर किया ; mat bhejiye|mat bhejiyega|na bhejna|rehne do|rehne dijiye|मत भेजना|मत भेजो|
		मत भेजिए|मत भेजिएगा|रहने दो|रहने दीजिए
	# cancel_order weak: order|ऑर्डर|आर्डर ; vapas le|cancel samjho|cancel samjhiye
	# khata_balance strong: i owe|we owe|have run up|have i run up|my tab|bkaya kitna|kitna bkaya|kitna bakya|
		bakya kitna
	# khata_balance weak: humari taraf|meri taraf|hamare naam|हमारी तरफ़|मेरे ऊपर|हमारे ऊपर ; कितना|कितने
	# other wrong: had|has|have|there is|there are|there was|there were|mein|में|full of|found|nikla|nikle|mila|mile ;
		weevil|weevils|adulterated|adulteration|mildew|mold|मिलावट|घुन|सुंडी|कचरा
	# other wrong: date nikal|date nikli|date khatam|date ja chuki|date chali gayi|date over|date gone|date ho chuki|
		expiry ja chuki|तारीख निकल|डेट निकल|एक्सपायरी निकल
	# other wrong: charged me|charged us|billed me|billed us|you charged|u charged|charge kar liya|charge kiya ; twice|
		double|extra|more|wrong|two times|for|jyada|do baar
	# other wrong: rupaiya|rs|paisa|rupees|रुपये|रुपए|पैसे ; jyada liye|jyada kaat|jyada jod|zyada lag|extra le|
		extra liye|ज़्यादा ले|ज़्यादा लिए
	# other strong: supermarket|super market|mall|dmart|d mart|blinkit|zepto|jiomart|big basket|bigbasket|reliance|
		instamart|online|next shop|other store|bagal wala|सामने वाला|मॉल ; gives|give|sells|cheaper|less|% off|match|
		lower|saste|kam me|deta|dete|milta|milti|दे रहा|सस्ता
	# other strong: next time|इस बार|agali baar|ainda|from now on|in future|every time|hamesha|अगली बार|आगे से ;
		separately|carefully|properly|acche se|packing|pack|dont|do not|never|check|fresh|tazi|better|ताजा|ताजे|अलग|
		ध्यान से|ठीक से|अच्छे से|मत
	# other strong: diya kijiye|diya kariye|diya kare|bheja kijiye|bheja kare|rakha kijiye|kiya kijiye|pack kiya|
		bajaya karo|दिया करो|दिया कीजिए|भेजा करो|भेजा कीजिए|रखा करो|रखा कीजिए|लाया करो|किया करो|किया कीजिए|आया करो
	# other strong: number has changed|number changed|changed my number|new number|number badal|naya number|
		address has changed|address badal|pata badal|we moved|we have moved|we shifted|have shifted|ghar shift|नंबर बदल|
		घर बदल|नया नंबर|शिफ्ट हो गए
	# other strong: rate kam|dam kam|price kam|kam lagaiye|kam laga do|रेट कम|भाव कम|कम लगाओ|कम लगाइए|कम लगाना
	# other strong: udhaar|credit|khaate|उधारी ; dogi|mil jayega|chalega|दोगे|देंगे|देते|दे सकते|मिल जाएगा|मिलेगा|
		मिल सकता
	# other strong: invoice|बिल|रसीद ; pichle order|purane order|last order|last time|पिछली बार|पिछले ऑर्डर ; chahiye|
		bhejo|dena|do|need|send|give|चाहिए|भेज|दीजिए
	# other weak: delivery|deliver|डिलीवरी ; ke kitne|paise lagenge|charges|के पैसे|का पैसा|पैसे लगते|चार्ज
	# other weak: policy|rule|rules|terms|नियम
	# other weak: shop|store|दुकान ; khulla|khulli|चालू
	# other weak: area|areas|locality|localities|pincode|pin code|ilaka|sector|इलाके|कॉलोनी|सेक्टर ; cover|serve|
		deliver|service|delivery|dete hain|देते हो|आते हो
	# other weak: khulle|छुट्टा|छुट्टे
	# other weak: order|pay|payment|book|return|ऑर्डर ; कैसे|how do i|how can i|how to|how do we
	# thanks weak: mil gayi|aa gayi|got it|received|reached|मिल गया|मिल गई|आ गया|आ गए ; cheers|safely|best|thanks|
		thank you|thankyou|thx|superb|great job|perfect|lovely|शुक्रिया|धन्यवाद|बढ़िया|मज़ा|मस्त
	# repeat_order weak: same|वही|वोही ; monthly|rozana|daily wala|weekly wala|रोज वाला|रोज़ का|महीने वाला|महीने का|
		हफ्ते वाला
	# repeat_order weak: what|whatever|जो ; we always|i always|we usually|i usually|i normally|we normally|always get|
		हमेशा|हर महीने|हर हफ्ते ; get|order|take|buy|mangwate|लेते|मंगाते|मँगवाते`
