// Package templatecheck says what is wrong with a message template before Meta is asked to take it. One answer names
// every fault, because Meta names one at a time and lets somebody wait for it.
package templatecheck

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/problem"
)

// Template is a template as somebody wants Meta to have it.
type Template struct {
	Name, Language, Category string
	Components               []json.RawMessage
}

// The categories of templates.
const (
	Utility        = "UTILITY"
	Marketing      = "MARKETING"
	Authentication = "AUTHENTICATION"
)

// The limits of Meta. Texts are counted in characters.
const (
	maxHeader, maxBody, maxFooter = 60, 1024, 60
	maxButtons, maxButtonText     = 10, 25
	maxURL, maxPhone, maxCode     = 2000, 20, 15
	maxOffer                      = 16
	minCards, maxCards            = 2, 10
	maxCardBody, maxCardButtons   = 160, 2
	maxProductBody, maxOfferBody  = 160, 600
	minExpiration, maxExpiration  = 1, 90
	maxComponents, maxSize        = 6, 64 << 10
)

var (
	nameForm     = lazy.Regexp(`^[a-z0-9_]{1,512}$`)
	languageForm = lazy.Regexp(`^[a-z]{2,3}(_[A-Z]{2,3})?$`)
)

type component struct {
	Type       string   `json:"type"`
	Format     string   `json:"format"`
	Text       string   `json:"text"`
	Example    example  `json:"example"`
	Buttons    []button `json:"buttons"`
	Cards      []card   `json:"cards"`
	Secure     *bool    `json:"add_security_recommendation"`
	Expiration *int     `json:"code_expiration_minutes"`
	Offer      *struct {
		Text string `json:"text"`
	} `json:"limited_time_offer"`
}

type example struct {
	HeaderText   []string   `json:"header_text"`
	HeaderHandle []string   `json:"header_handle"`
	HeaderNamed  []named    `json:"header_text_named_params"`
	BodyText     [][]string `json:"body_text"`
	BodyNamed    []named    `json:"body_text_named_params"`
}

type named struct {
	Name    string `json:"param_name"`
	Example string `json:"example"`
}

type card struct {
	Components []component `json:"components"`
}

// check gathers faults.
type check struct {
	faults           []problem.Field
	category         string
	authentication   bool
	numbered, worded bool // whether some variable is a number, or a name
}

func (c *check) fault(path, detail string, values ...any) {
	c.faults = append(c.faults, problem.Field{Path: path, Detail: fmt.Sprintf(detail, values...)})
}

// Faults returns everything that is wrong with a template, none if Meta may take it.
func Faults(t Template) []problem.Field {
	return append(Kind(t.Name, t.Language, t.Category), Contents(t.Category, t.Components)...)
}

// Kind returns what is wrong with the name, the language and the category of a template.
func Kind(name, language, category string) []problem.Field {
	c := &check{}
	if !nameForm.Get().MatchString(name) {
		c.fault("name", "1 to 512 lower-case letters, digits and underscores")
	}
	if !languageForm.Get().MatchString(language) {
		c.fault("language", "a language as Meta writes it, such as en or en_US")
	}
	return append(c.faults, Category(category)...)
}

// Category returns what is wrong with the category of a template.
func Category(category string) []problem.Field {
	c := &check{}
	if !slices.Contains([]string{Utility, Marketing, Authentication}, category) {
		c.fault("category", "one of UTILITY, MARKETING and AUTHENTICATION")
	}
	return c.faults
}

// Contents returns everything that is wrong with the components of a template of a category.
func Contents(category string, components []json.RawMessage) []problem.Field {
	c := &check{category: category, authentication: category == Authentication}
	all := map[string]component{}
	size := 0
	for i, text := range components {
		path := fmt.Sprintf("components[%d]", i)
		size += len(text)
		var part component
		if json.Unmarshal(text, &part) != nil {
			c.fault(path, "not a component of a template")
			continue
		}
		part.Type = strings.ToUpper(part.Type)
		if _, twice := all[part.Type]; twice {
			c.fault(path+".type", "a template has at most one %s", shown(part.Type))
		}
		all[part.Type] = part
		c.component(path, part)
	}
	if len(components) > maxComponents || size > maxSize {
		c.fault("components", "at most %d, and %d bytes", maxComponents, maxSize)
	}
	c.together(all)
	return c.faults
}

// shown bounds a text of somebody's in a fault.
func shown(text string) string {
	if letters := []rune(text); len(letters) > 30 {
		return string(letters[:30]) + "…"
	}
	return text
}

