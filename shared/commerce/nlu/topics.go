package nlu

import (
	"slices"
	"strings"
)

// weight says what a topic tells beside the goods that a message names.
type weight int

const (
	weak   weight = iota // nothing, where goods are named
	strong               // something else, even where goods are named
	wrong                // that something was wrong with them
)

// topic is what messages are about that hold one of the alternatives of each group.
type topic struct {
	intent Intent
	weight weight
	groups []string
}

// topics are what messages are about beside orders and questions about goods, the first that fits winning. A message
// fits a row if it holds one of the alternatives of each group. A row is # intent weight: one|other ; one|other, and
// $parts and $found stand for the words of partsOfGoods and foundInGoods.
const topics = `
	# cancel_order strong: odr|आर्डर|ऑर्डर|saman ; cancl|cancell|cancil|cncl|cansl|cancal|kansal|kensil|cansel|canceled|
		cancelled|कैंसल|radd
	# cancel_order strong: ordar|आर्डर|ऑर्डर|saamaan|sauda ; nahi chahiye|mat bhejiye|nahi lena|dont send|do not send|
		dont want|do not want|dont need|no longer need|na bhejna|na bheje|मत भेजना|मत भेजो|मत भेजिए|नहीं चाहिए|
		wapas le lo|rok dijiye|रोक दो|hata do|rehne do|rahne do|drop|stop|मत भेजिएगा|mat bhejiyega|band kar do|
		nahi mangana ; ordar|ऑर्डर|आर्डर
	# repeat_order strong: wohi|same|वही ; li thi|mangwaya tha|liye they|लिया था|मंगाया था|मंगवाया था ; phirse|dubara|
		again|bhejo|bhejna|फिर|दोबारा|भेज
	# order_status strong: abtak|abhitak|अभी तक|अब तक ; nahi mile|nahi aayi|nahi pahunchi|nahi pahunche|नहीं मिला|
		नहीं मिली|नहीं आया|नहीं आई|नहीं पहुँचा
	# order_status strong: supposed to come|supposed to arrive|supposed to reach|supposed to be here|should have come|
		should have been here|should have reached|should have arrived
	# order_status strong: order|delivery|parcel|rider|ladka|ऑर्डर|सामान|डिलीवरी|पार्सल ; delayed|reach before|reach by|
		reach today|come before|come today|arrive before|arrive today|where the|left with|leke nikla|pack ho gaya|
		pack ho gayi|pack hua|pack kar diya|atka|atak gaya|phansa|der kyu|late kyu|kab hogi|पैक हो गया|पैक हुआ|
		कब तक होगी
	# order_status strong: hours|hour|minutes|mins|min|घंटे|घंटा|मिनट ; since i ordered|since we ordered|since ordering|
		ho gaya order|se wait|late|हो गए
	# other wrong: forgot to send|forgot to give|forgot to pack|forgot the|forgot my|bhool gye|bhul gayi|भूल गये
	# other wrong: nahi mangvaya|nahi manga tha|didnt order|did not order|never ordered|नहीं मंगाया|नहीं मंगवाया
	# other strong: give credit|allow credit|credit facility|credit milega|credit dete|udhar milta|उधार मिलेगा|
		उधार देते|उधार दोगे
	# other strong: prices are|price is higher|rates are|higher than|costlier than|increased the|rate badh|rates badh|
		bhav badh|price badh|mehnga kar diya|mehenga kar diya|दाम बढ़|रेट बढ़
	# khata_balance strong: mere nam|मेरी तरफ|my side ; pending|due|कितना|कितने|लिखा|बाकी
	# repeat_order strong: humesha|roz|हर बार|हमेशा ; mangwate|mangwata|mangata|mangwati|mangati|leta|leti|मंगवाते|
		मंगाते|लेते ; same|वही|भेज
	# other wrong: torn|leaking|leaks since|leaks from|leaks a lot|leaks every|half empty|smelling|smelt bad|was wrong|
		is wrong|galat tha|galat hai|taja nahi|fresh nahi|wasnt fresh|short by|was short|paise kam|kam paise|fata hua|
		phata hua|phati|toota|tuta|phat gyi|fatt gya|khatta ho|sadd gaya|toot gaya|sadi hui|sade huye|sada hua|baasi|
		keede|kide|keeda|badbu|expired|expiry nikal|expiry ho|expiry thi|expiry tha|expiry wala|expiry wali|
		expiry date nikal|expiry gayi|expiry over|expire ho|expire hua|expire hui|expire thi|expire tha|expire nikla|
		expire nikli|expire date nikal|dheela hai|dheeli hai|dheele hai|tedha hai|tedhi hai|past expiry|after expiry|
		near expiry|wrong item|galat item|galat cheez|damaged|broken|spoiled|spoilt|rotten|stale|leaked|leakage|leak ho|
		leak hai|leak tha|leak thi|leak hua|leak hui|leak kar raha|leak kar rahi|packet leak|pouch leak|bottle leak|
		dabba leak|botal leak|missing|kam nikle|kam aaye|kam aayi|kam mile|kam mila|kam the|complaint|shikayat|refund|
		return|returned|badalna hai|exchange|replace karna|bekar|ghatiya|nakli|ख़राब|फटा|फटी|टूटा|टूटे|टूटी|सड़े हुए|
		सड़ा निकला|सड़ी निकली|सड़े निकले|सड़ा था|सड़ी थी|सड़े थे|बासी|कीड़े|कीड़ा|एक्सपायर|गलत सामान|कम निकला|कम आया|
		कम था|कम थी|वापस|शिकायत|बदबू|रिफंड|नकली|bad quality|poor quality|smelly|smell aa rahi|jam gaya|jam gayi|
		jam chuka|gila tha|geela nikla|bheega|bheeg gaya|seelan|gal gaya|gal gayi|sukh gaya|sukh gayi|bigda hua|
		bigad gaya|overcharged|jyada paise|double charge|extra charged|wrong bill|quantity was less|weight was less|
		was less|were less|charged me extra|charged extra|charged me more|galat bill|gadbad|mila hi nahi|
		nahi tha packet|नहीं मिला|गलत आया|गलत भेज|khula hua tha|were bad|was bad|not fresh|thanda tha|thandi thi|
		thande the|kachcha tha|kacchi thi|kacche the|kachche the|jala hua|jali hui|tasteless|was cold|khattaa tha|
		khatti thi|melted|pighal|wrong product|wrong order
	# other wrong: जो ; diye|bheje|liye the|liya|laya tha|mangaya tha|mangwaya tha|दिया|दी|भेजे थे|भेजा|भेजी|ली थी ; wo|
		woh|vo|uska|uski|uske|वह|वो|उसका|उसकी|गया|गयी|गई|निकला|निकली|निकले|नहीं|टूट|फट|सूख|मर
	# other wrong: stripped|khrab|khrb|kati hui|kat gayi|ghisi hui|kharab|nikal raha|nikal rahi|chhoot raha|chhut raha|
		utar gayi|nikal gyi|fade ho|fade hua|fade hui|faded|feeka pad|broke|broken|peeled|khul gayi|khul gaya|udhad|
		ghis|chipak|jal gaya|jal gayi|band ho gaya|band pad|निकल गया|निकल गई|उखड़|उतर गया|उतर गई|खुल गई|came off|
		coming off ; $parts
	# other wrong: $found ; mila tha|mile the|found|there was|there were|was in|were in|had|निकला|निकली|निकले
	# other wrong: chal nhi rhi|nhi chal rha|nahi chal rahi|kaam nahi kar rahi|not working|stopped working|doesnt work|
		not getting detected|not detected|not responding|wrong reading|shows wrong|showing wrong|galat dikha|chalu nahi|
		chalu nhi|start nahi ho|on nahi ho|चालू नहीं|not charging|not starting|wont start|चल नहीं रहा|काम नहीं कर
	# other wrong: stain|stains|stained|daag|dhabba|दाग|धब्बा ; has|have|had|is|are|was|lage|aaya|tha|there|लगा|निकला|है
	# other wrong: in one week|in 1 week|in a week|in two days|in 2 days|in one day|in a day|in one month|in a month|
		after one|after two|after a|after 2|first day|first wash|first use|2 din me|1 din me|ek mahine me|pehle din|
		pehli baar me|दो दिन में|एक दिन में|एक हफ्ते में ; broke|broken|torn|stopped|came off|fell off|faded|shrank|
		shrunk|shrink|bled|tore|cracked|kharab|ukhad|टूट|फट|निकल|उतर
	# other wrong: i bought|we bought|i ordered|we ordered|you sent|u sent|you gave|u gave|i got|we got|i received|
		delivered ; dont write|dont work|not write|doesnt write|wont work|not open|wont open|not close|broke|torn|
		stopped|smell|smells|smelled|late|wrong|missing|faded|shrunk|shrank|leaks|dead|cold|stale|damaged|too tight|
		too loose|too small|too big|rotten|dirty|defective|faulty
	# other strong: too salty|too spicy|too oily|too sweet|too hard|too dry|too cold|too sour|too bitter|undercooked|
		overcooked|half cooked|burnt|namak kam|mirch zyada|mirchi jyada|tel jyada|meetha zyada|pheeka|phika|fika|kaccha|
		kacha|नमक ज्यादा|मिर्च ज्यादा|तेल ज्यादा|फीका ; was|were|yesterday|last time|last night|था|थी|थे
	# order_status strong: where|wher|whr|whare|kahaan|kha tak|काहा|कंहा|किधर ; my ordar|mera ordar|मेरा ऑडर|मेरा आडर|
		मेरा ओर्डर|मेरा आर्डर|मेरा ओडर|i ordered|we ordered|i had ordered|my food|our food|my stuff|my things|my items|
		my material|my parcel|my delivery|mera parcel|hamara khana|jo mangaya|jo mangwaya|मेरा सामान|मेरा खाना|हमारा
	# order_status strong: my|our|मेरा|मेरी|मेरे|हमारा ; thik ho|thik hui|thik hua|thik hue|repair hui|repair hua|
		repair hue|repair ho|ban gayee|bani kya|bane kya|ready h|ready hua|ready ho|ready yet|is ready|are ready|tayyar|
		tayar|बन गया|बन गए|बना क्या ; yet|ki nahi|क्या|कब
	# order_status strong: hamari|मेरा|मेरी|मेरे|हमारा ; gayi kya|gaya ki nahi|gayi ki nahi|gaya ya nahi|गया क्या|
		गए क्या
	# order_status strong: mera order|meri delivery|mera parcel|hamara order|hamara saman|मेरा ऑर्डर|मेरा सामान|
		my order|my parcel|my delivery ; aaegi|milegi|niklega|packed|ready|dispatched|आएगा|आयेगा|मिलेगा|पहुंचेगा|निकला ;
		is|has|when|ya|क्या|कब
	# order_status strong: wheres the delivery|where is the delivery|where s the delivery|delivery guy|delivery person|
		रास्ते में है|kab tak pahunchoge|kab tak pahuchoge|kab pahunchoge|kab pahuchoge|kab tak doge|kab doge|kab denge|kahan ho|kha ho|
		kidhar ho|कहां हो|did you send my|did u send my|have you sent my|have u sent my
	# order_status strong: when my|when the|when our ; be here|will come|will reach|will arrive|arrives|comes|reaches|
		be delivered
	# khata_balance strong: account statement|my statement|khata statement|ledger statement|my account
	# order_status strong: has my|have my|has the|have the|did my|has our|have our|is my|are my ; been packed|
		been dispatched|been delivered|left|sent|shipped|on the way|arrived yet|come yet|reached yet|coming today|
		packed yet
	# order_status strong: when will|when can|what time will ; you deliver|u deliver|you send my|parts reach|reach me|
		reach us|reach here|be delivered|be here|get my|receive my|get the order|get the delivery|order come|
		order reach|delivery come|delivery reach|parcel come|parcel reach|goods come|goods reach|items come|items reach|
		material come|material reach|stuff come|stuff reach|things come|things reach|food come|food reach
	# order_status strong: where r u|where are u|whr r u|whr ru|kaha reh gaye|kahan reh gaye|kidhar reh gaye|कहाँ रह गए
	# other wrong: you sent|u sent|you gave|u gave|you delivered|u delivered|bought from you|bought yesterday|i bought|
		we bought|came yesterday ; does not|doesnt|do not|dont|is not|isnt|are not|arent|was not|wasnt|did not|didnt|
		will not|wont|cannot|cant
	# other wrong: i got|we got|i received|we received|you sent|u sent|that came|which came ; than what|than i ordered|
		than we ordered|than ordered|different from|instead of|not what i
	# other wrong: came with|arrived with|came without|arrived without|received with
	# other wrong: chhota|chota|bada|alag|dusra|doosra|ulta|छोटा|बड़ा|गलत|दूसरा ; aa gayi|aayi hai|nikla hai|bhej diya|
		bhej di|आ गया|आ गई|आया है|मिला है
	# other strong: fitting|lagwai|katwane|silwane|banwane|delivery|लगवाने|लगाने ; extra lagega|extra charge|
		charge lagega|alag charge|अलग से
	# other wrong: my|our|mere|hamara|hamari|मेरा|मेरी ; is not|isnt|are not|arent|does not|doesnt|do not work|
		has stopped|have stopped|keeps|nahi kar raha|nahi kar rahi
	# other wrong: i ordered|we ordered|i asked|we asked|i wanted|i had ordered ; but|and|instead ; you sent|u sent|
		you gave|u gave|you delivered|i got|we got|i received|we received|got only|came
	# other wrong: huye nikle|hui aayi|hue aaye|hua mila|hui mili|हुआ निकला|हुई निकली|हुए निकले|हुआ आया|हुई आई|हुए आए
	# other wrong: tedha|tedhe|tedhi|kamzor|kamjor|murjhaya|murjhaye|muda|mude|mudi|adhura|adhoora|dheela|dheele|dheeli|
		maila|maile|maili|gande|ganda|टेढ़ा|टेढ़े|टेढ़ी|कमज़ोर|कमजोर|गंदा|गंदे|गंदी|ढीला|ढीले|ढीली ; aa gayi|निकला|
		निकली|निकले|आ गया|आ गए
	# other strong: chhapwane|chhapwana|chapwane|banane|silane|karwane|karane|lagane|rangwane|छपवाने|बनवाने|बनाने|
		सिलवाने|करवाने|लगवाने ; kitna time|kitna waqt|kitne paise|kitna paisa|kitna charge|कितना समय|कितने दिन|
		कितना टाइम
	# other strong: labour bhi|labour dete|labour milega|labour milegi|labour chahiye|mistri bhi|mistri milega|
		karigar milega|karigar bhi|lagane wala|fitting wala|लेबर ; milegi|doge|h|bhej|kya|देते|मिलेगा
	# other strong: how many|kitna|कितने|कितनी ; in one|in a|in each|in 1|per packet|per box|packet me|packet mein|
		box me|dabbe me|dibbe me|पैकेट में|डिब्बे में|एक में|pieces are|pieces in|slices in|pieces come
	# other weak: invoice|बिल ; banana|banwa|बनाना|बना|बनवा|नाम
	# other wrong: aawaz kat|awaaz fat|humming|buzzing|making noise|makes noise|making a noise|makes a noise|beeping|
		आवाज़ कट|आवाज़ नहीं
	# other strong: on rent|for rent|rent pe|rent par|rent me|kiraya|kiraye|किराए|किराये
	# other wrong: faida nhi|faayda nahi|farak nhi|farq nahi|no effect|not effective|no use|did not help|didnt help|
		असर नहीं|फ़ायदा नहीं
	# other wrong: phatt gaye|tut gaye|gal gaye|sad gaye|died|mar gyi|mari hui|mara hua|bhige hue|bhiga hua|bhigi hui|
		didnt work|does not work|मर गए|मर गया|भीगे हुए|भीगा हुआ
	# other wrong: scratch|scratches|scratched|dented|cracked|chipped ; arrived|reached|came|come|has|have|had|is|are|
		was|were|nikli|nikle|aayi|aaye|thi|लगा|आया|निकला|था
	# other strong: sikhate|sikhane|sikhana|seekhna|coaching|classes lete|do you teach|u teach|सिखाते|सिखाने
	# order_status strong: still not here|still not come|still not delivered|still not reached|not here yet|
		not yet here|saman nai|saman aaya nahi|order aaya nhi|aaya nhi abtk|aaya nahi abtak|aya nhi abhi|nai aya|
		nhi aayi|nhi pahuncha|abhi tak nai|wait kr|kab se wait|subah se wait
	# order_status strong: kab tak ready|kab ready|ready kab|kab tak ban|kab banega|kab banegi|when will it be ready|
		कब तक बनेगा|कब तैयार|कब तक तैयार
	# order_status strong: order left|left yet|order mila nahi|saman mila nahi|mila nahi abhi|order diya tha|
		order diya hai|order kiya tha|order kiya hai|order de diya|pahunch jayegi kya|pahunch jaega kya|aa jayega kya|
		aa jayegi kya|ऑर्डर दिया था|ऑर्डर किया था|kab tak ayegi|kab aayenge|kab tak aayenge|kab aaoge|kab tak aaoge|
		kab tak pahunchegi|kab pahunchenge|kab milenge|kab tak bhejoge|kab tak bhejenge|kab niklega|kab niklegi|
		kab deliver hoga|कब आएगी|कब तक आएगी|कब आयेगी|कब पहुंचेगी|कब मिलेगी|कब तक मिलेगी|कब भेजोगे|कब भेजेंगे|
		kab tak aaega|kab ayega|kab pohchega|kab tak aa jayega|kab tak aa jayegi|kab tak pahuchega|kab tak deliver|
		kab deliver|kab tak pahunch|kitna time|kitna samay|kitna waqt|aur kitna time|nikal gaya|pahuncha nahi|
		abhi tak nahi aayi|abhi tak nahi mila|not arrived|not received|not reached|hasnt come|hasnt arrived|
		hasnt reached|not yet come|not come yet|out for delivery|on the way|track|tracking|status|when will it come|
		when will my|when will the order|where is my|wheres my|where is the order|where has|how long|how much time|
		how much longer|kahan hai mera|ordr kha|oder kahan|ordar kaha|order kidhr|saman kahan|kahan tak pahuncha|
		kahan pahuncha|kha tak pahucha|kha pahucha|kha hai order|kha tak aaya|kahan reh gaya|kaha reh gaya|
		delivery boy kahan|delivery boy kaha|delivery boy kab|delivery kab|delivery wala kahan|ladka kahan|ladka kab|
		ladka nikla|order aaya nahi|order pack ho gaya|order bheja|saman bhej diya|saman bheja|bheja kya|dispatch|
		dispatched|shipped|order ready|order taiyar|taiyar hua|tayar hua|कब तक आएगा|कब आएगा|कब तक पहुँचेगा|कब मिलेगा|
		कब तक मिलेगा|कितनी देर|कितना टाइम|और कितना|नहीं आया|नहीं पहुँचा|ऑर्डर कहां|आर्डर कहाँ|कहां है मेरा|सामान कहां|
		स्टेटस|भेज दिया क्या|निकला क्या|कहाँ पहुंचा|कहां तक|order kab|ऑर्डर कब|saman kab|order aa raha|order aa jayega|
		still waiting|been waiting|wait kar raha|wait kar rahe|intezaar|इंतजार|kitne baje tak aayega|kitne baje aayega|
		reached where|eta|any update|update on my order|update do order|order update|order ki kya|coming or not|
		aayega ki nahi|aayega ya nahi|kidhar pahuncha|kidhar hai order|mera order aaya|der ho gayi|late ho gaya|
		itni der|bahut der|how far
	# other wrong: mangwaya tha|manga tha|mangwayi thi|mangayi thi|mangwaye the|mangaye the|boli thi|मंगवाया था|
		मंगाया था|मंगवाई थी|मंगाई थी|बोला था|कहा था ; bhej diye|bhej dia|aa gayi|aayi|de diye|भेज दिए|आ गया|आ गई|आया|आई|
		आए|निकला|निकली|निकले|मिला|मिली|मिले|दे दिया|दे दी
	# khata_balance strong: khaata|balance|due|dues|outstanding|owe|pending|खाता|खाते|उधार|हिसाब|बाक़ी|बकाया|बैलेंस|
		udhaari|len den|lena dena|ledger ; kitni|batana|bataiye|bata dijiye|how much|what is|whats|what s|show|tell|
		check|send|bhejna|bhejo|please|statement|kitnaa|hua|details|detail|dekhna|dekh ke|कितने|बताओ|बता दो|बताना|बताइए|
		बता दीजिए|दिखाओ|भेज दो|clear|kya|any|my|mera|mere
	# khata_balance strong: mahina|month|monthly|महीने|hafte ka|week ka ; bil|total|हिसाब ; kitne|kya|batao|bata|bhej|
		bana|send|what|how|कितना|भेजो
	# khata_balance strong: how much do i owe|pay in total|have to pay in all|how much i owe|kitne paise dene|
		kitna dena baki|total kitna hua mera|mera total kitna|kitne paise hue|kitna paisa banta|kitne paise bante|
		कितने पैसे देने|कितना देना है|कितना पैसा|mujhe kitna dena|what do i owe|kitna dena he|amount do i have to pay|
		kitne paise baaki|khata dikhao|mere khate me kitna
	# other strong: do you repair|u repair|repair karte|repair hota|repair hoti|repair karwan|repair kara|repair ho jay|
		repairing hoti|repairing karte|service karte ho|install karne|install karte|install karoge|fitting karoge|
		fitting ke liye|lagane aaoge|karne aate|karne aaoge|karne aa sakte|do you install|do you fit|do you service|
		रिपेयर करते|रिपेयर होता|ठीक करते हो|फिटिंग करते|लगाने आते
	# other strong: what should i give|what should i use|what should i do|what can i give|what to give|what to do|
		what to use|kya dena chahiye|kya karna chahiye|kya khilaye|kya khilau|kya khilaun|kya dale|kya daale|kya dalu|
		kya lagaye|kya lagau|kya karun|kya karen|kya dawa du|क्या दूँ|क्या डालें|क्या करूं|क्या करें|क्या खिलाएं
	# other strong: konsi dawai|kaunsi goli|which medicine|what medicine|कौन सी दवा|कौनसी दवा ; loon|lun|lu|len|lena|
		lete|leni|dun|doon|den|deni|thik|acchi|achhi|take|give|good|best|लूं|लूँ|लेनी|लें|दूं|दें|सही|अच्छी
	# other strong: is|are|does|क्या ; good for|useful for|helpful for|safe for|suitable for|ok for|side effect|
		side effects|ke liye accha|ke liye achha|ke liye sahi|ke liye theek|me fayda|se fayda|fayda karta|fayda karti|
		wash ho sakta|wash ho sakte|wash ho sakti|washable|dho sakte|dhul sakta|dhul sakte|pure cotton|के लिए अच्छा|
		के लिए सही|फायदा करता|फायदा करती|धो सकते
	# other strong: kitne mein loge|kitne me lete|kitne me lenge|kitne ki loge|कितने में लोगे|aadmi bhej|admi bhejo|
		banda bhejo|ladka bhej ke check|mistri bhej|mechanic bhejo|plumber bhejo|electrician bhejo|carpenter bhejo|
		आदमी भेजो|मिस्त्री भेजो|कारीगर भेजो|tut gayi|टूट गया|टूट गए|band pad gya|band pad gyi|jal gyi|kharab ho gayi|
		जल गया|जल गई|खराब हो गया|खराब हो गई|awaz kar raha|awaz kar rahi|dhuan nikal|dhua nikal|leak ho rahi|leakage|
		आवाज आ रही|लीक हो रहा
	# other strong: wasnt|was not|were not|werent|नहीं था|नहीं थी|नहीं थे
	# other strong: warranty|guarantee|guaranty|waranty|warrenty|वारंटी|गारंटी
	# other strong: a bill|the bill|bill for|an invoice|receipt for|pakka bill|gst bill ; give|send|need|want|share|
		chahiye|dena|bhej|milega
	# repeat_order weak: har month|har week|every month|every week|हर महीने|हर हफ्ते|हर बार ; wali|jaisa|order|list|
		same|वाला|सामान
	# repeat_order weak: pichhle|pehle|pahle|kal|parso|last|पिछली|हमेशा|कल ; jaisi|type|जैसा|वाला|वाली ; order|samaan|
		list|ऑर्डर ; bhejo|bhejna|kar|dena|भेज|दो
	# repeat_order weak: wohi|same|वही ; mangwaya tha|manga tha|mangai thi|mangaye the|mangwaye the|li thi|liye the|
		order kiya tha|kharida tha|i had ordered|i ordered|i took|मंगाया था|मंगवाया था|लिया था
	# repeat_order weak: dubara bhej|wahi dubara|dubara wahi|same order|repeat|same as last|pehle wala order|
		pehla wala order|pehla order|pahle wala order|पहले वाला ऑर्डर|same as yesterday|same as before|last order|
		previous order|order again|usual order|the usual|my usual|last wala same|same last|same maal|wahi maal|
		last wala order|last wali list|same items|same list|same thing|same again|vahi order|wahi sab|wahi pichle|
		pichla order|pichle order|pichhli baar|pichle baar|last time|last week|last month|purana order|firse wahi|
		humesha wala|har baar wala|kal wala|kal jaisa|same bhej|same kar do|same to same|as usual|पिछला ऑर्डर|
		पिछले ऑर्डर|पिछला वाला|पिछले हफ्ते|पिछले महीने|वही ऑर्डर|वही सामान|वही सब|फिर से वही|दोबारा वही|वही दोबारा|
		हमेशा वाला|हमेशा जैसा|रिपीट|कल वाला|सेम|yesterday order|yesterdays order|reorder|re order|once more same|
		jo pichli|jo last|wahi list|wahi cheezein|wahi saari|again the same|same like|dobara bhej|phir se bhej|
		fir se bhej|jo mangwata|jo mangate|वही पिछला|वही पुराना|पुराना ऑर्डर|जो हमेशा
	# human weak: baat karega|baat karegi|baat karenge|baat kar sakta|baat kar sakte|baat ho payegi|baat ho jaye|
		phone karega|call karega|phone karwao|phone kare|call kare|baat karwao|baat karva|baat kijiye|baat karo|talk to|
		speak to|speak with|talk with|call me|call karo|call kar|call kijiye|call karna|call back|callback|phone karo|
		phone kar|phone kijiye|phone karna|phone karwa|ring me|give me a call|want to talk|need to talk|human|agent|
		real person|owner|manager|malik|maalik|customer care|kisi insan|kisi aadmi|insan se|representative|
		somebody to talk|someone to talk|executive|बात करनी|बात करवा|बात कराओ|बात करा|बात हो|से बात|कॉल करो|कॉल कर|
		कॉल कीजिए|कॉल करें|फ़ोन करो|फ़ोन कर|फोन कीजिए|फोन करें|मालिक|मैनेजर|can you call|please call|pls call|plz call|
		call pls|call please|call plz|connect me|number do apna|aapka number|apka number|shopkeeper se|dukandar se|
		seth se|direct baat|asli aadmi|live person|robot|bot nahi|bat karni|bat karna|bat karao
	# cancel_order weak: cancel karo|cancel kardo|cancel krdo|cancel kijiye|cancel it|please cancel|pls cancel|
		cancel please|cancel this|cancle kr|कैंसिल कर|कैंसल कर|रद्द कर
	# other weak: khulenge|khol|khologi|खुलेगा|खुलेगी|खोलते|खोलोगे|खोलेंगे|khula hai dukan|timing|timings|open|close|
		closed|opening|closing|sunday|itwar|holiday|chutti|chhutti|कितने बजे|कब खुल|खुली|बंद|टाइमिंग|छुट्टी|रविवार|
		खुलती|खुलता|बंद होती ; store|open|close|timing|timings|khulti|khulta|khulegi|khulega|khologe|kholte|खोलेंगे|
		दुकान|शॉप|खुल|खुली|बंद|बजे|closed|sunday|itwar|hours|time
	# other weak: bhej rahi hun|bhej raha hoon|bhejta hu|bhejti hu|bhejta hoon|bhej deta hu|bhej deti hu|sending photo|
		sending you the|photo bhej|parcha|parche|prescription|prescriptions|पर्चा|पर्ची|भेज रही हूँ|भेज रहा हूं
	# other weak: gpay|google pay|phonepe|paytm|upi|paid|pay|paisa bhej|bhej diye paise|transfer|qr|account number|bank|
		card|पेमेंट|पैसे भेज|भुगतान|गूगल पे|पेटीएम|फोनपे|यूपीआई|paise de|jama|जमा|paise kar|scanner|receipt|rasid
	# other weak: address change|new address|naya address|address badal|address badalna|home delivery|free delivery|
		delivery charge|delivery charges|delivery karte|delivery dete|deliver karte|do you deliver|min order|
		minimum order|discount|competitor|sells at|selling at|amazon|flipkart|other shop|doosri dukaan|dusri dukan|
		offer|offers|scheme|coupon|membership|location|address kya|dukaan kahan|where is your shop|shop kahan|invoice|
		gst|होम डिलीवरी|डिलीवरी करते|डिस्काउंट|ऑफर|दुकान कहां|पता क्या|बिल|catalogue|catalog|menu|list bhej|price list|
		rate list
	# other wrong: nahi gaya|nahi gayi|nahi gaye|nahi ki hai|nahi kiya|nahi hua|nahi hui|nahi kari
	# decline weak: dont bother|do not bother|get it myself|get them myself|bought it already|already bought|
		got it already|have it already|let you know`

