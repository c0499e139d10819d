package whatsappsim

import (
	"net/http"
	"regexp"
	"strings"
)

var referenceForm = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// interactiveRule is what the documents allow of one kind of interactive message around its action.
type interactiveRule struct {
	headers        []string // types of header it may have
	headerRequired bool
	bodyOptional   bool
	bodyMost       int
	noFooter       bool
	actionName     string // the fixed action.name, where the kind has one
	action         func(c *check, action object)
}

func interactiveRules() map[string]interactiveRule {
	anyHeader := []string{"text", "image", "video", "document"}
	textHeader := []string{"text"}
	return map[string]interactiveRule{
		"button":  {headers: anyHeader, bodyMost: 1024, action: readButtons},
		"list":    {headers: textHeader, bodyMost: 4096, action: readListAction},
		"cta_url": {headers: anyHeader, bodyMost: 1024, actionName: "cta_url", action: readURLAction},
		"flow":    {headers: anyHeader, bodyMost: 1024, actionName: "flow", action: readFlow},
		"product": {bodyOptional: true, bodyMost: 1024, action: readProduct},
		"product_list": {
			headers: textHeader, headerRequired: true, bodyMost: 1024, action: readProductList},
		"catalog_message": {bodyMost: 1024, actionName: "catalog_message", action: readCatalog},
		"order_details": {
			headers: anyHeader, bodyMost: 1024, actionName: "review_and_pay", action: readOrderDetails},
		"order_status": {bodyMost: 1024, actionName: "review_order", action: readOrderStatus},
		"address_message": {
			headers: anyHeader, bodyMost: 1024, actionName: "address_message", action: readAddressRequest},
		"location_request_message": {noFooter: true, bodyMost: 1024, actionName: "send_location"},
		"call_permission_request": {
			noFooter: true, bodyOptional: true, bodyMost: 1024, actionName: "call_permission_request"},
		"request_contact_info": {noFooter: true, bodyMost: 1024, actionName: "request_contact_info"},
		"voice_call":           {noFooter: true, bodyMost: 1024, actionName: "voice_call", action: readCallAction},
		"carousel":             {noFooter: true, bodyMost: 1024, action: readCarousel},
	}
}

func readInteractive(c *check, interactive object) {
	c.only(interactive, "type", "header", "body", "footer", "action")
	kind := c.required(interactive, "type", 100)
	if c.err != nil {
		return
	}
	rule, known := interactiveRules()[kind]
	if !known {
		c.invalid(interactive.at("type"), "is not a type of interactive message - got %q.", kind)
		return
	}
	readHeader(c, interactive, rule)
	if interactive.has("body") || !rule.bodyOptional {
		c.required(c.object(interactive, "body"), "text", rule.bodyMost)
	}
	if interactive.has("footer") {
		if rule.noFooter {
			c.invalid(interactive.at("footer"), "is not allowed in type %q.", kind)
		}
		c.required(c.object(interactive, "footer"), "text", 60)
	}
	action := c.object(interactive, "action")
	if rule.actionName != "" {
		c.oneOf(action, "name", rule.actionName)
	}
	if c.err == nil && rule.action != nil {
		rule.action(c, action)
	}
}

func readHeader(c *check, interactive object, rule interactiveRule) {
	if !interactive.has("header") {
		if rule.headerRequired {
			c.missing(interactive.at("header"))
		}
		return
	}
	if len(rule.headers) == 0 {
		c.invalid(interactive.at("header"), "is not allowed in type %q.", interactive.text("type"))
		return
	}
	header := c.object(interactive, "header")
	switch kind := c.oneOf(header, "type", rule.headers...); {
	case c.err != nil:
	case kind == "text":
		c.required(header, "text", 60)
	case kind == "document":
		readMedia(c, header, kind, "filename")
	default:
		readMedia(c, header, kind)
	}
}

// unique refuses the second of two equal values.
func (c *check) unique(seen map[string]bool, path, value string) {
	if c.err == nil && seen[value] {
		c.invalid(path, "must be unique - %q is there already.", value)
	}
	seen[value] = true
}

func readButtons(c *check, action object) {
	ids, titles := map[string]bool{}, map[string]bool{}
	for _, button := range c.objects(action, "buttons", 1, 3) {
		c.oneOf(button, "type", "reply")
		reply := c.object(button, "reply")
		id := c.required(reply, "id", 256)
		if strings.TrimSpace(id) != id {
			c.invalid(reply.at("id"), "must not start or end with a space.")
		}
		c.unique(ids, reply.at("id"), id)
		c.unique(titles, reply.at("title"), c.required(reply, "title", 20))
	}
}

func readListAction(c *check, action object) {
	c.required(action, "button", 20)
	sections := c.objects(action, "sections", 1, 10)
	ids, rows := map[string]bool{}, 0
	for _, section := range sections {
		readSectionTitle(c, section, len(sections))
		for _, row := range c.objects(section, "rows", 1, 10) {
			rows++
			c.unique(ids, row.at("id"), c.required(row, "id", 200))
			c.required(row, "title", 24)
			c.optional(row, "description", 72)
		}
	}
	if rows > 10 {
		c.invalid(action.at("sections"), "must have at most 10 rows in all, has %d.", rows)
	}
}

func readSectionTitle(c *check, section object, sections int) {
	if sections > 1 {
		c.required(section, "title", 24)
		return
	}
	c.optional(section, "title", 24)
}

func readURLAction(c *check, action object) {
	parameters := c.object(action, "parameters")
	c.required(parameters, "display_text", 20)
	c.link(parameters, "url")
}

