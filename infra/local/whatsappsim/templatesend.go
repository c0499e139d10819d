package whatsappsim

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checkTemplate checks the template object of a message against what is known of the template it names.
func checkTemplate(templates []template, m message) *graphError {
	c := &check{inner: true}
	sent := c.object(object{fields: m.fields}, "template")
	name := c.required(sent, "name", 512)
	language := c.required(c.object(sent, "language"), "code", 20)
	var components []object
	if sent.has("components") {
		components = c.objects(sent, "components", 0, 20)
	}
	if c.err != nil {
		return c.err
	}
	at := slices.IndexFunc(templates, func(t template) bool { return t.Name == name && t.Language == language })
	if at < 0 {
		return refuse(http.StatusNotFound, 132001, "template name (%s) does not exist in %s", name, language)
	}
	t := templates[at]
	if t.Category == "AUTHENTICATION" && m.to.userID != "" && m.to.waID == "" {
		return refuse(http.StatusBadRequest, 131062, "Authentication templates need a phone number.")
	}
	parts := sortComponents(c, components)
	checkHeader(c, t, parts.header)
	checkBody(c, t, parts.body)
	checkButtons(c, t, parts.buttons)
	return c.err
}

// sentComponents are the components of a sent template by what they fill; one that was not sent has no fields.
type sentComponents struct {
	header, body object
	buttons      map[int]object
}

func sortComponents(c *check, components []object) sentComponents {
	parts := sentComponents{buttons: map[int]object{}}
	for _, component := range components {
		switch kind := strings.ToLower(c.required(component, "type", 100)); kind {
		case "header":
			parts.header = component
		case "body":
			parts.body = component
		case "button":
			index := int(c.number(component, "index", 0, 9))
			if _, twice := parts.buttons[index]; twice {
				c.invalid(component.at("index"), "must be unique.")
			}
			parts.buttons[index] = component
		case "footer", "carousel", "limited_time_offer": // nothing in the samples needs them checked
		default:
			c.invalid(component.at("type"), "is not a type of component - got %q.", kind)
		}
	}
	return parts
}

// parameters are the parameters of a component that may be missing.
func parameters(c *check, component object) []object {
	if !component.has("parameters") {
		return nil
	}
	return c.objects(component, "parameters", 0, 100)
}

func checkHeader(c *check, t template, sent object) {
	header := t.component("HEADER")
	given := parameters(c, sent)
	switch header.Format {
	case "", "TEXT":
		fillText(c, "header", header.Text, given)
	default: // media and location: always one parameter, of that type
		format := strings.ToLower(header.Format)
		if c.err == nil && (len(given) != 1 || given[0].text("type") != format) {
			got := "UNKNOWN"
			if len(given) > 0 {
				got = strings.ToUpper(given[0].text("type"))
			}
			c.fail(refuse(http.StatusBadRequest, 132012, "header: Format mismatch, expected %s, received %s", header.Format, got))
		}
		if c.err != nil {
			return
		}
		if format == "location" {
			readLocation(c, c.object(given[0], format))
			return
		}
		readMedia(c, given[0], format, "filename")
	}
}

func checkBody(c *check, t template, sent object) {
	text := fillText(c, "body", t.component("BODY").Text, parameters(c, sent))
	if c.err == nil && utf8.RuneCountInString(text) > 1024 {
		c.fail(refuse(http.StatusBadRequest, 132005, "body: the text with its parameters must have at most 1024 characters"))
	}
}

// fillText checks the parameters for the variables of a text and returns the text with them.
func fillText(c *check, part, text string, given []object) string {
	names := variables(text)
	if c.err == nil && len(given) != len(names) {
		c.fail(refuse(http.StatusBadRequest, 132000,
			"%s: number of localizable_params (%d) does not match the expected number of params (%d)", part, len(given), len(names)))
	}
	if c.err != nil || len(names) == 0 {
		return text
	}
	_, err := strconv.Atoi(names[0])
	named := err != nil
	for i, parameter := range given {
		name := strconv.Itoa(i + 1)
		if named {
			name = c.required(parameter, "parameter_name", 100)
			if c.err == nil && !slices.Contains(names, name) {
				c.invalid(parameter.at("parameter_name"), "is not a variable of the template - got %q.", name)
			}
			names = slices.DeleteFunc(names, func(known string) bool { return known == name })
		}
		text = strings.ReplaceAll(text, "{{"+name+"}}", textOf(c, parameter))
	}
	return text
}

// textOf is what a parameter of a text becomes in it.
func textOf(c *check, parameter object) string {
	switch c.oneOf(parameter, "type", "text", "currency", "date_time") {
	case "currency":
		currency := c.object(parameter, "currency")
		c.required(currency, "code", 3)
		c.number(currency, "amount_1000", -1e15, 1e15)
		return c.required(currency, "fallback_value", 1024)
	case "date_time":
		return c.required(c.object(parameter, "date_time"), "fallback_value", 1024)
	}
	text := c.required(parameter, "text", 32768)
	if strings.ContainsAny(text, "\n\r\t") || strings.Contains(text, "     ") {
		c.fail(refuse(http.StatusBadRequest, 100, "Param text cannot have new-line/tab characters or more than 4 consecutive spaces"))
	}
	return text
}

func checkButtons(c *check, t template, sent map[int]object) {
	buttons := t.component("BUTTONS").Buttons
	for index, component := range sent {
		if index >= len(buttons) {
			c.fail(refuse(http.StatusBadRequest, 131009, "Components index invalid: the template has %d buttons, got index %d", len(buttons), index))
			return
		}
		kind := strings.ToLower(c.required(component, "sub_type", 100))
		if c.err == nil && kind != sendType(buttons[index]) {
			c.fail(refuse(http.StatusBadRequest, 131009, "Components sub_type invalid at index: %d and type: button, expected %s, got %s", index, sendType(buttons[index]), kind))
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
		c.fail(refuse(http.StatusBadRequest, 132000, "buttons: Button at index %d of type Url does not require parameters", index))
	case kind == "url" && len(variables(button.URL)) > 0, kind == "otp", kind == "copy_code":
		if len(given) != 1 {
			c.fail(refuse(http.StatusBadRequest, 131008, "buttons: Button at index %d of type %s requires a parameter", index, buttonName(kind)))
			return
		}
		if kind == "copy_code" {
			c.oneOf(given[0], "type", "coupon_code")
			c.required(given[0], "coupon_code", 20)
			return
		}
		c.oneOf(given[0], "type", "text")
		c.required(given[0], "text", 2000)
	case kind == "quick_reply" && len(given) > 0:
		checkPayload(c, given)
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