func (c *check) component(path string, part component) {
	if c.authentication {
		c.authenticates(path, part)
		return
	}
	if part.Secure != nil {
		c.fault(path+".add_security_recommendation", "only of a template for AUTHENTICATION")
	}
	if part.Expiration != nil {
		c.fault(path+".code_expiration_minutes", "only of a template for AUTHENTICATION")
	}
	switch part.Type {
	case "HEADER":
		c.header(path, part)
	case "BODY":
		c.body(path, part, maxBody)
	case "FOOTER":
		c.footer(path, part)
	case "BUTTONS":
		c.buttons(path+".buttons", part.Buttons, maxButtons)
	case "CALL_PERMISSION_REQUEST":
	case "CAROUSEL":
		if c.category != Marketing {
			c.fault(path+".type", "only of a template for MARKETING")
		}
		c.carousel(path+".cards", part.Cards)
	case "LIMITED_TIME_OFFER":
		if part.Offer == nil || part.Offer.Text == "" || length(part.Offer.Text) > maxOffer {
			c.fault(path+".limited_time_offer.text", "1 to %d characters", maxOffer)
		}
	default:
		c.fault(path+".type", "one of HEADER, BODY, FOOTER, BUTTONS, CAROUSEL, LIMITED_TIME_OFFER and "+
			"CALL_PERMISSION_REQUEST")
	}
}

// together says what is wrong with components that are right one by one.
func (c *check) together(all map[string]component) {
	if _, has := all["BODY"]; !has {
		c.fault("components", "a BODY is missing")
	}
	if _, has := all["BUTTONS"]; c.authentication && !has {
		c.fault("components", "BUTTONS with the OTP button are missing")
	}
	if c.numbered && c.worded {
		c.fault("components", "variables are numbers or names, and not both")
	}
	if c.authentication {
		return
	}
	c.shows(all)
	if _, cards := all["CAROUSEL"]; !cards {
		return
	}
	for _, kind := range []string{"HEADER", "FOOTER", "BUTTONS", "LIMITED_TIME_OFFER"} {
		if _, has := all[kind]; has {
			c.fault("components", "beside a CAROUSEL there is a BODY only, and no %s", kind)
		}
	}
}

// authenticates checks a component of a template that carries a code. Meta writes its texts.
func (c *check) authenticates(path string, part component) {
	if part.Text != "" {
		c.fault(path+".text", "Meta writes the text of a template for AUTHENTICATION")
	}
	if part.Secure != nil && part.Type != "BODY" {
		c.fault(path+".add_security_recommendation", "only of the BODY")
	}
	switch part.Type {
	case "BODY":
		if part.Expiration != nil {
			c.fault(path+".code_expiration_minutes", "only of the FOOTER")
		}
	case "FOOTER":
		if part.Expiration == nil || *part.Expiration < minExpiration || *part.Expiration > maxExpiration {
			c.fault(path+".code_expiration_minutes", "%d to %d", minExpiration, maxExpiration)
		}
	case "BUTTONS":
		c.otp(path+".buttons", part.Buttons)
	default:
		c.fault(path+".type", "a template for AUTHENTICATION has BODY, FOOTER and BUTTONS only")
	}
}

// carousel checks cards. All of them have the same form.
func (c *check) carousel(path string, cards []card) {
	if len(cards) < minCards || len(cards) > maxCards {
		c.fault(path, "%d to %d cards", minCards, maxCards)
	}
	first := ""
	for i, one := range cards {
		at := fmt.Sprintf("%s[%d]", path, i)
		form := c.card(at+".components", one.Components)
		if i == 0 {
			first = form
		}
		if form != first {
			c.fault(at, "all cards have the same components and buttons in the same order")
		}
	}
}

// card checks a card and returns its form.
func (c *check) card(path string, parts []component) string {
	var form []string
	seen := map[string]bool{}
	for i, part := range parts {
		at := fmt.Sprintf("%s[%d]", path, i)
		part.Type = strings.ToUpper(part.Type)
		form = append(form, part.Type, strings.ToUpper(part.Format))
		if seen[part.Type] {
			c.fault(at+".type", "a card has at most one %s", shown(part.Type))
		}
		seen[part.Type] = true
		switch part.Type {
		case "HEADER":
			if !slices.Contains([]string{"IMAGE", "VIDEO", product}, strings.ToUpper(part.Format)) {
				c.fault(at+".format", "IMAGE, VIDEO or PRODUCT")
			} else {
				c.header(at, part)
			}
		case "BODY":
			c.body(at, part, maxCardBody)
		case "BUTTONS":
			c.buttons(at+".buttons", part.Buttons, maxCardButtons)
			for _, b := range part.Buttons {
				form = append(form, strings.ToUpper(b.Type))
			}
		default:
			c.fault(at+".type", "a card has HEADER, BODY and BUTTONS only")
		}
	}
	if !seen["HEADER"] {
		c.fault(path, "a HEADER is missing")
	}
	c.productCard(path, parts)
	return strings.Join(form, " ")
}
