// Package contenttest holds a sample of each kind of message: the body that the API takes, and the content that
// WhatsApp gets.
package contenttest

// Sample is a message that WhatsApp takes.
type Sample struct {
	Name  string // what is special about it
	Kind  string // the name of its kind
	Body  string // as the API takes it
	Graph string // the content as WhatsApp gets it, under the name of its type
}

// Ids of things that a simulated WhatsApp may hold.
const (
	Target  = "wamid.ASHA1"      // the message that reactions and pins name
	MediaID = "1166846181421424" // an uploaded file
	Link    = "https://files.example.com/17?a=1&b=2"
)

// Samples has at least one sample of each kind.
var Samples = []Sample{
	{"", "text", `{"body":"Ready in ten minutes."}`, `{"body":"Ready in ten minutes."}`},
	{"with a preview", "text", `{"body":"See https://haat.example","previewUrl":true}`,
		`{"body":"See https://haat.example","preview_url":true}`},
	{"by id", "image", `{"metaId":"1166846181421424","caption":"Basmati"}`,
		`{"id":"1166846181421424","caption":"Basmati"}`},
	{"by link", "image", `{"link":"https://files.example.com/17?a=1&b=2"}`,
		`{"link":"https://files.example.com/17?a=1&b=2"}`},
	{"", "video", `{"metaId":"1166846181421424","caption":"How to cook it"}`,
		`{"id":"1166846181421424","caption":"How to cook it"}`},
	{"", "audio", `{"link":"https://files.example.com/a.mp3"}`, `{"link":"https://files.example.com/a.mp3"}`},
	{"", "voice", `{"metaId":"1166846181421424"}`, `{"id":"1166846181421424","voice":true}`},
	{"", "document", `{"metaId":"1166846181421424","caption":"Your bill","filename":"Bill 17.pdf"}`,
		`{"id":"1166846181421424","caption":"Your bill","filename":"Bill 17.pdf"}`},
	{"", "sticker", `{"metaId":"1166846181421424"}`, `{"id":"1166846181421424"}`},
	{"", "location", `{"latitude":28.6139,"longitude":77.209,"name":"The haat","address":"Connaught Place"}`,
		`{"latitude":28.6139,"longitude":77.209,"name":"The haat","address":"Connaught Place"}`},
	{"on the equator", "location", `{"latitude":0,"longitude":0}`, `{"latitude":0,"longitude":0}`},
	{"", "contacts", `{"contacts":[{"name":{"formattedName":"Ravi Rao","firstName":"Ravi","lastName":"Rao"},` +
		`"phones":[{"phone":"+91 98111 11111","type":"WORK","waId":"919811111111"}],` +
		`"emails":[{"email":"ravi@haat.example","type":"WORK"}],` +
		`"urls":[{"url":"https://haat.example"}],"addresses":[{"street":"1 Haat Road","city":"Delhi",` +
		`"zip":"110001","countryCode":"in"}],` +
		`"org":{"company":"Haat","title":"Clerk"},"birthday":"1990-01-31"}]}`,
		`[{"name":{"formatted_name":"Ravi Rao","first_name":"Ravi","last_name":"Rao"},` +
			`"phones":[{"phone":"+91 98111 11111","type":"WORK","wa_id":"919811111111"}],` +
			`"emails":[{"email":"ravi@haat.example","type":"WORK"}],` +
			`"urls":[{"url":"https://haat.example"}],"addresses":[{"street":"1 Haat Road","city":"Delhi",` +
			`"zip":"110001","country_code":"in"}],` +
			`"org":{"company":"Haat","title":"Clerk"},"birthday":"1990-01-31"}]`},
	{"", "reaction", `{"messageId":"wamid.ASHA1","emoji":"👍🏽"}`, `{"message_id":"wamid.ASHA1","emoji":"👍🏽"}`},
	{"taken back", "reaction", `{"messageId":"wamid.ASHA1","emoji":""}`, `{"message_id":"wamid.ASHA1","emoji":""}`},
	{"", "pin", `{"messageId":"wamid.ASHA1","expirationDays":7}`,
		`{"type":"pin","message_id":"wamid.ASHA1","expiration_days":7}`},
	{"", "unpin", `{"messageId":"wamid.ASHA1"}`, `{"type":"unpin","message_id":"wamid.ASHA1"}`},
	{"", "button",
		`{"header":{"type":"text","text":"Card request"},"body":"Approve it?","footer":"haatline",` +
			`"buttons":[{"id":"yes","title":"Approve"},{"id":"no","title":"Reject"}]}`,
		`{"type":"button","header":{"type":"text","text":"Card request"},"body":{"text":"Approve it?"},` +
			`"footer":{"text":"haatline"},` +
			`"action":{"buttons":[{"type":"reply","reply":{"id":"yes","title":"Approve"}},{"type":"reply",` +
			`"reply":{"id":"no","title":"Reject"}}]}}`},
	{"below a document", "button",
		`{"header":{"type":"document","link":"https://files.example.com/b.pdf","filename":"Bill.pdf"},"body":"Is ` +
			`it right?","buttons":[{"id":"1","title":"Yes"}]}`,
		`{"type":"button","header":{"type":"document","document":{"link":"https://files.example.com/b.pdf",` +
			`"filename":"Bill.pdf"}},"body":{"text":"Is it right?"},` +
			`"action":{"buttons":[{"type":"reply","reply":{"id":"1","title":"Yes"}}]}}`},
	{"", "list",
		`{"header":"Rice","body":"Which rice?","button":"Choose","sections":[{"title":"Long","rows":[{"id":"r1",` +
			`"title":"Basmati","description":"1 kg, ₹120"}]},{"title":"Short","rows":[{"id":"r2","title":"Sona"}]}]}`,
		`{"type":"list","header":{"type":"text","text":"Rice"},"body":{"text":"Which rice?"},` +
			`"action":{"button":"Choose","sections":[` +
			`{"title":"Long","rows":[{"id":"r1","title":"Basmati","description":"1 kg, ₹120"}]},{"title":"Short",` +
			`"rows":[{"id":"r2","title":"Sona"}]}]}}`},
	{"", "cta-url",
		`{"header":{"type":"image","metaId":"1166846181421424"},"body":"Your bill is online.","displayText":"See ` +
			`it","url":"https://haat.example/bills/17"}`,
		`{"type":"cta_url","header":{"type":"image","image":{"id":"1166846181421424"}},"body":{"text":"Your bill ` +
			`is online."},` +
			`"action":{"name":"cta_url","parameters":{"display_text":"See it",` +
			`"url":"https://haat.example/bills/17"}}}`},
	{"", "flow",
		`{"body":"Book a delivery.","flowId":"42","button":"Book","token":"t-1","mode":"draft","action":"navigate",` +
			`"screen":"DAY","data":{"shop_name":"Haat"}}`,
		`{"type":"flow","body":{"text":"Book a delivery."},"action":{"name":"flow",` +
			`"parameters":{"flow_message_version":"3","flow_id":"42","flow_cta":"Book",` +
			`"flow_token":"t-1","mode":"draft","flow_action":"navigate","flow_action_payload":{"screen":"DAY",` +
			`"data":{"shop_name":"Haat"}}}}}`},
	{"by name", "flow", `{"body":"Book a delivery.","flowName":"book","button":"Book"}`,
		`{"type":"flow","body":{"text":"Book a delivery."},"action":{"name":"flow",` +
			`"parameters":{"flow_message_version":"3","flow_name":"book","flow_cta":"Book"}}}`},
	{"", "product", `{"catalogId":"c1","productRetailerId":"rice-1","body":"Fresh today.","footer":"While it lasts"}`,
		`{"type":"product","body":{"text":"Fresh today."},"footer":{"text":"While it lasts"},` +
			`"action":{"catalog_id":"c1","product_retailer_id":"rice-1"}}`},
	{"", "product-list",
		`{"catalogId":"c1","header":"Rice","body":"All our rice.","sections":[{"title":"Long",` +
			`"productRetailerIds":["rice-1","rice-2"]},{"title":"Short","productRetailerIds":["rice-3"]}]}`,
		`{"type":"product_list","header":{"type":"text","text":"Rice"},"body":{"text":"All our rice."},` +
			`"action":{"catalog_id":"c1","sections":[` +
			`{"title":"Long","product_items":[{"product_retailer_id":"rice-1"},{"product_retailer_id":"rice-2"}]},` +
			`{"title":"Short","product_items":[{"product_retailer_id":"rice-3"}]}]}}`},
	{"", "catalog", `{"body":"Everything we have.","footer":"Haat","thumbnailProductRetailerId":"rice-1"}`,
		`{"type":"catalog_message","body":{"text":"Everything we have."},"footer":{"text":"Haat"},` +
			`"action":{"name":"catalog_message","parameters":{"thumbnail_product_retailer_id":"rice-1"}}}`},
	{"of links", "carousel",
		`{"body":"New:","cards":[{"header":{"type":"image","link":"https://files.example.com/1.jpg"},"body":"Rice",` +
			`"link":{"displayText":"Buy","url":"https://haat.example/1"}},` +
			`{"header":{"type":"image","link":"https://files.example.com/2.jpg"},"link":{"displayText":"Buy",` +
			`"url":"https://haat.example/2"}}]}`,
		`{"type":"carousel","body":{"text":"New:"},"action":{"cards":[` +
			`{"card_index":0,"type":"cta_url","header":{"type":"image",` +
			`"image":{"link":"https://files.example.com/1.jpg"}},"body":{"text":"Rice"},"action":{"name":"cta_url",` +
			`"parameters":{"display_text":"Buy","url":"https://haat.example/1"}}},` +
			`{"card_index":1,"type":"cta_url","header":{"type":"image",` +
			`"image":{"link":"https://files.example.com/2.jpg"}},"action":{"name":"cta_url",` +
			`"parameters":{"display_text":"Buy","url":"https://haat.example/2"}}}]}}`},
	{"of buttons", "carousel",
		`{"body":"New:","cards":[{"header":{"type":"video","metaId":"1166846181421424"},"buttons":[{"id":"a",` +
			`"title":"Rice"}]},{"header":{"type":"video","metaId":"1166846181421424"},"buttons":[{"id":"b",` +
			`"title":"Dal"}]}]}`,
		`{"type":"carousel","body":{"text":"New:"},"action":{"cards":[` +
			`{"card_index":0,"header":{"type":"video","video":{"id":"1166846181421424"}},` +
			`"action":{"buttons":[{"type":"quick_reply","quick_reply":{"id":"a","title":"Rice"}}]}},` +
			`{"card_index":1,"header":{"type":"video","video":{"id":"1166846181421424"}},` +
			`"action":{"buttons":[{"type":"quick_reply","quick_reply":{"id":"b","title":"Dal"}}]}}]}}`},
	{"of products", "carousel",
		`{"body":"New:","cards":[{"product":{"catalogId":"c1","productRetailerId":"rice-1"}},` +
			`{"product":{"catalogId":"c1","productRetailerId":"rice-2"}}]}`,
		`{"type":"carousel","body":{"text":"New:"},"action":{"cards":[{"card_index":0,"type":"product",` +
			`"action":{"catalog_id":"c1","product_retailer_id":"rice-1"}},` +
			`{"card_index":1,"type":"product","action":{"catalog_id":"c1","product_retailer_id":"rice-2"}}]}}`},
	{"", "location-request", `{"body":"Where are you?"}`,
		`{"type":"location_request_message","body":{"text":"Where are you?"},"action":{"name":"send_location"}}`},
	{"", "address-request",
		`{"body":"Where to?","country":"IN","values":{"name":"Asha","phoneNumber":"+919876543210",` +
			`"inPinCode":"110001"},"savedAddresses":[{"id":"home","value":{"address":"1 Haat Road",` +
			`"city":"Delhi"}}],"validationErrors":{"in_pin_code":"We do not deliver there."}}`,
		`{"type":"address_message","body":{"text":"Where to?"},"action":{"name":"address_message",` +
			`"parameters":{"country":"IN",` +
			`"values":{"name":"Asha","phone_number":"+919876543210","in_pin_code":"110001"},` +
			`"saved_addresses":[{"id":"home","value":{"address":"1 Haat Road","city":"Delhi"}}],` +
			`"validation_errors":{"in_pin_code":"We do not deliver there."}}}}`},
	{"", "contact-request", `{"body":"May we have your number?"}`,
		`{"type":"request_contact_info","body":{"text":"May we have your number?"},` +
			`"action":{"name":"request_contact_info"}}`},
	{"", "call-permission-request", `{"body":"May we call you about order 17?"}`,
		`{"type":"call_permission_request","body":{"text":"May we call you about order 17?"},` +
			`"action":{"name":"call_permission_request"}}`},
	{"without a text", "call-permission-request", `{}`,
		`{"type":"call_permission_request","action":{"name":"call_permission_request"}}`},
	{"", "voice-call", `{"body":"Call us.","displayText":"Call now","ttlMinutes":100,"payload":"order 17"}`,
		`{"type":"voice_call","body":{"text":"Call us."},"action":{"name":"voice_call",` +
			`"parameters":{"display_text":"Call now","ttl_minutes":100,"payload":"order 17"}}}`},
	{"", "order-details",
		`{"header":{"type":"image","metaId":"1166846181421424"},"body":"Please pay.","footer":"Haat","order":` +
			orderBody + `}`,
		`{"type":"order_details","header":{"type":"image","image":{"id":"1166846181421424"}},` +
			`"body":{"text":"Please pay."},"footer":{"text":"Haat"},"action":{"name":"review_and_pay","parameters":` +
			orderGraph + `}}`},
	{"paid at once", "order-details",
		`{"body":"Please pay.","order":{"referenceId":"ORD-18","goods":"digital_goods","currency":"INR",` +
			`"paymentType":"upi","paymentConfiguration":"shop","quickPay":true,"subtotal":2000,` +
			`"tax":{"amount":0},"total":2000}}`,
		`{"type":"order_details","body":{"text":"Please pay."},"action":{"name":"review_and_pay","parameters":` +
			`{"reference_id":"ORD-18","type":"digital-goods","currency":"INR","payment_type":"upi",` +
			`"payment_configuration":"shop","total_amount":{"value":2000,"offset":100},"order":` +
			`{"status":"pending","type":"quick_pay","subtotal":{"value":2000,"offset":100},` +
			`"tax":{"value":0,"offset":100}}}}}`},
	{"", "order-status",
		`{"body":"On its way.","referenceId":"ORD-17","status":"partially_shipped","description":"The rice follows."}`,
		`{"type":"order_status","body":{"text":"On its way."},"action":{"name":"review_order",` +
			`"parameters":{"reference_id":"ORD-17","order":{"status":"partially_shipped","description":"The rice ` +
			`follows."}}}}`},
}

