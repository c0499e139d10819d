package nlu

const household = `
	doormat: door mat, door mats, foot mat, footmat, paydan, payedan, pydan, पायदान;
	yogamat: yoga mat, yoga mats, exercise mat;
	detergent: detergent powder, washing powder, surf powder, kapde dhone ka powder, kapde ka powder, kapde wala powder,
		nirma powder, ditarjent, detrgent, detergant, kapde dhone wala powder, डिटर्जेंट, dettergent, washing powdar;
	detergentbar: detergent bar, detergent cake, kapde dhone ka sabun, kapde ka sabun, kapde wala sabun, washing soap,
		kapde dhone wala sabun, laundry soap, washing bar, detergent soap, detergent sabun, डिटर्जेंट बार;
	dishwash: dish wash, bartan dhone ka, bartan, dishwasher, dish washing, bartan saaf karne ka, bartan wala,
		utensil cleaner, bartan ka sabun, bartan dhone ka sabun, bartan wala sabun, dish soap;
	phenyl: finyl, fenyl, phenyle, finail, phinayl, finayal, pocha lagane ka, farsh cleaner, फिनाइल,
		farsh saaf karne ka, fenail, फिनायल, phinyl, pocha wala;
	toiletcleaner: toilet cleaner, toilet saaf karne ka, bathroom cleaner, latrine saaf karne wala, टॉयलेट क्लीनर,
		toilet wala cleaner;
	floorcleaner: floor cleaner, floor clean karne ka, farsh saaf karne ka liquid, floor liquid, फ्लोर क्लीनर;
	glasscleaner: glass cleaner, sheesha saaf karne ka;
	bleach: bleaching powder, bleach cream, blich;
	fabricconditioner: fabric conditioner, fabric softener, kapdo ka conditioner;
	broom: jhadu, jhaadu, jharu, jhaaru, jhadoo, jaadu;
	mop: pocha, pochha, ponchha, ponchhaa, pochaa;
	scrubber: scrub pad, scrub, juna, bartan manjne ka, scotch brite scrub, skrabar, steel scrubber, jaali, joona;
	wiper: vaiper;
	dustbin: kachra dabba, kude ka dabba, kooda dan, dust bin;
	garbagebag: garbage bag, garbage bags, dustbin bag, kachre ki thaili, dustbin bags, kude ki thaili, trash bags;
	tissue: tissue paper, tishu, napkin, paper napkin, tissues, napkins, tissue roll;
	toiletpaper: toilet paper, toilet roll;
	foil: aluminium foil, silver foil, aluminum foil, fwail;
	matchbox: machis, maachis, match box, matchstick, diyasalai, maches, माचिस, match boxes, matchboxes, maachees;
	lighter: laitar, gas lighter;
	mosquitocoil: mosquito coil, machhar agarbatti, machar coil, macchar wali coil, coil, machhar coil, kachhua coil,
		machar wali coil, machhar wali coil, मच्छर कॉइल, machar agarbatti;
	mosquitorepellent: mosquito repellent, machhar bhagane ki, mosquito liquid, mosquito refill, machar ki dawai,
		machhar bhagane wala, machar wala liquid, machhar liquid;
	insectspray: cockroach spray, insect killer, mosquito spray, keede marne ki dawa, cockroach marne ki dawa,
		keede maar spray, cockroach killer;
	roomfreshener: room freshener, air freshener, room spray, airfreshener;
	naphthalene: naphthalene balls, kapur ki goli, phenyl goli, phenyl ki goli, naphthalene ki goli, naphthalene goli,
		napthalene balls, napthalene ki goli, moth balls, mothballs;
	candle: mombatti, mombati, candles, maumbatti, mombatiya, mombattiyan;
	bucket: balti, baalti;
	mug: mag, magga;
	rope: rassi;
	paperplate: paper plate, disposable plate, paper plates, disposable plates, pattal, dona;
	papercup: paper cup, paper cups, disposable glass, disposable cup, paper glass, disposable cups, disposable glasses;
	clothclip: cloth clip, kapde ki clip, cloth clips, kapde sukhane wali clip`

