package nlu

// kinds are words that say which of a thing is meant. They do not name a thing: red, basmati, toned.
const kinds = `
	tablet: goli, tab, tablets, capsule, capsules, goliyan, गोली, टैबलेट, कैप्सूल;
	motherdairy: mother dairy, मदर डेयरी, madar dairy;
	redlabel: red label, रेड लेबल, redlabel;
	dairymilk: dairy milk, डेरी मिल्क, डेयरी मिल्क, dairymilk;
	milkbikis: milk bikis;
	tigerbalm: tiger balm;
	red: lal, laal, रेड;
	green: hara, hari, hare, ग्रीन;
	black: kala, kali, kale, kaala, kaali, kaale, ब्लैक;
	white: safed, safaid, sufed, व्हाइट, vait;
	brown: bhura, bhoora, ब्राउन, bron;
	yellow: peela, peeli, pila, pili, यलो, peele;
	blue: neela, neeli, nila, nili, ब्लू, neele;
	golden: sone ki, sone ka, sone wala, sone wali, sunehra, sunehri, sunahra, sunahri, सुनहरा, सुनहरी;
	silver: chandi wala, chandi wali;
	pink: gulabi, पिंक;
	purple: baingani;
	toor: tur, tuvar, arhar, toovar, rahar, tuar, tuwar, arhad, अरहर, तूर, तुअर, toor dal arhar, thoor, pigeon pea;
	moong: mung, mug, मूंग, मूँग, green gram, mong;
	urad: urd, udad, urid, उड़द, उरद, black gram, urhad;
	masoor: masur, malka, मसूर, red lentil, masar, massor;
	kabuli: kabli, काबुली, kabooli;
	basmati: basmathi, बासमती, basamati, basmti;
	sona: सोना;
	masoori: masuri, मसूरी, mansuri, mansoori;
	kolam: kolum, कोलम;
	sunflower: surajmukhi, suryamukhi, सूरजमुखी, sunflowr, sun flower, सनफ्लावर;
	soyabean: soybean, soya bean, soyabin, soyabeen, सोयाबीन, soybin;
	ricebran: rice bran, ricebran;
	long: lamba, lambi, lambe, लंबा, लंबी, लंबे, लम्बा, लम्बी, लॉन्ग;
	thin: patla, patli, patle, barik, bareek, baarik, mahin, पतला, पतली, पतले, बारीक;
	thick: mota, moti, mote, motaa, मोटा, मोटी, मोटे;
	ceiling: chhat wala, chat wala, chhat ka, chat ka, chhat wale, siling, seeling, छत वाला, छत का, छत वाले, सीलिंग;
	refined: rifined, refind, refine, रिफाइंड, rifaind;
	olive: jaitun, jaitoon, zaitoon;
	castor: arandi, castor;
	whole: sabut, sabit, khada, khadi, khade, saboot, akha, akhi, साबुत, खड़ी, खड़ा, सबूत;
	split: dhuli, dhuli hui, washed, धुली, dhooli;
	husk: chilka, chhilka, chilke wali, छिलका, chhilke wali, chilke;
	powder: pisi, pisa, pisi hui, pisa hua, पाउडर, powdr, pauder, pawder, पिसी, पिसा, powdered, paudar, pouder, bukni,
		podi;
	crushed: kuti, kuti hui, flakes, kutti;
	seed: beej, dana, seeds, daana, बीज;
	leaves: leaf, patte wala;
	paste: pest, पेस्ट;
	roasted: bhuna, bhuni, bhuna hua, bhune, bhuja, roast, भुना, भुने, rosted;
	salted: namkeen wala, namkin wala;
	spicy: teekha, tikha, chatpata, teekhi, masaledar;
	sour: khatta, khatti, khatte;
	sweetened: meetha, mitha, meethi, mithi, mithe, मीठा, मीठी, मीठे, meethe;
	raw: kaccha, kachha, kacha, kachcha, kachchi, kacchi, कच्चा, kachche, kachi, kacche;
	ripe: pakka, paka, pakke, paki, पका, pake;
	dried: sukha, sukhi, sookha, sookhi, सूखा, sukhe, dry, ड्राई;
	gravy: rassa, rassewala, rasewala, grevi, ग्रेवी, रस्सा;
	frozen: phrojan;
	toned: टोन्ड;
	doubletoned: double toned;
	fullcream: full cream, fulcream, फुल क्रीम, full kream, ful cream;
	skimmed: skim, slim;
	cow: gai, gaay, gaaye, गाय, gaye;
	buffalo: bhains, bhais, भैंस, buffelo;
	multigrain: multi grain, मल्टीग्रेन;
	chakki: चक्की;
	organic: jaivik;
	sugarfree: sugar free, bina chini, bina cheeni;
	iodised: iodized;
	rocksalt: sendha, saindha, rock salt, सेंधा, lahori, sendha namak, saindha namak, vrat wala namak, vrat ka namak,
		upvas ka namak, phalahari namak;
	blacksalt: kala namak, black salt, kaala namak;
	garammasala masala: garam masala, garm masala, गरम मसाला;
	threepin: three pin, 3 pin, teen pin, 3pin, थ्री पिन, तीन पिन;
	twopin: two pin, 2 pin, do pin, 2pin, टू पिन, दो पिन;
	kitchenking: kitchen king;
	pavbhaji: pav bhaji, pao bhaji, pavbhaji, पाव भाजी, paav bhaji;
	chaat: chat masala, chaat masala, चाट;
	ruled: line wali, lined, rule wali, single line, लाइन वाली, line vali;
	unruled: blank, bina line wali, sadi;
	gelled: jel;
	steel: स्टील;
	plastic: plastik, प्लास्टिक;
	copper: tamba, taamba;
	brass: peetal, pital;
	men: mardana, gents, ladko wala, ladkon wala, ladke wala, boys, mens, man;
	women: ladies, zanana, ladkiyon wala, girls, womens, lady;
	baby: bachcha, bachche, bachhe, bache, bachchon;
	kids: kid, paediatric, pediatric, children, childrens, bachchon wala, bachchon ka;
	boneless: bina haddi, bonless;
	curry: karri, kari cut;
	vanilla: vanila, venila, वनीला;
	butterscotch: butter scotch, बटरस्कॉच;
	liquid: likvid, likwid, लिक्विड, liquied;
	spray: sprey, स्प्रे, spry;
	gel: jail gel;
	cough: khansi, khaansi, khasi, खांसी, खाँसी, kaf, कफ;
	antidandruff: anti dandruff, dandruff, rusi wala, roosi wala, रूसी, dandruf, rusi ka;
	rosefl: gulab, rose, रोज़, gulaab;
	jasmine: chameli, mogra, चमेली;
	neem: nim, नीम;
	roomtemp: chilled, thandi, thandi wali`

