package whatsappsim_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/infra/local/whatsappsim"
)

// message is a body of a type, with its content under the type's name.
func message(kind, content string) string {
	return fmt.Sprintf(`{"messaging_product":"whatsapp","to":"+91 98123-45678","type":%q,%q:%s}`, kind, kind, content)
}

func interactive(kind, action string) string {
	return message("interactive", fmt.Sprintf(`{"type":%q,"body":{"text":"Choose"},"action":%s}`, kind, action))
}

func buttons(titles ...string) string {
	var list []string
	for i, title := range titles {
		list = append(list, fmt.Sprintf(`{"type":"reply","reply":{"id":"b%d","title":%q}}`, i, title))
	}
	return `{"buttons":[` + strings.Join(list, ",") + `]}`
}

func rows(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"id":"r%d","title":"Row"}`, i))
	}
	return `[` + strings.Join(list, ",") + `]`
}

func order(subtotal, total int) string {
	return fmt.Sprintf(
		`{"name":"review_and_pay","parameters":{"reference_id":"ord-1","type":"physical-goods","currency":"INR",
		"payment_configuration":"shop",
		"total_amount":{"value":%d,"offset":100},
		"order":{"status":"pending","catalog_id":"c1","items":[{"name":"Rice","quantity":2,"amount":{"value":500,"offset":100}}],
		"subtotal":{"value":%d,"offset":100},"tax":{"value":50,"offset":100}}}}`, total, subtotal)
}

func TestMessagesWhatsAppTakes(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	for name, body := range map[string]string{
		"text of 4096 letters": message("text", `{"body":"`+strings.Repeat("क", 4096)+`","preview_url":true}`),
		"text without a type":  `{"messaging_product":"whatsapp","to":"919812345678","text":{"body":"hi"}}`,
		"list without a type": strings.Replace(
			interactive("list", `{"button":"Open","sections":[{"rows":`+rows(10)+`}]}`), `"type":"interactive",`,
			"", 1),
		"reply": `{"messaging_product":"whatsapp","context":{"message_id":"wamid.x"},` +
			`"to":"919812345678","type":"text","text":{"body":"hi"}}`,
		"to a BSUID": `{"messaging_product":"whatsapp","recipient":"US.13491208655302741918",` +
			`"type":"text","text":{"body":"hi"}}`,
		"to a group": `{"messaging_product":"whatsapp","recipient_type":"group",` +
			`"to":"Y2FwaV9ncm91cA==","type":"text","text":{"body":"hi"}}`,
		"image by id":   message("image", `{"id":"123","caption":"A cat"}`),
		"audio by link": message("audio", `{"link":"https://example.com/a.ogg","voice":true}`),
		"video by link": message("video", `{"link":"http://example.com/a.mp4","caption":"A film"}`),
		"document":      message("document", `{"id":"123","filename":"bill.pdf","caption":"The bill"}`),
		"sticker":       message("sticker", `{"id":"123"}`),
		"location":      message("location", `{"latitude":-90,"longitude":"180","name":"Pole"}`),
		"contacts": message("contacts",
			`[{"name":{"formatted_name":"Asha Rao","first_name":"Asha"},"phones":[{"phone":"1","type":"HOME"}],`+
				`"birthday":"2001-02-03"}]`),
		"reaction":            message("reaction", `{"message_id":"wamid.x","emoji":"👍"}`),
		"reaction taken back": message("reaction", `{"message_id":"wamid.x","emoji":""}`),
		"three buttons":       interactive("button", buttons("A", "B", "C")),
		"list of two sections": interactive("list",
			`{"button":"Open","sections":[{"title":"A","rows":[{"id":"a","title":"A"}]},{"title":"B",`+
				`"rows":[{"id":"b","title":"B"}]}]}`),
		"link button": interactive("cta_url",
			`{"name":"cta_url","parameters":{"display_text":"See","url":"https://example.com"}}`),
		"flow": interactive("flow",
			`{"name":"flow","parameters":{"flow_message_version":"3","flow_id":"1","flow_cta":"Book",`+
				`"flow_action":"navigate","flow_action_payload":{"screen":"S"}}}`),
		"product without a body": message("interactive",
			`{"type":"product","action":{"catalog_id":"1","product_retailer_id":"2"}}`),
		"product list": message("interactive",
			`{"type":"product_list","header":{"type":"text","text":"All"},"body":{"text":"x"},`+
				`"action":{"catalog_id":"1","sections":[{"title":"A",`+
				`"product_items":[{"product_retailer_id":"2"}]}]}}`),
		"catalog":       interactive("catalog_message", `{"name":"catalog_message"}`),
		"order details": interactive("order_details", order(1000, 1050)),
		"order status": interactive("order_status",
			`{"name":"review_order","parameters":{"reference_id":"ord-1","order":{"status":"shipped"}}}`),
		"address request": interactive("address_message",
			`{"name":"address_message","parameters":{"country":"IN"}}`),
		"location request": interactive("location_request_message", `{"name":"send_location"}`),
		"header with an image": message("interactive",
			`{"type":"button","header":{"type":"image","image":{"id":"1"}},"body":{"text":"x"},`+
				`"footer":{"text":"y"},"action":`+buttons("A")+`}`),
		"callback data": `{"messaging_product":"whatsapp","to":"919812345678","biz_opaque_callback_data":"` +
			strings.Repeat("x", 512) + `","text":{"body":"hi"}}`,
		"both number and BSUID": `{"messaging_product":"whatsapp","to":"919812345678","recipient":"US.1",` +
			`"type":"text","text":{"body":"hi"}}`,
		"a null that says nothing": `{"messaging_product":"whatsapp","to":"919812345678","context":null,` +
			`"type":"text","text":{"body":"hi"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			if status, answer := sim.send(body); status != http.StatusOK {
				t.Fatalf("%d %v\n%s", status, answer, body)
			}
		})
	}
}

func TestMessagesWhatsAppRefuses(t *testing.T) {
	refuses(t, map[string]refusal{
		"no JSON":              {`{`, 100},
		"no object":            {`[]`, 100},
		"two bodies":           {text(asha, "a") + text(asha, "b"), 100},
		"no messaging_product": {`{"to":"919812345678","text":{"body":"hi"}}`, 100},
		"nobody to send to":    {`{"messaging_product":"whatsapp","text":{"body":"hi"}}`, 100},
		"a BSUID in to":        {text("US.13491208655302741918", "hi"), 100},
		"a number with 00":     {text("00919812345678", "hi"), 100},
		"a number in recipient": {
			`{"messaging_product":"whatsapp","recipient":"919812345678","type":"text","text":{"body":"hi"}}`, 100},
		"to the sender itself": {text("15550001111", "hi"), 131021},
		"bad recipient_type": {
			`{"messaging_product":"whatsapp","recipient_type":"business_scoped_user_id","to":"919812345678",` +
				`"text":{"body":"hi"}}`, 100},
		"a group without to": {
			`{"messaging_product":"whatsapp","recipient_type":"group","recipient":"US.1","text":{"body":"hi"}}`, 100},
		"unknown type":                {message("poll", `{}`), 100},
		"a type of another JSON type": {`{"messaging_product":"whatsapp","to":"919812345678","type":7}`, 100},
		"content missing":             {`{"messaging_product":"whatsapp","to":"919812345678","type":"image"}`, 100},
		"empty text":                  {message("text", `{"body":""}`), 100},
		"text too long":               {message("text", `{"body":"`+strings.Repeat("x", 4097)+`"}`), 100},
		"misspelt key":                {message("text", `{"body":"x","previewUrl":true}`), 100},
		"preview_url is text":         {message("text", `{"body":"x","preview_url":"true"}`), 100},
		"callback data too long": {
			`{"messaging_product":"whatsapp","to":"919812345678","biz_opaque_callback_data":"` +
				strings.Repeat("x", 513) + `","text":{"body":"hi"}}`, 100},
		"reply to nothing": {
			`{"messaging_product":"whatsapp","context":{},"to":"919812345678","text":{"body":"hi"}}`, 100},
		"image by id and link":   {message("image", `{"id":"1","link":"https://example.com/a.jpg"}`), 100},
		"image by neither":       {message("image", `{"caption":"x"}`), 100},
		"link without a scheme":  {message("image", `{"link":"example.com/a.jpg"}`), 100},
		"link of another scheme": {message("image", `{"link":"file:///a.jpg"}`), 100},
		"caption too long": {
			message("video", `{"id":"1","caption":"`+strings.Repeat("x", 1025)+`"}`), 100},
		"caption on audio":              {message("audio", `{"id":"1","caption":"x"}`), 100},
		"caption on a sticker":          {message("sticker", `{"id":"1","caption":"x"}`), 100},
		"filename on an image":          {message("image", `{"id":"1","filename":"x"}`), 100},
		"beyond the pole":               {message("location", `{"latitude":90.1,"longitude":0}`), 100},
		"no longitude":                  {message("location", `{"latitude":1}`), 100},
		"latitude is not a number":      {message("location", `{"latitude":"NaN","longitude":0}`), 100},
		"no contact":                    {message("contacts", `[]`), 131009},
		"contacts is no list":           {message("contacts", `{}`), 131009},
		"contact without a name":        {message("contacts", `[{}]`), 131008},
		"contact with a full name only": {message("contacts", `[{"name":{"formatted_name":"Asha"}}]`), 131008},
		"birthday in words": {
			message("contacts", `[{"name":{"formatted_name":"A","first_name":"A"},"birthday":"May 1"}]`), 131009},
		"reaction to nothing": {message("reaction", `{"emoji":"👍"}`), 100},
		"reaction of nothing": {message("reaction", `{"message_id":"wamid.x"}`), 100},
	})
}

