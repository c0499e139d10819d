package nlu

// marker says what a word or a phrase does in a message.
type marker int

const (
	filler        marker = iota + 1 // says nothing about goods
	joiner                          // and, aur: another thing follows
	either                          // or, ya
	possessive                      // ka, ki, ke, of: joins what stands around it
	attribute                       // wala: what is before it describes the thing
	orderVerb                       // send, bhej do
	negation                        // nahi: what stands before it, or what follows
	refusalAfter                    // nahi chahiye: what stands before it is refused
	refusalBefore                   // don't send: what follows is refused
	fallback                        // na ho to: what follows is only wanted where there is none of it
	correction                      // sorry, make it: the last quantity is said anew
	replacing                       // ki jagah, instead of
	askPrice                        // kitne ka, price of
	askStock                        // hai kya, do you have
	vague                           // thoda, some
	smallest                        // chhota
	largest                         // bada
	loose                           // khula
	packed                          // packed
	each                            // each, har ek
	place                           // flat, gali: a number that follows is of an address
	afterNumber                     // baje, floor, mehmaan: a number before it is no quantity
	condition                       // hai to, ho to
	contrast                        // only, sirf, baaki, lekin: what follows is another thing
	purpose                         // ke liye: what stands before it is what the goods are for
)

// markers are the words and phrases by what they do, separated by commas.
var markers = []struct {
	kind  marker
	words string
}{
	{filler, `diya tha, diye the, di thi, diya hai, diye hain, kar diya, kar diye, bhej diya, bhej diye, de diya,
		de diye, diya gaya, दिया था, दिए थे, दिया है,
		दिए हैं, कर दिया, भेज दिया, दे दिया`},
	{joiner, `and, aur, n, nd, tatha, evam, plus, with, ke saath, ke sath, saath me, saath mein, sath me, along with, और,
		एवं, तथा, aur haan, phir, fir, uske baad,
		then, also, as well as, aor, ur, व, अौर, aur saath me, also add, aur bhi, और भी, फिर, साथ में, और साथ में,
		aur sath me, के साथ, ओर, औऱ, ओंर, ओर साथ में`},
	{either, "ya, or else, ya phir, ya fir, either, अथवा, या, ya to, or any, or"},
	{possessive, "ka, ki, ke, k, kaa, kee, of, का, की, के, vala ka"},
	{attribute, "wala, wali, wale, vala, vali, vale, waala, waali, waale, waley, vaala, waalaa, वाला, वाली, वाले, " +
		"type, waladena, wl, sized, size, worth"},
	{orderVerb, `can i have, could i have, may i have, can we have, could we have, i will have, ill have, we will have,
		well have, let me have, lemme have, can i get, could i get, can we get, get us, can u get me, can you get me,
		send, please send, chahiye, chahie, chaiye, chahiyen, chaahiye, chayie, chaiyye, chahiyr, chahye, want,
		need, order, order for, i want, i need,
		we need, give, give me, get me, bring, deliver, pack, i would like, would like, id like, like to order,
		place order, book, note, note down, likho,
		likh lo, add, add kar do, add karo, add kar dena, daal do, daal dena, dal do, dal dena, rakh do, rakh dena,
		nikal do, nikal dena, nikaal do,
		mangwana, mangwani, mangana, mangani, mangwana hai, mangana hai, lena hai, leni hai, lene hai, lena, leni,
		lunga, lungi, le lunga, lenge, चाहिए,
		चाहिये, चाहिएं, मंगाना, मंगवाना, लेना, लेनी, लूंगा, लूँगा, ऑर्डर, खरीदना, kharidna, kharidna hai, arrange,
		supply, required, require, ek order,
		my order is, order likho, order hai, order likh lo, take my order, my order, mera order, मेरा ऑर्डर,
		order le lo, dedo, dedena, dijie, dijiye,
		dijiyega, dedijiye, pahunchana, ship, parcel, reqd, chahiye tha, chahiye thi, chahiye the, chahiye hai, keep,
		drop`},
	{negation, `nahi, nahin, nai, nhi, ni, nhii, nahiin, na, no, mat, नहीं, नही, मत, ना, naa, nahee, nhin, naheen, nehi,
		न, nope, nahi nahi, no no, nai nai,
		नहीं नहीं, नही नही, nahi nahi nahi, nahi bhaiya, are nahi, arey nahi, arre nahi`},
	{refusalAfter, `nahi chahiye, nahi chahie, nahi chaiye, nahin chahiye, mat bhejna, mat bhejo, mat bhejiye, mat dena,
		mat do, band kar do, band karo, band kar dena,
		band kar dijiye, बंद कर दो, बंद कर देना, rehne do, rehne dena, rahne do, rahne dena, rehne dijiye, rahne dijiye,
		hata do, hata dena, hatao, hata ke, hata kar, hatake, hatakar, हटा के, हटा कर, हटाकर,
		hata dijiye, hatado, nikal do list se, cancel, cancel kar do, cancel karo, cancel kar dena, nahi lena,
		nahi lenge, not needed, not required,
		not wanted, is not needed, nahi bhejna, na bhejna, na bhejo, na bhejiye, नहीं चाहिए, नहीं चाहिये, नही चाहिए,
		मत भेजना, मत भेजो, मत भेजिए, मत देना,
		रहने दो, रहने दीजिए, रहने देना, हटा दो, हटा देना, हटा दीजिए, कैंसिल, कैंसल, कैंसिल कर दो, नहीं भेजना, ना भेजना,
		नहीं लेना, skip, chhod do, chod do,
		छोड़ दो, chhod dena, chhod dijiye, nhi chahiye, nhi bhejna, nai chahiye, abhi nahi chahiye, aaj nahi chahiye,
		is baar nahi chahiye, is baar nahi,
		aaj nahi, abhi nahi, isbar nahi, ki jarurat nahi, ki zaroorat nahi, zarurat nahi, jarurat nahi,
		ki zarurat nahi hai, ki zaroorat nahi hai,
		zaroorat nahi, zaroorat nahi hai, ki jarurat nahi hai, जरूरत नहीं, ज़रूरत नहीं, already hai, ghar pe hai,
		ghar par hai, pada hai, hai mere paas,
		drop kar do, remove kar do, remove kar dena, remove karo, nikal do, nikaal do, dont need, dont want, dont send,
		mat rakhna, mat daalna, na dena,
		मत डालना, na daalna, i have already, bacha hua hai, bacha hai, pada hua hai, nahi mangta, nahi mangwana,
		nahi mangana, nako, skip kar do, skip karo,
		hold, baad me lenge, baad me, baad mein, phir kabhi, nahi chahiye aaj, nahi chahiye abhi, नहीं चाहिए आज,
		not today`},
	{refusalBefore, `dont send, do not send, dont want, do not want, dont need, do not need, dont add, do not add,
		without, remove, no need of, no need for, skip the,
		leave out, dont give, do not give, except, no more, i dont want, i dont need, we dont need, not, bina, बिना, withot, witout, withou, wdout, wthout, wout, bagair, बगैर,
		dont put, do not include, dont include,
		no need to send, dont pack, hold the, minus, exclude, cancel the, remove the, drop the, leave the`},
	{fallback, `na ho to, nahi ho to, nahi hai to, nahi mile to, na mile to, nahi hua to, na hua to, agar na ho to,
		agar nahi ho to, nahi ho toh, na ho toh,
		nahi hai toh, if not available, if not, if unavailable, if its not available, if it is not available,
		is not available, not available, if not there,
		if out of stock, is out of stock, warna, varna, otherwise, else, or else, nahi to, nahin to, nahi toh, वरना,
		नहीं तो, न हो तो, ना हो तो, नहीं हो तो,
		नहीं है तो, न मिले तो, ना मिले तो, नहीं मिले तो, nahi milta to, nahi milta hai to, na mile toh, nahi mile toh,
		if you dont have, if you dont have it,
		if dont have, khatam ho to, khatam ho gaya ho to, khatam hai to, not there then, not available then,
		isnt available, isnt there, nahi ho tab,
		nhi ho to, nhi hai to, nhi mile to, nai ho to, khatm ho to, खत्म हो तो, na hone par, unavailable,
		stock me na ho to, stock me nahi ho to,
		stock mein na ho to, stock khatam ho to, in case not available, stock nahi hai to, agar na mile to,
		agar nahi mile to, agar nahi hai to,
		if out of stock then, or if not, na ho, nahi ho, not in stock, isnt in stock, is not there`},
	{correction, `sorry, make it, i mean, matlab, mera matlab, actually, correction, change, change to, change it to,
		badal do, badal ke, badalkar, galti se,
		galti ho gayi, oops, wait, ruko, rukiye, ruko ruko, kar do, karo, kar dena, kar dijiye, kardo, kardena, kr do,
		krdo, kr dena, instead, rather, balki,
		कर दो, करो, कर देना, कर दीजिए, करना, karna, सॉरी, माफ करना, maaf karna, बल्कि, रुको, रुकिए, मतलब, गलती से,
		galat likh diya, galat likha,
		galat likh gaya, galat ho gaya, typo, update, update to, kijiye, kar dijiyega, कर दीजिएगा, no wait, no sorry,
		nahi sorry, no make it, no make that,
		make that, bas itna karo, change kar do, change karo, only make it, no actually, oh sorry, sry, soory`},
	{replacing, "ki jagah, ke badle, ki jagah pe, ki jagah par, instead of, in place of, की जगह, के बदले, ke " +
		"bajaye, ke bajay, के बजाय, rather than, jagah"},
	{askPrice, `what do you charge for, what do you charge, what you charge for, how much do you charge for, how much you charge,
		kitna jama karna padega, kitna deposit lagega, kitna deposit, कितना जमा करना पड़ेगा, कितना जमा करना होगा, kitne ki padegi, kitne ka padega, kitne me padega, kitne mein padega, kitne ki pad rahi, kitna padega,
		kitne padenge, kitne lagenge, kitna lagega, kitne ka milega, kitne ki milegi, kitne me milega, kitne me doge,
		कितने की पड़ेगी, कितने का पड़ेगा, कितने लगेंगे, कितना लगेगा, कितने का मिलेगा, कितने की मिलेगी, what is cheapest, what is the cheapest, whats the cheapest, which is cheapest, which is the cheapest,
		wat is cheapest, wats cheapest, sabse sasta kaun sa, sabse sasta kitne ka, sabse sasti kaun si, sabse sasta kya,
		lowest price, hw much, hw mch, how mch, how mutch, hw much 4,
		kaise diye, kaise diya, kaise di, kaise kilo, kaise hai, kaise de rahe, kaise de rahe ho, kaise lagaye,
		kaise diye hain, कैसे दिए, कैसे दिया,
		कैसे दी, कैसे किलो, कैसे दे रहे, price, rate, bhav, bhaav, daam, dam, kya rate, kya rate hai, kya bhav,
		kya bhav hai, kya bhav diye, kya bhav diya,
		kitne ke diye, kya rate diye, kitte ka, kitte ki, kitte ke,
		kitne ka, kitne ki, kitne ke, kitne ka hai, kitne ki hai, kitne rupaye, kitne me,
		kitne mein, how much, how much is,
		how much for, how much are, cost, what is the price of, price of, rate of, cost of, rates, prices, keemat,
		kimat, kitna hai, kitne rupye,
		kitne paise, kitne ka diya, kitna padega, kitna lagega, kya lagega, kya lagenge, kya padega, kya padegi,
		kya doge, क्या लगेगा, क्या पड़ेगा, kya lagaoge, रेट, भाव, दाम, कीमत, क़ीमत, कितने का,
		कितने की, कितने के, कितने में, क्या रेट,
		क्या भाव, कितना है, प्राइस, कितने रुपये, kya hisab, kya hisaab, kya daam, rate batao, price batao, mrp,
		whats the price of, what is the rate of,
		rate kya hai, price kya hai, kitne ka milega, kitne ka aata hai, kitne ka pack, rate kya, price list, kitne rs,
		kitne rupees, kitne rupay, kya bhaav,
		kya rate chal raha, kya rate chal raha hai, kya bhav chal raha hai, kya chal raha hai, kya rate me,
		kya rate mein, kitne ka pada, kitna ka, kitna me,
		kitna mein, kitne k, kis bhav, kis rate, kis bhaav, kitni, kitni ki, kitne hai, कितने है, कितने रूपये, कितना का,
		कितने रुपए, कितने पैसे, kya price,
		kitneka, kitneki, kitneke, kitneme, kitnaka, ka ret, ki ret, ret kya, kya ret, kya ret hai, ret kya hai, kya chl rha,
		kya chl rha hai, kya rate chl rha, kya price hai, kya keemat, kya kimat, क्या कीमत, क्या दाम, क्या प्राइस, pricing`},
	{askStock, `what kinds of, what kind of, which kinds of, which kind of, what types of, what type of, which types of,
		what varieties of, which varieties of, which brands of, what brands of, kaun kaun si, kaun kaun se, kaun kaun sa, kaun se, kaun si, kaunse, kaunsi, konse, konsi, kon kon se,
		kon kon si, kon kon sa, which all, कौन सी, कौन से, कौन कौन सी, कौन कौन से,
		banate ho kya, banate hain kya, banate ho, banate hain, बनाते हो क्या, बनाते हो,
		aaye kya, aae kya, aa gaye kya, aaya hai kya, आए क्या, आये क्या, आ गए क्या, hai kya, he kya, h kya,
		hain kya, milega, milegi, milenge, milega kya,
		mil jayega, mil jayegi, mil jaega, milta hai, milti hai, milte hai, available, availability, available hai,
		in stock, stock me hai, do you have,
		do u have, have you got, hv u got, have u got, got any, you have, is there, any, do you sell, do you keep, do you stock, rakhte ho,
		rakhte hain, rakhte ho kya, rakhte hai,
		aata hai, hoga, hogi, hoga kya, hogi kya, है क्या, हैं क्या, मिलेगा, मिलेगी, मिलेंगे, मिलता है, मिलती है,
		उपलब्ध, kya hai, kya aapke paas,
		aapke paas, tumhare paas, apke paas, aapke yahan, aapke yaha, kya apke paas, क्या आपके पास, आपके पास, मिल जाएगा,
		मिल जायेगा, मिल जाएगी, स्टॉक में है,
		रखते हैं, रखते हो, होगा, होगी, stock hai, stock hai kya, stock, hai ki nahi, hai ya nahi, he ya nahi,
		mil jayenge, mil sakta hai, mil sakti hai,
		मिल सकता है, है या नहीं, है कि नहीं, aa gaya, aa gayi, aa gaye, aaya kya, aayi kya, aagaya, aagayi,
		bacha hai kya, bachi hai kya, milegi kya,
		dete ho, dete ho kya, dete hain kya, dete hai kya, milenge kya, dukan pe hai, dukaan me hai, is available, are available, do you carry, u have, have, do u keep,
		do u sell, do u stock, avl, avlbl,
		availble, avilable, avail, h ky, hai ky, hai na, hain na, मिलेगा क्या, मिलेगी क्या, आ गया, आ गयी, आ गए,
		आयी क्या, आया क्या, kya stock, still have, any left, is left, are left, left hai, left h,
		stock mein hai, bechte ho, bechte ho kya, bechte hain, rakhte ho na, milta hai kya, milti hai kya, milte hain,
		milte hain kya, mil jayega kya,
		mil jayegi kya, mil jaayega, mil jaayegi, aapke paas hai, h kya aapke paas`},
	{vague, `sum, thoda, thodi, thode, thoda sa, thodi si, thode se, kuch, kuchh, little, a little, a little bit of,
		a bit of, some, few, a few, थोड़ा, थोड़ी, थोड़े,
		थोड़ा सा, थोड़ी सी, थोड़े से, कुछ, thora, thori, zara sa, jara sa, zara si, ज़रा सा, thodasa, thodisi, thore se,
		several, kaafi, bahut sara,
		bahut saari, a bit`},
	{smallest, `chhota, chota, chhoti, choti, chhote, chote, chotta, small, smallest, chotu, छोटा, छोटी, छोटे, छोटू,
		mini, choota, sabse chhota, sabse chota,
		sabse chhoti, sabse choti, chhota wala, smol, smaller, लघु, chhotta, sbse chota, small size, chota size,
		chhota size`},
	{largest, `bada, badi, bade, badaa, large, big, largest, biggest, bada wala, बड़ा, बड़ी, बड़े, बडा, बडी,
		family pack, jumbo, sabse bada, sabse badi, bara,
		larger, bigger, बड़का, bda, bdi, bde, सबसे बड़ा, सबसे बड़ी, large size, big size, bada size, badi size,
		sbse bada, badiwali, badawala`},
	{loose, "loose, khula, khuli, khule, khulla, khulli, lose, luz, looz, खुला, खुली, खुले, लूज, loos, khulaa, " +
		"unpacked, without packet, bina packet"},
	{packed, "packed, pack wala, pack wali, packing wala, packing wali, paked, पैक वाला, packaged, branded"},
	{each, `each, har ek, sabka, sab ka, sab ke, teeno, teenon, dono, donon, charo, chaaron, sabhi, all, every, of each,
		each of, both, तीनों, दोनों, सभी, चारों,
		सब, apiece, sab, teeno ke teeno, dono ke dono, all of these, ea, teeno ka, dono ka, sab me, इन सब`},
	{place, `cabin, desk, cubicle, meeting room, conference room, केबिन, flat, flat no, house, house no, h no, hno, makan, makaan, makan no, ghar no, ghar number, gali, gali no,
		street, st, road, road no, sector, sec,
		block, wing, tower, room, room no, plot, plot no, building, bldg, apartment, apt, society, colony, nagar, phase,
		lane, ward, shop no, dukan no,
		address, pata, pin, pincode, pin code, mob, mobile, mob no, mobile no, phone, phone no, ph, ph no, contact,
		number, call, whatsapp, change for,
		change of, note of, khulle, chutta, chhutta, फ्लैट, फ्लैट नंबर, मकान, मकान नंबर, मकान नं, गली, गली नंबर, सेक्टर,
		ब्लॉक, रोड, घर नंबर, पता, टावर,
		कमरा, कमरा नंबर, नंबर, मोबाइल, फोन, फ़ोन, house number, flat number, door no, door number, floor no, khata no,
		khata number, bill no, order no,
		order number, near, ke paas, ke samne, ke saamne, ke bagal, opposite, opp, behind, ke piche, के पास, के सामने,
		कॉलोनी, नगर, विंग, मंजिल, sector no,
		gate no, gate, gate number, मोहल्ला, mohalla, block no, plot number, table no, bus stop, main road, cross,
		mandir, school ke, station, villa,
		villa no, quarter no, qtr no, qr no, राइट, एड्रेस, bed no, cabin no, kamra no, kamra number, line number, sadak,
		सड़क, mkn no, room number, tower no,
		extn, ext, गेट`},
	{afterNumber, `baje, bje, am, pm, oclock, o clock, minute, minutes, min, mins, minat, minit, ghante, ghanta,
		ghante me, ghante mein, hour, hours, hr, hrs, din,
		days, day, hafte, week, weeks, mahine, month, months, floor, manzil, manjil, mala, mehmaan, mehman, guest,
		guests, log, logo, logon, people, person,
		persons, members, family members, bachche, bachchon, saal, years, year, tarikh, tareekh, date, january,
		february, march, april, may, june, july,
		august, september, october, november, december, jan, feb, mar, apr, jun, jul, aug, sept, oct, nov, dec, note,
		ka note, ke note, rupaye ka note, बजे,
		मिनट, घंटे, घंटा, घंटों, दिन, दिनों, हफ्ते, महीने, मंजिल, मंज़िल, मेहमान, लोग, लोगों, बच्चे, साल, तारीख, नोट,
		तल, माला, st floor, nd floor, rd floor,
		th floor, side, sides, st, nd, rd, th, percent, baar, बार, times, ka chutta, ka chhutta, ka khulla, ka change, ka khullaa,
		rs ka note, ki note, janvari, km,
		bajkar, अगस्त, जनवरी, फरवरी, मार्च, अप्रैल, मई, जून, जुलाई, सितंबर, अक्टूबर, नवंबर, दिसंबर, क्लास, class,
		guest aaye, dost, friends, dosto, step,
		steps, bhk, ka note hai, rs note, rupees note, k note, wala note, number wala, जने, jane, jan, mem, bande,
		evening, morning, hrs me, sal,
		ke liye log, logon ke liye, logo ke liye, floors`},
	{condition, `h to, h toh, he to, hai to, ho to, hai toh, ho toh, if yes, if available, agar ho to, if you have it, if you have,
		agar hai to, if in stock, है तो, हो तो, अगर हो तो,
		हुआ तो, hua to, mile to, mil jaye to, mil jaaye to, मिले तो, मिल जाए तो, available ho to, available hai to,
		if there, if possible,
		agar available ho to, stock me ho to, stock mein ho to, if it is available, if its available, if so, ho sake to,
		hoga to, hai tab, milta ho to,
		agar mile to, agar mil jaye to, in case you have, if u have`},
	{purpose, `ke liye, के लिए, के लिये, k liye, ke lie, banane ke liye, banana hai, banani hai, banane hai, बनाना है,
		बनानी है, banegi, banega, banaungi, me, mein,
		में, wagairah, ke waste, banane hain`},
	{contrast, `only, sirf, baaki, baki, lekin, but, bas, par, magar, just, सिर्फ, सिर्फ़, बाकी, लेकिन, बस, मगर, केवल,
		keval, uske alawa, iske alawa, aur kuch nahi,
		except that, the rest, rest, so, isliye, toh, to, तो`},
}

