package nlu

import "strings"

// good is a thing that shops sell, by one English word for it, and what else it is called, separated by commas. A
// spelling in Devanagari is listed where its sound differs from the spellings in Latin letters.
type good struct{ name, also string }

// rowsOf reads the rows of a table of words and what else stands for them: rice: chawal, chaval; dal: daal.
func rowsOf(table string) []good {
	var all []good
	for _, row := range strings.Split(table, ";") {
		name, also, _ := strings.Cut(row, ":")
		all = append(all, good{strings.TrimSpace(name), strings.TrimSpace(also)})
	}
	return all
}

// goods are the things by the kinds of shops that sell them.
const goods = staples + ";" + spices + ";" + vegetables + ";" + fruits + ";" + dairy + ";" + snacks + ";" + drinks +
	";" + household + ";" + care + ";" + medicines + ";" + stationery + ";" + hardware + ";" + worship + ";" + sweets +
	";" + meats + ";" + dryFruits + ";" + footwear

const staples = `
	rice: chawal, chaval, chawl, chaawal, राइस, tandul;
	dal: daal, dhal, dall, lentil, lentils, pulse, डाल;
	kulcha: kulche, kulchas, कुलचे;
	naan: nan, tandoori naan, naans;
	roti: chapati, chapatti, rotis, rotiyan, phulka;
	paratha: parathe, prantha, pranthe, pratha, prathe, paronthe, parantha, paratha, parota, parotta;
	atta: aata, ata, aatta, kanik;
	besan: gram flour, chickpea flour, chane ka atta, बेशन, baisan, bessan;
	maida: all purpose flour, refined flour, maidaa, mayda, white flour;
	suji: sooji, rava, rawa, semolina, ravaa, suzi, सूजी;
	poha: pohe, chivda poha, chiwda poha, chuda, chura, flattened rice, beaten rice, powa, avalakki, pohaa;
	dalia: daliya, broken wheat, cracked wheat, lapsi;
	oats: oat, jai, ओट्स;
	cornflakes: corn flakes, cornflake, कॉर्नफ्लेक्स, makai ke flakes;
	muesli: musli;
	vermicelli: sewai, seviyan, sevai, semiya, semai, sewaiyan, seviya, सेवई, सेवइयां;
	sago: sabudana, sabu dana, saboodana, sabudhana, sago pearls;
	bajra: bajri, pearl millet;
	jowar: jwar, jowari, sorghum;
	ragi: nachni, finger millet, mandua, mandwa;
	maize: makka, makki, makkai, makai;
	wheat: gehu, gehun, gehoon, genhu;
	murmura: muri, puffed rice, kurmura, mamra, mumra;
	sattu: satu;
	chana: channa, chanaa, chane, चना, चने;
	rajma: kidney beans, rajmah, rajama, razma, kidney bean;
	lobia: chawli, chavli, black eyed beans, lobhia, chora;
	moth: matki, moth beans, mothbean;
	peas: matar, mutter, matter, pea, mattar, vatana, matr;
	soya: soya chunks, soyabean badi, soya badi, nutri, nutrela, nutri nuggets, soya bari, soya nuggets, soyabari,
		meal maker;
	sugar: cheeni, chini, shakkar, shakar, sakhar, sakkar, sugr, cheenee, khand, शक्कर, शुगर, suger, shugar, चिनी;
	jaggery: gud, gur, gudh, goor, bella, गुड़, जैगरी;
	mishri: misri, rock sugar, sakar;
	bura: boora, tagar, powdered sugar, icing sugar, pisi cheeni, pisi chini;
	salt: namak, nmk, namk, नमक, साल्ट, solt;
	oil: tel, ऑयल, ऑइल, thel;
	ghee: ghi, desi ghee, desi ghi, shuddh ghee, shudh ghee, ghee ka dabba;
	vanaspati: dalda, vanspati;
	honey: shahad, shahed, madhu, shehad, sahad;
	vinegar: sirka;
	yeast: khameer, khamir;
	bakingpowder: baking powder, बेकिंग पाउडर;
	bakingsoda: baking soda, meetha soda, mitha soda, khane ka soda, khaane wala soda, cooking soda, soda bicarb;
	cornflour: corn flour, corn starch, cornstarch, araroot, arrowroot;
	custard: custard powder, kastard;
	jelly: jeli;
	papad: papar, pappad, papadum;
	badi: bari, mangodi, vadi, wadi, mungodi;
	pasta: macaroni, makroni, penne, paasta, maikroni;
	spaghetti: spagetti`

