package whatsappsim

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"
)

var codeForm = regexp.MustCompile(`^[A-Za-z0-9]{1,15}$`)

func checkButtons(c *check, t template, sent map[int]object) {
	buttons := t.component("BUTTONS").Buttons
	for index, component := range sent {
		if index >= len(buttons) {
			c.fail(refuse(http.StatusBadRequest, 131009,
				"Components index invalid: the template has %d buttons, got index %d", len(buttons), index))
			return
		}
		kind := strings.ToLower(c.required(component, "sub_type", 100))
		if c.err == nil && kind != sendType(buttons[index]) {
			c.fail(refuse(http.StatusBadRequest, 131009,
				"Components sub_type invalid at index: %d and type: button, expected %s, got %s", index,
				sendType(buttons[index]), kind))
		}
	}
	for index, button := range buttons {
		checkButton(c, button, index, parameters(c, sent[index]))
	}
}

// sendType is the sub_type by which a message addresses a button of the template.
func sendType(button templateButton) string {
	if strings.EqualFold(button.Type, "OTP") {
		return "url" // it copies or opens a code, and is filled like a URL
	}
	return strings.ToLower(button.Type)
}

func checkButton(c *check, button templateButton, index int, given []object) {
	if c.err != nil {
		return
	}
	switch kind := strings.ToLower(button.Type); {
	case kind == "url" && len(variables(button.URL)) == 0 && len(given) > 0:
		c.fail(refuse(http.StatusBadRequest, 132000,
			"buttons: Button at index %d of type Url does not require parameters", index))
	case kind == "url" && len(variables(button.URL)) > 0, kind == "otp", kind == "copy_code":
		if len(given) != 1 {
			c.fail(refuse(http.StatusBadRequest, 131008, "buttons: Button at index %d of type %s requires a parameter",
				index, buttonName(kind)))
			return
		}
		if kind == "copy_code" {
			c.oneOf(given[0], "type", "coupon_code")
			if code := c.required(given[0], "coupon_code", 15); c.err == nil && !codeForm.MatchString(code) {
				c.invalid(given[0].at("coupon_code"), "must be letters and digits.")
			}
			return
		}
		c.oneOf(given[0], "type", "text")
		if kind == "otp" {
			c.required(given[0], "text", 15)
			return
		}
		c.required(given[0], "text", 2000)
	case kind == "quick_reply" && len(given) > 0:
		checkPayload(c, given)
	case kind == "mpm", kind == "order_details", (kind == "flow" || kind == "catalog") && len(given) > 0:
		checkAction(c, kind, index, given)
	case kind == "voice_call":
		for _, parameter := range given {
			if c.oneOf(parameter, "type", "ttl_minutes", "payload") == "payload" {
				c.required(parameter, "payload", 512)
			} else {
				c.number(parameter, "ttl_minutes", 1, 43200)
			}
		}
	}
}

// checkAction checks the one action that fills a button.
func checkAction(c *check, kind string, index int, given []object) {
	if len(given) != 1 {
		c.fail(refuse(http.StatusBadRequest, 131008, "buttons: Button at index %d of type %s requires a parameter",
			index, buttonName(kind)))
		return
	}
	c.oneOf(given[0], "type", "action")
	action := c.object(given[0], "action")
	switch kind {
	case "flow":
		c.optional(action, "flow_token", 1000)
		c.optionalObject(action, "flow_action_data")
	case "catalog":
		c.optional(action, "thumbnail_product_retailer_id", 200)
	case "mpm":
		c.required(action, "thumbnail_product_retailer_id", 200)
		readProductSections(c, action)
	case "order_details":
		readOrder(c, c.object(action, "order_details"))
	}
}

func buttonName(kind string) string { return strings.ToUpper(kind[:1]) + kind[1:] }

// checkPayload checks what a quick reply is to send back. An official example gives it as a text, and not as a string:
// WhatsApp makes strings of other scalars.
func checkPayload(c *check, given []object) {
	if len(given) != 1 {
		c.fail(refuse(http.StatusBadRequest, 132000, "buttons: a quick reply takes one parameter, got %d", len(given)))
		return
	}
	kind := c.oneOf(given[0], "type", "payload", "text")
	if c.err != nil {
		return
	}
	switch value := given[0].fields[kind].(type) {
	case nil:
		c.missing(given[0].at(kind))
	case map[string]any, []any:
		c.invalid(given[0].at(kind), "must be a string.")
	default:
		if utf8.RuneCountInString(fmt.Sprint(value)) > 256 {
			c.invalid(given[0].at(kind), "must be at most 256 characters long.")
		}
	}
}