const care = `
	soap: sabun, saabun, sabu, nahane ka sabun, bath soap, sabun nahane ka, nahane wala sabun, सोप, soaps, bathing soap,
		sabon, sabbun, toilet soap;
	shampoo: shampo, shampu, shempu, shaimpoo, शैम्पू, शैंपू, shempoo, shampooo, sampoo, baal dhone ka shampoo, sampu,
		शाम्पू;
	conditioner: hair conditioner, kandisnar;
	toothpaste: tooth paste, toothpast, manjan, paste, dant manjan, tuthpest, tuthpaste, टूथपेस्ट, dantmanjan,
		tooth pest, toothpest, daant ka paste;
	toothbrush: tooth brush, tuthbrush, daant ka brush, dant brush, टूथब्रश, toothbrushes, daant saaf karne ka brush,
		dant wala brush;
	brush: brushes, burush, ब्रश;
	lotion: लोशन;
	mouthwash: mouth wash;
	facewash: face wash, fes wash, muh dhone ka, फेस वॉश, फेसवॉश, faceswash, muh dhone wala;
	bodywash: body wash, shower gel;
	handwash: hand wash, haath dhone ka, hath dhone ka, हैंड वॉश, हैंडवॉश, handwas, haath dhone wala;
	sanitizer: sanitiser, senitizer, hand sanitizer, senetizer, सैनिटाइजर, sanitizr, sanetizer;
	facecream: face cream, fairness cream, cold cream, chehre ki cream, fes cream, फेस क्रीम, vanishing cream,
		muh ki cream, muh pe lagane wali cream, mooh ki cream;
	bodylotion: body lotion, moisturizer, moisturiser, moschrizer, बॉडी लोशन;
	sunscreen: sun screen, sunscreen lotion, sunscreen cream, sunscrean;
	shavingcream: shaving cream, shave cream, शेविंग क्रीम, daadhi banane ki cream, shaving kream, saving cream,
		shaving foam, shaving gel;
	razor: rezar, shaving razor, razer, रेज़र, ustara, rezor;
	blade: blades, bled, shaving blade, ब्लेड, blaid;
	aftershave: after shave;
	deodorant: deo, diodrant, deodrant, body spray, deodrant, डियो, deodorent, bodyspray;
	perfume: itra, attar, scent, parfum, itr, perfum, pefume;
	talc: talcum powder, talc powder, body powder, talcom powder, टैल्कम पाउडर, talkam powder, talcam powder,
		pauder talcum, tailcum powder;
	hairoil: hair oil, baalon ka tel, balo ka tel, sar ka tel, baal ka tel, balon ka tel, sir ka tel, bal ka tel,
		baalo ka tel, hair tel, हेयर ऑयल, sir me lagane wala tel;
	haircolour: hair colour, hair color, hair dye, baalon ka colour, baalon ka color, balon ka colour, balo ka color,
		बालों का कलर, hair colur, baal kala karne ka, baal rangne ka, हेयर कलर, hair die;
	mehndi: mehandi, henna, mehendi, heena, mehdi;
	hairgel: hair gel;
	hairremover: hair removal cream, hair remover, baal hatane ki cream, hair removing cream;
	comb: kanghi, kangha, kangi;
	sanitarypad: sanitary pad, sanitary pads, pads, whisper pad, sanitary napkin, pad, sanitry pad, sanitary napkins,
		सैनिटरी पैड, senitary pad, sanetary pad, सेनेटरी पैड;
	diaper: diapers, daiper, nappy, dayper, baby diaper, डायपर, dipar, daipers, baby diapers, diper, nappies;
	babywipes: baby wipes, wipes, wet wipes, बेबी वाइप्स;
	babypowder: baby powder, bacho ka powder, baccho ka powder, bachho ka powder, bachcho ka powder, bache ka powder,
		bachche ka powder, bachhe wala powder, बेबी पाउडर, bachon ka powder;
	babyoil: baby oil, bacho ka tel, baccho ka tel, bache ka tel, bachche ka tel, bachhe ka tel, baby massage oil;
	babysoap: baby soap, bacho ka sabun, baccho ka sabun, bache ka sabun, bachon ka sabun, bachche ka sabun,
		bachhe ka sabun, baby sabun;
	babycereal: baby food, cerelac, serelac, bachche ka khana, baby cereal, sereleck;
	babylotion: baby lotion, baby cream;
	feedingbottle: feeding bottle, doodh ki bottle, baby bottle, bachche ki bottle, doodh pilane wali bottle;
	lipstick: lipstik, lip stick, लिपस्टिक, lipistick, lipstic;
	lipbalm: lip balm, lipbam, lip bam, hoth ki cream, लिप बाम;
	kajal: kaajal, kajol, surma;
	nailpolish: nail polish, nailpaint, nail paint, nakhun palish, नेल पॉलिश, nel polish, nail polis, nailpolis;
	nailcutter: nail cutter, nakhun katne wala;
	eyeliner: eye liner, ailiner, ayeliner;
	foundation: faundation;
	compact: compact powder;
	bindi: bindiya, tikli;
	sindoor: sindur, sindoor powder;
	bangle: bangles, chudi, choodi, chudiyan;
	hairband: hair band, rubber band baal;
	safetypin: safety pin, safety pins;
	bedsheet: bed sheet, bedsheets, bed sheets, chadar, chaddar, chader, bed ki chadar, palang ki chadar, बेडशीट,
		बेड शीट, चादर, चद्दर, पलंग की चादर, bed cover, bedcover;
	cotton: rui, cotton roll, ruee, cotton wool;
	earbuds: ear buds, cotton buds, kaan ki tili, ear bud, cotton bud;
	rosewater: rose water, gulab jal, gulaab jal, gulabjal;
	multanimitti: multani mitti, fullers earth, multani miti;
	aloegel: aloe vera gel, aloevera gel, aloe vera, aloevera, aloe gel, elovera jel, alovera jel, alovera gel, alovera,
		एलोवेरा जेल;
	condom: condoms, kandom`