const spices = `
	masala: masaala, masale, msala, spice, spices;
	turmeric: haldi, haldee, haladi, tumeric, हल्दी, हल्दि;
	chilli: mirch, mirchi, chili, chilly, mirchee, mirich, chillies, chilies, mirchiya, मिर्ची;
	coriander: dhaniya, dhania, dhanya, cilantro, kothmir, dhaniyan, dhane, kothimbir, coriandar;
	cumin: jeera, zeera, jira, zira, jeere, safed jeera, cumin seeds, जीरे;
	carawayseed: shahi jeera, shah jeera, kala jeera, caraway;
	cardamom: elaichi, ilaichi, elaechi, ilaychi, ilayachi, elachi, choti elaichi, chhoti elaichi, hari elaichi,
		green cardamom, इलाइची, elaychi, cardamon, cardomom;
	bigcardamom: badi elaichi, moti elaichi, black cardamom, kali elaichi, big cardamom;
	clove: laung, lavang, loung, lawang, cloves, लोंग, लौंग;
	cinnamon: dalchini, dal chini, daalchini, dalcheeni, dal cheeni;
	pepper: kali mirch, kaali mirch, black pepper, golki, pepper powder, kalimirch, peppercorn, peppercorns;
	bayleaf: tej patta, tejpatta, bay leaf, tez patta, bay leaves, tejpata;
	fenugreek: methi;
	mustard: sarson, sarso, rai, raai, sarsoo, sarsu;
	fennel: saunf, sauf, sonf, saumph, fennel seeds;
	carom: ajwain, ajwayan, carom seeds, ajvain, ajwine;
	asafoetida: hing, heeng, asafetida;
	nigella: kalonji, mangrail, onion seeds, kalaunji;
	sesame: til, sesame seeds, teel;
	poppy: khas khas, khaskhas, poppy seeds, khus khus, posto;
	nutmeg: jaiphal, jayphal;
	mace: javitri, jaavitri;
	staranise: star anise, chakra phool, chakri phool;
	saffron: kesar, zafran;
	amchur: aamchur, dry mango powder, amchoor, mango powder, amchur powder, aamchoor;
	tamarind: imli, chinch;
	kokum: kokam;
	drygingerpowder: sonth, saunth, dry ginger, sonth powder, dry ginger powder;
	kasurimethi: kasuri methi, kasoori methi, kasturi methi, kasoori maithi;
	anardana: anar dana;
	alum: phitkari, fitkari`

