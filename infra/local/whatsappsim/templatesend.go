package whatsappsim

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checkTemplate checks the template object of a message against what is known of the template it names.
func (s *Server) checkTemplate(m message) *graphError {
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
	t, has := s.templates.find(name, language)
	if !has {
		return refuse(http.StatusNotFound, 132001, "template name (%s) does not exist in %s", name, language)
	}
	switch status := s.statusOf(t); status {
	case "APPROVED":
	case "PAUSED":
		return refuse(http.StatusBadRequest, 132015,
			"Template is paused due to low quality so it cannot be sent in a template message.")
	case "DISABLED":
		return refuse(http.StatusBadRequest, 132016,
			"Template has been paused too many times due to low quality and is now permanently disabled.")
	default:
		return refuse(http.StatusNotFound, 132001, "template name (%s) is not approved in %s", name, language)
	}
	if m.to.group != "" && !t.forGroups() {
		return refuse(http.StatusBadRequest, 131051, "A group takes templates of text and media only.")
	}
	if t.Category == "AUTHENTICATION" && m.to.userID != "" && m.to.waID == "" {
		return refuse(http.StatusBadRequest, 131062, "Authentication templates need a phone number.")
	}
	checkComponents(c, t, components)
	return c.err
}

// checkComponents checks the components of a template, or of a card of one.
func checkComponents(c *check, t template, components []object) {
	parts := sortComponents(c, components)
	checkHeader(c, t, parts.header)
	checkBody(c, t, parts.body)
	checkButtons(c, t, parts.buttons)
	checkOffer(c, t, parts.offer)
	checkCards(c, t, parts.carousel)
	checkOrderStatus(c, t, parts.orderStatus)
	checkTapTarget(c, t, parts.tapTarget)
}

// forGroups reports whether the template holds nothing but text and media.
func (t template) forGroups() bool {
	return t.Category != "AUTHENTICATION" && !slices.ContainsFunc(t.Components, func(c templateComponent) bool {
		return slices.Contains([]string{"BUTTONS", "CAROUSEL", "LIMITED_TIME_OFFER"}, strings.ToUpper(c.Type)) ||
			slices.Contains([]string{"LOCATION", "PRODUCT"}, strings.ToUpper(c.Format))
	})
}

// sentComponents are the components of a sent template by what they fill; one that was not sent has no fields.
type sentComponents struct {
	header, body, offer, carousel, orderStatus, tapTarget object
	buttons                                               map[int]object
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
		case "limited_time_offer":
			parts.offer = component
		case "carousel":
			parts.carousel = component
		case "order_status":
			parts.orderStatus = component
		case "tap_target_configuration":
			parts.tapTarget = component
		case "footer": // it has nothing to fill in
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
	switch strings.ToUpper(header.Format) {
	case "", "TEXT":
		fillText(c, "header", header.Text, given)
	default: // media and location: always one parameter, of that type
		format := strings.ToLower(header.Format)
		if c.err == nil && (len(given) != 1 || given[0].text("type") != format) {
			got := "UNKNOWN"
			if len(given) > 0 {
				got = strings.ToUpper(given[0].text("type"))
			}
			c.fail(refuse(http.StatusBadRequest, 132012, "header: Format mismatch, expected %s, received %s",
				header.Format, got))
		}
		if c.err != nil {
			return
		}
		switch format {
		case "location":
			readLocation(c, c.object(given[0], format))
			return
		case "product":
			readProduct(c, c.object(given[0], format))
			return
		}
		readMedia(c, given[0], format, "filename")
	}
}

func checkBody(c *check, t template, sent object) {
	text := t.component("BODY").Text
	if t.Category == "AUTHENTICATION" && text == "" {
		text = "{{1}}" // WhatsApp writes it, around the code
	}
	text = fillText(c, "body", text, parameters(c, sent))
	if c.err == nil && utf8.RuneCountInString(text) > 1024 {
		c.fail(refuse(http.StatusBadRequest, 132005,
			"body: the text with its parameters must have at most 1024 characters"))
	}
}

// fillText checks the parameters for the variables of a text and returns the text with them.
func fillText(c *check, part, text string, given []object) string {
	names := variables(text)
	if c.err == nil && len(given) != len(names) {
		c.fail(refuse(http.StatusBadRequest, 132000,
			"%s: number of localizable_params (%d) does not match the expected number of params (%d)", part, len(given),
			len(names)))
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
		} else if c.err == nil && parameter.has("parameter_name") {
			c.fail(refuse(http.StatusBadRequest, 132012,
				"%s: the template's variables are filled by position, and got the name %q", part,
				parameter.text("parameter_name")))
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
		c.fail(refuse(http.StatusBadRequest, 100,
			"Param text cannot have new-line/tab characters or more than 4 consecutive spaces"))
	}
	return text
}
