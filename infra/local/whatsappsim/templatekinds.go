package whatsappsim

import (
	"errors"
	"slices"
	"strings"
)

// kinds are the types of the buttons of a component, in order.
func (c templateComponent) kinds() []string {
	var all []string
	for _, b := range c.Buttons {
		all = append(all, strings.ToUpper(b.Type))
	}
	return all
}

// mismatched says which components of a template WhatsApp does not take together.
func (t template) mismatched() []error {
	var wrong []error
	unless := func(fits bool, why string) {
		if !fits {
			wrong = append(wrong, errors.New(why))
		}
	}
	marketing, body := t.Category == "MARKETING", len([]rune(t.component("BODY").Text))
	header, buttons := strings.ToUpper(t.component("HEADER").Format), t.component("BUTTONS").kinds()
	has := func(kind string) bool { return t.component(kind).Type != "" }
	formats := []string{"", "TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION", "PRODUCT"}
	unless(slices.Contains(formats, header), "the format of the header is none")
	if header == "PRODUCT" {
		unless(marketing && slices.Equal(buttons, []string{"SPM"}) && body <= 160,
			"a product is shown by a template for MARKETING with one SPM button and a body of at most 160 characters")
	}
	unless(header == "PRODUCT" || !slices.Contains(buttons, "SPM"), "an SPM button needs a header with a product")
	if slices.Contains(buttons, "CATALOG") || slices.Contains(buttons, "MPM") {
		unless(marketing && len(buttons) == 1, "a catalog is shown by a template for MARKETING with one button")
	}
	if has("LIMITED_TIME_OFFER") {
		unless(marketing && !has("FOOTER") && slices.Contains([]string{"", "IMAGE", "VIDEO"}, header) && body <= 600,
			"an offer is made by a template for MARKETING without a footer and with a body of at most 600 characters")
		unless(slices.Index(buttons, "COPY_CODE") <= 0, "the code of an offer is its first button")
	}
	unless(!has("CALL_PERMISSION_REQUEST") || len(buttons) == 0, "a template that asks for calls has no buttons")
	for _, card := range t.component("CAROUSEL").Cards {
		of := template{Components: card.Components}
		header, buttons := strings.ToUpper(of.component("HEADER").Format), of.component("BUTTONS").kinds()
		unless(slices.Contains([]string{"IMAGE", "VIDEO", "PRODUCT"}, header), "a card has a file or a product")
		unless(header != "PRODUCT" || len(buttons) == 1 && slices.Contains([]string{"SPM", "URL"}, buttons[0]),
			"a card with a product has one SPM or URL button")
		unless(header == "PRODUCT" || !slices.Contains(buttons, "SPM"), "an SPM button needs a header with a product")
	}
	return wrong
}