const vegetables = `
	potato: aloo, alu, aaloo, batata, aalu, aloos, potatos, potatoe, allu, पोटैटो;
	babypotato: baby potato, chhote aloo, chota aloo, chhota aloo, chote aloo, baby aloo, छोटे आलू;
	onion: pyaz, pyaaz, piyaz, piaz, kanda, pyaj, pyaaj, kaanda, onian, piyaj, प्याज़, ओनियन, pyas;
	tomato: tamatar, tamaatar, tamater, tomatar, timatar, tamtar, tomatoe, tometo, tomatto, टोमेटो, timater;
	garlic: lahsun, lehsun, lasun, lasan, lehsan, lahasun, lassan, garlick;
	ginger: adrak, adarak, adrakh, aadrak, aadu;
	ladyfinger: bhindi, okra, lady finger, bhendi, bhindee, lady fingers, ladies finger;
	eggplant: baingan, brinjal, bengan, baigan, began, vangi, brinjals, bhata, bhanta, aubergine;
	cauliflower: gobhi, gobi, phool gobhi, ful gobi, phulgobhi, phool gobi, gobhee, cauli flower, phul gobhi, fulgobi;
	cabbage: patta gobhi, band gobhi, patta gobi, pattagobhi, bandh gobhi, bund gobi, band gobi, patagobi;
	carrot: gajar, gaajar, carrots;
	radish: mooli, muli, moolee;
	beetroot: chukandar, chukander, beet root, beet;
	turnip: shalgam, shaljam;
	spinach: palak, paalak;
	mint: pudina, podina, pudeena, pudeena patta, mint leaves;
	curryleaf: kadi patta, curry leaves, curry patta, kari patta, meetha neem, curry leaf, kadhi patta, karipatta,
		kadipatta;
	bottlegourd: lauki, ghiya, dudhi, bottle gourd, loki, doodhi, louki, ghia;
	ridgegourd: tori, turai, ridge gourd, torai, tauri, turiya, tori;
	spongegourd: gilki, nenua, sponge gourd;
	bittergourd: karela, bitter gourd, karele, karella, bittergourd;
	pointedgourd: parwal, parval, pointed gourd, potol;
	ivygourd: tindora, kundru, tendli, ivy gourd, kunduru;
	applegourd: tinda, tinde;
	ashgourd: petha kaddu, ash gourd, safed kaddu;
	pumpkin: kaddu, kaddoo, kashiphal, sitaphal kaddu, kumhda, bhopla;
	cucumber: kheera, khira, kakdi, kakri, cucumbers, kheere;
	capsicum: shimla mirch, shimla mirchi, bell pepper, simla mirch, shimlamirch, capsicam, bellpepper;
	beans: french beans, fali, phali, farasbi, bins, sem phali, beens, green beans, sem;
	clusterbeans: gawar phali, guar phali, gawar, guar fali, cluster beans, gwar fali, gavar;
	drumstick: sahjan, moringa, drumsticks, sajan phali, saijan;
	mushroom: khumb, khumbi, mashroom, mashrum, mushrum, kukurmutta, mushrooms;
	corn: bhutta, sweet corn, sweetcorn, bhutte, makai bhutta, babycorn, baby corn;
	sweetpotato: shakarkandi, shakarkand, sweet potato, shakkarkandi, ratalu;
	yam: jimikand, suran, jimikanda, sooran;
	colocasia: arbi, arvi, taro, ghuiya;
	jackfruit: kathal, phanas, katahal;
	springonion: hara pyaz, hari pyaz, spring onion, hara pyaaz, spring onions, hare pyaz, hare pyaaz, hari pyaaz;
	broccoli: brocoli, brokli, brokoli;
	lettuce: salad patta;
	zucchini: zukini, jukini;
	bathua: bathuaa, bathuwa;
	amaranth: chaulai, chawlai, lal saag;
	saag: sag, sarson ka saag, sarso ka saag;
	lemon: nimbu, neebu, nimboo, lime, limbu, nibu, lemons, limes, nimbo;
	amla: aamla, awla, avla, gooseberry, anwla, आंवला;
	lotusstem: kamal kakdi, lotus stem, bhein`

