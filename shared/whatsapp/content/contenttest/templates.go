package contenttest

// Templates has samples of templates by what they are filled with. Each names a template of the folder
// testdata/templates of the simulated WhatsApp.
var Templates = []Sample{
	{"nothing", "template", `{"name":"hello_world","language":"en_US"}`,
		`{"name":"hello_world","language":{"code":"en_US"}}`},
	{"texts by position, amounts and times", "template",
		`{"name":"shipping","language":"en","header":{"type":"image","metaId":"1166846181421424"},` +
			`"body":[{"text":"Asha"},` +
			`{"currency":{"fallbackValue":"₹450","code":"INR","thousandths":450000}},` +
			`{"dateTime":{"fallbackValue":"25 February 2027","dayOfMonth":25,"hour":0}}]}`,
		`{"name":"shipping","language":{"code":"en"},"components":[{"type":"header","parameters":[{"type":"image",` +
			`"image":{"id":"1166846181421424"}}]},` +
			`{"type":"body","parameters":[{"type":"text","text":"Asha"},{"type":"currency",` +
			`"currency":{"fallback_value":"₹450","code":"INR","amount_1000":450000}},` +
			`{"type":"date_time","date_time":{"fallback_value":"25 February 2027","day_of_month":25,"hour":0}}]}]}`},
	{"names, all buttons that take a text", "template",
		`{"name":"festival","language":"en","category":"marketing","header":{"type":"text","name":"shop",` +
			`"text":"Kirana"},"body":[{"name":"who","text":"Asha"}],` +
			`"buttons":[{"index":0,"type":"quick_reply","value":"yes:17"},{"index":1,"type":"url",` +
			`"value":"orders/17"},{"index":2,"type":"copy_code","value":"DIWALI20"},` +
			`{"index":3,"type":"voice_call","ttlMinutes":100,"value":"order 17"}]}`,
		`{"name":"festival","language":{"code":"en"},"components":[{"type":"header","parameters":[{"type":"text",` +
			`"parameter_name":"shop","text":"Kirana"}]},` +
			`{"type":"body","parameters":[{"type":"text","parameter_name":"who","text":"Asha"}]},` +
			`{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload",` +
			`"payload":"yes:17"}]},` +
			`{"type":"button","sub_type":"url","index":1,"parameters":[{"type":"text","text":"orders/17"}]},` +
			`{"type":"button","sub_type":"copy_code","index":2,"parameters":[{"type":"coupon_code",` +
			`"coupon_code":"DIWALI20"}]},` +
			`{"type":"button","sub_type":"voice_call","index":3,"parameters":[{"type":"ttl_minutes",` +
			`"ttl_minutes":100},{"type":"payload","payload":"order 17"}]}]}`},
	{"a code", "template",
		`{"name":"code","language":"en","category":"authentication","body":[{"text":"123456"}],` +
			`"buttons":[{"index":0,"type":"otp","value":"123456"}]}`,
		`{"name":"code","language":{"code":"en"},"components":[{"type":"body","parameters":[{"type":"text",` +
			`"text":"123456"}]},` +
			`{"type":"button","sub_type":"url","index":0,"parameters":[{"type":"text","text":"123456"}]}]}`},
	{"a place and a flow", "template",
		`{"name":"visit","language":"en","header":{"type":"location","location":{"latitude":28.6139,` +
			`"longitude":77.209,"name":"The haat","address":"Connaught Place"}},` +
			`"buttons":[{"index":0,"type":"flow","flowToken":"t-1","flowData":{"shop_name":"Haat"}}]}`,
		`{"name":"visit","language":{"code":"en"},"components":[{"type":"header","parameters":[{"type":"location",` +
			`"location":{"latitude":28.6139,"longitude":77.209,"name":"The haat","address":"Connaught Place"}}]},` +
			`{"type":"button","sub_type":"flow","index":0,"parameters":[{"type":"action",` +
			`"action":{"flow_token":"t-1","flow_action_data":{"shop_name":"Haat"}}}]}]}`},
	{"a catalog", "template",
		`{"name":"catalog","language":"en","buttons":[{"index":0,"type":"catalog",` +
			`"thumbnailProductRetailerId":"rice-1"}]}`,
		`{"name":"catalog","language":{"code":"en"},"components":[{"type":"button","sub_type":"catalog","index":0,` +
			`"parameters":[{"type":"action","action":{"thumbnail_product_retailer_id":"rice-1"}}]}]}`},
	{"products", "template",
		`{"name":"products","language":"en","buttons":[{"index":0,"type":"mpm",` +
			`"thumbnailProductRetailerId":"rice-1","sections":[{"title":"Rice","productRetailerIds":["rice-1",` +
			`"rice-2"]}]}]}`,
		`{"name":"products","language":{"code":"en"},"components":[{"type":"button","sub_type":"mpm","index":0,` +
			`"parameters":[{"type":"action","action":{"thumbnail_product_retailer_id":"rice-1",` +
			`"sections":[{"title":"Rice","product_items":[{"product_retailer_id":"rice-1"},` +
			`{"product_retailer_id":"rice-2"}]}]}}]}]}`},
	{"a product", "template",
		`{"name":"product","language":"en","header":{"type":"product","product":{"catalogId":"c1",` +
			`"productRetailerId":"rice-1"}},"buttons":[{"index":0,"type":"spm"}]}`,
		`{"name":"product","language":{"code":"en"},"components":[{"type":"header","parameters":[{"type":"product",` +
			`"product":{"catalog_id":"c1","product_retailer_id":"rice-1"}}]},` +
			`{"type":"button","sub_type":"spm","index":0}]}`},
	{"an order", "template",
		`{"name":"order","language":"en","buttons":[{"index":0,"type":"order_details","order":` + orderBody + `}]}`,
		`{"name":"order","language":{"code":"en"},"components":[{"type":"button","sub_type":"order_details",` +
			`"index":0,"parameters":[{"type":"action","action":{"order_details":` + orderGraph + `}}]}]}`},
	{"how an order goes on, and a link", "template",
		`{"name":"order_shipped","language":"en","category":"utility","orderStatus":{"referenceId":"ORD-17",` +
			`"status":"shipped","description":"By van."},"tapTarget":{"url":"https://haat.example/17",` +
			`"title":"Follow it"}}`,
		`{"name":"order_shipped","language":{"code":"en"},"components":[{"type":"order_status","parameters":[` +
			`{"type":"order_status","order_status":{"reference_id":"ORD-17","order":{"status":"shipped",` +
			`"description":"By van."}}}]},{"type":"tap_target_configuration","parameters":[` +
			`{"type":"tap_target_configuration","tap_target_configuration":[{"url":"https://haat.example/17",` +
			`"title":"Follow it"}]}]}]}`},
	{"an offer", "template",
		`{"name":"offer","language":"en","offerExpiresAt":"2099-11-21T12:00:00Z","buttons":[{"index":0,` +
			`"type":"copy_code","value":"DIWALI20"},{"index":1,"type":"url","value":"17"}]}`,
		`{"name":"offer","language":{"code":"en"},"components":[{"type":"button","sub_type":"copy_code","index":0,` +
			`"parameters":[{"type":"coupon_code","coupon_code":"DIWALI20"}]},` +
			`{"type":"button","sub_type":"url","index":1,"parameters":[{"type":"text","text":"17"}]},` +
			`{"type":"limited_time_offer","parameters":[{"type":"limited_time_offer",` +
			`"limited_time_offer":{"expiration_time_ms":4098945600000}}]}]}`},
	{"cards", "template", `{"name":"cards","language":"en","body":[{"text":"Asha"}],"cards":[` +
		`{"header":{"type":"image","metaId":"1166846181421424"},"body":[{"text":"Rice"}],"buttons":[{"index":0,` +
		`"type":"quick_reply","value":"rice"},{"index":1,"type":"url","value":"1"}]},` +
		`{"header":{"type":"image","metaId":"1166846181421424"},"body":[{"text":"Dal"}],"buttons":[{"index":0,` +
		`"type":"quick_reply","value":"dal"},{"index":1,"type":"url","value":"2"}]}]}`,
		`{"name":"cards","language":{"code":"en"},"components":[{"type":"body","parameters":[{"type":"text",` +
			`"text":"Asha"}]},{"type":"carousel","cards":[` +
			`{"card_index":0,"components":[{"type":"header","parameters":[{"type":"image",` +
			`"image":{"id":"1166846181421424"}}]},{"type":"body","parameters":[{"type":"text","text":"Rice"}]},` +
			`{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload",` +
			`"payload":"rice"}]},{"type":"button","sub_type":"url","index":1,"parameters":[{"type":"text",` +
			`"text":"1"}]}]},` +
			`{"card_index":1,"components":[{"type":"header","parameters":[{"type":"image",` +
			`"image":{"id":"1166846181421424"}}]},{"type":"body","parameters":[{"type":"text","text":"Dal"}]},` +
			`{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload",` +
			`"payload":"dal"}]},{"type":"button","sub_type":"url","index":1,"parameters":[{"type":"text",` +
			`"text":"2"}]}]}]}]}`},
}