const (
	orderBody = `{"referenceId":"ORD-17","goods":"physical_goods","currency":"INR","paymentType":"upi",` +
		`"paymentConfiguration":"shop",` +
		`"items":[{"retailerId":"rice-1","name":"Basmati","amount":1500,"saleAmount":1000,"quantity":2,` +
		`"imageLink":"https://files.example.com/rice.jpg","countryOfOrigin":"India","importerName":"Haat Foods",` +
		`"importerAddress":{"street":"1 Haat Road","city":"Delhi","zoneCode":"DL","postalCode":"110001",` +
		`"countryCode":"IN"}}],"expiresAt":"2099-11-21T12:00:00Z","expirationText":"Please order again.",` +
		`"subtotal":2000,` +
		`"tax":{"amount":100,"description":"GST"},"shipping":{"amount":50},"discount":{"amount":150,` +
		`"program":"Diwali"},"total":2000}`
	orderGraph = `{"reference_id":"ORD-17","type":"physical-goods","currency":"INR","payment_type":"upi","payment_configuration":"shop",` +
		`"total_amount":{"value":2000,"offset":100},"order":{"status":"pending",` +
		`"items":[{"retailer_id":"rice-1","name":"Basmati","amount":{"value":1500,"offset":100},` +
		`"sale_amount":{"value":1000,"offset":100},"quantity":2,` +
		`"image":{"link":"https://files.example.com/rice.jpg"},"country_of_origin":"India",` +
		`"importer_name":"Haat Foods","importer_address":{"address_line1":"1 Haat Road","city":"Delhi",` +
		`"zone_code":"DL","postal_code":"110001","country_code":"IN"}}],` +
		`"expiration":{"timestamp":"4098945600","description":"Please order again."},` +
		`"subtotal":{"value":2000,"offset":100},"tax":{"value":100,"offset":100,"description":"GST"},` +
		`"shipping":{"value":50,"offset":100},` +
		`"discount":{"value":150,"offset":100,"discount_program_name":"Diwali"}}}`
)