const medicines = `
	medicine: dawai, dawa, davai, dawaai, medicin, davaai, dawayi, medicines, दवाई, दवा;
	paracetamol: bukhar ki goli, bukhar ki tablet, fever tablet, bukhar ki dawa, bukhar ki dawai, fever medicine, pcm,
		paracitamol, parasitamol, bukhar wali goli, bukhar wali tablet, pyaracetamol, parasetamol, paracetamole,
		पैरासिटामोल, bukhar ke liye goli, bukhar ke liye, bukhar ki medicine, fever ki goli, fever ki tablet,
		fever wali tablet, fever wali goli, bukhaar ki goli, bukhaar ki dawai;
	painkiller: dard ki goli, dard ki dawa, pain killer, dard ki dawai, pain tablet, dard ki tablet, sar dard ki goli,
		sir dard ki goli, sar dard ki dawai, headache tablet, badan dard ki goli, dard wali goli, sardard ki goli,
		sir dard ki dawai, sir dard ki tablet, pain relief tablet, sar dard ki tablet, badan dard ki dawai,
		dard nivarak goli;
	painrelief: pain relief, dard ka malham;
	coughsyrup: khansi ki dawa, khansi ki dawai, cough syrup, khaansi ki dawai, khansi ka syrup, khasi ki dawai,
		khaansi ka syrup, kaf syrup, khasi ka syrup, khansi wala syrup, cough sirap, khansi wali dawai,
		khansi ki syrup, खांसी की दवा, कफ सिरप, cough medicine, khasi ki dawa, cuf syrup, cough sirup,
		khasi wala syrup, khansi ki sirap;
	coughlozenge: khansi ki goli, gale ki goli, lozenges, khasi ki goli, khansi wali goli, throat lozenges,
		gala kharab ki goli, gale ki kharash ki goli, cough drops;
	coldtablet: sardi ki goli, jukam ki goli, cold tablet, sardi ki dawai, jukham ki goli, sardi jukam ki goli,
		sardi zukam ki goli, sardi jukham ki dawai, sardi ki tablet, zukam ki goli, zukam ki dawai,
		sardi khansi ki goli, jukam ki dawai, jukham ki dawai, cold and flu tablet, sardi jukam ki dawai,
		sardi zukam ki dawai;
	antacid: gas ki goli, gas ki dawa, acidity ki dawa, acidity ki goli, gas ki dawai, acidity tablet,
		acidity ki tablet, gas ki tablet, acidity wali goli, acidity ki dawai, gas wali goli, acidity medicine,
		gas acidity ki goli;
	digestive: hajme ki goli, hajma, haajme ki goli, digestive tablet, pachan ki goli, hazme ki goli,
		pet saaf karne ki dawa, hazma;
	diarrhoeatablet: dast ki goli, loose motion ki goli, dast ki dawai, loose motion tablet, dast ki dawa,
		loose motion ki dawai, loose motions ki goli, loose motion ki tablet;
	vomitingtablet: ulti ki goli, ulti ki dawai, vomiting tablet, ulti ki dawa, ulti ki tablet, vomiting ki goli;
	allergytablet: allergy ki goli, allergy tablet, allergy ki dawai, elergi ki goli, alergy ki goli, allergy ki tablet,
		allergy medicine, alergy tablet, elergy ki goli, allergy ki dawa;
	laxative: kabj ki dawai, kabz ki dawai, kabz ki goli, isabgol, kabj ki dawa, isbgol, kabz ki dawa,
		constipation ki dawai;
	ors: o r s, ors powder, oars, ओआरएस, electral powder, ors ghol, ors ka packet, ओ आर एस;
	bandage: patti, pattti, bandaid, band aid, bandage strip, pattee, bandej, bandaids, chot ki patti, ghav ki patti,
		band aids, chot wali patti, पट्टी, बैंडेज, बैंड एड, band-aid, baindej;
	plaster: medical tape, surgical tape;
	gauze: gauj, gauze roll;
	antiseptic: antiseptic liquid, antiseptic cream, antiseptik, entiseptic, chot ki dawai, antiseptic lotion;
	ointment: malham, marham, maraham, tube malham, oinment;
	balm: baam, sir dard ka balm, sar dard ka balm, baum, बाम;
	inhaler: inheler, naak ka inhaler;
	thermometer: tharmameter, bukhar napne ka, thermameter, bukhar naapne wala, thermomiter, bukhar napne wala,
		थर्मामीटर, tharmamitar;
	mask: masks, maask, मास्क;
	glove: gloves, dastane, glovs;
	syringe: syringes, sui injection, sirinj, srinj;
	vitamin: vitamins, taakat ki goli, vitamin ki goli, taqat ki goli, multivitamin, multi vitamin, multivitamins,
		vitamin ki tablet, taakat ki dawai;
	calcium: calcium ki goli, kelsium, calcium tablet, calcium ki tablet, कैल्शियम, calciam;
	irontablet: iron tablet, khoon ki goli, iron ki goli, khoon badhane ki goli;
	syrup: sirap, sirup, सिरप, cyrup;
	eyedrops: aankh ki dawa, eye drops, aankh ki dawai, eye drop, aankh me dalne ki dawai, aankhon ki dawai,
		aankh ka drop, ankh ki dawai, ankh ki drop, aankh ki drop, aankh wali drop, आई ड्रॉप;
	eardrops: kaan ki dawai, ear drops, ear drop, kan ki dawai;
	nasaldrops: naak ki drop, nasal spray, nose drops, naak ka spray, naak band ki dawai, nasal drops;
	chyawanprash: chyavanprash, chawanprash, chavanprash, chyavanpras, chyawanpras, chyvanprash, च्यवनप्राश, chwanprash;
	bpmachine: bp machine, blood pressure machine, bp naapne ki machine;
	glucometer: sugar machine, sugar test machine, sugar napne ki machine, glucometer machine;
	glucosestrip: sugar strips, glucose strips, glucometer strips, sugar test strip, sugar strip, test strips;
	pregnancytest: pregnancy kit, pregnancy test, pregnancy test kit;
	hotwaterbag: hot water bag, garam pani ki thaili, garam paani ki thaili, garam pani ka bag;
	crepebandage: crepe bandage, garam patti, krep bandage, crepe patti, moch wali patti;
	petroleumjelly: petroleum jelly, vaseline jelly;
	adultdiaper: adult diaper, adult diapers, bado ka diaper;
	antifungal: daad khujli ki dawa, daad ki dawai, khujli ki cream, daad khujli ki cream, fungal cream,
		khujli ki dawai, antifungal cream, daad ki cream, itch cream, ringworm cream;
	burncream: jalne ki cream, burn cream, jalne ki dawai, jale ki cream, jale ki dawai`

