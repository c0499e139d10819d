package whatsappsim

import (
	"net/http"
	"slices"
	"strings"
)

// checkOffer wants the end of an offer that has one.
func checkOffer(c *check, t template, sent object) {
	offer := t.component("LIMITED_TIME_OFFER").Offer
	given := parameters(c, sent)
	needed := offer != nil && offer.HasExpiration
	if c.err == nil && needed != (len(given) == 1) {
		c.fail(refuse(http.StatusBadRequest, 132012,
			"limited_time_offer: the end of the offer is given exactly where the template shows one"))
	}
	if c.err == nil && needed {
		c.oneOf(given[0], "type", "limited_time_offer")
		c.number(c.object(given[0], "limited_time_offer"), "expiration_time_ms", 1, 1e15)
	}
}

// checkCards wants as many cards as the template has, each filled like it.
func checkCards(c *check, t template, sent object) {
	cards := t.component("CAROUSEL").Cards
	if len(cards) == 0 && sent.fields == nil {
		return
	}
	given := c.objects(sent, "cards", 0, 10)
	if c.err == nil && len(given) != len(cards) {
		c.fail(refuse(http.StatusBadRequest, 132012,
			"carousel: the number of cards (%d) does not match the template (%d)", len(given), len(cards)))
	}
	for i, card := range given {
		if c.err != nil {
			return
		}
		if index := c.number(card, "card_index", 0, 9); c.err == nil && index != float64(i) {
			c.invalid(card.at("card_index"), "must be %d.", i)
		}
		if card.has("components") {
			checkComponents(c, template{Components: cards[i].Components}, c.objects(card, "components", 0, 20))
		} else {
			checkComponents(c, template{Components: cards[i].Components}, nil)
		}
	}
}

// checkOrderStatus wants how an order goes on exactly where the template shows it.
func checkOrderStatus(c *check, t template, sent object) {
	given, needed := parameters(c, sent), t.component("ORDER_STATUS").Type != ""
	if c.err == nil && needed != (len(given) == 1) {
		c.fail(refuse(http.StatusBadRequest, 132012,
			"order_status: the status of the order is given exactly where the template shows one"))
	}
	if c.err == nil && needed {
		c.oneOf(given[0], "type", "order_status")
		readOrderUpdate(c, c.object(given[0], "order_status"))
	}
}

// checkTapTarget wants a target only for a template with a button that opens a page.
func checkTapTarget(c *check, t template, sent object) {
	given := parameters(c, sent)
	if c.err != nil || sent.fields == nil {
		return
	}
	opens := slices.ContainsFunc(t.component("BUTTONS").Buttons,
		func(b templateButton) bool { return strings.EqualFold(b.Type, "URL") })
	if len(given) != 1 || !opens {
		c.fail(refuse(http.StatusBadRequest, 132012,
			"tap_target_configuration: one target, for a template with a URL button"))
		return
	}
	c.oneOf(given[0], "type", "tap_target_configuration")
	for _, target := range c.objects(given[0], "tap_target_configuration", 1, 1) {
		c.required(target, "url", 2000)
		c.required(target, "title", 60)
	}
}
