package wording

// noticeTexts are what customers are told about their orders unasked.
var noticeTexts = []text{
	{"notice.pending", sentence{
		English: "{store} has your order {number} for {total}. You will hear from us when it is confirmed.",
		Hindi:   "{store} को आपका ऑर्डर {number} मिल गया, कुल {total}। पक्का होते ही बताएँगे।",
		Latin:   "{store} ko aapka order {number} mil gaya, kul {total}. Pakka hote hi batayenge.",
	}},
	{"notice.changed", sentence{
		English: "The shop has changed your order {number}:\n{lines}\nTotal {total}. " +
			"If that is not right, please write to us.",
		Hindi: "दुकान ने आपका ऑर्डर {number} बदला है:\n{lines}\nकुल {total}। अगर ठीक नहीं है, तो हमें लिखें।",
		Latin: "Dukaan ne aapka order {number} badla hai:\n{lines}\nKul {total}. " +
			"Agar theek nahi hai, to humein likhein.",
	}},
	{"notice.confirmed", sentence{
		English: "Your order {number} for {total} is confirmed.",
		Hindi:   "आपका ऑर्डर {number} पक्का हो गया, कुल {total}।",
		Latin:   "Aapka order {number} pakka ho gaya, kul {total}.",
	}},
	{"notice.preparing", sentence{
		English: "Your order {number} is being packed.",
		Hindi:   "आपका ऑर्डर {number} पैक हो रहा है।",
		Latin:   "Aapka order {number} pack ho raha hai.",
	}},
	{"notice.ready", sentence{
		English: "Your order {number} is ready.",
		Hindi:   "आपका ऑर्डर {number} तैयार है।",
		Latin:   "Aapka order {number} taiyaar hai.",
	}},
	{"notice.out_for_delivery", sentence{
		English: "Your order {number} is on its way.",
		Hindi:   "आपका ऑर्डर {number} रास्ते में है।",
		Latin:   "Aapka order {number} raaste mein hai.",
	}},
	{"notice.delivered", sentence{
		English: "Your order {number} has been delivered. Thank you!",
		Hindi:   "आपका ऑर्डर {number} पहुँच गया। धन्यवाद!",
		Latin:   "Aapka order {number} pahunch gaya. Dhanyavaad!",
	}},
	{"notice.cancelled", sentence{
		English: "Your order {number} was cancelled: {reason}",
		Hindi:   "आपका ऑर्डर {number} रद्द हो गया: {reason}",
		Latin:   "Aapka order {number} cancel ho gaya: {reason}",
	}},
	{"notice.refunded", sentence{
		English: "The {total} of your order {number} is being refunded: {reason}",
		Hindi:   "आपके ऑर्डर {number} के {total} वापस किए जा रहे हैं: {reason}",
		Latin:   "Aapke order {number} ke {total} wapas kiye ja rahe hain: {reason}",
	}},
}
