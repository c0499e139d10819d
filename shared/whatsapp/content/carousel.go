package content

import "fmt"

// Carousel is a row of cards that the customer moves through. All cards are built alike.
type Carousel struct {
	Body  string         `json:"body" minLength:"1" maxLength:"1024" doc:"The text."`
	Cards []CarouselCard `json:"cards" minItems:"2" maxItems:"10" doc:"The cards, all built alike."`
}

// CarouselCard is a card: a file with a text and a link or buttons, or a product.
type CarouselCard struct {
	Header  *Header  `json:"header,omitempty" doc:"A picture or a video; required except with a product."`
	Body    string   `json:"body,omitempty" maxLength:"160" doc:"The text."`
	Link    *Link    `json:"link,omitempty" doc:"A button that opens a page."`
	Buttons []Button `json:"buttons,omitempty" maxItems:"3" doc:"What the customer can answer."`
	Product *Product `json:"product,omitempty" doc:"A product of the catalog, which brings its own picture and text."`
}

func (c CarouselCard) rules() (found Faults) {
	given := 0
	for _, has := range []bool{c.Link != nil, len(c.Buttons) > 0, c.Product != nil} {
		if has {
			given++
		}
	}
	found.unless(given == 1, "link", "exactly one of link, buttons and product is required")
	if c.Product != nil {
		found.unless(c.Header == nil, "header", "a product brings its own")
		found.unless(c.Body == "", "body", "a product brings its own")
		return found
	}
	found.unless(c.Header != nil && (c.Header.Type == "image" || c.Header.Type == "video"), "header",
		"a picture or a video is required")
	return append(found, distinctButtons(c.Buttons)...)
}

// shape returns what all cards of a carousel have in common.
func (c CarouselCard) shape() string {
	header := ""
	if c.Header != nil {
		header = c.Header.Type
	}
	return fmt.Sprint(header, c.Link != nil, len(c.Buttons), c.Product != nil)
}

func (c Carousel) rules() (found Faults) {
	for i, card := range c.Cards {
		found.unless(card.shape() == c.Cards[0].shape(), fmt.Sprintf("cards[%d]", i),
			"is built otherwise than the first card")
		if first := c.Cards[0].Product; card.Product != nil && first != nil {
			found.unless(card.Product.CatalogID == first.CatalogID, fmt.Sprintf("cards[%d].product.catalogId", i),
				"is another catalog than the first card's")
		}
	}
	return found
}

func (c Carousel) graph() any {
	cards := listOf(c.Cards, func(i int, card CarouselCard) any {
		switch {
		case card.Product != nil:
			return object{"card_index": i, "type": "product", "action": plain(*card.Product)}
		case card.Link != nil:
			return card.around(object{
				"card_index": i, "type": "cta_url", "action": named("cta_url", plain(*card.Link))})
		}
		buttons := listOf(card.Buttons,
			func(_ int, b Button) any { return object{"type": "quick_reply", "quick_reply": plain(b)} })
		return card.around(object{"card_index": i, "action": object{"buttons": buttons}})
	})
	return interactive("carousel", c.Body, "", object{"cards": cards})
}

// around adds the header and the text to a card.
func (c CarouselCard) around(card object) object {
	card["header"] = c.Header.graph()
	if c.Body != "" {
		card["body"] = object{"text": c.Body}
	}
	return card
}