const worship = `
	incense: agarbatti, agarbati, agarbathi, incense sticks, agar batti, udbatti, incense stick, aggarbatti,
		agarbatiyan;
	dhoop: dhoop batti, dhup, dhoopbatti, dhup batti, dhoop stick, dhoopbati;
	camphor: kapoor, kapur, karpoor, kapoor ki tikiya, karpur, camfor;
	kumkum: roli, kumkum powder, kunkum, roli kumkum;
	wick: batti, rui batti, diya batti, rui ki batti, deepak batti, cotton wicks, diya ki batti, cotton wick, baati;
	diya: diye, deepak, deya, diyaa, mitti ka diya, mitti ke diye;
	sandal: chandan, sandalwood, chandan tika;
	moli: mauli, kalawa, kalava, raksha sutra, molli;
	holywater: ganga jal, gangajal;
	havan: havan samagri, hawan samagri, hawan samagree, havan;
	flower: phool, ful, flowers, phul, pushp, फूल;
	marigold: genda, gende, genda phool, gainda, marigold flower, marigold flowers, gende ka phool, गेंदा, गेंदे;
	lotus: kamal, kamal phool, कमल;
	tulsi: tulasi, tulsi patta, tulsi leaves, तुलसी;
	belpatra: bel patra, bilva patra, bel patta, bael leaves, bilwa, bel patri, बेलपत्र;
	durva: doob, doorva, durwa, dub ghas;
	garland: phool mala, phoolon ki mala;
	betelnut: supari, supaari;
	betelleaf: betel leaf, betel leaves, pan patta, paan patta, paan ke patte, pan ke patte;
	paan: pan, पान;
	janeu: yagyopavit;
	chunri: chunari, mata ki chunri`

