package nlu

const stationery = `
	ink: inks, siyahi, syahi, शाही, स्याही, इंक;
	pen: pens, kalam, paen, पेन, ball pen, ballpen, ballpoint pen, boll pen, baal pen;
	gelpen: gel pen, jel pen, gel pens;
	refill: pen refill, rifil, refil;
	pencil: pensil, pencils, pencile, पेंसिल, pensill, pencel;
	eraser: rubber, rabar, erasers, rubbers, इरेज़र, rabad, rubar, mitane wala rubber;
	sharpener: sharpner, shapner, shopner, katar, शार्पनर, sharpener cutter, shrapner, sharpnar;
	scale: ruler, foot scale, skel, patri scale, स्केल, sakel, footta;
	notebook: copy, kopi, copies, kaapi, notebooks, note book, कॉपी, नोटबुक, kapi, note books, exercise book,
		rough copy, kaapiyan, copi;
	register: registar, रजिस्टर, registers, rajistar;
	diary: dairy book, daayri, dayri;
	paper: kagaz, kagaj, kaagaz, पेपर, sheet, sheets, kaagaj, papers;
	graphbook: graph book, graph copy, graph paper;
	drawingbook: drawing book, drawing copy, drawing ki copy, ड्रॉइंग बुक, sketch book;
	chartpaper: chart paper, chart, चार्ट पेपर, charts, chart papers;
	crayon: crayons, wax colour, wax color, wax colours, kreyon, krayon, mom ke rang, wax colors;
	colourpencil: colour pencil, color pencil, coloured pencils, pencil colour, colour pencils, pencil colours,
		color pencils, rang wali pencil, rangeen pencil;
	sketchpen: sketch pen, sketch pens, skech pen, sketchpens, sketchpen, स्केच पेन;
	watercolour: water colour, water color, water colours, paint box, rang dabba, water colors;
	paintbrush: paint brush, painting brush, painting brushes;
	geometrybox: geometry box, compass box, jomatry box, geometry, jyometri box, ज्योमेट्री बॉक्स, jamitri box,
		geomatry box;
	glue: gond, fevicol, gum, gondh, adhesive, glu, gaund, फेविकोल, favicol, fevikol, fewicol;
	gluestick: glue stick, gluestick, glu stick;
	tape: tep, टेप;
	cellotape: cello tape, selotape, सेलो टेप, sello tape, celotape, transparent tape, selo tape;
	stapler: stepler, stapler machine, staplar, स्टेपलर, stepler machine;
	staplepin: stapler pin, staple pins, stapler ki pin, stepler pin, staple pin, stapler pins, स्टेपलर पिन,
		stapler wali pin;
	scissors: kainchi, kenchi, scissor, sizar, caichi, कैंची, kanchi, qainchi, seizer;
	marker: markar, markers, मार्कर, permanent marker, whiteboard marker, board marker, marcar;
	highlighter: hilighter, highliter, highlighters, हाइलाइटर;
	whitener: correction pen, whitner, correction fluid, vaitnar, correction tape, whitner pen;
	file: files, fail, folder, file folder, फाइल, folders, file cover;
	envelope: lifafa, lifaafa, envelopes, envelop, लिफाफा, lifafe;
	calculator: calculater, kalkuletar, hisab wali machine, कैलकुलेटर, calculetor;
	chalk: chalks, chok, चॉक, khadiya;
	slate: slet, सलेट;
	coverroll: brown cover, cover roll, copy cover, book cover, brown paper, brown paper roll, kaapi cover, brown sheet;
	label: stickers, sticker, name slip, labels, नाम स्लिप;
	pouchpencil: pencil box, pencil pouch, pencil case, पेंसिल बॉक्स, pensil box;
	schoolbag: school bag, basta, bag school;
	waterbottle: water bottle, pani wali bottle, paani ki bottle school, pani ki botal wali;
	lunchbox: lunch box, tiffin, tiffin box, tifin, टिफिन, लंच बॉक्स, lunchbox, tiffan;
	punch: punching machine, punch machine, पंच मशीन;
	stickynote: sticky notes, sticky note, post it, postit;
	thread: dhaga, dhaaga, sui dhaga, धागा;
	needle: sui, suii, सुई;
	ball: gend, geind, tennis ball;
	balloon: gubbare, gubbara, balloons, gubara;
	giftwrap: gift paper, gift wrap, wrapping paper, gift wrapping paper`

