package whatsappsim

import "strings"

// readCarousel checks the cards of an interactive carousel: 2 to 10, all built alike.
func readCarousel(c *check, action object) {
	first, catalog := "", ""
	for i, card := range c.objects(action, "cards", 2, 10) {
		c.only(card, "card_index", "type", "header", "body", "action")
		if index := c.number(card, "card_index", 0, 9); c.err == nil && index != float64(i) {
			c.invalid(card.at("card_index"), "must be %d.", i)
		}
		shape := readCard(c, card)
		if i == 0 {
			first = shape
		}
		if of := c.object(card, "action").text("catalog_id"); shape == "product" && i == 0 {
			catalog = of
		} else if shape == "product" && of != catalog {
			c.invalid(card.at("action"), "must be of the catalog of the first card.")
		}
		if c.err == nil && shape != first {
			c.invalid(card.path, "must have the same components as the first card.")
		}
	}
}

// readCard checks one card and returns what it is built of.
func readCard(c *check, card object) string {
	action := c.object(card, "action")
	if card.text("type") == "product" {
		readProduct(c, action)
		return "product"
	}
	header := c.object(card, "header")
	kind := c.oneOf(header, "type", "image", "video")
	if c.err == nil {
		readMedia(c, header, kind)
	}
	if card.has("body") {
		c.required(c.object(card, "body"), "text", 160)
	}
	if !action.has("buttons") {
		c.oneOf(card, "type", "cta_url")
		c.oneOf(action, "name", "cta_url")
		readURLAction(c, action)
		return kind + " cta_url"
	}
	buttons := c.objects(action, "buttons", 1, 3)
	ids := map[string]bool{}
	for _, button := range buttons {
		c.oneOf(button, "type", "quick_reply")
		reply := c.object(button, "quick_reply")
		c.unique(ids, reply.at("id"), c.required(reply, "id", 256))
		c.required(reply, "title", 20)
	}
	return kind + strings.Repeat(" button", len(buttons))
}

func readCallAction(c *check, action object) {
	if !action.has("parameters") {
		return
	}
	parameters := c.object(action, "parameters")
	c.optional(parameters, "display_text", 20)
	c.optional(parameters, "payload", 512)
	if parameters.has("ttl_minutes") {
		c.number(parameters, "ttl_minutes", 1, 43200)
	}
}