func readFlow(c *check, action object) {
	parameters := c.object(action, "parameters")
	c.oneOf(parameters, "flow_message_version", "3")
	if c.err == nil && parameters.has("flow_id") == parameters.has("flow_name") {
		c.invalid(parameters.path, "must have exactly one of flow_id and flow_name.")
	}
	c.optional(parameters, "flow_id", 200)
	c.optional(parameters, "flow_name", 200)
	c.optional(parameters, "flow_token", 1000)
	c.required(parameters, "flow_cta", 30)
	c.optionalOneOf(parameters, "mode", "draft", "published")
	if c.optionalOneOf(parameters, "flow_action", "navigate", "data_exchange") == "navigate" {
		c.required(c.object(parameters, "flow_action_payload"), "screen", 1000)
	}
}

func readProduct(c *check, action object) {
	c.required(action, "catalog_id", 200)
	c.required(action, "product_retailer_id", 200)
}

func readProductList(c *check, action object) {
	c.required(action, "catalog_id", 200)
	readProductSections(c, action)
}

func readProductSections(c *check, action object) {
	sections := c.objects(action, "sections", 1, 10)
	items := 0
	for _, section := range sections {
		readSectionTitle(c, section, len(sections))
		for _, item := range c.objects(section, "product_items", 1, 30) {
			items++
			c.required(item, "product_retailer_id", 200)
		}
	}
	if items > 30 {
		c.invalid(action.at("sections"), "must have at most 30 products in all, has %d.", items)
	}
}

func readCatalog(c *check, action object) {
	if action.has("parameters") {
		c.optional(c.object(action, "parameters"), "thumbnail_product_retailer_id", 200)
	}
}

func readOrderStatus(c *check, action object) {
	readOrderUpdate(c, c.object(action, "parameters"))
}

// readOrderUpdate checks how an order goes on.
func readOrderUpdate(c *check, parameters object) {
	c.required(parameters, "reference_id", 100)
	order := c.object(parameters, "order")
	c.oneOf(order, "status", "pending", "processing", "partially_shipped", "shipped", "completed", "canceled")
	c.optional(order, "description", 120)
}

func readAddressRequest(c *check, action object) {
	c.oneOf(c.object(action, "parameters"), "country", "IN", "SG")
}

func readOrderDetails(c *check, action object) {
	readOrder(c, c.object(action, "parameters"))
}

func readOrder(c *check, parameters object) {
	reference := c.required(parameters, "reference_id", 35)
	if c.err == nil && !referenceForm.MatchString(reference) {
		c.invalid(parameters.at("reference_id"), "may hold letters, digits, underscores, dashes and dots only.")
	}
	c.oneOf(parameters, "type", "digital-goods", "physical-goods")
	c.required(parameters, "currency", 3)
	total := readAmount(c, parameters, "total_amount")
	order := c.object(parameters, "order")
	c.oneOf(order, "status", "pending")
	quick := order.has("type") && c.oneOf(order, "type", "quick_pay") != ""
	readExpiration(c, order)
	shipped := parameters.text("currency") == "INR" && parameters.text("type") == "physical-goods"
	if parameters.text("currency") == "INR" && !parameters.has("payment_configuration") {
		c.objects(parameters, "payment_settings", 1, 10)
	}
	items := 0.0
	if quick && !order.has("items") {
		items = readAmount(c, order, "subtotal")
	} else {
		items = readItems(c, order, shipped && !order.has("catalog_id"))
	}
	subtotal := readAmount(c, order, "subtotal")
	sum := subtotal + readAmount(c, order, "tax")
	if order.has("shipping") {
		sum += readAmount(c, order, "shipping")
	}
	if order.has("discount") {
		sum -= readAmount(c, order, "discount")
	}
	if c.err == nil && (subtotal != items || total != sum) {
		c.fail(refuse(http.StatusBadRequest, 131009,
			"The amounts do not add up: items %v and subtotal %v, parts %v and total %v.", items, subtotal, sum, total))
	}
}

// readExpiration checks until when an order can be paid.
func readExpiration(c *check, order object) {
	if !order.has("expiration") {
		return
	}
	ends := c.object(order, "expiration")
	if at := c.required(ends, "timestamp", 20); c.err == nil && strings.Trim(at, "0123456789") != "" {
		c.invalid(ends.at("timestamp"), "must be seconds of UTC.")
	}
	c.required(ends, "description", 120)
}

// readItems checks the items of an order, and returns what they come to. If they are made or imported by somebody, each
// says by whom.
func readItems(c *check, order object, made bool) (items float64) {
	for _, item := range c.objects(order, "items", 1, 999) {
		c.required(item, "name", 60)
		if item.has("image") {
			c.required(c.object(item, "image"), "link", 2000)
		}
		if made {
			c.required(item, "country_of_origin", 100)
			c.required(item, "importer_name", 200)
			address := c.object(item, "importer_address")
			c.required(address, "address_line1", 200)
			c.required(address, "city", 120)
			c.required(address, "country_code", 2)
		}
		price := readAmount(c, item, "amount")
		if item.has("sale_amount") {
			price = readAmount(c, item, "sale_amount")
		}
		items += price * c.number(item, "quantity", 1, 1e6)
	}
	return items
}

// readAmount is an amount in hundredths; sums of whole hundredths are exact in a float64 far beyond any order.
func readAmount(c *check, parent object, key string) float64 {
	amount := c.object(parent, key)
	value := c.number(amount, "value", 0, 1e12)
	c.number(amount, "offset", 100, 100)
	if value != float64(int64(value)) {
		c.invalid(amount.at("value"), "must be a whole number.")
	}
	return value
}