const fruits = `
	banana: kela, kele, kelaa, bananas, kelon, bnana, banan;
	apple: seb, saib, sev phal, apples, सेब, सेव फल, saeb;
	orange: santra, santara, narangi, oranges, santre, sangtra, ornge, orenge;
	sweetlime: mosambi, mausami, musambi, mausambi, sweet lime, mosami, mousambi, mosmi;
	mango: aam, aamb, mangoes, mangos, aamm;
	grapes: angoor, angur, grape, angoore;
	papaya: papita, papeeta, popaya, papaaya;
	pomegranate: anar, anaar, pomogranate, pomegranet;
	guava: amrud, amrood, peru, jamphal, amrudh, guavas;
	watermelon: tarbooj, tarbuj, tarbuz, tarbooz, kalingar, water melon;
	muskmelon: kharbuja, kharbooja, kharbuza, musk melon, kharbooza;
	pineapple: ananas, annanas, pine apple, ananaas;
	pear: nashpati, naashpati, naspati, pears;
	peach: aadu phal, aaru, aadoo;
	plum: aloo bukhara, alubukhara, plums;
	litchi: lychee, leechi, lichi, lychees;
	kiwi: kivi, kiwis;
	strawberry: strawberries, stroberi, strobery;
	chikoo: chiku, sapota, cheeku, chikku;
	custardapple: sitaphal, sharifa, shareefa, custard apple, seetaphal;
	coconut: nariyal, naariyal, nariyel, narial, gari gola, coco nut;
	tendercoconut: nariyal pani, coconut water, tender coconut, daab, nariyal paani;
	jamun: jamoon;
	ber: bair;
	dragonfruit: dragon fruit, kamalam;
	avocado: avacado;
	sugarcane: ganna`

const dairy = `
	milk: doodh, dudh, dhoodh, duud, doodhh, milkk, मिल्क, dud, dhudh, dood;
	curd: dahi, yogurt, yoghurt, dahee, dahii, daahi, कर्ड;
	butter: makkhan, makhan, maakhan, बटर, buttr, makhhan, maska;
	buttermilk: chaach, chhachh, chaas, chhaas, butter milk, mattha, matha, chach, chhaachh, chaanch, छाछ;
	lassi: lasi, lassy;
	paneer: panir, cottage cheese, paner, pneer, panneer;
	cheese: chees, chij, चीज़, चीज, cheez, chease, chiz;
	cream: malai, kream, क्रीम, fresh cream;
	khoya: mawa, khoa, maawa, khova, mava;
	egg: anda, ande, andey, eggs, undey, unde, anday, andaa, egs, एग, एग्स, andee;
	icecream: ice cream, aaiskrim, kulfi ice cream, आइसक्रीम, आइस क्रीम, icecreem;
	kulfi: qulfi, matka kulfi;
	shrikhand: srikhand, shreekhand;
	milkpowder: milk powder, dairy whitener, doodh powder, dudh powder, मिल्क पाउडर;
	condensedmilk: condensed milk, milkmaid, milk maid;
	whey: whey protein`

