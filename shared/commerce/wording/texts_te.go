package wording

// teluguTexts returns what the assistant says in Telugu.
func teluguTexts() map[string]string {
	return map[string]string{
		"address_ask": "సరుకులు ఎక్కడికి తీసుకురావాలి? చిరునామా రాయండి, లేదా మీరే వచ్చి " +
			"తీసుకుంటానని రాయండి.",
		"address_button": "చిరునామా నింపండి",
		"asked_shop": "దీనికి నేను జవాబు చెప్పలేను: “{words}”. {store} నుంచి ఎవరో ఒకరు మీకు " +
			"రాస్తారు.",
		"available":      "అవును, ఉంది: {products}.",
		"basket":         "మీ ఆర్డర్:\n{lines}\nమొత్తం {total}. ఆర్డర్ చేయమంటారా?",
		"basket_amended": "మీ ఆర్డర్ {number} ఇలా అవుతుంది:\n{lines}\nమొత్తం {total}. మార్చమంటారా?",
		"basket_empty":   "మీ ఆర్డర్ ఇప్పుడు ఖాళీగా ఉంది. ఏం కావాలో రాయండి.",
		"below_minimum": "మేము {minimum} నుంచి ఆర్డర్ తీసుకుంటాము. మీది {total} అయింది. ఇంకేమైనా " +
			"కావాలా?",

		"bill.delivery":      "డెలివరీ {amount}",
		"bill.discount":      "తగ్గింపు {amount}",
		"bill.discount_code": "{code} తో తగ్గింపు {amount}",
		"bill.rounding":      "రౌండింగ్ {amount}",
		"bill.subtotal":      "సరుకులు {amount}",
		"bill.tax_added":     "జీఎస్టీ {rate}%: {amount}",
		"bill.tax_included":  "ఇందులో జీఎస్టీ {rate}% కలిసి ఉంది: {amount}",

		"bill_coming": "మీ ఆర్డర్ {number} బిల్లు పంపిస్తున్నాము.",
		"bill_early": "మీ ఆర్డర్ {number}: {status}. దుకాణం సిద్ధం చేయడం మొదలుపెట్టాక బిల్లు " +
			"వస్తుంది.",

		"button.change":  "మార్చండి",
		"button.choose":  "ఎంచుకోండి",
		"button.no":      "వద్దు",
		"button.without": "ఇవేవీ వద్దు",
		"button.yes":     "అవును, చేయండి",

		"cannot_add": "మీ ఆర్డర్ {number} ఇప్పటికే {status}, దానికి ఏమీ కలపలేము. ఇది కొత్త " +
			"ఆర్డర్.",
		"cannot_cancel": "మీ ఆర్డర్ {number} ఇప్పటికే {status}. {store} నుంచి ఎవరో ఒకరు ఇక్కడే జవాబు " +
			"ఇస్తారు.",
		"change_how":    "ఏం మార్చాలో రాయండి, ఉదాహరణకు: {example}. లేదా ఏం వద్దో రాయండి.",
		"changed_since": "ఆర్డర్ చూపించాక ఏదో మారింది. దయచేసి మళ్ళీ చూడండి.",

		"code.added": "కోడ్ {code} తో మీ ఆర్డర్ {number} కి {amount} తగ్గింపు వచ్చింది. ఇప్పుడు " +
			"మొత్తం {total}.",
		"code.early":   "కోడ్ {code} ఇంకా మొదలు కాలేదు.",
		"code.expired": "కోడ్ {code} గడువు ముగిసింది.",
		"code.has": "ఆర్డర్ {number} కి కోడ్ {code} " +
			"ముందే ఉంది. ఒక ఆర్డర్ కి ఒక కోడ్ మాత్రమే.",
		"code.kept": "కోడ్ {code} మీ తర్వాతి ఆర్డర్ కోసం ఉంచాము.",
		"code.late": "ఆర్డర్ {number} సిద్ధమవుతోంది. కోడ్ " +
			"{code} మీ తర్వాతి ఆర్డర్ కోసం ఉంచాము.",
		"code.least":     "కోడ్ {code} {amount} లేదా అంతకన్నా ఎక్కువ ఆర్డర్లకు పనిచేస్తుంది.",
		"code.no_better": "దుకాణం తగ్గింపు కోడ్ {code} కన్నా మంచిది. కోడ్ మీ దగ్గరే ఉంటుంది.",
		"code.unknown":   "{code} అనే కోడ్ లేదు.",
		"code.used_up":   "కోడ్ {code} అయిపోయింది.",
		"code.yours":     "మీరు కోడ్ {code} ముందే వాడేశారు.",

		"complaint":      "క్షమించండి. {store} కి చెప్పాను; ఎవరో ఒకరు ఇక్కడే జవాబు ఇస్తారు.",
		"declined":       "సరే, ఏమీ ఆర్డర్ చేయలేదు.",
		"delivery_terms": "{terms}",
		"details_noted":  "మీ ఆర్డర్ కోసం రాసుకున్నాను. ఏం కావాలో రాయండి.",

		"form.default":             "ఇకపై ఈ చిరునామానే వాడండి",
		"form.heading":             "సరుకులు ఎక్కడికి తీసుకురావాలి?",
		"form.label.address":       "వీధి",
		"form.label.city":          "ఊరు",
		"form.label.house_number":  "ఇల్లు, అంతస్తు",
		"form.label.landmark_area": "దగ్గరలో ఏముంది",
		"form.label.name":          "పేరు",
		"form.label.phone_number":  "ఫోన్ నంబర్",
		"form.label.postal_code":   "పిన్ కోడ్",
		"form.label.state":         "రాష్ట్రం",
		"form.send":                "పంపండి",
		"form.wrong.long":          "ఇది చాలా పొడవుగా ఉంది.",
		"form.wrong.missing":       "దయచేసి ఇది నింపండి.",
		"form.wrong.phone_number":  "ఇది ఫోన్ నంబర్ కాదు.",
		"form.wrong.postal_code":   "పిన్ కోడ్\u200cలో ఆరు అంకెలు.",

		"greeting":    "నమస్కారం! ఇది {store}. ఏం కావాలో రాయండి, ఉదాహరణకు: {example}.",
		"haggle":      "ధరలు {store} వి, నేను మార్చలేను.",
		"handed_over": "{store} నుంచి ఎవరో ఒకరు ఇక్కడే జవాబు ఇస్తారు.",
		"hold": "సరే, నిదానంగా చెప్పండి. ఇంకా ఏమీ ఆర్డర్ చేయలేదు. పంపాలంటే అవును అని " +
			"రాయండి.",
		"hold_nothing":    "సరే, నిదానంగా చెప్పండి.",
		"hours":           "{store} ఈరోజు {opens} నుంచి {closes} వరకు తెరిచి ఉంటుంది.",
		"hours_always":    "{store} లో ఎప్పుడైనా ఆర్డర్ చేయవచ్చు.",
		"hours_closed":    "{store} ఈరోజు మూసి ఉంది.",
		"how_much":        "{product} ఎంత కావాలి? అది {unit} లెక్కన దొరుకుతుంది.",
		"invoice_caption": "{store}: మీ ఆర్డర్ {number} బిల్లు {invoice}, {total}.",
		"khata_advance":   "బాకీ ఏమీ లేదు: {store} దగ్గర మీ {balance} అడ్వాన్స్ గా ఉంది.",
		"khata_balance":   "{store} కి మీ బాకీ {balance}.",
		"khata_nothing":   "{store} కి మీ బాకీ ఏమీ లేదు.",
		"language_set":    "సరే, ఇకపై తెలుగులో. ఏం కావాలో రాయండి.",
		"media": "దీన్ని నేను ఇక్కడ చదవలేను. {store} నుంచి ఎవరో ఒకరు చూస్తారు. లేదా ఏం " +
			"కావాలో రాయండి.",
		"menu": "మా దగ్గర దొరికేవి: {products}, ఇంకా " +
			"చాలా. ఏం కావాలో రాయండి, ధర చెప్తాను.",
		"more_lines":     "ఇంకా {count}",
		"near":           "వీటిలో ఏదైనా సరిపోతుందా?",
		"no_order":       "మీ ఆర్డర్ ఏదీ కనబడలేదు. ఏం కావాలో రాయండి.",
		"not_available":  "లేదు, అది మా దగ్గర లేదు.",
		"not_sold":       "మా దగ్గర {thing} లేదు.",
		"not_understood": "క్షమించండి, అర్థం కాలేదు. ఏం కావాలో, ఎంతో రాయండి, ఉదాహరణకు: {example}.",
		"noted":          "రాసుకున్నాను: {lines}.",
		"nothing_open":   "ఇప్పుడు ఖరారు చేయడానికి ఏమీ లేదు. ఏం కావాలో రాయండి.",

		"notice.cancelled": "మీ ఆర్డర్ {number} రద్దయింది: {reason}",
		"notice.changed": "దుకాణం మీ ఆర్డర్ {number} మార్చింది:\n{lines}\nమొత్తం {total}. సరిగ్గా " +
			"లేకపోతే మాకు రాయండి.",
		"notice.confirmed":        "మీ {total} ఆర్డర్ {number} ఖరారైంది.",
		"notice.delivered":        "మీ ఆర్డర్ {number} చేరింది. ధన్యవాదాలు!",
		"notice.out_for_delivery": "మీ ఆర్డర్ {number} దారిలో ఉంది.",
		"notice.pending":          "{store} కి మీ {total} ఆర్డర్ {number} అందింది. ఖరారయ్యాక చెప్తాము.",
		"notice.preparing":        "మీ ఆర్డర్ {number} ప్యాక్ అవుతోంది.",
		"notice.ready":            "మీ ఆర్డర్ {number} సిద్ధంగా ఉంది.",
		"notice.refunded":         "మీ ఆర్డర్ {number} {total} తిరిగి ఇస్తున్నాము: {reason}",

		"only_left":       "{product} {stock} {unit} మాత్రమే మిగిలింది.",
		"order_amended":   "మీ ఆర్డర్ {number} మారింది. ఇప్పుడు మొత్తం {total}.",
		"order_cancelled": "మీ ఆర్డర్ {number} రద్దు చేశాము.",
		"order_confirmed": "ధన్యవాదాలు! మీ {total} ఆర్డర్ {number} ఖరారైంది.",
		"order_pending": "ధన్యవాదాలు! మీ {total} ఆర్డర్ {number} దుకాణానికి పంపాము. దుకాణం ఖరారు " +
			"చేస్తుంది.",
		"order_status":  "మీ {total} ఆర్డర్ {number}: {status}.",
		"out_of_stock":  "{product} ఇప్పుడు అయిపోయింది.",
		"outside_hours": "ఇప్పుడు దుకాణం మూసి ఉంది, {opens} కి తెరుస్తారు. మీ ఆర్డర్ అప్పటికి.",
		"over_credit": "ఇంత ఇప్పుడు మీ ఖాతాలో రాయలేము. {store} నుంచి ఎవరో ఒకరు ఇక్కడే జవాబు " +
			"ఇస్తారు.",

		"owner.adjust":     "రాశాము: {who}, {amount}, {reason}. ఇప్పుడు బాకీ {balance}.",
		"owner.adjust_ask": "{who} ఖాతా {amount} మారాలి: {reason}. బాకీ {balance}. సరేనా?",
		"owner.adjust_asked": "{limit} మించిన మార్పు ఇద్దరు నిర్ణయిస్తారు. {who} {amount} గురించి ముందు " +
			"ఇంకొకరిని అడుగుతున్నాము.",
		"owner.adjust_far": "{limit} మించిన మార్పు ఇద్దరు నిర్ణయిస్తారు, ఇప్పుడు ఇంకెవరినీ అడగలేము. ఏమీ " +
			"రాయలేదు.",
		"owner.adjust_help": "ఎంత, ఎవరి ఖాతా, ఎందుకో రాయండి: " +
			"adjust -300 98765 43210 రెండుసార్లు రాశారు",
		"owner.adjust_refused":          "{who} {amount} రాయము: దుకాణంలో ఇంకొకరు వద్దన్నారు.",
		"owner.adjust_stale":            "ఏమీ మారలేదు: దీనికి ముందే జవాబు వచ్చింది.",
		"owner.answered":                "{who} జవాబు ఇచ్చారు. ఆర్డర్ {number}: {status}.",
		"owner.back":                    "{product} ఇప్పుడు మళ్ళీ దొరుకుతుంది.",
		"owner.button.allow":            "అవును",
		"owner.button.cancelled":        "తిరస్కరించు",
		"owner.button.change":           "మార్చు",
		"owner.button.confirmed":        "ఖరారు చేయి",
		"owner.button.delivered":        "చేరింది",
		"owner.button.out_for_delivery": "బయలుదేరింది",
		"owner.button.preparing":        "ప్యాక్ అవుతోంది",
		"owner.button.ready":            "సిద్ధం",
		"owner.button.refunded":         "డబ్బు తిరిగిచ్చాం",
		"owner.button.refuse":           "వద్దు",
		"owner.by_api":                  "{product} కి చాలా ప్యాకులు ఉన్నాయి. క్యాటలాగ్ లో మార్చండి.",
		"owner.by_customer":             "కస్టమర్",
		"owner.by_shop":                 "దుకాణంలో ఒకరు",
		"owner.cannot":                  "ఆర్డర్ {number} ఇప్పటికే: {status}.",
		"owner.change_empty":            "ఆర్డర్ {number} లో ఏమీ మిగలదు. తిరస్కరించడానికి రాయండి: {number} cancel",
		"owner.change_none":             "ఆర్డర్ {number} ముందే అలా ఉంది: {items}.",
		"owner.change_unclear":          "\"{words}\" ఏ సరుకో, ఎంతో అర్థం కాలేదు. ఆర్డర్ {number} లో ఏమీ మార్చలేదు.",
		"owner.changed": "ఆర్డర్ {number} మారింది: {items}. " +
			"మొత్తం {total}. కస్టమర్ కి చెప్తున్నాము.",
		"owner.changed_order": "{customer} ఆర్డర్ {number} మార్చారు:\n{lines}\nమొత్తం {total}. ఖరారు " +
			"చేయమంటారా?",
		"owner.closed": "{day} దుకాణం మూసి ఉంటుంది. ఆర్డర్ " +
			"చేసేవారికి ఎప్పుడు తెరుస్తారో చెప్తాము.",
		"owner.customer_changed": "{customer} ఆర్డర్ {number} మార్చారు:\n{lines}\nమొత్తం {total}.",
		"owner.day": "ఈరోజు: {orders} ఆర్డర్లు, {confirmed} ఖరారు, {cancelled} రద్దు. అమ్మకాలు " +
			"{revenue}.",
		"owner.hears":        "కొత్త ఆర్డర్లు మీకు చెప్తాము.",
		"owner.hears_always": "దుకాణం సొంత నంబర్ కి కొత్త ఆర్డర్లు ఎప్పుడూ చెప్తాము.",
		"owner.hears_not": "ఇకపై కొత్త ఆర్డర్లు మీకు చెప్పము. " +
			"మళ్ళీ కావాలంటే రాయండి: order alerts on",
		"owner.help": "అర్థం కాలేదు. ఇలా రాయవచ్చు: " +
			"aaj ke order; aaj ki bikri; {product} khatam; {product} aa gaya; aaj dukaan band hai.",
		"owner.help_book": "ఖాతా కోసం: " +
			"Ramesh 500 udhaar; Ramesh 300 jama; Ramesh ka hisaab; sabka hisaab; galat.",
		"owner.hours": "దుకాణం ఇకపై {opens} నుంచి {closes} వరకు తెరిచి ఉంటుంది.",
		"owner.how_to_change": "ఆర్డర్ {number} లో ఉన్నవి: {items}. నంబర్ తో ఏం మార్చాలో రాయండి: {number} " +
			"{example} 2, లేదా {number} no {example}.",
		"owner.moved":       "ఆర్డర్ {number}: {status}. కస్టమర్ కి చెప్తున్నాము.",
		"owner.no_order":    "అలాంటి ఆర్డర్ కనబడలేదు.",
		"owner.none":        "ఆర్డర్ ఏదీ మిగల్లేదు.",
		"owner.not_changed": "ఏమీ మార్చలేదు. {rule}",
		"owner.not_yours":   "ఇది మీరు చేయలేరు. దయచేసి యజమానిని అడగండి.",
		"owner.opened":      "దుకాణం మళ్ళీ మామూలు వేళల్లో తెరిచి ఉంటుంది.",
		"owner.order": "{customer} కొత్త ఆర్డర్ {number}:\n{lines}\nమొత్తం {total}. ఖరారు " +
			"చేయమంటారా?",
		"owner.orders":    "మిగిలిన ఆర్డర్లు:\n{orders}",
		"owner.price":     "{product} ఇకపై {unit} {price}.",
		"owner.stock":     "{product}: ఇప్పుడు స్టాక్ {stock} {unit}.",
		"owner.price_ask": "{product} ధర {price} నుంచి {new} చేయాలి. సరేనా?",
		"owner.price_asked": "{product} కి {new} అనేది {price} కన్నా చాలా తేడా. ముందు దుకాణంలో ఇంకొకరిని " +
			"అడుగుతున్నాము.",
		"owner.price_far":        "{product} ఇప్పుడు {price}. ఐదో వంతు మించిన మార్పు సందేశంతో జరగదు.",
		"owner.price_refused":    "{product} ధర {price} గానే ఉంది: దుకాణంలో ఇంకొకరు వద్దన్నారు.",
		"owner.price_stale":      "ఏమీ మారలేదు: అడిగాక ఈ సరుకు మారింది.",
		"owner.reason.cancelled": "దుకాణం ఇప్పుడు తీసుకోలేదు",
		"owner.reason.refunded":  "దుకాణంతో అనుకున్నట్టు",
		"owner.refund":           "ఆర్డర్ {number} {total} తిరిగి ఇస్తున్నాము. కస్టమర్ కి చెప్తున్నాము.",
		"owner.refund_ask":       "ఆర్డర్ {number} {total} తిరిగి ఇవ్వాలి: {reason}. సరేనా?",
		"owner.refund_asked": "{limit} మించి తిరిగి ఇవ్వడం ఇద్దరు నిర్ణయిస్తారు. {number} గురించి ముందు " +
			"ఇంకొకరిని అడుగుతున్నాము.",
		"owner.refund_far": "{limit} మించి తిరిగి ఇవ్వడం ఇద్దరు నిర్ణయిస్తారు, ఇప్పుడు ఇంకెవరినీ " +
			"అడగలేము. డబ్బు తిరిగి ఇవ్వలేదు.",
		"owner.refund_refused": "{number} డబ్బు తిరిగి ఇవ్వము: దుకాణంలో ఇంకొకరు వద్దన్నారు.",
		"owner.refund_stale":   "ఏమీ మారలేదు: అడిగాక ఈ ఆర్డర్ మారింది.",
		"owner.sold_out":       "{product} ఇకపై అయిపోయింది.",
		"owner.which":          "ఏ ఆర్డర్? ఇవి మిగిలాయి:\n{orders}",
		"owner.which_product":  "ఏది అంటున్నారు: {products}?",

		"pay.card":   "కార్డ్",
		"pay.cod":    "నగదు",
		"pay.credit": "ఖాతాలో",
		"pay.upi":    "యూపీఐ",

		"pay_link":     "మీ యూపీఐ యాప్ తో చెల్లించండి: {link}",
		"pay_refused":  "దుకాణం {way} తీసుకోదు. మీరు ఇలా చెల్లించవచ్చు: {ways}.",
		"payment_ways": "మీరు ఇలా చెల్లించవచ్చు: {ways}.",
		"place":        "{store} ఇక్కడ ఉంది: {address}.",
		"place_noted":  "రాసుకున్నాను: {address}. మీ తర్వాతి ఆర్డర్ అక్కడికి వస్తుంది.",
		"price":        "{product}: {unit} {price}",

		"shown.address":     "చిరునామా: {address}",
		"shown.delivery":    "ఇంటికి డెలివరీ",
		"shown.note":        "గమనిక: {note}",
		"shown.payment":     "చెల్లింపు: {payment}",
		"shown.pickup":      "మీరే వచ్చి తీసుకుంటారు",
		"shown.pickup_shop": "కస్టమరే వచ్చి తీసుకుంటారు",
		"shown.slot":        "డెలివరీ: {slot}",
		"shown.when":        "సమయం: {when}",

		"skipped": "సరే, {thing} లేకుండా.",

		"slot.full": "ఆ సమయం పూర్తిగా నిండింది. తర్వాతి ఖాళీ సమయం {slot}.",
		"slot.gone": "వచ్చే కొన్ని రోజుల సమయాలన్నీ నిండాయి. సరుకులు ఎప్పుడు వస్తాయో {store} " +
			"చెప్తుంది.",
		"slot.none": "మేము ఈ వేళల్లో సరుకులు తెస్తాము: {slots}. తర్వాతి ఖాళీ సమయం {slot}.",
		"slot.past": "ఆ సమయానికి ఇప్పుడు ఆలస్యమైంది. తర్వాతి ఖాళీ సమయం {slot}.",

		"state.cancelled":        "రద్దయింది",
		"state.confirmed":        "ఖరారైంది",
		"state.delivered":        "చేరింది",
		"state.out_for_delivery": "దారిలో ఉంది",
		"state.pending":          "దుకాణం ఖరారు చేయాలి",
		"state.preparing":        "ప్యాక్ అవుతోంది",
		"state.ready":            "సిద్ధంగా ఉంది",
		"state.refunded":         "డబ్బు తిరిగి ఇచ్చారు",

		"store_closed": "{store} ఇప్పుడు ఆర్డర్లు తీసుకోవడం లేదు.",

		"terms.charge":    "డెలివరీ {charge}.",
		"terms.free_from": "డెలివరీ {charge}, {free} నుంచి ఉచితం.",
		"terms.minimum": "మేము {minimum} నుంచి ఆర్డర్ తీసుకుంటాము. మీ చిరునామా రాయండి, లేదా మీరే " +
			"వచ్చి తీసుకుంటానని రాయండి.",
		"terms.shop": "చూపించిన మొత్తానికి ఇంకేమీ కలవదు. మీ చిరునామా రాయండి, లేదా మీరే వచ్చి " +
			"తీసుకుంటానని రాయండి.",

		"thanks": "సంతోషం!",
		"too_much": "ఒక ఆర్డర్ కి ఇది చాలా ఎక్కువ. {store} నుంచి ఎవరో ఒకరు ఇక్కడే జవాబు " +
			"ఇస్తారు.",
		"total_nothing": "మీ ఆర్డర్ లో ఇంకా ఏమీ లేదు. ఏం కావాలో రాయండి.",

		"unit.bottle":  "సీసా",
		"unit.box":     "పెట్టె",
		"unit.bunch":   "కట్ట",
		"unit.bundle":  "బండిల్",
		"unit.coil":    "కాయిల్",
		"unit.dozen":   "డజను",
		"unit.foot":    "అడుగు",
		"unit.g":       "గ్రాము",
		"unit.inch":    "అంగుళం",
		"unit.jar":     "జాడీ",
		"unit.kg":      "కిలో",
		"unit.l":       "లీటరు",
		"unit.metre":   "మీటరు",
		"unit.ml":      "మిలీ",
		"unit.packet":  "ప్యాకెట్",
		"unit.pair":    "జత",
		"unit.piece":   "పీస్",
		"unit.plate":   "ప్లేట్",
		"unit.portion": "పోర్షన్",
		"unit.roll":    "రోల్",
		"unit.set":     "సెట్",
		"unit.sheet":   "షీట్",
		"unit.slice":   "స్లైస్",
		"unit.strip":   "స్ట్రిప్",
		"unit.tube":    "ట్యూబ్",

		"unread":      "ఇది అర్థం కాలేదు: “{words}”.",
		"which":       "ఏ {thing}?",
		"which_order": "ఏ ఆర్డర్ అంటున్నారు?",
	}
}