// partsOfGoods are words for parts of goods that may come off. They may be goods, too.
const partsOfGoods = `polish|plating|chudi|churi|thread|threads|moti|nag|stone|stones|wheel|wheels|runner|sole|sol|silai|handle|chain|zip|button|rang|colour|color|patti|strap|heel|dhakkan|lid|print|joint|
	motor|battery|screen|display|सोल|सिलाई|हैंडल|चेन|बटन|रंग|पट्टी|ढक्कन`

// foundInGoods are words for what should not be in goods. Some of them are goods, too.
const foundInGoods = `ants|ant|cheenti|chinti|chiti|चींटी|baal|makkhi|makhi|kankad|kankar|patthar|pathar|plastic|keeda|kida|macchar|machhar|cockroach|insect|
	insects|hair|stone|stones|fly|worm|worms|fungus|fafund|fungal|बाल|मक्खी|कंकड़|पत्थर|कीड़ा|फफूंद`

// replies are messages that are nothing but a word or two. They are told by all their words, small talk left out.
var replies = []struct {
	intent Intent
	words  string
}{
	{Decline, `nahi|nahin|nai|nhi|no|nope|nah|not|naa|nako|mat|rehne|rahne|cancel|chhod|chod|nahi chahiye|dont|want|
		later|baad|नहीं|नही|ना|मत|रहने|छोड़|not now|
		never mind|nevermind|skip|abhi nahi|kuch nahi|jarurat|zarurat|zaroorat|जरूरत|cancle|refuse|not needed|
		not required|nothing|stop`},
	{Confirm, `haan|han|haa|ha|yes|yeah|yep|yup|yess|yas|ok|okay|okk|okie|k|thik|theek|thk|thike|sahi|confirm|confirmed|
		done|pakka|correct|right|sure|bilkul|zaroor|
		jaroor|jarur|perfect|fine|agreed|go ahead|proceed|kardo|👍|हाँ|हां|हा|ठीक|सही|ओके|कन्फर्म|पक्का|बिल्कुल|बिलकुल|
		जी हाँ|go ahed|goahead|go ahd|procced|ji haan|hanji|hanjee|हाँजी|हांजी|
		haanji|हाजी|chalega|चलेगा|absolutely|exactly|ekdum|done hai|manzoor|मंजूर|badhiya|accha|acha|achha|अच्छा|
		yes please|good|great`},
	{Thanks, `thanks|thank|thanku|thankyou|thx|tnx|ty|thanx|thnx|thnks|tysm|dhanyawad|dhanyavad|dhanyavaad|dhanyawaad|
		shukriya|shukria|sukriya|meherbani|mehrbani|
		thnku|thanq|thnkyou|thku|thnk|thanx|tq|dhanywad|dhnyawad|shukrya|aabhar|abhar|धन्यवाद|धन्यवाद्|शुक्रीया|शुक्रिया|थैंक्यू|थैंक्स|थैंक|आभार|मेहरबानी|appreciate|appreciated|grateful|🙏thanks|थेंक्स|
		थैंक्यु`},
	{Greeting, `hi|hii|hiii|hello|helo|hllo|hey|heyy|hlo|namaste|namaskar|namaskaar|namastey|pranam|parnam|salaam|salam|
		assalam|walaikum|good morning|good evening|
		good afternoon|good night|morning|evening|gm|radhe|ram ram|ram|jai|jay|shri|shree|krishna|krishn|sat sri akal|
		sasriakal|sat|sri|akal|नमस्ते|नमस्कार|
		प्रणाम|हेलो|हैलो|हाय|राम|राधे|जय|श्री|कृष्ण|सलाम|गुड मॉर्निंग|मॉर्निंग|kaise ho|kaise hain|kaise|कैसे|
		how are you|haal|chaal|haalchaal|हाल|चाल|whats up|wassup|sup|suprabhat|
		सुप्रभात|shubh|शुभ|शुभ प्रभात|हाई|adaab|आदाब|vanakkam|kem cho|सत श्री अकाल|mata|माता|bholenath|bhole|mahadev|
		siyaram|sitaram|jinendra|swaminarayan|
		हर हर महादेव|महादेव`},
}

