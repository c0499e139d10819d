package wording

// tamilTexts returns what the assistant says in Tamil.
func tamilTexts() map[string]string {
	return map[string]string{
		"address_ask": "பொருட்களை எங்கே கொண்டு வரட்டும்? முகவரியை எழுதுங்கள், அல்லது நீங்களே வந்து " +
			"வாங்குவதாக எழுதுங்கள்.",
		"address_button": "முகவரியை நிரப்பவும்",
		"asked_shop": "இதற்கு என்னால் பதில் சொல்ல முடியவில்லை: “{words}”. {store} இலிருந்து " +
			"ஒருவர் உங்களுக்கு எழுதுவார்.",
		"available": "ஆம், இருக்கிறது: {products}.",
		"basket":    "உங்கள் ஆர்டர்:\n{lines}\nமொத்தம் {total}. ஆர்டர் செய்யட்டுமா?",
		"basket_amended": "உங்கள் ஆர்டர் {number} இப்படி மாறும்:\n{lines}\nமொத்தம் {total}. " +
			"மாற்றட்டுமா?",
		"basket_empty": "உங்கள் ஆர்டர் இப்போது காலியாக உள்ளது. என்ன வேண்டும் என்று எழுதுங்கள்.",
		"below_minimum": "நாங்கள் {minimum} முதல் ஆர்டர் எடுக்கிறோம். உங்களுடையது {total}. வேறு " +
			"ஏதாவது வேண்டுமா?",

		"bill.delivery":      "டெலிவரி {amount}",
		"bill.discount":      "தள்ளுபடி {amount}",
		"bill.discount_code": "{code} மூலம் தள்ளுபடி {amount}",
		"bill.rounding":      "ரவுண்டிங் {amount}",
		"bill.subtotal":      "பொருட்கள் {amount}",
		"bill.tax_added":     "ஜிஎஸ்டி {rate}%: {amount}",
		"bill.tax_included":  "இதில் ஜிஎஸ்டி {rate}% அடங்கும்: {amount}",

		"bill_coming": "உங்கள் ஆர்டர் {number} இன் பில்லை அனுப்புகிறோம்.",
		"bill_early": "உங்கள் ஆர்டர் {number}: {status}. கடை தயார் செய்யத் தொடங்கியதும் பில் " +
			"வரும்.",

		"button.change":  "மாற்று",
		"button.choose":  "தேர்வு செய்க",
		"button.no":      "வேண்டாம்",
		"button.without": "இவை வேண்டாம்",
		"button.yes":     "ஆம், செய்யுங்கள்",

		"cannot_add": "உங்கள் ஆர்டர் {number} ஏற்கெனவே {status}, அதில் எதையும் சேர்க்க முடியாது. " +
			"இது புதிய ஆர்டர்.",
		"cannot_cancel": "உங்கள் ஆர்டர் {number} ஏற்கெனவே {status}. {store} இலிருந்து ஒருவர் இங்கேயே " +
			"பதில் சொல்வார்.",
		"change_how": "என்ன மாற்ற வேண்டும் என்று எழுதுங்கள், உதாரணமாக: {example}. அல்லது என்ன " +
			"வேண்டாம் என்று எழுதுங்கள்.",
		"changed_since": "ஆர்டரைக் காட்டிய பிறகு ஏதோ மாறியுள்ளது. தயவுசெய்து மீண்டும் பாருங்கள்.",

		"code.added": "கோடு {code} மூலம் உங்கள் ஆர்டர் {number} க்கு {amount} தள்ளுபடி கிடைத்தது. " +
			"இப்போது மொத்தம் {total}.",
		"code.early":   "கோடு {code} இன்னும் தொடங்கவில்லை.",
		"code.expired": "கோடு {code} காலாவதியாகிவிட்டது.",
		"code.has": "ஆர்டர் {number} இல் ஏற்கெனவே கோடு {code} உள்ளது. ஒரு ஆர்டருக்கு ஒரு கோடு " +
			"மட்டுமே.",
		"code.kept": "கோடு {code} உங்கள் அடுத்த ஆர்டருக்கு வைக்கப்பட்டது.",
		"code.late": "ஆர்டர் {number} தயாராகிறது. கோடு {code} உங்கள் அடுத்த ஆர்டருக்கு " +
			"வைக்கப்பட்டது.",
		"code.least":     "கோடு {code} {amount} அல்லது அதற்கு மேற்பட்ட ஆர்டர்களுக்குச் செல்லும்.",
		"code.no_better": "கடையின் தள்ளுபடி கோடு {code} ஐ விட அதிகம். கோடு உங்களிடமே இருக்கும்.",
		"code.unknown":   "{code} என்ற கோடு இல்லை.",
		"code.used_up":   "கோடு {code} தீர்ந்துவிட்டது.",
		"code.yours":     "நீங்கள் கோடு {code} ஐ ஏற்கெனவே பயன்படுத்திவிட்டீர்கள்.",

		"complaint": "மன்னிக்கவும். {store} க்குத் தெரிவித்துள்ளேன்; ஒருவர் இங்கேயே பதில் " +
			"சொல்வார்.",
		"declined":       "சரி, எதுவும் ஆர்டர் செய்யவில்லை.",
		"delivery_terms": "{terms}",
		"details_noted":  "உங்கள் ஆர்டருக்குக் குறித்துக்கொண்டேன். என்ன வேண்டும் என்று எழுதுங்கள்.",

		"form.default":             "இனி இந்த முகவரியையே பயன்படுத்துங்கள்",
		"form.heading":             "பொருட்களை எங்கே கொண்டு வரட்டும்?",
		"form.label.address":       "தெரு",
		"form.label.city":          "ஊர்",
		"form.label.house_number":  "வீடு, மாடி",
		"form.label.landmark_area": "அருகில் என்ன",
		"form.label.name":          "பெயர்",
		"form.label.phone_number":  "தொலைபேசி எண்",
		"form.label.postal_code":   "பின் கோடு",
		"form.label.state":         "மாநிலம்",
		"form.send":                "அனுப்பு",
		"form.wrong.long":          "இது மிக நீளம்.",
		"form.wrong.missing":       "இதை நிரப்பவும்.",
		"form.wrong.phone_number":  "இது தொலைபேசி எண் அல்ல.",
		"form.wrong.postal_code":   "பின் கோடு ஆறு இலக்கங்கள்.",

		"greeting": "வணக்கம்! இது {store}. என்ன வேண்டும் " +
			"என்று எழுதுங்கள், உதாரணமாக: {example}.",
		"haggle":      "விலை {store} உடையது, என்னால் மாற்ற முடியாது.",
		"handed_over": "{store} இலிருந்து ஒருவர் இங்கேயே பதில் சொல்வார்.",
		"hold": "சரி, நிதானமாகச் சொல்லுங்கள். இன்னும் எதுவும் ஆர்டர் செய்யவில்லை. அனுப்ப " +
			"வேண்டும் என்றால் ஆம் என்று எழுதுங்கள்.",
		"hold_nothing":    "சரி, நிதானமாகச் சொல்லுங்கள்.",
		"hours":           "{store} இன்று {opens} முதல் {closes} வரை திறந்திருக்கும்.",
		"hours_always":    "{store} இல் எப்போது வேண்டுமானாலும் ஆர்டர் செய்யலாம்.",
		"hours_closed":    "{store} இன்று விடுமுறை.",
		"how_much":        "{product} எவ்வளவு வேண்டும்? அது {unit} அளவில் கிடைக்கும்.",
		"invoice_caption": "{store}: உங்கள் ஆர்டர் {number} இன் பில் {invoice}, {total}.",
		"khata_advance":   "பாக்கி எதுவும் இல்லை: {store} இடம் உங்கள் {balance} முன்பணமாக உள்ளது.",
		"khata_balance":   "{store} க்கு உங்கள் பாக்கி {balance}.",
		"khata_nothing":   "{store} க்கு உங்கள் பாக்கி எதுவும் இல்லை.",
		"language_set":    "சரி, இனி தமிழில். என்ன வேண்டும் என்று எழுதுங்கள்.",
		"media": "இதை என்னால் இங்கே படிக்க முடியவில்லை. {store} இலிருந்து ஒருவர் பார்ப்பார். " +
			"அல்லது என்ன வேண்டும் என்று எழுதுங்கள்.",
		"menu": "எங்களிடம் கிடைப்பவை: {products}, இன்னும் பல. என்ன வேண்டும் என்று " +
			"எழுதுங்கள், விலை சொல்கிறேன்.",
		"more_lines":    "மேலும் {count}",
		"near":          "இவற்றில் ஏதாவது பரவாயில்லையா?",
		"no_order":      "உங்கள் ஆர்டர் எதுவும் கிடைக்கவில்லை. என்ன வேண்டும் என்று எழுதுங்கள்.",
		"not_available": "இல்லை, அது எங்களிடம் இல்லை.",
		"not_sold":      "எங்களிடம் {thing} இல்லை.",
		"not_understood": "மன்னிக்கவும், புரியவில்லை. என்ன வேண்டும், எவ்வளவு என்று எழுதுங்கள், " +
			"உதாரணமாக: {example}.",
		"noted":        "குறித்துக்கொண்டேன்: {lines}.",
		"nothing_open": "இப்போது உறுதி செய்ய எதுவும் இல்லை. என்ன வேண்டும் என்று எழுதுங்கள்.",

		"notice.cancelled": "உங்கள் ஆர்டர் {number} ரத்து செய்யப்பட்டது: {reason}",
		"notice.changed": "கடை உங்கள் ஆர்டர் {number} ஐ மாற்றியுள்ளது:\n{lines}\nமொத்தம் {total}. " +
			"சரியில்லை என்றால் எங்களுக்கு எழுதுங்கள்.",
		"notice.confirmed":        "உங்கள் {total} ஆர்டர் {number} உறுதியானது.",
		"notice.delivered":        "உங்கள் ஆர்டர் {number} வந்து சேர்ந்தது. நன்றி!",
		"notice.out_for_delivery": "உங்கள் ஆர்டர் {number} வந்துகொண்டிருக்கிறது.",
		"notice.pending": "{store} க்கு உங்கள் {total} ஆர்டர் {number} கிடைத்தது. உறுதியானதும் " +
			"சொல்கிறோம்.",
		"notice.preparing": "உங்கள் ஆர்டர் {number} பேக் செய்யப்படுகிறது.",
		"notice.ready":     "உங்கள் ஆர்டர் {number} தயார்.",
		"notice.refunded":  "உங்கள் ஆர்டர் {number} இன் {total} திருப்பித் தரப்படுகிறது: {reason}",

		"only_left":       "{product} {stock} {unit} மட்டுமே உள்ளது.",
		"order_amended":   "உங்கள் ஆர்டர் {number} மாற்றப்பட்டது. இப்போது மொத்தம் {total}.",
		"order_cancelled": "உங்கள் ஆர்டர் {number} ரத்து செய்யப்பட்டது.",
		"order_confirmed": "நன்றி! உங்கள் {total} ஆர்டர் {number} உறுதியானது.",
		"order_pending": "நன்றி! உங்கள் {total} ஆர்டர் {number} கடைக்கு அனுப்பப்பட்டது. கடை அதை " +
			"உறுதி செய்யும்.",
		"order_status": "உங்கள் {total} ஆர்டர் {number}: {status}.",
		"out_of_stock": "{product} இப்போது தீர்ந்துவிட்டது.",
		"outside_hours": "இப்போது கடை மூடியுள்ளது, {opens} க்குத் திறக்கும். உங்கள் ஆர்டர் " +
			"அப்போதைக்கு.",
		"over_credit": "இவ்வளவை இப்போது உங்கள் கணக்கில் எழுத முடியாது. {store} இலிருந்து ஒருவர் " +
			"இங்கேயே பதில் சொல்வார்.",

		"owner.adjust":     "எழுதப்பட்டது: {who}, {amount}, {reason}. இப்போது பாக்கி {balance}.",
		"owner.adjust_ask": "{who} கணக்கு {amount} மாற வேண்டும்: {reason}. பாக்கி {balance}. சரியா?",
		"owner.adjust_asked": "{limit} க்கு மேற்பட்ட மாற்றத்தை இருவர் முடிவு செய்வார்கள். {who} இன் " +
			"{amount} பற்றி முதலில் இன்னொருவரைக் கேட்கிறோம்.",
		"owner.adjust_far": "{limit} க்கு மேற்பட்ட மாற்றத்தை இருவர் முடிவு செய்வார்கள், இப்போது வேறு " +
			"யாரையும் கேட்க முடியவில்லை. எதுவும் எழுதப்படவில்லை.",
		"owner.adjust_help": "எவ்வளவு, யாருடைய கணக்கு, ஏன் என்று எழுதுங்கள்: adjust -300 98765 43210 " +
			"இரண்டு முறை எழுதப்பட்டது",
		"owner.adjust_refused":          "{who} இன் {amount} எழுதப்படாது: கடையில் இன்னொருவர் வேண்டாம் என்றார்.",
		"owner.adjust_stale":            "எதுவும் மாறவில்லை: இதற்கு ஏற்கெனவே பதில் சொல்லியாகிவிட்டது.",
		"owner.answered":                "{who} பதில் சொல்லிவிட்டார். ஆர்டர் {number}: {status}.",
		"owner.back":                    "{product} இனி மீண்டும் கிடைக்கும்.",
		"owner.button.allow":            "ஆம்",
		"owner.button.cancelled":        "மறு",
		"owner.button.change":           "மாற்று",
		"owner.button.confirmed":        "உறுதி செய்",
		"owner.button.delivered":        "சேர்ந்தது",
		"owner.button.out_for_delivery": "புறப்பட்டது",
		"owner.button.preparing":        "பேக் ஆகிறது",
		"owner.button.ready":            "தயார்",
		"owner.button.refunded":         "பணம் திரும்பியது",
		"owner.button.refuse":           "வேண்டாம்",
		"owner.by_api":                  "{product} க்குப் பல பேக்குகள் உள்ளன. கேட்டலாக்கில் மாற்றுங்கள்.",
		"owner.by_customer":             "வாடிக்கையாளர்",
		"owner.by_shop":                 "கடையில் ஒருவர்",
		"owner.cannot":                  "ஆர்டர் {number} ஏற்கெனவே: {status}.",
		"owner.change_empty": "ஆர்டர் {number} இல் எதுவும் " +
			"மிஞ்சாது. மறுக்க எழுதுங்கள்: {number} cancel",
		"owner.change_none": "ஆர்டர் {number} ஏற்கெனவே அப்படியே உள்ளது: {items}.",
		"owner.change_unclear": "\"{words}\" எந்தப் பொருள், எவ்வளவு என்று புரியவில்லை. ஆர்டர் {number} இல் " +
			"எதுவும் மாற்றவில்லை.",
		"owner.changed": "ஆர்டர் {number} மாற்றப்பட்டது: {items}. மொத்தம் {total}. " +
			"வாடிக்கையாளருக்குச் சொல்கிறோம்.",
		"owner.changed_order": "{customer} ஆர்டர் {number} ஐ மாற்றினார்:\n{lines}\nமொத்தம் {total}. உறுதி " +
			"செய்யலாமா?",
		"owner.closed": "{day} கடை விடுமுறை. ஆர்டர் செய்பவர்களுக்குக் கடை எப்போது திறக்கும் என்று " +
			"சொல்வோம்.",
		"owner.customer_changed": "{customer} ஆர்டர் {number} ஐ மாற்றினார்:\n{lines}\nமொத்தம் {total}.",
		"owner.day": "இன்று: {orders} ஆர்டர்கள், {confirmed} உறுதி, {cancelled} ரத்து. விற்பனை " +
			"{revenue}.",
		"owner.hears":        "புதிய ஆர்டர்கள் உங்களுக்குத் தெரிவிக்கப்படும்.",
		"owner.hears_always": "கடையின் சொந்த எண்ணுக்குப் புதிய ஆர்டர்கள் எப்போதும் தெரிவிக்கப்படும்.",
		"owner.hears_not": "இனி புதிய ஆர்டர்கள் உங்களுக்குத் தெரிவிக்கப்படாது. மீண்டும் வேண்டும் " +
			"என்றால் எழுதுங்கள்: order alerts on",
		"owner.help": "புரியவில்லை. இப்படி எழுதலாம்: " +
			"aaj ke order; aaj ki bikri; {product} khatam; {product} aa gaya; aaj dukaan band hai.",
		"owner.help_book": "கணக்குக்கு: " +
			"Ramesh 500 udhaar; Ramesh 300 jama; Ramesh ka hisaab; sabka hisaab; galat.",
		"owner.hours": "கடை இனி {opens} முதல் {closes} வரை திறந்திருக்கும்.",
		"owner.how_to_change": "ஆர்டர் {number} இல் உள்ளவை: {items}. எண்ணுடன் மாற்றத்தை எழுதுங்கள்: " +
			"{number} {example} 2, அல்லது {number} no {example}.",
		"owner.moved":       "ஆர்டர் {number}: {status}. வாடிக்கையாளருக்குச் சொல்கிறோம்.",
		"owner.no_order":    "அப்படி ஒரு ஆர்டர் கிடைக்கவில்லை.",
		"owner.none":        "காத்திருக்கும் ஆர்டர் இல்லை.",
		"owner.not_changed": "எதுவும் மாற்றவில்லை. {rule}",
		"owner.not_yours":   "இதை நீங்கள் செய்ய முடியாது. தயவுசெய்து உரிமையாளரிடம் கேளுங்கள்.",
		"owner.opened":      "கடை மீண்டும் வழக்கமான நேரத்தில் திறந்திருக்கும்.",
		"owner.order": "{customer} இன் புதிய ஆர்டர் {number}:\n{lines}\nமொத்தம் {total}. உறுதி " +
			"செய்யலாமா?",
		"owner.orders":    "காத்திருக்கும் ஆர்டர்கள்:\n{orders}",
		"owner.price":     "{product} இனி {unit} {price}.",
		"owner.stock":     "{product}: இப்போது இருப்பு {stock} {unit}.",
		"owner.price_ask": "{product} விலையை {price} இலிருந்து {new} ஆக்க வேண்டும். சரியா?",
		"owner.price_asked": "{product} க்கு {new} என்பது {price} இலிருந்து மிகவும் வேறுபட்ட விலை. " +
			"முதலில் கடையில் இன்னொருவரைக் கேட்கிறோம்.",
		"owner.price_far": "{product} இப்போது {price}. ஐந்தில் ஒரு பங்குக்கு மேல் விலை மாற்றம் " +
			"செய்தியால் நடக்காது.",
		"owner.price_refused":    "{product} விலை {price} தான்: கடையில் இன்னொருவர் வேண்டாம் என்றார்.",
		"owner.price_stale":      "எதுவும் மாறவில்லை: கேட்ட பிறகு இந்தப் பொருள் மாறியுள்ளது.",
		"owner.reason.cancelled": "கடையால் இப்போது எடுக்க முடியவில்லை",
		"owner.reason.refunded":  "கடையுடன் பேசியபடி",
		"owner.refund": "ஆர்டர் {number} இன் {total} திருப்பித் தரப்படுகிறது. வாடிக்கையாளருக்குச் " +
			"சொல்கிறோம்.",
		"owner.refund_ask": "ஆர்டர் {number} இன் {total} திருப்பித் தர வேண்டும்: {reason}. சரியா?",
		"owner.refund_asked": "{limit} க்கு மேல் திருப்பித் தர இருவர் முடிவு செய்வார்கள். {number} பற்றி " +
			"முதலில் இன்னொருவரைக் கேட்கிறோம்.",
		"owner.refund_far": "{limit} க்கு மேல் திருப்பித் தர இருவர் முடிவு செய்வார்கள், இப்போது வேறு " +
			"யாரையும் கேட்க முடியவில்லை. பணம் திருப்பித் தரப்படவில்லை.",
		"owner.refund_refused": "{number} இன் பணம் திருப்பித் தரப்படாது: கடையில் இன்னொருவர் வேண்டாம் " +
			"என்றார்.",
		"owner.refund_stale":  "எதுவும் மாறவில்லை: கேட்ட பிறகு இந்த ஆர்டர் மாறியுள்ளது.",
		"owner.sold_out":      "{product} இனி தீர்ந்துவிட்டது.",
		"owner.which":         "எந்த ஆர்டர்? இவை காத்திருக்கின்றன:\n{orders}",
		"owner.which_product": "எதைச் சொல்கிறீர்கள்: {products}?",

		"pay.card":   "கார்டு",
		"pay.cod":    "ரொக்கம்",
		"pay.credit": "கணக்கில்",
		"pay.upi":    "யூபிஐ",

		"pay_link":     "உங்கள் யூபிஐ ஆப் மூலம் பணம் செலுத்துங்கள்: {link}",
		"pay_refused":  "கடை {way} ஏற்பதில்லை. நீங்கள் இப்படிச் செலுத்தலாம்: {ways}.",
		"payment_ways": "நீங்கள் இப்படிச் செலுத்தலாம்: {ways}.",
		"place":        "{store} இங்கே உள்ளது: {address}.",
		"place_noted":  "குறித்துக்கொண்டேன்: {address}. உங்கள் அடுத்த ஆர்டர் அங்கே வரும்.",
		"price":        "{product}: {unit} {price}",

		"shown.address":     "முகவரி: {address}",
		"shown.delivery":    "வீட்டுக்கு டெலிவரி",
		"shown.note":        "குறிப்பு: {note}",
		"shown.payment":     "கட்டணம்: {payment}",
		"shown.pickup":      "நீங்களே வந்து வாங்குவீர்கள்",
		"shown.pickup_shop": "வாடிக்கையாளரே வந்து வாங்குவார்",
		"shown.slot":        "டெலிவரி: {slot}",
		"shown.when":        "நேரம்: {when}",

		"skipped": "சரி, {thing} இல்லாமல்.",

		"slot.full": "அந்த நேரம் முழுவதும் நிரம்பிவிட்டது. அடுத்த காலி நேரம் {slot}.",
		"slot.gone": "அடுத்த சில நாட்களின் எல்லா நேரங்களும் நிரம்பிவிட்டன. பொருள் எப்போது வரும் " +
			"என்று {store} சொல்லும்.",
		"slot.none": "நாங்கள் இந்த நேரங்களில் கொண்டு வருகிறோம்: {slots}. அடுத்த காலி நேரம் " +
			"{slot}.",
		"slot.past": "அந்த நேரத்துக்கு இப்போது தாமதமாகிவிட்டது. அடுத்த காலி நேரம் {slot}.",

		"state.cancelled":        "ரத்து செய்யப்பட்டது",
		"state.confirmed":        "உறுதியானது",
		"state.delivered":        "வந்து சேர்ந்தது",
		"state.out_for_delivery": "வந்துகொண்டிருக்கிறது",
		"state.pending":          "கடை உறுதி செய்ய வேண்டும்",
		"state.preparing":        "பேக் செய்யப்படுகிறது",
		"state.ready":            "தயார்",
		"state.refunded":         "பணம் திருப்பித் தரப்பட்டது",

		"store_closed": "{store} இப்போது ஆர்டர் எடுப்பதில்லை.",

		"terms.charge":    "டெலிவரி {charge}.",
		"terms.free_from": "டெலிவரி {charge}, {free} முதல் இலவசம்.",
		"terms.minimum": "நாங்கள் {minimum} முதல் ஆர்டர் எடுக்கிறோம். உங்கள் முகவரியை எழுதுங்கள், " +
			"அல்லது நீங்களே வந்து வாங்குவதாக எழுதுங்கள்.",
		"terms.shop": "காட்டிய மொத்தத்தில் வேறு எதுவும் சேராது. உங்கள் முகவரியை எழுதுங்கள், " +
			"அல்லது நீங்களே வந்து வாங்குவதாக எழுதுங்கள்.",

		"thanks": "மகிழ்ச்சி!",
		"too_much": "ஒரு ஆர்டருக்கு இது மிகவும் அதிகம். {store} இலிருந்து ஒருவர் இங்கேயே பதில் " +
			"சொல்வார்.",
		"total_nothing": "உங்கள் ஆர்டரில் இன்னும் எதுவும் இல்லை. என்ன வேண்டும் என்று எழுதுங்கள்.",

		"unit.bottle":  "பாட்டில்",
		"unit.box":     "பெட்டி",
		"unit.bunch":   "கட்டு",
		"unit.bundle":  "பண்டல்",
		"unit.coil":    "காயில்",
		"unit.dozen":   "டஜன்",
		"unit.foot":    "அடி",
		"unit.g":       "கிராம்",
		"unit.inch":    "அங்குலம்",
		"unit.jar":     "ஜாடி",
		"unit.kg":      "கிலோ",
		"unit.l":       "லிட்டர்",
		"unit.metre":   "மீட்டர்",
		"unit.ml":      "மிலி",
		"unit.packet":  "பாக்கெட்",
		"unit.pair":    "ஜோடி",
		"unit.piece":   "பீஸ்",
		"unit.plate":   "பிளேட்",
		"unit.portion": "போர்ஷன்",
		"unit.roll":    "ரோல்",
		"unit.set":     "செட்",
		"unit.sheet":   "ஷீட்",
		"unit.slice":   "ஸ்லைஸ்",
		"unit.strip":   "அட்டை",
		"unit.tube":    "டியூப்",

		"unread":      "இது புரியவில்லை: “{words}”.",
		"which":       "எந்த {thing}?",
		"which_order": "எந்த ஆர்டரைச் சொல்கிறீர்கள்?",
	}
}
