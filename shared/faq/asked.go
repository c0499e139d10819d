package faq

// intentRows are what people ask of any business, a row each: the name, and after it the ways to ask. A way is some
// words of which all stand in the text, in any order; a word may be one of several. They are in English, and in Hindi
// in Latin letters. A question and a message with the same intent belong together, whichever words they use.
const intentRows = `
location: distance; how|kitni|kitna far|dur|door; how|kaise|kese reach|aaye|aaye|pahunche|station;
	where office|shop|store|branch|center|centre|clinic|institute|located|situated|address|showroom|school|hotel|gym|lab;
	address; location; directions; landmark; map;
	kahan|kaha|kidhar office|dukan|clinic|center|branch|institute|coaching|hotel|pata|store;
	pata kya|batao|bata; kaise pahunche|pahunchu|pahunchein; how reach; where you; aap kahan|kaha;
	have shop|store|office|branch|showroom visit|near|in; which floor|road|area|side you|office|shop|located;
	kis|kaunsi jagah|road|floor; nearest|nearby branch|office|centre|center|station|metro;
	how|kaise come|reach|aana|aaun|aau|aayein you|there|station|aap; send|bhejo|share location; dikh|dikhta nahi|map;
boarding: where board|catch|boarding; from where|kahan|kaha get|catch|take|board;
	kahan|kaha se milegi|milega|pakdu|pakadni|pakde|chadhna|lena|leni;
	pickup|boarding|pick point|stop
hours: timing|timings; opening|closing|working|business|office hours|time|hour;
	open till|until|upto|time|when|late|kab|kitne;
	kab|when khulta|khulti|khulte|khula|band|open|close|closes; what|kis|kya time open|office|shop|clinic|store|khulta;
	kitne baje khulta|khulti|band|khulega;
	what|kis|kya|kitne time|baje open|opens|opened|close|closed|closes|khula|khuli|khulta|khulti|khulte|khulega|khulegi|band|shut;
	till|tak|until|upto open|opens|opened|close|closed|closes|khula|khuli|khulta|khulti|khulte|khulega|khulegi|band|shut;
	now|abhi|today|aaj open|opens|opened|close|closed|closes|khula|khuli|khulta|khulti|khulte|khulega|khulegi|band|shut;
	kitne baje; khulne|khulne|band time|samay|ka|hone; lunch break|time|hour; what|your|aapka|aapki timing|timings;
sunday: sunday|sundays|weekend|weekends|ravivar|itvar|itwar|saturday|holiday|holidays|chhutti open|work|khula|aate|come|band|closed|milenge|kaam|chalu|available;
	open|work|khula|kaam|khulta sunday|sundays|weekend|ravivar|itvar;
	monday|tuesday|wednesday|thursday|friday|saturday|sunday|sundays|somvar|mangal|mangalwar|mangalvar|budhvar|budhwar|guruvar|guruwar|shukravar|shukrawar|shanivar|shaniwar|ravivar|raviwar|itvar|itwar open|opens|opened|close|closed|closes|khula|khuli|khulta|khulti|khulte|khulega|khulegi|band|shut;
	monday|tuesday|wednesday|thursday|friday|saturday|sunday|sundays|somvar|mangal|mangalwar|mangalvar|budhvar|budhwar|guruvar|guruwar|shukravar|shukrawar|shanivar|shaniwar|ravivar|raviwar|itvar|itwar work|working|come|aate|classes|class|lessons|chhutti|chutti|off|kaam;
	which|kis|kaunse|any day|days|din open|opens|opened|close|closed|closes|khula|khuli|khulta|khulti|khulte|khulega|khulegi|band|shut;
	holiday|holidays|chhutti|chutti|festival|tyohar|diwali|holi|weekend|weekends; weekly off; 24 hours|hour|ghante;
	day night;
price: how much; price|cost|rate|rates|charge|charges|fee|fees|fare|kiraya|tariff|kimat|daam|shulk;
	kitna|kitne|kitni paisa|paise|rupaye|lagega|lagta|lete|loge|padega|ka|ki;
	what cost|charge; kitne ka|ki; bhav|rate kya|batao;
	rate|price|cost|charges|charge|fees|fee|fare|rent|tariff please|list|bata|batao|batana|bataye|bataiye|kya|what|send|tell|for|of;
	kitna|kitne|kitni kharcha|kharch|loge|doge|lagenge|lagega|lagegi|hoga|hogi|fees|fee|charge|rate|dena|padta|deposit|premium|rent|kiraya;
	total|kul cost|kharcha|price|fee|fees|amount; how expensive;
	what|how price|rate|cost|fee|fees|charge|charges|tariff|rent|fare|pay|premium; starting|minimum price|rate|cost;
deducted: cancel|cancellation|radd cut|deduct|deducted|charge|charges|penalty|katega|kategi|katoge|lagega|fee|kat;
	kitna|much katega|kategi|deducted|cut|kat;
discount: discount|coupon|promo|concession|chhoot|scheme|sasta|cheaper|cashback;
	kam|kum|less|reduce|sasta|best karo|price|kuch|possible|doge|kijiye|hoga|rate|daam;
	coupon|promo|voucher|code not|work|working|apply|applying|chal;
	any|koi|kya|latest|new|current discount|offer|offers|deal|concession;
	combo|festive|student|group|special discount|offer|offers|rate|price|deal;
	discount|concession;
instalment: instalment|instalments|installment|installments|emi|kist|kisht|kiston|kisto|part|parts pay|payment|de|fee|fees|emi|kist|monthly;
	emi; pay monthly; monthly pay|payment|instalment; kist|kisht|kiston|kisto; thoda karke|kar
paying: how pay|payment; payment|pay kaise|method|methods|mode|modes|option|options|accept|online|how;
	upi|gpay|paytm|phonepe|card|cards|cash|cheque|netbanking|google-pay;
	pay|payment|paise|paisa upi|card|cash|online;
	how|kaise|kahan|where pay|payment|bharna|bharu|bhare|bharun|jama|dena|dene|du|deposit;
	cash|card|upi|gpay|paytm|phonepe|cheque accept|chalega|lete|loge|possible|ok|pay|hai|kya;
	online|app payment|pay|bhar|bharna|jama; qr code;
invoice: bill|invoice|receipt|rasid|gst need|get|send|chahiye|milega|dete|copy|download|want|office;
	gst bill|invoice|number; tax invoice;
	gst; bill|invoice|receipt|rasid|raseed|pakka chahiye|copy|need|get|mil|milegi|de|nikal|download|please;
	payment receipt;
refund-when: refund when|kab|days|din|received|receive|aaya|aayega|milega|arrive|long|status|yet;
	paisa|paise|money|amount wapas|back|returned|lautega kab|when|din|kitne;
	refund|refunded status|kab|when|not|nahi|come|aaya|mila;
	money|paise|paisa|amount|deposit|advance back|wapas|return|returned|refund|vapas when|kab|not|nahi|din|days|aaya|aayega|milega|aayenge;
refund-if: money back; refund|refunded|refundable if|leave|policy|possible|milega; paisa|paise wapas;
	leave|chhod|chhodne|quit refund|back|wapas|paise|fee|fees;
	deposit|advance|fee|fees|amount|money|paise|paisa|token refundable|refunded|back|wapas|return|vapas;
	refund hoga|milega|possible|kya|policy|do|get|if|is; beech|mid|between chhod|leave|discontinue|stop;
cancel: cancel|cancelled|cancellation|radd|raddh|nirast; nahi|not chahiye|need ab|anymore;
	nahi|not|dont|want|karna|karni|karwana cancel|cancelling|radd|cancle; cancel
reschedule: change|move|shift|badal|badalna|badalni|badlu|badle|postpone|prepone|reschedule|aage date|time|day|timing|appointment|visit|slot|journey|tarikh|tareekh|samay|din|booking;
	instead; another|other|dusre|doosre|kisi-aur day|date|din|time; postpone; reschedule; prepone; later aa|come;
	kal aa|aana|aao aaj|nahi; aage badha|badhana|badhani|karna;
	change|badal|badalna|badalni|badalwana date|time|day|timing|appointment|slot|tarikh|booking|din|samay|visit;
	cant|cannot|nahi|not|unable come|aa|make|attend|pahunch tomorrow|kal|today|aaj;
	another|other|different|dusra|dusre|doosre|doosra|kisi day|date|time|slot|din|tarikh|timing; instead;
track: where order|parcel|bus|technician|delivery|package|shipment|courier|he|driver|engineer|cab|rider;
	track|tracking; not|nahi|yet|abhi reached|arrived|come|aaya|aayi|pahuncha|pahunchi|received|mila|delivered;
	kahan|kaha|kidhar pahuncha|pahunchi|pahunche|order|parcel|bus|technician|hai-abhi;
	abhi-tak|abhi nahi|aaya|pahuncha|mila; still waiting|not; where reached|now; late where|kahan|kab;
soon: not|nahi yet|abhi|tak come|aaya|aayi|arrived|received|mila|mili; how soon|quickly|fast|long; same day;
	today come|deliver|delivery|possible|itself|available;
	kitni|kitne der|din|time aayega|aaega|lagega|me|mein|lagenge|milega|aaoge; how-many days;
	kab aayega|aaega|aaoge|aaenge|milega|pahunchega|tak;
	when come|arrive|deliver|delivered|receive|get; aaj aa|aayega|aaoge|milega|ho; delivery time;
	not|nahi|hasnt|havent|didnt|nai come|aaya|aayi|aaye|received|receive|credited|mila|mili|mile|got|get|arrived|reached|updated|delivered|dikh|pahuncha|pahunchi;
	by when;
	kab|when|expected aa|aayega|aayegi|aaega|milega|milegi|milenge|mil|milta|milti|get|receive|ready|come|credited|pahunchega|banega|hoga|hogi|deliver;
	kab tak; still|abhi pending|waiting|nahi|not; how long|many take|takes|days|hours|wait;
	kitna|kitne|kitni time|samay|din|ghante|der|hafte|mahine lagega|lagenge|lagegi|lagta|lagte|me|mein|hoga;
	waiting|wait|intezar|late|delay|delayed days|since|se|hai|very|is; when will;
booking: book|booking|reserve|appointment|slot|schedule how|kaise|karna|want|need|karni|lena|leni|please|chahiye|online;
	how|kaise order|book|apply|register|reserve;
	need|want|chahiye appointment|ticket|tickets|booking|table|room|slot|cab|repair|visit|service;
	book|booking karna|karni|karwana|karwani|kar;
	send|bhejo|bhejiye|bhej someone|somebody|kisi|technician|mechanic|mistri|aadmi|koi;
	kharab|leaking|working|cooling|thik|theek|broken repair|someone|kisi|banwana|banwani|karwana|send|bhejo|need|not|nahi;
	how|kaise|need|want|chahiye|karna|karni|karana|karwana appointment|booking|book|slot|visit|register|registration|refill|order;
	appointment|booking lena|leni|chahiye|please|karni|karna|for|need|fix|le|kaise; advance|pehle book|booking;
	book|reserve for|a|ek;
area: which areas|area|cities|city|locations|pincode|pin|place|places;
	do come|deliver|serve|service|ship area|city|pincode|nagar|village|outside; you come to;
	deliver|delivery|aate|aati|aaoge|bhejte|pahunchate|service ho|kya|hai me|mein|tak|yahan|yaha;
	kin|kaun|kis|kahan ilake|ilakon|shahar|shaharon|area|jagah|areas; serve|cover areas|area;
	hamare|hamari|mere|my|our area|gaon|colony|city|shahar|yahan;
contact: customer care; helpline; contact|phone|call|whatsapp number|no;
	number batao|de|do|chahiye|please|send|kya; toll free; email id|address;
	number|phone|contact|email chahiye|what|kya|give|share|send|do|bata|batao|dijiye|hai|of;
	whom|kisko|kisse|who call|contact|phone|baat|milna; helpline; whatsapp number|pe|par; call karu|kaha|kis;
person: talk|speak|baat|connect person|human|agent|manager|someone|kisi|insaan|executive|expert|doctor|sir;
	baat|talk|speak karni|karna|kara|karao|karwao|to|with|want; real person|human|agent; call me|back
documents: documents|document|papers|paper|kagaz|kagaj|kagzat|dastavej|proof|id need|needed|required|bring|chahiye|lagenge|lagega|lana|which|what|kaun|kaunse|submit;
	what|kya bring|need|carry|required|lana|laana|lagega|lagta|chahiye admission|visit|new|apply|interview|with|sath|saath|liye|le|joining|open;
	which|what|kya|kaun|kaunse|kaunsa|konse id|proof|document|documents|papers|paper|kagaz|kagaj|card|certificate;
	aadhaar|aadhar|passport|pan|licence|license|voter|id|college ok|enough|chalega|accept|accepted|valid|needed|need|zaroori|zaruri|jaruri|required;
	what|kya|kuch lana|laana|laane|bring|carry|submit; is|without|bina id|aadhaar|pan|proof|document|documents;
age: age; umar|umra|aayu; minimum|maximum age; years|saal old|can|apply|ka|ki|ke join|apply|hoon|hun|old;
	too old|young;
	son|daughter|beta|beti|child|bachcha|bachchi|kid|i|he|she|my|mera|meri|father|mother|brother|sister|bhai|bahan|student # is|am|hai|hoon|hu|years|old|saal|yrs|only|class;
	kitne|kitni|which|what|minimum|upto saal|age|umar|umra|years|old; age limit|from|minimum; how old;
	kis|from which|umar age|umar;
seniors: senior|seniors|elderly|bujurg|budhe|budhape|pensioner; senior citizen;
	father|mother|papa|mummy|pita|mata|parents 55|58|60|62|65|68|70|72|75|80|old;
	father|mother|papa|mummy|pita|mata|parents|grandfather|grandmother|dada|dadi|nana|nani old|old-age|elderly|senior|bujurg|chal|walk|budhe;
	old people|person|age;
trial: trial; demo; free|try class|session|sample|trial|demo|once|ek|pehle|before;
	pehle|ek|first dekh|try|attend|class; sample dekh|see|milega;
	try|see|dekh|attend|check|test one|once|first|before|pehle|ek|free|day|din|class;
	free|trial trial|class|session|demo; before paying|joining|pay|join|buying|buy;
	pehle dekhna|dekhni|try|demo|trial;
remote: online; from|at home; ghar baithe|se|pe|par|baith; on phone|mobile|laptop|video|zoom;
	video call|consultation; live app|class; remote|virtual|wfh;
	online class|classes|consult|consultation|apply|form|register|possible|available|hota|hoti|course;
	ghar se|baithe online|class|padh; video call|consult|consultation|class; phone pe|par;
	on|over|by call|phone|video|whatsapp;
job: you|aapko need|chahiye;
	vacancy|vacancies|hiring|recruitment|bharti|job|naukri|opening|openings chahiye|want|available|hai|any|for|need|milegi|apply;
parking: parking; park|parking|gaadi|car park|parking|khadi|lagane|lagani|space;
	park|parking|khadi|khada|gaadi|gadi|car|bike|scooter where|kahan|kaha|place|jagah|space|facility|lagane|karne|lagau|lagaye;
	parking;
again: again|fir|phir|dobara|wapas|wahi|same|back stopped|stop|problem|fault|kharab|issue|band|broken|came|aa|not|come|repair|repaired|ho;
warranty: warranty|guarantee|guaranty|waranti|garanti
genuine: original|genuine|asli|duplicate|fake|nakli|authentic|pure|shuddh
quality: fresh|organic|quality|hygienic|hygiene|taza|safai|clean how|is|are|hai|kya
lost: lost|forgot|left|bhul|bhool|chhut|chhoot|rah|kho|reh|gum bag|item|phone|something|saman|samaan|luggage|wallet|purse|umbrella|gaya|gayi|gya in|mein|me|on|seat;
	left|forgot something|bag|my|behind; lost found|item;
	rah|reh|chhut|chhoot|bhul|bhool gaya|gayi|gya|gai|aaya;
	lost|gum|kho|chori|stolen my|mera|meri|gaya|gayi|ho|card|phone|item|bag|key|keys|passport|report; lost;
missed: missed|miss; chhut|chhoot|choot|chut gayi|gaya|gai; reached|late gone|left|had|gayi; late ho gaya|gayi|hua
result: result|results|selection|selections|success|topper|toppers|rank|ranks|pass|passed|selected last|year|how|many|kitne|record|kaisa|saal|pichle;
staff: experienced|qualified|experience|qualification|who|kaun|trained|certified teacher|teachers|faculty|trainer|trainers|staff|doctor|doctors|team|instructor|coach|engineer|technician|stylist|chef;
	who|kaun|which teaches|teach|padhata|padhate|sikhata|sikhate|doctor|trainer|instructor|cook|teacher|teachers|faculty;
	experienced|trained|qualified;
count: how-many|many|kitne|kitni students|student|people|seats|log|bachche|bacche|kids|children|members|persons|strength;
limit: how-many|many|much|kitna|kitne|maximum|limit allowed|allow|carry|take|le|max|limit|free
starting: when|kab|date|next|new|naya|nayi start|starts|starting|begin|begins|shuru|chalu|commence|launch|batch;
	start date; kab se;
duration: how long; duration; kitne|kitna din|mahine|saal|time|samay lagta|lagega|lagenge|ka|chalta;
	how-many months|days|weeks|years|hours|sessions;
installing: install|installation|fit|fitting|fitted|lagwana|lagwani|lagate|lagana|setup|fix new|naya|nayi|bought|ac|tv|geyser|how|charge|it;
	new install|fit|fitted|lagwana|lagwani|setup;
	naya|nayi|new lagwana|lagwani|lagana|connection|install|meter|karwana
removing: uninstall|dismantle|remove|utarwana|utarna|utar|nikalna|khol; take down
shifting: moving|shifting|shift|relocate|relocating|house|ghar|makan|transfer badal|badalna|new|moving|shifting|shift|house|city|dusri|address|connection;
selling: sell|bechna|bechni|beche|bechu|kharidte|exchange|buyback|scrap old|purana|purani|used|second|my|apna|apni|mera;
	you|aap|kya buy|kharidte old|purana|purani|used|second;
pickup: pick|pickup|collect|drop|le home|house|drop|from|ghar|up|jaoge|jaaoge|point|facility|collection; workshop;
	will take; le jaoge|jaate|jayenge;
without: without|bina|bagair
women: women|woman|ladies|lady|girl|girls|female|mahila|mahilaye|mahilaon|ladki|ladkiyan|ladkiyon|aurat|auraton
children: kid|kids|child|children|baby|babies|infant|toddler|son|daughter|bachcha|bachche|bachchon|bacche|baccho|beta|beti;
pets: dog|dogs|cat|cats|pet|pets|animal|animals|kutta|kutte|billi|janwar|paltu
food: food|meal|meals|lunch|dinner|breakfast|khana|khane|nashta|canteen|tiffin|snacks|veg|vegetarian|jain
stay: hostel|accommodation|room|rooms|stay|lodging|pg|rehne|rahne|rehna|thaharne
toilet: toilet|toilets|washroom|bathroom|restroom|peshab; bus|raste|way stop|rukegi|rukti|halt
transport: transport|conveyance|cab|van|shuttle; bus|van facility|school|service|ghar|office|pickup;
	pick|drop facility|up|service|home;
wifi: wifi|wi-fi|internet; charge|charging mobile|phone|point|socket|laptop
loan: loan|finance|karz|rin;
	loan
yearly: annual|yearly|amc|contract; saal|sal bhar|plan; maintenance contract|plan
insurance: insurance|bima|mediclaim|cashless|tpa accept|chalta|chalega|covered|take|have|available|hai
home-visit: ghar|home|doorstep come|aate|aakar|visit|se|pe|par|sample|service|delivery|collection;
	come|visit home|house;
	come|aa|aate|aake|aakar|aakr|aaoge|visit|bhejo|send|collect|collection my|ghar|home|house|doorstep;
	at home|my-place|house; ghar aake|aakar|pe|par|se|bulana|bula; home visit|service|collection|sample|pickup;
visit-fee: visit|visiting|inspection|aane|aana charge|charges|fee|cost|kitna|paise|lagega|lete
bulk: bulk|wholesale|corporate|party|wedding|marriage|shaadi|shadi|barat|baraat|function|event|group|whole|puri|poori order|hire|book|bus|people|rate|hall|milegi|chahiye|log|need;
returning: return|returns|exchange|replace|replacement|wapas|badal|badalna product|item|order|karna|kar|policy|how|size|saman|days|din|damaged|wrong|galat;
	damaged|defective|broken|wrong|galat received|got|aaya|mila|item|product;
password: password|login|log|otp|pin|username forgot|reset|not|bhul|bhool|nahi|change|problem|aa;
	forgot|forget|bhul|bhool|reset|change password|pin|login|mpin|user|id; password;
	cant|unable|not|nahi login|log|open;
profile: change|update|correct|badal|badalna|galat name|address|number|mobile|email|details|naam|pata
complaint: complaint|complain|shikayat|grievance|unhappy;
	complaint|complain|shikayat kaise|how|where|kahan|karna|karni|karu|register|number|raise; escalate;
	not|nahi satisfied|happy|khush|sun; bad|kharab|ganda|worst service|experience|behaviour|staff; rude;
branches: which|how-many|other|dusri|kitni branch|branches|outlets|centres|centers|stores
brands: which|kaun product|products|brand|company use|istemal|lagate|lagaate;
	which|kaun|kin|all|kis brand|brands|company|companies|kampani|make; brand|brands;
plans: plan|plans|package|packages|pack which|what|batao|bataye|rate|price|monthly|available|list|tell|show|best
safe: safe|safety|secure|surakshit|data|privacy|private
certificate: certificate|praman|certification
material: notes|book|books|material|kitab|kitabe|kitaben|handout|pdf|library
language: hindi|english|language|medium|bhasha|madhyam in|me|mein|which|speak|kis|medium
duplicate: duplicate;
	dobara|again|new|copy|nayi|naya print|copy|card|certificate|receipt|passbook|report|nikal|chahiye|issue lost|kho|gum|misplaced|another;
	soft|hard copy;
validity: valid|validity|expire|expiry|expires|expired;
	kab|kitne|when|how tak|din|long|khatam|expire valid|chalega|chalegi|vaidh|khatam|validity;
renewing: renew|renewal|renewed|naveenikaran;
	khatam|expired|expire|over|ended hua|ho|my|mera|meri|plan|policy|licence|membership|card|subscription;
due-when: due date|when|kab|last; last|aakhri|antim|akhri date|tarikh|din;
	kab tak bharna|bharni|jama|pay|dena|bhar; deadline; when pay|payment|premium|fee|emi|bill|rent|due;
late-pay: late fee|fine|charges|charge|payment|pay|bhara|bhare|penalty|bhar|bharne|jama; penalty;
	der se bhara|bharne|jama|payment|pay; due|last date miss|missed|nikal|over|gone|cross|gayi|chali;
	missed|forgot payment|emi|pay|bill|premium|due|installment;
closing: close|closing|surrender|discontinue|terminate|deactivate|disconnect account|connection|card|membership|subscription|loan|policy|khata;
	band karna|karwana|karvana|karana|karani|karwani account|khata|connection|card|membership|service|plan;
	nahi|dont|not chahiye|need|want ab|anymore|more|aage;
	leave|chhodna|chhod want|school|course|society|hostel|flat|job|membership;
joining: how|want|kaise join|become|register|enrol|enroll|member|admission|apply|admit|start|judna;
	join|admission karna|lena|karwana|chahiye|leni|dilwana|karana|process; membership lena|leni|chahiye|want|take;
	new member|customer|connection|account|student; account|khata khulwana|khulwani|kholna|kholni|open|opening;
	form fill|bharna|kaise|kahan|milega|where|get;
updating: change|update|correct|badal|badalna|badalwana|galat|wrong|edit|modify|sudhar|theek|correction name|naam|address|pata|number|mobile|email|dob|birth|details|spelling;
status: status; kya hua|bana; approved|pass|sanctioned|manjoor|processed yet|kab|hua|when|not;
	kahan|where tak|application|request|complaint|file|form|pahunchi; what happened application|complaint|request;
	not|nahi resolved|solved|hua|done; abhi pending;
report-ready: report kab|when|ready|time|milegi|aayegi|mil|aa|hours|days|din|long|ban; reports ready|when|kab;
	result kab|when|aayega|ready;
report-how: report online|whatsapp|email|mail|download|app|phone|pdf|bhej|website|mobile|link|ghar|soft;
	reports online|whatsapp|email|mail|download|app|pdf;
fasting: fasting; khali|empty pet|stomach;
	eat|khana|khaana|khake|kha|drink|paani|pani|chai|water|breakfast|nashta before|pehle|test|sakte|can|ke|sample|allowed|morning|karke;
without-paper: without|bina|nahi|dont|no prescription|parchi|parcha|slip|aadhaar|pan|id|document|documents|doctor|appointment|booking;
walk-in: walk in; walkin; direct|directly|seedha|seedhe come|aa|aana|visit|aaye|aau;
	without|bina appointment|booking|number;
	appointment|booking|book zaroori|zaruri|jaruri|necessary|needed|required|must|compulsory;
waiting: how long wait|waiting; queue|line|bheed|rush|crowd; number kab|aayega; token
lunch-hours: lunch
blocking: block|blocked|band|freeze card|atm|account|khata|sim|upi; card lost|kho|gum|stolen|chori
failing: transaction|payment|paise|paisa|money|amount failed|fail|stuck|kat|deducted|debited|cut|phas|atak;
	kat|deducted|debited|cut gaye|gaya|gayi|but|not|nahi|twice|double;
	twice|double|do deducted|paid|charged|debited|kat|baar;
minimum: minimum balance|amount|deposit|order|kitna|what|how|quantity|person|persons; kam se; at least; smallest
interest: interest|byaj|byaaj rate|kitna|kya|what|how|percent|on; what|kitna interest|byaj|byaaj;
	rate fd|loan|rd|deposit;
guest: guest|guests|visitor|visitors|mehmaan|mehman|relatives|rishtedar|friends stay|come|aa|aaye|aaenge|allowed|rule|entry|park|parking|rule|ruk|rukna|overnight;
noise: noise|noisy|shor|loud|music complaint|neighbour|padosi|night|raat|much|upar|bahut|complain
water: water|paani|pani not|nahi|supply|coming|aa|aaya|problem|pressure|timing|kab|band|tanker
power: light|bijli|power|electricity gone|gayi|not|nahi|cut|gai|chali|backup|fluctuating|kab|aayegi
repair-home: leak|leaking|tap|nal|lift|bulb|pipe|fuse|motor|geyser kharab|broken|leak|leaking|toota|not|nahi|band|tapak|repair|fix|leakage|working;
	plumber|electrician|carpenter|technician|mistri chahiye|need|send|bhejo|bulana|call|want;
move-in: move|moving|shift|shifting|samaan in|out|new|flat|house|society|karna|permission|noc|when|kab;
	vacate|khaali|khali;
rent-out: rent|kiraye|tenant|kirayedar|tenants out|de|dena|pe|par|par-dena|rakhna|register|verification|allowed|new|my|naya;
visit-site: visit|see|dekhna|dekhne|dekh|show site|flat|sample|plot|property|house|room|project|campus|hall|venue|ghar|makan|hostel;
	site visit;
possession-when: possession|handover|ready|ready-to-move|completion|complete when|kab|date|delay|late|flat|project|move;
	kab possession|milega|banega|ready|tayar|taiyar flat|ghar|chabi|project;
availability: available|left|bacha|bache|khali|khaali|vacant seats|seat|flats|flat|room|rooms|slot|slots|table|tickets|kya|any|hai|beds;
	seats|seat|stock available|left|bache|khali|hai; sold out; stock;
size: size|sizes; sq|square ft|feet|foot; carpet|super area; how|kitna big|large|bada
capacity: how-many people|persons|guests|log|seats; kitne log|aadmi|mehman|guests|baith|aa; capacity
decor: decoration|decorate|sajawat|flowers|balloons|phool
outside: own|outside|apna|apni|bahar|bahari food|caterer|decorator|cake|khana|lana|laana|alcohol|photographer|dj|car|gaadi|laptop|bring;
smoking: smoke|smoking|alcohol|drink|sharab|daru|liquor|beer
transfer: transfer account|branch|connection|school|city|money|paise|name|kaise|how|karna|fund|another|certificate
minor: minor|child|kid|bachche|bachcha|bachchon|son|daughter|beti|beta account|open|name|naam|khata|ke|khulwana|allowed|free|ticket|charge|half|come|separate;
nominee: nominee|nomination|nominated;
	death|died|mrityu|guzar|passed expired|gaya|gayi|away|holder|father|husband|mother|owner|ho|claim|after|in;
fraud: fraud|scam|cheated|dhokha|thagi|suspicious|unauthorised|unauthorized;
	otp share|bata|manga|asked|told|diya|shared; unknown|someone transaction|withdrew|call|used|nikal;
safety: cctv|security|guard; safe|surakshit girls|women|child|children|data|is|hai|kya|for|night|akela|alone
lunch-food: meal|lunch|food|khana|tiffin|canteen|mess school|provide|milta|milega|provided|facility|hai|quality|get|included|menu;
uniform: uniform|dress|vardi|kapde|wear|pehen|pehenna|pehan what|where|kahan|kahan|kya|buy|milegi|get|compulsory|zaroori|code|should|kaisa;
calendar: holiday|holidays|vacation|vacations|chhutti|chhuttiyan|chutti|chuttiyan|exam|exams|pariksha|result|term|session|school|classes when|kab|start|date|list|khulega|reopen|begin|end;
attendance: absent|leave|chhutti|chutti|nahi|not application|apply|inform|child|son|today|aaj|lena|chahiye|batana|aayega|bimar|come|marriage|sick;
transfer-certificate: tc|transfer certificate|chahiye|leaving|need|kaise|get|how|lena|nikalwana
report-card: marksheet|marksheets|report card|lost|when|kab|get|duplicate|milegi|result
meet-teacher: meet|milna|baat|talk|speak|mil teacher|principal|madam|class-teacher|ma'am|doctor|manager
ptm: ptm; parent|parents teacher meeting|meet; parents meeting
sibling: sibling|siblings|second|dusra|dusre|doosre|two|do|dono|both child|bachche|bachcha|bachcho|discount|kids|children|brother|sister;
	bhai behan|bahan;
sports: sports|games|khel|swimming|cricket|football|dance|music|activities|activity|judo|karate
corporate: corporate|company|office|bulk|staff|employees|business|factory discount|tie|package|rate|rates|camp|packages|checkup|order|account|special|deal|orders;
partner: franchise|partner|dealership|dealer|distributor|agency|reseller become|want|how|chahiye|lena|leni|kaise|open|karna|opportunity;
accept-insurance: insurance|cashless|mediclaim|ayushman|tpa|cghs|echs accept|accepted|covered|chalta|chalega|use|valid|claim|lete|possible|hai|kya;
refund-item: return|wapas|vapas|lautana|send-back like|pasand|not|nahi|dress|item|product|can|karna|days|want
damage: damaged|broken|defective|torn|phata|fata|toota|tuta|hole|crack|cracked|kharab|scratch|leaked received|got|aaya|mila|item|product|piece|nikla|hua|is|was|inside;
	wrong|galat item|product|piece|saman|order|size|colour|bhej|sent|received|aaya|mila;
	missing|kam nikla|item|in|was|box;
delivery-charge: delivery|shipping|courier charge|charges|free|paisa|paise|fee|cost|extra|alag|kitna|much
delivery-place: deliver|delivery|ship|send|bhejte|bhej|courier pincode|pin|to|city|village|gaon|shahar|out|outside|area|my|hamare|mere|abroad|state;
	pincode;
abroad: abroad|overseas|international|foreign|videsh|dubai|london|canada|america|usa|uk|australia|nepal|nri|india-outside;
gift: gift|tohfa wrap|pack|card|voucher|vouchers|note|want|karna|dena|hai|send|kaise
taking-learning: learn|sikhna|seekhna|sikhate|teach|sikhaoge|course|courses|class|classes want|do|kya|which|how|can|start|what|konse|kaunse;
own-thing: own|apni|apna|khud car|gaadi|scooter|laptop|instrument|cylinder|vessel|book|kapda|fabric|material
automatic: automatic; auto gear|car; without gear|gears|clutch; bina gear
fail-test: fail|failed|fel test|exam|hua|ho|gaya|i|if|agar|rto|again
highway: highway|night|raat|traffic drive|driving|chalana|practice|sikha|sikhaoge|learn
pausing: pause|hold|freeze|stop|rok|rokna|break membership|plan|month|subscription|class|classes|kuch|temporarily|days|service|delivery;
	going|away|bahar out|town|month|ja|for|station;
weight: weight|wajan|vajan|kilo|kilos|motapa lose|kam|gain|loss|badhana|reduce|how|ghatana|kitna|max|maximum|limit|upto;
equipment: machine|machines|equipment|treadmill|facilities|suvidha|suvidhaen which|have|hai|do|what|kya|modern|available;
bath: bath|shower|nahane|nahaane|changing|locker|lockers|steam
trainer: personal|pt trainer|training|coach; trainer milega|available|chahiye|charge|separate|need
brides: bridal|bride|dulhan|makeup|make-up wedding|shaadi|shadi|for|package|price|karte|kitna|trial|ka|ki;
	getting married;
patch: allergy|allergic|sensitive|rash|rashes|reaction|side|skin problem|effect|effects|dikkat|safe|hoga|test|have|get|hai;
satisfied: not|didnt|dont|nahi like|liked|happy|satisfied|pasand|achha|accha|acha|good;
	came|hua|result bad|kharab|ganda|wrong; poor quality;
timing-slot: morning|evening|subah|shaam|sham|after|before|raat|night|flexible|office batch|batches|slot|slots|class|classes|time|timing|timings|lessons|office;
medium-board: cbse|icse; which|kaunsa|kis|state board; affiliated
scholarship: scholarship|freeship|merit|rte|chhatravritti
gate: gate|guard|entry|gatepass|pass delivery|boy|maid|visitor|cab|stopped|allowed|material|swiggy|zomato
society-fee: maintenance due|charge|charges|bill|kitna|pay|much|late|kab|last|fee|receipt|calculated
meeting: meeting|agm|baithak when|kab|next|date|society|attend
booking-place: book|booking hall|clubhouse|club|lawn|terrace|party|function|court|ground|party-hall
first-time: first|pehli|new|naya time|baar|customer|patient|visit|aaya|here
kids-come: child|kids|bachche|baby|bachcho bring|lana|laa|come|allowed|la|le|with|saath|sath
water-food: drinking water; kitchen|cooking|cook use|own|allowed|khana|kar
deposit: security|deposit|jamanat how|kitna|much|what|refundable|back|kab|amount|return
locker: locker|lockers
late-entry: late|raat|after entry|night|gate|aa|return|curfew|closing|allowed|time|10|11; curfew;
	gate close|time|band;
notice: notice period|month|kitna|before;
	leave|vacate|chhodna|khali|quit room|flat|notice|before|pehle|hostel|pg|house;
get: need|want|chahiye|required|lena|leni|lene|mangwana|mangana|bhejo|bhejna|bhejiye|bhijwana|karwana|karwani|karana|karani|karani|banwana|banwani|milega|milegi;
	how|kaise book|order|get|obtain|apply|banwaye|banega|banwana|milega|milegi|request|refill|le|lein;
`