// phrases are what customers call a thing of a certain kind. Each is read as the words on the left.
const phrases = `
	saw blade: hexa blade, hexo blade, axo blade, aksa blade, hacksaw blade, aari blade, आरी ब्लेड;
	kabuli chana: chole, chhole, chola, chickpeas, chick peas, chickpea, safed chana, safed chane, छोले, kabuli chane,
		chholay;
	black chana: kala chana, kale chane, kaale chane, black gram whole, black chickpeas;
	roasted chana: bhuna chana, bhune chane, bhuna hua chana, phutana;
	chana dal: split chickpeas, bengal gram, chane ki daal, chana daal, chane dal;
	moong dal: mung ki dal, moongdal, mungdal;
	toor dal: toordal, turdal, pigeon peas;
	urad dal: uraddal;
	coriander leaves: hara dhaniya, dhaniya patta, dhaniya patti, hari dhaniya, dhania patta, green coriander,
		dhaniya ke patte, coriander leaf, fresh coriander, hara dhania, hare dhaniye, kothmir, kothimbir, cilantro;
	fenugreek leaves: methi patta, hari methi, methi saag, methi bhaji, methi ke patte, methi ki bhaji, hara methi,
		fresh methi;
	fenugreek seed: methi dana, methi daana, methi seeds, methi ke dane;
	coriander seed: sabut dhaniya, khada dhaniya, dhaniya sabut, dhaniya seeds, dhaniya beej, coriander whole,
		whole coriander;
	mustard seed: rai, raai, sarson dana, sarso dana, rai dana, sarson ke dane;
	mustard oil: sarson tel, kachi ghani, kachi ghani tel, sarso tel, kadwa tel, kadua tel, kachchi ghani, kadva tel;
	soyabean oil: soya oil, soya tel, soyabean refined, soya refined, soyabean refined oil, refined soyabean oil;
	sunflower oil: sunflower refined, sunflower refined oil, refined sunflower oil;
	peanut oil: moongphali ka tel, groundnut oil, mungfali ka tel, singtel, sing tel;
	sesame oil: til ka tel, gingelly oil;
	red chilli powder: lal mirch powder, mirch powder, mirchi powder, lal mirchi powder, chilli powder, chili powder,
		pisi lal mirch, pisi mirch, pisi hui mirch, pisi hui lal mirch, lal mirch pisi, lal mirchi pisi, chilly powder,
		deggi mirch, degi mirch;
	red chilli whole: sabut lal mirch, khadi lal mirch, sukhi lal mirch, lal mirch sabut, dry red chilli,
		whole red chilli, sukhi mirch, khadi mirch, sabut mirch, sabut lal mirchi, sukhi lal mirchi, red chilli dry;
	green chilli: hari mirch, hari mirchi, teekhi mirch;
	turmeric powder: pisi haldi, haldi powder;
	turmeric whole: khadi haldi, haldi gaanth, sabut haldi;
	ginger garlic paste: adrak lahsun paste, adrak lahsun ka paste, adrak lehsun paste, adrak lasan paste;
	wheat atta: wheat flour, gehu ka atta, gehun ka atta, gehu atta, whole wheat atta, whole wheat flour;
	rice atta: rice flour, chawal ka atta;
	bajra atta: bajre ka atta, bajra flour, bajra ka atta;
	jowar atta: jowar ka atta, jwar ka atta, jowar flour;
	ragi atta: ragi flour, ragi ka atta;
	maize atta: maize flour, makki ka atta, makke ka atta, makka ka atta, makki atta;
	dishwash bar: dishwashing bar, dish wash bar, bartan bar, bartan wali tikki, bartan ki tikiya,
		bartan dhone ki tikiya, bartan ka bar;
	dishwash liquid: bartan dhone ka liquid, dishwash gel, bartan wala liquid, dish wash liquid, dishwash liquid gel,
		bartan ka liquid;
	detergent liquid: liquid detergent, kapde dhone ka liquid, washing liquid;
	antiseptic liquid: dettol liquid antiseptic;
	coconut hairoil: coconut hair oil;
	fullcream milk: full cream doodh, malai wala doodh, full cream milk, malai wala dudh;
	buffalo milk: bhains ka doodh;
	cow milk: gai ka doodh, gaay ka doodh, gaye ka doodh;
	cow ghee: gai ka ghee, gaay ka ghee, desi gai ka ghee;
	black grapes: kale angoor, kala angoor;
	white peas: safed matar, safed vatana;
	aa battery: pencil cell, pencil sel, aa cell, aa size cell;
	aaa battery: aaa cell, remote wala cell, remote ka cell, chhota cell, remote wale cell, remote ki battery,
		remote cell;
	ballpen: ball point;
	boondi laddu: bundi laddu, boondi ladoo, motichoor ladoo boondi;
	motichoor laddu: motichur laddu, motichur ladoo, motichoor ke laddu, motichoor ladoo;
	besan laddu: besan ke ladoo, besan ka laddu, besan ladoo;
	brown eggs: brown egg, desi egg;
	mixed pickle: mix achar, mix achaar, mixed achar, mix pickle, mixed pickle;
	mango pickle: aam ka achar, aam achar, aam ka achaar;
	lemon pickle: nimbu ka achar, nimbu achar, nimbu ka achaar;
	pav: pao, paav, पाव;
	clay pot: matka, mitti ka matka;
	sugar powder: pisi cheeni, pisi chini;
	painrelief spray: dard ka spray, pain spray, pain relief spray, dard wala spray, moch ka spray, dard nivarak spray;
	painrelief cream: dard ki cream, pain relief cream, dard wali cream;
	painrelief gel: pain relief gel, pain gel, dard ka gel, dard wala gel;
	rawmango: raw mango, kacha aam, kachha aam, kachcha aam, kairi, keri, kaccha aam, kachi kairi;
	rawbanana: raw banana, kacha kela, kachha kela, kachcha kela, kaccha kela, kache kele, kachche kele`

