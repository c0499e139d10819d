package wording

// codeTexts are what is said of discount codes.
var codeTexts = []text{
	{"code.kept", sentence{
		English: "The code {code} is kept for your next order.",
		Hindi:   "कोड {code} आपके अगले ऑर्डर के लिए रख लिया है।",
		Latin:   "Code {code} aapke agle order ke liye rakh liya hai.",
	}},
	{"code.unknown", sentence{
		English: "We have no code {code}.",
		Hindi:   "{code} नाम का कोई कोड नहीं है।",
		Latin:   "{code} naam ka koi code nahi hai.",
	}},
	{"code.early", sentence{
		English: "The code {code} cannot be used yet.",
		Hindi:   "कोड {code} अभी शुरू नहीं हुआ है।",
		Latin:   "Code {code} abhi shuru nahi hua hai.",
	}},
	{"code.expired", sentence{
		English: "The code {code} has expired.",
		Hindi:   "कोड {code} की तारीख निकल चुकी है।",
		Latin:   "Code {code} ki taareekh nikal chuki hai.",
	}},
	{"code.used_up", sentence{
		English: "The code {code} is used up.",
		Hindi:   "कोड {code} अब ख़त्म हो चुका है।",
		Latin:   "Code {code} ab khatam ho chuka hai.",
	}},
	{"code.yours", sentence{
		English: "You have used the code {code} already.",
		Hindi:   "आप कोड {code} पहले ही इस्तेमाल कर चुके हैं।",
		Latin:   "Aap code {code} pehle hi istemaal kar chuke hain.",
	}},
	{"code.least", sentence{
		English: "The code {code} is for orders of {amount} or more.",
		Hindi:   "कोड {code} {amount} या उससे बड़े ऑर्डर पर लगता है।",
		Latin:   "Code {code} {amount} ya usse bade order par lagta hai.",
	}},
	{"code.no_better", sentence{
		English: "The shop's discount is better than the code {code}. You keep the code.",
		Hindi:   "दुकान की छूट कोड {code} से बेहतर है। कोड आपके पास रहेगा।",
		Latin:   "Dukaan ki chhoot code {code} se behtar hai. Code aapke paas rahega.",
	}},
	{"code.late", sentence{
		English: "The order {number} is being prepared already. The code {code} is kept for your next one.",
		Hindi:   "ऑर्डर {number} तैयार हो रहा है। कोड {code} आपके अगले ऑर्डर के लिए रख लिया है।",
		Latin:   "Order {number} taiyaar ho raha hai. Code {code} aapke agle order ke liye rakh liya hai.",
	}},
	{"code.has", sentence{
		English: "The order {number} has the code {code} already. An order takes one code.",
		Hindi:   "ऑर्डर {number} पर कोड {code} पहले से लगा है। एक ऑर्डर पर एक ही कोड लगता है।",
		Latin:   "Order {number} par code {code} pehle se laga hai. Ek order par ek hi code lagta hai.",
	}},
	{"code.added", sentence{
		English: "The code {code} takes {amount} off your order {number}. It comes to {total} now.",
		Hindi:   "कोड {code} से आपके ऑर्डर {number} पर {amount} की छूट मिली। अब कुल {total} है।",
		Latin:   "Code {code} se aapke order {number} par {amount} ki chhoot mili. Ab kul {total} hai.",
	}},
}