const sweets = `
	sweet: mithai, sweets, meethai, mithaai, mithaiyan;
	laddu: ladoo, laddoo, ladu, laddoos, ladoos, laddus, laddo;
	barfi: burfi, barfee, barfy, barphi, burfee, बर्फी;
	kajukatli: kaju katli, kaju katali, kaju barfi, kaju ki barfi, kajukatali, kaju burfi, kaju ki katli;
	pedha: peda, pede, pera, pedhe, पेड़ा, pedas;
	rasgulla: rasgula, rosogolla, rasogulla, rasgulle, rasagulla, rasgullas, rasgole;
	gulabjamun: gulab jamun, gulabjamoon, gulab jamoon, gulab jaamun, gulaab jamun, gulab jamuns;
	jalebi: jaleebi, jilebi, jalebiyan;
	rasmalai: ras malai, rasmalaai, rasmalayi;
	soanpapdi: soan papdi, son papdi, sohan papdi, sonpapdi, soanpapri, soan papri, सोन पापड़ी, son papri;
	halwa: halva, halwaa;
	milkcake: milk cake, kalakand, milkcake, कलाकंद;
	petha: pethaa, agra petha;
	kheer: khir;
	rabri: rabdi, rabadi, रबड़ी;
	murti: moorti, murthi, idol, idols, statue, statues, pratima, मूरती, प्रतिमा;
	imarti: imarati;
	ghevar: ghewar;
	gajak: gajjak, gazak;
	chikki: chiki;
	balushahi: balusahi, badusha;
	mysorepak: mysore pak, maisur pak, mysorepak;
	gujiya: gujia, gujhiya;
	sandesh: sondesh;
	chamcham: cham cham, chumchum;
	malpua: malpuwa, malpua rabdi`

const meats = `
	chicken: murga, murgi, chiken, chikan, murgh, चिकन, chickan;
	chickenleg: chicken leg, chicken legs, leg piece, leg pieces, chicken drumstick, chicken drumsticks, tangdi;
	mutton: bakra, matan, goat meat, मटन, gosht, mattan;
	fish: machli, machhli, macchi, machhi, फिश, machhali, machali, मछली;
	prawn: prawns, jhinga, shrimp, jheenga;
	keema: kheema, qeema, mince;
	sausage: sausages, सॉसेज;
	salami: सलामी;
	nuggets: nugget, nagets, नगेट्स;
	momos: momo, मोमो, मोमोज;
	kebab: kabab, kababs, kebabs, tikka, कबाब, टिक्का;
	biryani: biriyani, briyani, biryaani, बिरयानी;
	pulao: pulav, pulaav, pulaw, pilaf, pullao, पुलाव;
	liver: kaleji, kalegi, कलेजी;
	frenchfries: french fries, fries, finger chips, फ्रेंच फ्राइज;
	crab: kekda, kekde, केकड़ा;
	petfood: dog food, cat food, pedigree, kutte ka khana`