const hardware = `
	bulb: balb, bulbs, लट्टू, एलईडी बल्ब, बल्ब, lattu, bulv;
	tubelight: tube light, tubelite, led tube, ट्यूबलाइट, tube lite, tube rod;
	battery: cell, sel, batteries, cells, batri, baitri, बैटरी, सेल, betri, baitry, batry;
	torch: tarch, taarch, torch light;
	switch: swich, svich, स्विच, switches;
	socket: soket, सॉकेट;
	plug: palag, प्लग;
	holder: holdar, होल्डर;
	wire: taar, bijli ka taar, vayar, तार, electric wire, wires;
	extension: extension board, extention board, extension cord, एक्सटेंशन बोर्ड, extension box, extention;
	insulationtape: electric tape, insulation tape, bijli wala tape, electrical tape, bijli ka tape, insulating tape,
		electrician tape;
	teflontape: teflon tape, thread tape, tephlon tape;
	regulator: regulater, रेगुलेटर;
	drill: drill machine, dril, ड्रिल;
	tester: testar, टेस्टर;
	saw: hacksaw, hexa, hexo, aari, aara, आरी;
	shower: shawar, शावर;
	valve: ball valve, walve, वाल्व;
	doorbell: door bell, ghanti, bell wali ghanti, डोर बेल, घंटी;
	lamp: night lamp, laimp, लैंप;
	fan: pankha, pankhaa, पंखा;
	nail: keel, kil, kheel, nails, कील, keele, keelein;
	screw: pech, pench, screws, पेच, skru, पेंच, iskru;
	screwdriver: pechkas, screw driver, pechkass, पेचकस, penchkas;
	hammer: hathoda, hathauda, hathodi, हथौड़ा, hathaudi, hathora, hatoda;
	plier: plas, pliers, plass, प्लास;
	spanner: pana, paana, wrench;
	drillbit: drill bit, drill bits;
	lock: tala, taala, ताला, padlock, tale;
	hinge: kabza, kabja, कब्ज़ा, hinges, kabje;
	latch: kundi, kundee, chitkani, चिटकनी, chatkani;
	hook: huk, hooks;
	tap: nal, nalka, tonti, नल, toti, taps, नलका;
	pipe: paip, पाइप, pvc pipe, pani ka pipe, hose pipe;
	paint: pent, रंग रोगन, pent ka dibba, पेंट;
	primer: praimer;
	putty: wall putty, puti, पुट्टी;
	thinner: thiner, tarpin;
	sandpaper: sand paper, regmal, regmaal, रेगमाल;
	cement: siment, सीमेंट, simant, सीमेन्ट;
	whitecement: white cement, safed cement, safed siment, सफेद सीमेंट, सफ़ेद सीमेंट, vait cement, white siment;
	adhesive: feviquick, fevikwik, feviquik, superglue, super glue, फेवीक्विक, feviqwik, fevi kwik, fevi quick;
	msealer: m seal, mseal;
	tarpaulin: tirpal, tripal;
	ladder: seedhi;
	washer: vasar, waisar;
	nut: nut bolt, nut bolts, bolt, bolts;
	wallplug: gitti, wall plug, rawl plug, rawal plug, wall plugs, गिट्टी;
	measuringtape: measuring tape, inchi tape, inch tape, inchtape, naapne wala tape, feeta;
	mcb: m c b;
	fuse: fyuz, fuse wire;
	cutter: katar blade, paper cutter;
	gaspipe: gas pipe, gas ka pipe;
	charger: chargar, mobile charger, charjar;
	cable: charging cable, data cable, kebal;
	earphone: earphones, headphone, earfon, leed, headphones`
