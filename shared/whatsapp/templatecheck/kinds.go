package templatecheck

import (
	"slices"
	"strings"
)

// Some kinds of templates have rules of their own about what stands together: those that show a product, several, the
// whole catalogue or an offer, and those that ask whether the customer may be called.

// product is the format of a header that shows a product. The message says which one.
const product = "PRODUCT"

// kindsOf returns the kinds of buttons.
func kindsOf(all []button) []string {
	var kinds []string
	for _, b := range all {
		kinds = append(kinds, strings.ToUpper(b.Type))
	}
	return kinds
}

// shows says what is wrong with components that are right one by one, of a template of such a kind.
func (c *check) shows(all map[string]component) {
	header, buttons := strings.ToUpper(all["HEADER"].Format), kindsOf(all["BUTTONS"].Buttons)
	only := func(what string) {
		if c.category != Marketing {
			c.fault("components", "%s: only of a template for MARKETING", what)
		}
	}
	if spm := slices.Equal(buttons, []string{"SPM"}); header == product {
		only("a HEADER with a product")
		if !spm {
			c.fault("components", "beside a HEADER with a product there is one button, of the type SPM")
		}
		if length(all["BODY"].Text) > maxProductBody {
			c.fault("components", "beside a HEADER with a product the BODY has at most %d characters", maxProductBody)
		}
	} else if slices.Contains(buttons, "SPM") {
		c.fault("components", "a button of the type SPM needs a HEADER of the format PRODUCT")
	}
	for _, kind := range []string{"CATALOG", "MPM"} {
		if !slices.Contains(buttons, kind) {
			continue
		}
		only("a button of the type " + kind)
		if len(buttons) > 1 {
			c.fault("components", "a button of the type %s is the only one", kind)
		}
	}
	c.offers(all, buttons, only)
	if _, asks := all["CALL_PERMISSION_REQUEST"]; asks {
		for _, kind := range []string{"BUTTONS", "CAROUSEL", "LIMITED_TIME_OFFER"} {
			if _, has := all[kind]; has {
				c.fault("components", "beside a CALL_PERMISSION_REQUEST there are no %s", kind)
			}
		}
	}
}

// offers says what is wrong with the other components of a limited-time offer.
func (c *check) offers(all map[string]component, buttons []string, only func(what string)) {
	if _, offers := all["LIMITED_TIME_OFFER"]; !offers {
		return
	}
	only("a LIMITED_TIME_OFFER")
	if _, has := all["FOOTER"]; has {
		c.fault("components", "beside a LIMITED_TIME_OFFER there is no FOOTER")
	}
	header, has := all["HEADER"]
	if format := strings.ToUpper(header.Format); has && format != "IMAGE" && format != "VIDEO" {
		c.fault("components", "beside a LIMITED_TIME_OFFER the HEADER is an IMAGE or a VIDEO")
	}
	if length(all["BODY"].Text) > maxOfferBody {
		c.fault("components", "beside a LIMITED_TIME_OFFER the BODY has at most %d characters", maxOfferBody)
	}
	code := slices.Index(buttons, "COPY_CODE")
	other := slices.ContainsFunc(buttons, func(kind string) bool { return kind != "COPY_CODE" && kind != "URL" })
	if code > 0 || other {
		c.fault("components",
			"beside a LIMITED_TIME_OFFER there are buttons of the types COPY_CODE, which is first, and URL")
	}
}

// productCard says what is wrong with the parts of a card that shows a product, or that has a button for one.
func (c *check) productCard(path string, parts []component) {
	var shows bool
	var buttons []string
	for _, part := range parts {
		switch strings.ToUpper(part.Type) {
		case "HEADER":
			shows = strings.ToUpper(part.Format) == product
		case "BUTTONS":
			buttons = kindsOf(part.Buttons)
		}
	}
	switch one := len(buttons) == 1; {
	case shows && (!one || buttons[0] != "SPM" && buttons[0] != "URL"):
		c.fault(path, "a card with a product has one button, of the type SPM or URL")
	case !shows && slices.Contains(buttons, "SPM"):
		c.fault(path, "a button of the type SPM needs a HEADER of the format PRODUCT")
	}
}