func TestInteractiveMessagesWhatsAppRefuses(t *testing.T) {
	refuses(t, map[string]refusal{
		"unknown interactive": {interactive("poll", `{}`), 131009},
		"no interactive type": {message("interactive", `{"body":{"text":"x"}}`), 131008},
		"no body": {
			message("interactive", `{"type":"button","action":`+buttons("A")+`}`), 131008},
		"body too long": {
			message("interactive",
				`{"type":"button","body":{"text":"`+strings.Repeat("x", 1025)+`"},"action":`+buttons("A")+`}`), 131009},
		"footer too long": {
			message("interactive",
				`{"type":"button","body":{"text":"x"},"footer":{"text":"`+strings.Repeat("x", 61)+`"},"action":`+
					buttons("A")+`}`), 131009},
		"image header on a list": {
			message("interactive",
				`{"type":"list","header":{"type":"image","image":{"id":"1"}},"body":{"text":"x"},`+
					`"action":{"button":"B","sections":[{"rows":`+rows(1)+`}]}}`), 131009},
		"header of no kind": {
			message("interactive",
				`{"type":"button","header":{"type":"audio"},"body":{"text":"x"},"action":`+buttons("A")+`}`), 131009},
		"no buttons":            {interactive("button", `{"buttons":[]}`), 131009},
		"four buttons":          {interactive("button", buttons("A", "B", "C", "D")), 131009},
		"button title too long": {interactive("button", buttons(strings.Repeat("x", 21))), 131009},
		"equal button titles":   {interactive("button", buttons("A", "A")), 131009},
		"equal button ids": {
			interactive("button",
				`{"buttons":[{"type":"reply","reply":{"id":"a","title":"A"}},{"type":"reply","reply":{"id":"a",`+
					`"title":"B"}}]}`), 131009},
		"button id too long": {
			interactive("button",
				`{"buttons":[{"type":"reply","reply":{"id":"`+strings.Repeat("x", 257)+`","title":"A"}}]}`), 131009},
		"button id with a space": {
			interactive("button", `{"buttons":[{"type":"reply","reply":{"id":"a ","title":"A"}}]}`), 131009},
		"list without a button": {interactive("list", `{"sections":[{"rows":`+rows(1)+`}]}`), 131008},
		"eleven rows": {
			interactive("list",
				`{"button":"B","sections":[{"title":"A","rows":`+rows(10)+
					`},{"title":"B","rows":[{"id":"x","title":"X"}]}]}`), 131009},
		"sections without titles": {
			interactive("list",
				`{"button":"B","sections":[{"rows":[{"id":"a","title":"A"}]},{"rows":[{"id":"b","title":"B"}]}]}`),
			131008},
		"row title too long": {
			interactive("list",
				`{"button":"B","sections":[{"rows":[{"id":"a","title":"`+strings.Repeat("x", 25)+`"}]}]}`), 131009},
		"row description too long": {
			interactive("list",
				`{"button":"B","sections":[{"rows":[{"id":"a","title":"A","description":"`+strings.Repeat("x", 73)+
					`"}]}]}`), 131009},
		"row id too long": {
			interactive("list",
				`{"button":"B","sections":[{"rows":[{"id":"`+strings.Repeat("x", 201)+`","title":"A"}]}]}`), 131009},
		"equal row ids": {
			interactive("list", `{"button":"B","sections":[{"rows":[{"id":"a","title":"A"},{"id":"a","title":"B"}]}]}`),
			131009},
		"link button without a link": {
			interactive("cta_url", `{"name":"cta_url","parameters":{"display_text":"See"}}`), 131008},
		"flow by id and name": {
			interactive("flow",
				`{"name":"flow","parameters":{"flow_message_version":"3","flow_id":"1","flow_name":"n",`+
					`"flow_cta":"Book"}}`), 131009},
		"flow without a screen": {
			interactive("flow",
				`{"name":"flow","parameters":{"flow_message_version":"3","flow_id":"1","flow_cta":"Book",`+
					`"flow_action":"navigate"}}`), 131008},
		"header on a product": {
			message("interactive",
				`{"type":"product","header":{"type":"text","text":"x"},"action":{"catalog_id":"1",`+
					`"product_retailer_id":"2"}}`), 131009},
		"product list without a header": {
			interactive("product_list",
				`{"catalog_id":"1","sections":[{"product_items":[{"product_retailer_id":"2"}]}]}`), 131008},
		"items and subtotal differ": {interactive("order_details", order(999, 1049)), 131009},
		"parts and total differ":    {interactive("order_details", order(1000, 1000)), 131009},
		"no payment settings in India": {
			interactive("order_details", strings.Replace(order(1000, 1050), `"payment_configuration":"shop",`, "", 1)),
			131008},
		"shipped in India, and made by nobody": {
			interactive("order_details", strings.Replace(order(1000, 1050), `"catalog_id":"c1",`, "", 1)), 131008},
		"an order that ends without a word": {
			interactive("order_details", strings.Replace(order(1000, 1050), `"catalog_id":"c1",`,
				`"catalog_id":"c1","expiration":{"timestamp":"1795262400"},`, 1)), 131008},
		"products of two catalogs in a carousel": {
			interactive("carousel", `{"cards":[{"card_index":0,"type":"product","action":{"catalog_id":"1",`+
				`"product_retailer_id":"a"}},{"card_index":1,"type":"product","action":{"catalog_id":"2",`+
				`"product_retailer_id":"b"}}]}`), 131009},
		"unknown order status": {
			interactive("order_status",
				`{"name":"review_order","parameters":{"reference_id":"r","order":{"status":"lost"}}}`), 131009},
		"action of another kind": {interactive("location_request_message", `{"name":"send_address"}`), 131009},
		"footer on a location request": {
			message("interactive",
				`{"type":"location_request_message","body":{"text":"x"},"footer":{"text":"y"},`+
					`"action":{"name":"send_location"}}`), 131009},
	})
}