const snacks = `
	bread: bred, ब्रेड, braed, double roti, dabal roti, dubble roti, breads, डबल रोटी;
	pavbun: ladi pav, pav bun, laadi pav, pao bun, pav ki laadi;
	bun: buns, bunn, बन;
	rusk: toast, rask, tost, sooji toast, rusks, toasts, papay, रस्क, टोस्ट;
	cake: kek, केक, cakes, pastry cake;
	pastry: pastries, pestry, pestri, paistri, पेस्ट्री;
	cupcake: cup cake, muffin, muffins, cup cakes, mafin, कप केक, cupcakes;
	cookie: cookies, kuki, कुकीज़, कुकीज, cookis, cooky;
	biscuit: biscuits, biskut, biskit, biscut, biscit, biskoot, बिस्किट, बिस्कुट, bisket, biscuite, biskuit;
	khari: khaari, khari biscuit;
	puff: patties, pattice, paties, पैटीज, pattis, puffs, pettis;
	croissant: croisant;
	donut: doughnut, doughnuts, donuts, donat;
	pizza: pizza base, piza, pijja;
	burger: bargar;
	sandwich: sandwitch, sendwich;
	garlicbread: garlic bread;
	creamroll: cream roll, kream roll, क्रीम रोल, cream rolls;
	namkeen: namkin, nmkeen, farsan, nimkin, nimko, namkeens, chivda, chiwda, chiwda namkeen, nimki;
	bhujia: bhujiya, bujia, bhujiyaa, bhujjia, bujiya;
	sev: shev, sev namkeen;
	chips: chip, wafers, wafer, chipes, चिप्स;
	kurkure: kurkura, kurkur, kurkury;
	noodles: noodle, nudals, nudle, नूडल्स, noodals, chowmein, chowmin, nudles, noddles;
	popcorn: pop corn, popkorn;
	chocolate: choclate, chaklet, choklet, चॉकलेट, chocolates, choco, choklate, chocklate, choclet;
	toffee: toffees, candy, tofi, tofee, toffy, candies, goliya toffee;
	chewinggum: chewing gum, bubble gum, chingam, chuingum, bubblegum;
	samosa: samose, samosas, singhara samosa;
	kachori: kachauri, kachodi;
	mathri: mathari, mathi;
	bhakarwadi: bhakharwadi, bhakarvadi;
	khakhra: khakra;
	dhokla: dhokala;
	ketchup: tomato sauce, tamatar sauce, tomato ketchup, ketchap, kechap, catchup, ketch up, कैचप, केचप, टोमैटो केचप,
		टमाटर सॉस;
	sauce: सॉस, sos, soss, souce;
	jam: mixed fruit jam, jaim, जैम;
	pickle: achar, achaar, aachar, achhar, अचार, pickles;
	mayonnaise: mayo, mayonese, mayonnese, mayonise;
	soysauce: soya sauce, soy sauce;
	chillisauce: chilli sauce, chili sauce, red chilli sauce, green chilli sauce;
	peanutbutter: peanut butter, pinut butter;
	spread: chocolate spread, nutella;
	soup: soup powder, sup;
	idlimix: idli mix, idli batter;
	gulabjamunmix: gulab jamun mix`

const drinks = `
	tea: chai, chay, chai patti, chaipatti, chay patti, chaay, tea powder, tea leaves, chai ki patti, चाय पत्ती,
		chai pati, chaipati, tee, टी, chaye;
	greentea: green tea, ग्रीन टी;
	coffee: kofi, coffe, cofee, kaafi, coffee powder, कॉफ़ी, कॉफी, cofi, koffee, coffi;
	water: pani, paani, mineral water, pani ki bottle, paani ki botal, पानी;
	colddrink: cold drink, soft drink, cold drinks, thanda, kold drink, kol drink, colddrink, cooldrink, cool drink,
		coldrink, ठंडा, कोल्ड ड्रिंक;
	soda: soda water;
	ice: baraf, barf, barph, baraph, बर्फ, आइस;
	juice: jus, joos, जूस, juce, jucie, juices;
	energydrink: energy drink;
	healthdrink: health drink;
	squash: sharbat, sherbet, sharbet;
	glucose: glucon d, glucond, glukose, glucoz`

const dryFruits = `
	almond: badam, badaam, almonds, baadaam;
	cashew: kaju, kajoo, cashews, cashewnut, cashew nut, cashew nuts, kaaju;
	raisin: kishmish, kismis, raisins, kismish, kishmis, munakka, munaka;
	walnut: akhrot, akhroth, walnuts, akrot;
	pistachio: pista, pistachios, piste, pistaa;
	date: khajur, khajoor, dates, khajoore;
	drydate: chhuara, chuhara, chhuhara, dry dates;
	fig: anjeer, anjir, figs;
	apricot: khubani, khumani;
	foxnut: makhana, makhane, fox nuts, phool makhana, makhanaa, lotus seeds;
	peanut: moongphali, mungfali, moongfali, groundnut, peanuts, shengdana, singdana, mumfali, mungphali, groundnuts,
		sing dana, moomfali, mumphali;
	charoli: chironji;
	melonseed: magaz, magaj, melon seeds;
	dryfruit: dry fruit, dry fruits, dryfruits, mewa, meva;
	drycoconut: sukha nariyal, copra, khopra, gola, dry coconut, khopara, desiccated coconut, coconut powder,
		nariyal bura`