// fillers are words of small talk, politeness and grammar. They say nothing about goods. They are looked up as they are
// written. The verbs of the list of verbs are fillers, too.
const fillers = `
program programme samaroh karyakram hw कार्यक्रम समारोह bother father dad grandma grandmother daughter
sister cook maid ill ive im youre youve weve theyve theyre youll theyll itll
bnd site godown factory warehouse everything something anything nothing everyone maal wats wat watz whatz dis dat frm
abt bcoz bcz coz cz cuz wid wit plzz hlo bro sis ya yaa nw rn btw fyi kinda cn cud wud shud dnt didnt doesnt havent
isnt arent wasnt werent hasnt hadnt couldnt wouldnt shouldnt usi isi ussi issi unhi inhi unhin inhin kisi jisi jise
kise उसी इसी उन्हीं इन्हीं किसी जिसे mrng mrning aati hamka hamra hamar mhare mhara manne maine amhala bhau tau uske
uski iske iski jiske jiski unke inke उसके उसकी इसके इसकी left card cards karega karegi karenge jaisi jaisa jaisee जैसी
जैसा जैसे happy talk speak speaking mangai mangayi mangaya pharmacist garam garm garma गरम हैप्पी dard dukh bukhar
bukhaar ulti dast sar sir pet badan gala kamar sardi jukam zukam tabiyat bimar beemar दर्द बुखार उल्टी दस्त सर सिर पेट
बदन गला कमर सर्दी जुकाम तबीयत बीमार sabzi sabji sabjiyan sabziyan sabziya veggies veggie vegetables vegetable fruits
fruit phal kirana सब्जी सब्ज़ी सब्जियां सब्जियाँ फल किराना राशन get can a an the this that these those i me my mine we
us our you u ur your it its is are was were be been am do does did done doing will would shall should could may might
must has had having as at by in into to too from for on off up out over if so just then than there here now today
tomorrow tonight tmrw tmr tom morning evening afternoon night soon asap urgent urgently early late quick quickly fast
immediately jaldi jldi jaldii turant fatafat fata fat please plz pls plss pleas plese kindly hi hello hey helo hii
hiii hy dear madam maam mam mg mcg monday tuesday wednesday thursday friday saturday sunday sundays weekend uncle
aunty auntie anty brother bhai bhaiya bhaiyya bhaiyaa bhaya bhayya bhaji didi ji jee sahab saab sahib seth sethji
chacha chachaji kaka dada mama boss yaar yar dost bhaisahab bhaisaab bhaijaan dukandar shopkeeper ok okay okk okie oki
thik theek thk accha acha achha achcha haan han haa yes yep yeah hmm hm ek baar zara jara kya kyu kyun ki hai hain he
h ho hu hun hoon hoga tha thi raha rahi rahe rha rhi ka ke ko se mein mai main mujhe mujko muje mujhko mereko hame
hamein humko humein hum ham mera meri mere hamara hamare hamari aap ap tum tu aapka apka apko aapko tumko tumhara wo
woh vo voh ye yeh un isko usko inko unko wahi vahi yahi iska uska inka unka jo jis sab saare sara sari saara saari
sabhi bhejdiye bhej-do bhejke bhejge bhijwadena bhijwadijiye bhijwa-do denge doge de-do laa aana aao aate le lo lijiye
lena leni lene lenge lunga lungi karo karna kardo kardena kare karke karwado karwana karwao karwadena krna krdo krdena
krke kijiye kijiyega karen karein packing pahuncha-do dal-do manga-do chahta chahti chahte bolo bola boli batao batana
bataiye bataiyega batado batadena dikhao sakte sakta sakti sako paye payega payegi jaye jaaye jayega jayegi jaega jana
jao gaya gayi gaye aaya aayi aaye ayi aye aayega aayegi aa lag lage lagi lagta zyada jyada kafi bahut bohot bahot bhot
ghar pe par pr per tak tk ab abhi aaj aj kal subah subh shaam sham raat dopahar shyam parso parson dopahr mahine
ka-saman saman samaan saamaan samagri sauda soda-nahi grocery groceries ration rashan items item list orders things
cheez cheezein cheeze chizen chize chij thanks thank thanku thankyou thx tnx ty dhanyawad dhanyavad dhanyavaad
shukriya shukria meherbani mehrbani kripya krupya kripaya namaste namaskar namaskaar pranam salaam salam good-morning
regards welcome bas bus toh bhi sirf only also again phir fir aur or lekin sell sells selling competitor magar ha na
naa nahi fresh taza taaza taazi tazi taaze badhiya badiya achhi acchi achi achhe acche ache accha-wala matching
carefully properly nicely safely pura poora पूरा पूरी best good quality nice pure shudh shuddh asli original ekdum
ekdam bilkul saaf saf safai mast pakka zaroor jarur zarur jaroor sure surely premium normal regular ordinary usual
same sada saada saadi simple home delivery delivered deliverd deliveri cash cod payment pay paid paise paisa paytm
gpay phonepe upi online account khata khate khaate khaata udhar udhaar udhari hisab hisaab note bill total dunga dungi
dedunga kardunga jayenge baad bad pehle pahle address wing floor flat house near nearby gate bell ring bajana baja
darwaza darwaze guard security lift neeche upar niche uper bahar andar watchman reception office dukan dukaan shop
store mummy mumy papa maa ma beta beti bacche bachche bachcho wife husband family guest guests mehman mehmaan party
function puja pooja pujan shaadi shadi birthday bday diwali holi eid festival tyohar khana khaana banana-hai banani
banana-h banane banegi banega liye khatam khatm finished nashta lunch dinner breakfast gud gm gn day din time jab
jaise waise vaise accha-suno suno suniye sun dekho dekhna dekhiye dekh isliye kyunki kyuki because since when while
where how who which what whatever whichever chalega chalegi chalta koi kuch koyi any one's ones someone somebody
anyone hope well fine great thats that's all this-is enough itna itni itne bas-itna utna aur-kuch thatsall confirm
confirmed free help let lets know tell ask check see look looking wanted wanting needed needs got getting giving take
taking come coming brought buy bought purchase keep put kilo-wala pieces-wala baki baaki bakaya rupees-wala quantity
qty number nos sample home-delivery free-delivery first second third last next week month year daily roj roz rozana
everyday alag separate separately saath sath mil milake milakar milaa pm baje bje ke-liye liya lie waha wahan yaha
yahan idhar kaha kahan kab kaise kaisa kaisi kitna kitni kitne jitna jitni ruko wait sorry oh arey arre ohh ah aha oho
uff haha lol hehe aapke apke tumhare tumhari aapki apki inki unki apna apni apne khud swayam thoda-jaldi bheje bheji
bhejen bhejein milega mile mili jaldise jldise pleasee sirji bhaiyaji bhayia bhiya bhya bhyya bhia rhne bhaiyo hai-na
na-bhulna bhulna bhoolna bhul bhool mat yaad rakhiyega dhyan dhyaan urgentt wanna gonna lemme gimme hv hve thn thr wil
r y v make makes making made some sb sbko sabko unhe inhe jisme jismein usme isme ismein usmein mujhse aapse apse unse
inse hone hona hote hota hoti hui hua hue huye rehta rahta rahna pahle-wala dinner-ke aana-hai aane ane wale aarahe
aayenge aaynge ayenge for-me include including included extra minimum max maximum approx approximately around about
roughly lagbhag kareeb karib takriban atleast usually always hamesha humesha often sometimes sending sent deliverboy
boy rider ladka ladke kariyo rakhiyo laiyo denaji dedo-na dena-bhaiya milvado kindly-send list-hai listed follow
following follows below niche-likha items-hai chahiyeh chahta-hu chahte-hai required thora maango mangu le-lena
le-lunga kardijiye krdijiye krdo-na lagaana laga-do laga-dena bhar bharke bharkar bhijwaye bhijwayiye bhejwaye
bhejwaiye jaroorat zaroorat jarurat zarurat jarurt hogi padi pad rakha rakhi rakhe chod chhod hatao hatado remove
cancel skip मैं मुझे मुझको हमें हमको हम मेरा मेरी मेरे हमारा हमारे हमारी आप आपका आपके आपको तुम यह ये वह वो वे इस उस इन
उन जो जी हाँ हां हा है हैं हूँ हूं हो था थी थे होगा रहा रही रहे को से में पर तक ने भी ही तो और का की के कि क्या कब
कहाँ कहां कैसे कितना कितने कितनी दो दिजिए दिजिएगा ले लो लेना लीजिए लेंगे करो करना करें कीजिए कीजिएगा चाहता चाहती भैया
भइया भाई भय्या दीदी अंकल आंटी मैडम साहब सेठ सेठजी चाचा काका यार दोस्त जल्दी तुरंत फटाफट आज कल अभी अब सुबह शाम रात
दोपहर परसों कृपया प्लीज प्लीज़ नमस्ते नमस्कार प्रणाम धन्यवाद शुक्रिया थैंक्यू ठीक अच्छा अच्छी अच्छे बढ़िया ताजा ताज़ा
ताजी ताज़ी ताजे ताज़े शुद्ध असली बस सिर्फ एक बार ज़रा जरा घर दुकान सामान लिस्ट सूची ऑर्डर आर्डर डिलीवरी होम पैसे पैसा
खाते खाता उधार हिसाब बिल बताओ बताइए बताना बताइएगा सकते सकता सकती जाए जाएगा जाएगी गया गयी गई आना आया आयी आए आएगा आ लिए
लिये साथ वाला कोई कुछ सब सारा सारे सारी बाद पहले फिर दिन रोज़ रोज नाम पास यहाँ यहां वहाँ वहां इसे उसे इसमें हेलो हैलो
हाय गुड मॉर्निंग चलेगा चलेगी अगर यदि मगर बहुत ज्यादा दूंगा दूँगा देंगे करूंगा कैश ऑनलाइन पेमेंट मेहमान पूजा शादी खत्म
ख़त्म दिया दी हुआ हुई हुए सुनो सुनिए अरे ओके हेल्लो मम्मी पापा बच्चे बच्चों बेटा बेटी जरूर ज़रूर
`
