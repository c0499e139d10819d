package nlu

const footwear = `
	handkerchief: handkerchiefs, hanky, hankey, hankies, hankie, rumal, roomal, rumaal, रुमाल, रूमाल;
	shoes: shoe, joota, juta, jutta, joote, jute, jutey, jootey, shooz, shuz, जूता, जूते, शूज, शूज़, जूतों;
	slippers: slipper, chappal, chappals, chapal, chappel, chappalen, चप्पल, चप्पलें, स्लीपर;
	sandals: sendal, sandle, sandles, sandels, sandel, सैंडल, सेंडल, सैंडिल;
	socks: sock, sox, moja, moje, mauja, mauje, moze, mojey, jurab, jurabe, मोजा, मोजे, मोज़े, जुराब;
	laces: lace, shoelace, shoelaces, shoe laces, shoe lace, fita, fite, feeta, feete, tasma, tasme, jute ke fite,
		jute ke tasme, फीता, फीते, तस्मे, जूते के फीते;
	shoepolish: shoe polish, joote ki polish, jute ki polish, shoe palish, जूते की पॉलिश, शू पॉलिश;
	insole: insoles, insol, sole andar wala, shoe sole, इनसोल`