// topicRow is a row of topics with its alternatives folded, each between spaces.
type topicRow struct {
	intent Intent
	weight weight
	groups [][]string
}

// topicsOf reads the rows of a table.
func topicsOf(table string) []topic {
	var all []topic
	for _, row := range strings.Split(table, "#") {
		head, groups, ok := strings.Cut(row, ":")
		if words := strings.Fields(head); ok && len(words) == 2 {
			all = append(all, topic{Intent(words[0]), weightOf(words[1]), strings.Split(groups, ";")})
		}
	}
	return all
}

// inGoods writes out the words that stand for others in a table.
func inGoods(group string) string {
	return strings.ReplaceAll(strings.ReplaceAll(group, "$parts", partsOfGoods), "$found", foundInGoods)
}

func weightOf(word string) weight {
	switch word {
	case "strong":
		return strong
	case "wrong":
		return wrong
	}
	return weak
}

func topicRows() []topicRow {
	var rows []topicRow
	for _, t := range slices.Concat(topicsOf(aroundOrders), topicsOf(topics)) {
		row := topicRow{intent: t.intent, weight: t.weight}
		for _, group := range t.groups {
			row.groups = append(row.groups, foldedPhrases(inGoods(group)))
		}
		rows = append(rows, row)
	}
	return rows
}

func foldedPhrases(alternatives string) []string {
	var folded []string
	for _, phrase := range strings.Split(alternatives, "|") {
		folded = append(folded, spaced(tokenise(normalise(phrase))))
	}
	return folded
}

// spaced returns the folded words of tokens with a space before and after each.
func spaced(tokens []token) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range tokens {
		if t.kind != mark || t.text == "👍" {
			b.WriteString(topicKey(t.text))
			b.WriteByte(' ')
		}
	}
	return b.String()
}
