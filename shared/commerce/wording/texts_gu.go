package wording

// gujaratiTexts returns what the assistant says in Gujarati.
func gujaratiTexts() map[string]string {
	return map[string]string{
		"address_ask":    "સામાન ક્યાં પહોંચાડીએ? સરનામું લખો, અથવા લખો કે તમે જાતે લેવા આવશો.",
		"address_button": "સરનામું ભરો",
		"asked_shop":     "આનો જવાબ હું આપી શકતો નથી: “{words}”. {store} માંથી કોઈ તમને લખશે.",
		"available":      "હા, છે: {products}.",
		"basket":         "તમારો ઓર્ડર:\n{lines}\nકુલ {total}. ઓર્ડર કરી દઉં?",
		"basket_amended": "તમારો ઓર્ડર {number} આવો થશે:\n{lines}\nકુલ {total}. ફેરફાર કરી દઉં?",
		"basket_empty":   "તમારો ઓર્ડર હવે ખાલી છે. શું જોઈએ તે લખો.",
		"below_minimum":  "અમે {minimum} થી ઓર્ડર લઈએ છીએ. તમારો {total} નો છે. બીજું કંઈ જોઈએ?",

		"bill.delivery":      "ડિલિવરી {amount}",
		"bill.discount":      "છૂટ {amount}",
		"bill.discount_code": "{code} થી છૂટ {amount}",
		"bill.rounding":      "રાઉન્ડિંગ {amount}",
		"bill.subtotal":      "સામાન {amount}",
		"bill.tax_added":     "જીએસટી {rate}%: {amount}",
		"bill.tax_included":  "આમાં જીએસટી {rate}% ગણેલો છે: {amount}",

		"bill_coming": "તમારા ઓર્ડર {number} નું બિલ મોકલી રહ્યા છીએ.",
		"bill_early":  "તમારો ઓર્ડર {number}: {status}. દુકાન તૈયાર કરવા લે પછી બિલ મળશે.",

		"button.change":  "ફેરફાર કરો",
		"button.choose":  "પસંદ કરો",
		"button.no":      "ના",
		"button.without": "આમાંથી એકેય નહીં",
		"button.yes":     "હા, કરી દો",

		"cannot_add": "તમારો ઓર્ડર {number} પહેલેથી {status}, એમાં કંઈ ઉમેરી શકાતું નથી. આ નવો " +
			"ઓર્ડર છે.",
		"cannot_cancel": "તમારો ઓર્ડર {number} પહેલેથી {status}. {store} માંથી કોઈ તમને અહીં જ જવાબ " +
			"આપશે.",
		"change_how":    "શું બદલવું છે તે લખો, જેમ કે: {example}. અથવા શું નથી જોઈતું તે લખો.",
		"changed_since": "ઓર્ડર બતાવ્યા પછી કંઈક બદલાયું છે. કૃપા કરીને ફરી જુઓ.",

		"code.added": "કોડ {code} થી તમારા ઓર્ડર {number} " +
			"પર {amount} છૂટ મળી. હવે કુલ {total}.",
		"code.early":   "કોડ {code} હજી શરૂ થયો નથી.",
		"code.expired": "કોડ {code} ની મુદત પૂરી થઈ ગઈ છે.",
		"code.has": "ઓર્ડર {number} પર કોડ {code} પહેલેથી " +
			"લાગેલો છે. એક ઓર્ડર પર એક જ કોડ ચાલે.",
		"code.kept": "કોડ {code} તમારા આગલા ઓર્ડર માટે રાખી લીધો છે.",
		"code.late": "ઓર્ડર {number} તૈયાર થઈ રહ્યો છે. કોડ {code} તમારા આગલા ઓર્ડર માટે રાખ્યો " +
			"છે.",
		"code.least":     "કોડ {code} {amount} કે તેથી મોટા ઓર્ડર પર ચાલે છે.",
		"code.no_better": "દુકાનની છૂટ કોડ {code} કરતાં સારી છે. કોડ તમારી પાસે જ રહેશે.",
		"code.unknown":   "{code} નામનો કોઈ કોડ નથી.",
		"code.used_up":   "કોડ {code} વપરાઈ ગયો છે.",
		"code.yours":     "તમે કોડ {code} પહેલેથી વાપર્યો છે.",

		"complaint":      "માફ કરશો. {store} ને જાણ કરી છે; કોઈ તમને અહીં જ જવાબ આપશે.",
		"declined":       "ભલે, કંઈ ઓર્ડર કર્યું નથી.",
		"delivery_terms": "{terms}",
		"details_noted":  "તમારા ઓર્ડર માટે નોંધી લીધું. શું જોઈએ તે લખો.",

		"form.default":             "હવેથી આ જ સરનામું વાપરો",
		"form.heading":             "સામાન ક્યાં પહોંચાડીએ?",
		"form.label.address":       "રસ્તો, શેરી",
		"form.label.city":          "શહેર",
		"form.label.house_number":  "ઘર, માળ",
		"form.label.landmark_area": "નજીકમાં શું છે",
		"form.label.name":          "નામ",
		"form.label.phone_number":  "ફોન નંબર",
		"form.label.postal_code":   "પિન કોડ",
		"form.label.state":         "રાજ્ય",
		"form.send":                "મોકલો",
		"form.wrong.long":          "આ બહુ લાંબું છે.",
		"form.wrong.missing":       "કૃપા કરીને આ ભરો.",
		"form.wrong.phone_number":  "આ ફોન નંબર નથી.",
		"form.wrong.postal_code":   "પિન કોડમાં છ આંકડા હોય છે.",

		"greeting":    "નમસ્તે! આ {store} છે. શું જોઈએ તે લખો, જેમ કે: {example}.",
		"haggle":      "ભાવ {store} ના છે, હું બદલી શકતો નથી.",
		"handed_over": "{store} માંથી કોઈ તમને અહીં જ જવાબ આપશે.",
		"hold": "ભલે, નિરાંતે વિચારો. હજી કંઈ ઓર્ડર " +
			"કર્યું નથી. મોકલવું હોય ત્યારે હા લખો.",
		"hold_nothing":    "ભલે, નિરાંતે વિચારો.",
		"hours":           "{store} આજે {opens} થી {closes} ખુલ્લું છે.",
		"hours_always":    "{store} માંથી તમે ગમે ત્યારે ઓર્ડર કરી શકો છો.",
		"hours_closed":    "{store} આજે બંધ છે.",
		"how_much":        "{product} કેટલું જોઈએ? તે {unit} પ્રમાણે મળે છે.",
		"invoice_caption": "{store}: તમારા ઓર્ડર {number} નું બિલ {invoice}, {total}.",
		"khata_advance":   "કંઈ બાકી નથી: {store} પાસે તમારા {balance} જમા છે.",
		"khata_balance":   "{store} માં તમારા {balance} બાકી છે.",
		"khata_nothing":   "{store} માં તમારું કંઈ બાકી નથી.",
		"language_set":    "ભલે, હવેથી ગુજરાતીમાં. શું જોઈએ તે લખો.",
		"media": "આ હું અહીં વાંચી શકતો નથી. {store} " +
			"માંથી કોઈ જોશે. અથવા શું જોઈએ તે લખો.",
		"menu": "અમારે ત્યાં મળે છે: {products}, અને " +
			"બીજું ઘણું. શું જોઈએ તે લખો, ભાવ કહીશ.",
		"more_lines":     "અને બીજી {count}",
		"near":           "આમાંથી કોઈ ચાલશે?",
		"no_order":       "તમારો કોઈ ઓર્ડર મળ્યો નથી. શું જોઈએ તે લખો.",
		"not_available":  "ના, તે અમારી પાસે નથી.",
		"not_sold":       "અમારી પાસે {thing} નથી.",
		"not_understood": "માફ કરશો, સમજાયું નહીં. શું જોઈએ અને કેટલું તે લખો, જેમ કે: {example}.",
		"noted":          "નોંધી લીધું: {lines}.",
		"nothing_open":   "હમણાં પાકું કરવા જેવું કંઈ નથી. શું જોઈએ તે લખો.",

		"notice.cancelled": "તમારો ઓર્ડર {number} રદ થયો: {reason}",
		"notice.changed": "દુકાને તમારો ઓર્ડર {number} બદલ્યો છે:\n{lines}\nકુલ {total}. બરાબર ન હોય " +
			"તો અમને લખો.",
		"notice.confirmed":        "તમારો {total} નો ઓર્ડર {number} પાકો થયો.",
		"notice.delivered":        "તમારો ઓર્ડર {number} પહોંચી ગયો. આભાર!",
		"notice.out_for_delivery": "તમારો ઓર્ડર {number} રસ્તામાં છે.",
		"notice.pending": "{store} ને તમારો {total} નો ઓર્ડર " +
			"{number} મળ્યો. પાકો થાય એટલે જણાવીશું.",
		"notice.preparing": "તમારો ઓર્ડર {number} પેક થઈ રહ્યો છે.",
		"notice.ready":     "તમારો ઓર્ડર {number} તૈયાર છે.",
		"notice.refunded":  "તમારા ઓર્ડર {number} ના {total} પાછા આપીએ છીએ: {reason}",

		"only_left":       "{product} માત્ર {stock} {unit} બચ્યું છે.",
		"order_amended":   "તમારો ઓર્ડર {number} બદલાયો છે. હવે કુલ {total}.",
		"order_cancelled": "તમારો ઓર્ડર {number} રદ કર્યો છે.",
		"order_confirmed": "આભાર! તમારો {total} નો ઓર્ડર {number} પાકો થયો છે.",
		"order_pending": "આભાર! તમારો {total} નો ઓર્ડર {number} દુકાનને મોકલ્યો છે. દુકાન તેને પાકો " +
			"કરશે.",
		"order_status":  "તમારો {total} નો ઓર્ડર {number}: {status}.",
		"out_of_stock":  "{product} હમણાં ખલાસ છે.",
		"outside_hours": "હમણાં દુકાન બંધ છે, {opens} એ ખુલશે. તમારો ઓર્ડર ત્યાર માટે છે.",
		"over_credit": "આટલું હમણાં તમારા ખાતામાં લખી શકાતું નથી. {store} માંથી કોઈ તમને અહીં જ " +
			"જવાબ આપશે.",

		"owner.adjust": "લખ્યું: {who} ના {amount}, {reason}. હવે બાકી {balance}.",
		"owner.adjust_ask": "{who} નું ખાતું {amount} થી બદલવાનું છે: {reason}. બાકી {balance} છે. " +
			"બરાબર છે?",
		"owner.adjust_asked": "{limit} થી મોટો ફેરફાર બે જણ નક્કી કરે છે. {who} ના {amount} વિશે પહેલાં " +
			"બીજા કોઈને પૂછીએ છીએ.",
		"owner.adjust_far": "{limit} થી મોટો ફેરફાર બે જણ નક્કી કરે છે, અને હમણાં બીજા કોઈને પૂછી " +
			"શકાતું નથી. કંઈ લખ્યું નથી.",
		"owner.adjust_help": "કેટલા, કોનું ખાતું અને કેમ તે લખો: adjust -300 98765 43210 બે વાર લખાયું " +
			"હતું",
		"owner.adjust_refused":          "{who} ના {amount} લખાશે નહીં: દુકાનમાંથી બીજા કોઈએ ના પાડી છે.",
		"owner.adjust_stale":            "કંઈ બદલાયું નથી: આનો જવાબ પહેલેથી અપાઈ ગયો છે.",
		"owner.answered":                "{who} એ જવાબ આપ્યો છે. ઓર્ડર {number}: {status}.",
		"owner.back":                    "{product} હવે ફરી મળશે.",
		"owner.button.allow":            "હા",
		"owner.button.cancelled":        "ના પાડો",
		"owner.button.change":           "બદલો",
		"owner.button.confirmed":        "પાકો કરો",
		"owner.button.delivered":        "પહોંચી ગયો",
		"owner.button.out_for_delivery": "નીકળી ગયો",
		"owner.button.preparing":        "પેક થાય છે",
		"owner.button.ready":            "તૈયાર છે",
		"owner.button.refunded":         "પૈસા પાછા આપ્યા",
		"owner.button.refuse":           "ના",
		"owner.by_api":                  "{product} ના ઘણા પેક છે. કેટલોગમાં બદલો.",
		"owner.by_customer":             "ગ્રાહક",
		"owner.by_shop":                 "દુકાનમાંથી કોઈ",
		"owner.cannot":                  "ઓર્ડર {number} પહેલેથી: {status}.",
		"owner.change_empty":            "ઓર્ડર {number} માં કંઈ બચશે નહીં. ના પાડવા લખો: {number} cancel",
		"owner.change_none":             "ઓર્ડર {number} પહેલેથી એવો છે: {items}.",
		"owner.change_unclear": "\"{words}\" એટલે કયો સામાન કે કેટલો તે સમજાયું નહીં. ઓર્ડર {number} માં કંઈ " +
			"બદલ્યું નથી.",
		"owner.changed": "ઓર્ડર {number} બદલાયો: {items}. કુલ {total}. ગ્રાહકને જાણ કરીએ છીએ.",
		"owner.changed_order": "{customer} એ ઓર્ડર {number} બદલ્યો છે:\n{lines}\nકુલ {total}. પાકો કરવો " +
			"છે?",
		"owner.closed":           "{day} એ દુકાન બંધ રહેશે. ઓર્ડર કરનારને દુકાન ક્યારે ખુલશે તે જણાવીશું.",
		"owner.customer_changed": "{customer} એ ઓર્ડર {number} બદલ્યો છે:\n{lines}\nકુલ {total}.",
		"owner.day":              "આજે: {orders} ઓર્ડર, {confirmed} પાકા, {cancelled} રદ. વેચાણ {revenue}.",
		"owner.hears":            "નવા ઓર્ડરની જાણ તમને થશે.",
		"owner.hears_always":     "દુકાનના પોતાના નંબરને નવા ઓર્ડરની જાણ હંમેશાં થાય છે.",
		"owner.hears_not": "હવે નવા ઓર્ડરની જાણ તમને નહીં થાય. " +
			"ફરી જોઈતી હોય તો લખો: order alerts on",
		"owner.help": "સમજાયું નહીં. આમ લખી શકો: " +
			"aaj ke order; aaj ki bikri; {product} khatam; {product} aa gaya; aaj dukaan band hai.",
		"owner.help_book": "ખાતા માટે: " +
			"Ramesh 500 udhaar; Ramesh 300 jama; Ramesh ka hisaab; sabka hisaab; galat.",
		"owner.hours": "દુકાન હવે {opens} થી {closes} ખુલ્લી રહેશે.",
		"owner.how_to_change": "ઓર્ડર {number} માં છે: {items}. નંબર સાથે શું બદલવું તે લખો: {number} " +
			"{example} 2, અથવા {number} no {example}.",
		"owner.moved":       "ઓર્ડર {number}: {status}. ગ્રાહકને જાણ કરીએ છીએ.",
		"owner.no_order":    "એવો કોઈ ઓર્ડર મળ્યો નથી.",
		"owner.none":        "કોઈ ઓર્ડર બાકી નથી.",
		"owner.not_changed": "કંઈ બદલ્યું નથી. {rule}",
		"owner.not_yours":   "આ તમે કરી શકતા નથી. કૃપા કરીને માલિકને પૂછો.",
		"owner.opened":      "દુકાન ફરી રોજના સમયે ખુલ્લી છે.",
		"owner.order":       "{customer} નો નવો ઓર્ડર {number}:\n{lines}\nકુલ {total}. પાકો કરવો છે?",
		"owner.orders":      "બાકી ઓર્ડર:\n{orders}",
		"owner.price":       "{product} હવેથી {price} પ્રતિ {unit} છે.",
		"owner.stock":       "{product}: હવે સ્ટોકમાં {stock} {unit}.",
		"owner.price_ask":   "{product} નો ભાવ {price} ને બદલે {new} કરવાનો છે. બરાબર છે?",
		"owner.price_asked": "{product} માટે {new} એ {price} થી ઘણો જુદો ભાવ છે. પહેલાં દુકાનમાંથી બીજા " +
			"કોઈને પૂછીએ છીએ.",
		"owner.price_far":        "{product} હમણાં {price} છે. પાંચમા ભાગથી મોટો ફેરફાર સંદેશાથી થતો નથી.",
		"owner.price_refused":    "{product} નો ભાવ {price} જ છે: દુકાનમાંથી બીજા કોઈએ ના પાડી છે.",
		"owner.price_stale":      "કંઈ બદલાયું નથી: પૂછ્યા પછી આ સામાન બદલાયો છે.",
		"owner.reason.cancelled": "દુકાન હમણાં લઈ શકતી નથી",
		"owner.reason.refunded":  "દુકાન સાથે નક્કી થયા મુજબ",
		"owner.refund":           "ઓર્ડર {number} ના {total} પાછા અપાય છે. ગ્રાહકને જાણ કરીએ છીએ.",
		"owner.refund_ask":       "ઓર્ડર {number} ના {total} પાછા આપવાના છે: {reason}. બરાબર છે?",
		"owner.refund_asked": "{limit} થી વધુ પાછા આપવાનું બે જણ નક્કી કરે છે. {number} વિશે પહેલાં બીજા " +
			"કોઈને પૂછીએ છીએ.",
		"owner.refund_far": "{limit} થી વધુ પાછા આપવાનું બે જણ નક્કી કરે છે, અને હમણાં બીજા કોઈને પૂછી " +
			"શકાતું નથી. પૈસા પાછા આપ્યા નથી.",
		"owner.refund_refused": "{number} ના પૈસા પાછા નહીં અપાય: દુકાનમાંથી બીજા કોઈએ ના પાડી છે.",
		"owner.refund_stale":   "કંઈ બદલાયું નથી: પૂછ્યા પછી આ ઓર્ડર બદલાયો છે.",
		"owner.sold_out":       "{product} હવેથી ખલાસ છે.",
		"owner.which":          "કયો ઓર્ડર? આ બાકી છે:\n{orders}",
		"owner.which_product":  "તમે કયું કહો છો: {products}?",

		"pay.card":   "કાર્ડ",
		"pay.cod":    "રોકડા",
		"pay.credit": "ખાતામાં",
		"pay.upi":    "યુપીઆઈ",

		"pay_link":     "તમારી યુપીઆઈ એપથી પૈસા આપો: {link}",
		"pay_refused":  "દુકાન {way} લેતી નથી. તમે આ રીતે પૈસા આપી શકો છો: {ways}.",
		"payment_ways": "તમે આ રીતે પૈસા આપી શકો છો: {ways}.",
		"place":        "{store} અહીં છે: {address}.",
		"place_noted":  "નોંધી લીધું: {address}. તમારો આગલો ઓર્ડર ત્યાં આવશે.",
		"price":        "{product}: {price} પ્રતિ {unit}",

		"shown.address":     "સરનામું: {address}",
		"shown.delivery":    "ઘરે ડિલિવરી",
		"shown.note":        "નોંધ: {note}",
		"shown.payment":     "ચુકવણી: {payment}",
		"shown.pickup":      "તમે જાતે લેવા આવશો",
		"shown.pickup_shop": "ગ્રાહક જાતે લેવા આવશે",
		"shown.slot":        "ડિલિવરી: {slot}",
		"shown.when":        "સમય: {when}",

		"skipped": "ભલે, {thing} વગર.",

		"slot.full": "તે સમય પૂરો ભરાઈ ગયો છે. પછીનો ખાલી સમય {slot} છે.",
		"slot.gone": "હવે પછીના દિવસોના બધા સમય ભરાઈ ગયા છે. સામાન ક્યારે આવશે તે {store} " +
			"જણાવશે.",
		"slot.none": "અમે આ સમયે સામાન પહોંચાડીએ છીએ: {slots}. પછીનો ખાલી સમય {slot} છે.",
		"slot.past": "તે સમય માટે હવે મોડું થઈ ગયું છે. પછીનો ખાલી સમય {slot} છે.",

		"state.cancelled":        "રદ થયો છે",
		"state.confirmed":        "પાકો થયો છે",
		"state.delivered":        "પહોંચી ગયો છે",
		"state.out_for_delivery": "રસ્તામાં છે",
		"state.pending":          "દુકાને પાકો કરવાનો છે",
		"state.preparing":        "પેક થઈ રહ્યો છે",
		"state.ready":            "તૈયાર છે",
		"state.refunded":         "પૈસા પાછા આપ્યા છે",

		"store_closed": "{store} હમણાં ઓર્ડર લેતું નથી.",

		"terms.charge":    "ડિલિવરી {charge} છે.",
		"terms.free_from": "ડિલિવરી {charge} છે, {free} થી મફત.",
		"terms.minimum": "અમે {minimum} થી ઓર્ડર લઈએ છીએ. તમારું સરનામું લખો, અથવા લખો કે તમે જાતે " +
			"લેવા આવશો.",
		"terms.shop": "બતાવેલા કુલમાં બીજું કંઈ ઉમેરાતું નથી. તમારું સરનામું લખો, અથવા લખો કે તમે " +
			"જાતે લેવા આવશો.",

		"thanks":        "તમારું સ્વાગત છે!",
		"too_much":      "એક ઓર્ડર માટે આ ઘણું વધારે છે. {store} માંથી કોઈ તમને અહીં જ જવાબ આપશે.",
		"total_nothing": "તમારા ઓર્ડરમાં હજી કંઈ નથી. શું જોઈએ તે લખો.",

		"unit.bottle":  "બોટલ",
		"unit.box":     "ડબ્બો",
		"unit.bunch":   "ઝૂડી",
		"unit.bundle":  "બંડલ",
		"unit.coil":    "કોઇલ",
		"unit.dozen":   "ડઝન",
		"unit.foot":    "ફૂટ",
		"unit.g":       "ગ્રામ",
		"unit.inch":    "ઇંચ",
		"unit.jar":     "બરણી",
		"unit.kg":      "કિલો",
		"unit.l":       "લિટર",
		"unit.metre":   "મીટર",
		"unit.ml":      "મિલી",
		"unit.packet":  "પેકેટ",
		"unit.pair":    "જોડી",
		"unit.piece":   "નંગ",
		"unit.plate":   "પ્લેટ",
		"unit.portion": "પોર્શન",
		"unit.roll":    "રોલ",
		"unit.set":     "સેટ",
		"unit.sheet":   "શીટ",
		"unit.slice":   "સ્લાઇસ",
		"unit.strip":   "પત્તું",
		"unit.tube":    "ટ્યૂબ",

		"unread":      "આ સમજાયું નહીં: “{words}”.",
		"which":       "કયું {thing}?",
		"which_order": "તમે કયા ઓર્ડરની વાત કરો છો?",
	}
}