// alsoKnown says what else well-known goods are: what has all the words on the left is also called what stands on the
// right.
const alsoKnown = `
	kids: baby; betelleaf: paan; dairymilk: chocolate; kitkat: chocolate; munch: chocolate; perk: chocolate;
	snickers: chocolate; gems: chocolate; 5 star: chocolate; silk: chocolate; bournville: chocolate;
	ferrero: chocolate; milkybar: chocolate; galaxy: chocolate; good day: biscuit; marie: biscuit; parle-g: biscuit;
	hide seek: biscuit; oreo: biscuit; bourbon: biscuit; monaco: biscuit; krackjack: biscuit; tiger: biscuit;
	jim jam: biscuit; 50-50: biscuit; little hearts: biscuit; nutrichoice: biscuit; milkbikis: biscuit;
	maggi noodles: maggi; yippee: noodles; top ramen: noodles; wai wai: noodles; kurkure: namkeen; lays: chips;
	bingo: chips; uncle chips: chips; balaji: chips; pringles: chips; bhujia: namkeen; sev: namkeen; chivda: namkeen;
	mixture: namkeen; haldirams: haldiram; coca cola: colddrink; coca cola: coke; coca-cola: coke;
	coca-cola: colddrink; pepsi: colddrink; sprite: colddrink; fanta: colddrink; limca: colddrink;
	thums up: colddrink; mirinda: colddrink; 7up: colddrink; mountain dew: colddrink; dew: colddrink;
	campa: colddrink; maaza: juice; frooti: juice; slice: juice; appy: juice; real: juice; tropicana: juice;
	maaza: colddrink; red bull: energydrink; sting: energydrink; bournvita: healthdrink; horlicks: healthdrink;
	complan: healthdrink; boost: healthdrink; nescafe: coffee; bru: coffee; red label: tea; taj mahal: tea;
	wagh bakri: tea; society: tea; rooh afza: squash; rasna: squash; bisleri: water; kinley: water; aquafina: water;
	surf: detergent; ariel: detergent; tide: detergent; wheel: detergent; ghadi: detergent; nirma: detergent;
	rin bar: detergentbar; rin: detergent; vim: dishwash; pril: dishwash; exo: dishwash; lizol: floorcleaner;
	harpic: toiletcleaner; colin: glasscleaner; domex: toiletcleaner; comfort: fabricconditioner;
	good knight: mosquitorepellent; goodknight: mosquitorepellent; all out: mosquitorepellent;
	mortein coil: mosquitocoil; maxo coil: mosquitocoil; hit: insectspray; odonil: roomfreshener;
	scotch brite: scrubber; colgate: toothpaste; pepsodent: toothpaste; closeup: toothpaste; close up: toothpaste;
	sensodyne: toothpaste; dabur red: toothpaste; meswak: toothpaste; lux: soap; lifebuoy: soap; cinthol: soap;
	santoor: soap; pears: soap; dove bar: soap; hamam: soap; medimix: soap; margo: soap; liril: soap; rexona: soap;
	clinic plus: shampoo; sunsilk: shampoo; head shoulders: shampoo; pantene: shampoo; chik: shampoo;
	parachute: hairoil; coconut oil: hairoil; almond hairoil: oil; navratna: hairoil; bajaj almond: hairoil;
	dabur amla: hairoil; amla hairoil: oil; gillette: razor; fair lovely: facecream; glow lovely: facecream;
	ponds cream: facecream; whisper: sanitarypad; stayfree: sanitarypad; sofy: sanitarypad; pampers: diaper;
	mamypoko: diaper; huggies: diaper; cerelac: babycereal; axe: deodorant; fogg: deodorant; engage: deodorant;
	wild stone: deodorant; vaseline: bodylotion; nivea: bodylotion; vaseline: petroleumjelly; crocin: paracetamol;
	dolo: paracetamol; calpol: paracetamol; paracip: paracetamol; combiflam: painkiller; saridon: painkiller;
	disprin: painkiller; brufen: painkiller; ibuprofen: painkiller; aspirin: painkiller; moov: painrelief;
	volini: painrelief; iodex: painrelief; omnigel: painrelief; relispray: painrelief; benadryl: coughsyrup;
	honitus: coughsyrup; ascoril: coughsyrup; corex: coughsyrup; grilinctus: coughsyrup; alex: coughsyrup;
	torex: coughsyrup; chericof: coughsyrup; koflet: coughsyrup; zecuf: coughsyrup; strepsils: coughlozenge;
	vicks cough drops: coughlozenge; cofsils: coughlozenge; cetirizine: allergytablet; cetzine: allergytablet;
	okacet: allergytablet; avil: allergytablet; allegra: allergytablet; levocetirizine: allergytablet;
	montair: allergytablet; sinarest: coldtablet; vicks action: coldtablet; coldact: coldtablet; d cold: coldtablet;
	wikoryl: coldtablet; eno: antacid; digene: antacid; gelusil: antacid; pantop: antacid; pan 40: antacid;
	omez: antacid; rantac: antacid; pantoprazole: antacid; omeprazole: antacid; pan d: antacid; zinetac: antacid;
	hajmola: digestive; pudin hara: digestive; loperamide: diarrhoeatablet; eldoper: diarrhoeatablet;
	imodium: diarrhoeatablet; lopamide: diarrhoeatablet; ondem: vomitingtablet; emeset: vomitingtablet;
	domstal: vomitingtablet; ondansetron: vomitingtablet; vomikind: vomitingtablet; electral: ors; ors: electral;
	band aid: bandage; hansaplast: bandage; handyplast: bandage; dettol antiseptic: antiseptic;
	savlon antiseptic: antiseptic; betadine: antiseptic; boroline: antiseptic; soframycin: antiseptic;
	betadine: ointment; soframycin: ointment; burnol: burncream; candid: antifungal; ring guard: antifungal;
	itch guard: antifungal; clotrimazole: antifungal; boroplus: antiseptic; zandu balm: painrelief; amrutanjan: balm;
	tiger balm: painrelief; becosules: vitamin; revital: vitamin; limcee: vitamin; zincovit: vitamin;
	supradyn: vitamin; neurobion: vitamin; a to z: vitamin; shelcal: calcium; cipcal: calcium; isabgol: laxative;
	sat isabgol: laxative; dulcolax: laxative; cremaffin: laxative; softovac: laxative; kayam churna: laxative;
	itone: eyedrops; refresh tears: eyedrops; otrivin: nasaldrops; nasivion: nasaldrops; vicks inhaler: inhaler;
	nataraj pencil: pencil; fevicol: glue; fevistick: gluestick; camlin geometrybox: geometrybox; fevikwik: adhesive;
	duracell: battery; eveready: battery; m seal: msealer; anchor switch: switch; gold milk: fullcream;
	taaza milk: toned; soyabean oil: refined; sunflower oil: refined; ricebran oil: refined; gelpen: pen;
	motichoor: laddu; greentea: tea; crepebandage: bandage; handwash: liquid; toothbrush: brush; paintbrush: brush;
	bodylotion: lotion; babylotion: lotion; milkcake: kalakand; lays chips: wafers; rosewater: gulabjal;
	sanitarypad: napkin; chaat masala: chaat; chaat: masala; rocksalt: salt; blacksalt: salt; rajma: bean;
	pavbhaji masala: bhaji; cloth detergent: detergent; mosquitorepellent: machhar; fenugreek: methi;
	phenyl: floorcleaner; chickenleg: chicken; cookie: biscuit; mutton keema: mutton; chicken keema: chicken;
	moong whole: green; urad whole: black; masoor whole: black; dishwash bar: bartan; detergentbar: detergent;
	rusk: toast; ladi pav: pavbun; pavbun: pav; pav: pavbun; potato chips: chips; omelette: egg; gulabjamun: jamuns;
	sketchpen: skech; notebook: copies; incense: sticks; honey: madhu; peas: green; ketchup: sauce;
	chillisauce: sauce; soysauce: sauce; insulationtape: tape; cellotape: tape; teflontape: tape; adultdiaper: diaper;
	colourpencil: pencil; chartpaper: paper; coughsyrup: syrup; bigcardamom: cardamom; drydate: date; babysoap: soap;
	babyoil: oil; marigold: flower; atta: flour; besan: flour; maida: flour`