type refusal struct {
	body string
	code int
}

// refuses sends each body and wants the form and the code of a Graph error, and nothing accepted.
func refuses(t *testing.T, bodies map[string]refusal) {
	t.Helper()
	sim := start(t, whatsappsim.Options{})
	for name, c := range bodies {
		t.Run(name, func(t *testing.T) {
			status, answer := sim.send(c.body)
			if status != http.StatusBadRequest {
				t.Fatalf("status %d, want 400: %v", status, answer)
			}
			if got := errorCode(t, answer); got != c.code {
				t.Errorf("code %d, want %d: %v", got, c.code, answer)
			}
			if trace := at[string](t, answer, "error", "fbtrace_id"); trace == "" ||
				at[string](t, answer, "error", "type") != "OAuthException" {
				t.Errorf("not in the form of a Graph error: %v", answer)
			}
		})
	}
	if listed := at[[]any](t, sim.control("GET", "messages", ""), "messages"); len(listed) != 0 {
		t.Errorf("%d refused messages were remembered as accepted", len(listed))
	}
}

func TestReadReceipts(t *testing.T) {
	sim := start(t, whatsappsim.Options{})
	status, answer := sim.send(
		`{"messaging_product":"whatsapp","status":"read","message_id":"wamid.x","typing_indicator":{"type":"text"}}`)
	if status != http.StatusOK || !at[bool](t, answer, "success") {
		t.Errorf("%d %v", status, answer)
	}
	for _, body := range []string{
		`{"messaging_product":"whatsapp","status":"read"}`,
		`{"messaging_product":"whatsapp","status":"delivered","message_id":"wamid.x"}`,
		`{"status":"read","message_id":"wamid.x"}`,
		`{"messaging_product":"whatsapp","status":"read","message_id":"wamid.x","typing_indicator":{}}`,
	} {
		if status, answer := sim.send(body); status != http.StatusBadRequest || errorCode(t, answer) != 100 {
			t.Errorf("%s: %d %v", body, status, answer)
		}
	}
}