// looselyCalled are things that customers call by the word of another when they name the brand, too: Rin sabun.
const looselyCalled = `
	detergentbar: soap; detergentbar: detergent; detergentbar: bar; dishwash: soap; dishwash: bar; biscuit: cookie;
	cookie: biscuit; chips: namkeen; namkeen: chips; detergent: powder; detergent: soap; talc: powder;
	healthdrink: powder; coffee: powder; milkpowder: milk; hairoil: oil; paracetamol: medicine; painkiller: medicine;
	coughsyrup: syrup; coughsyrup: medicine; coldtablet: medicine; antacid: medicine; painrelief: cream;
	painrelief: spray; painrelief: gel; shampoo: bottle; gelpen: pen; facecream: cream; antiseptic: cream;
	antiseptic: liquid; toothpaste: paste; juice: colddrink; colddrink: juice; glue: gum; mosquitorepellent: liquid;
	mosquitorepellent: refill; phenyl: liquid; toiletcleaner: liquid; noodles: masala; babycereal: powder;
	sanitarypad: napkin; incense: stick; butter: cheese; ghee: oil; bodylotion: cream; notebook: register; soap: bar;
	bread: pavbun; handwash: soap; handwash: liquid; battery: cell; ointment: cream; balm: cream; burncream: cream;
	antifungal: cream; bandage: strip`
