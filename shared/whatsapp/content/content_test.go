package content_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	"github.com/haatline/haatline/shared/whatsapp/content/contenttest"
)

// kindNamed returns the kind of a name.
func kindNamed(t *testing.T, name string) content.Kind {
	t.Helper()
	at := slices.IndexFunc(content.Kinds, func(k content.Kind) bool { return k.Name == name })
	if at < 0 {
		t.Fatalf("no kind %q", name)
	}
	return content.Kinds[at]
}

// read returns the content of a body of the API.
func read(t *testing.T, kind, body string) content.Content {
	t.Helper()
	c := kindNamed(t, kind).New()
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(c); err != nil {
		t.Fatal(err)
	}
	return c
}

func plainJSON(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

func TestEachKindIsComposedAndReplayedAsWhatsAppTakesIt(t *testing.T) {
	unseen := map[string]bool{}
	for _, k := range content.Kinds {
		unseen[k.Name] = true
	}
	for _, sample := range append(slices.Clone(contenttest.Samples), contenttest.Templates...) {
		t.Run(sample.Kind+" "+sample.Name, func(t *testing.T) {
			delete(unseen, sample.Kind)
			m, err := content.Compose(read(t, sample.Kind, sample.Body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(plainJSON(t, sample.Graph), plainJSON(t, string(m.Content))); diff != "" {
				t.Error(diff)
			}
			if m.Preview() == "" {
				t.Error("no preview")
			}
			body, err := m.Body(whatsapp.Recipient{ID: "919876543210"}, "wamid.ANSWERED")
			if err != nil {
				t.Fatal(err)
			}
			again, replyTo, ok := content.Again(body)
			if !ok || replyTo != "wamid.ANSWERED" || again.Names() != m.Names() || again.ForGroups() != m.ForGroups() ||
				again.ForPeople() != m.ForPeople() {
				t.Errorf("%v, %q, %+v", ok, replyTo, again)
			}
			if diff := cmp.Diff(plainJSON(t, sample.Graph), plainJSON(t, string(again.Content))); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name := range unseen {
		t.Errorf("no sample of %s", name)
	}
}

func TestWhatWhatsAppWouldRefuseIsNamedAllAtOnce(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n) }
	button := func(id, title string) string { return `{"id":"` + id + `","title":"` + title + `"}` }
	card := `{"header":{"type":"image","mediaId":"1"},"link":{"displayText":"Buy","url":"https://haat.example"}}`
	for name, c := range map[string]struct {
		kind, body string
		want       []string
	}{
		"an empty text":          {"text", `{}`, []string{"body"}},
		"a long text":            {"text", `{"body":"` + long(4097) + `"}`, []string{"body"}},
		"a file from nowhere":    {"image", `{"caption":"` + long(1025) + `"}`, []string{"caption", "mediaId"}},
		"a file from two places": {"sticker", `{"mediaId":"1","link":"https://x.example"}`, []string{"mediaId"}},
		"a link to nothing":      {"video", `{"link":"ftp://x"}`, []string{"link"}},
		"a place off the earth": {
			"location", `{"latitude":91,"longitude":-181}`, []string{"latitude", "longitude"}},
		"nobody": {"contacts", `{"contacts":[]}`, []string{"contacts"}},
		"a name without a part": {
			"contacts", `{"contacts":[{"name":{"formattedName":"Ravi"},"birthday":"1.1.1990"}]}`,
			[]string{"contacts[0].birthday", "contacts[0].name.firstName"}},
		"a reaction with a word": {"reaction", `{"messageId":"","emoji":"ok"}`, []string{"emoji", "messageId"}},
		"a pin for ever": {
			"pin", `{"messageId":"wamid.1","expirationDays":31}`, []string{"expirationDays"}},
		"four buttons, two alike": {
			"button", `{"body":"Well?","buttons":[` +
				strings.Join([]string{button("1", "A"), button("1", "A"), button(" 3", long(21)), button("4", "D")},
					",") + `]}`,
			[]string{"buttons", "buttons[1].id", "buttons[1].title", "buttons[2].id", "buttons[2].title"}},
		"a header of nothing": {
			"button", `{"header":{"type":"text"},"body":"Well?","buttons":[` + button("1", "A") + `]}`,
			[]string{"header.text"}},
		"a header of another type": {
			"button", `{"header":{"type":"sound","mediaId":"1"},"body":"Well?","buttons":[` + button("1", "A") + `]}`,
			[]string{"header.type"}},
		"eleven rows": {
			"list", `{"body":"Well?","button":"Choose","sections":[{"rows":[` + rows(6, "a") + `]},{"rows":[` +
				rows(5, "b") + `]}]}`, []string{"sections", "sections[0].title", "sections[1].title"}},
		"one row twice": {
			"list", `{"body":"Well?","button":"","sections":[{"rows":[` + rows(1, "a") + `,` + rows(1, "a") + `]}]}`,
			[]string{"button", "sections[0].rows[1].id"}},
		"a page that is none": {"cta-url", `{"body":"See","displayText":"See","url":"haat"}`, []string{"url"}},
		"two flows, no screen": {
			"flow", `{"body":"Book","button":"Book","flowId":"1","flowName":"a","action":"navigate"}`,
			[]string{"flowId", "screen"}},
		"31 products": {
			"product-list",
			`{"catalogId":"c","header":"H","body":"B","sections":[{"title":"A","productRetailerIds":["` +
				strings.Repeat(`x","`, 15) + `x"]},{"title":"B","productRetailerIds":["` + strings.Repeat(`y","`, 14) +
				`"]}]}`, []string{"sections", "sections[1].productRetailerIds[14]"}},
		"one card": {"carousel", `{"body":"New","cards":[` + card + `]}`, []string{"cards"}},
		"cards that differ": {
			"carousel", `{"body":"New","cards":[` + card + `,{"header":{"type":"video","mediaId":"1"},"buttons":[` +
				button("1", "A") + `]}]}`, []string{"cards[1]"}},
		"a card with nothing to do": {
			"carousel", `{"body":"New","cards":[` + card + `,{"header":{"type":"document","mediaId":"1"}}]}`,
			[]string{"cards[1]", "cards[1].header", "cards[1].link"}},
		"an address elsewhere": {"address-request", `{"body":"Where?","country":"FR"}`, []string{"country"}},
		"a button for a year":  {"voice-call", `{"body":"Call","ttlMinutes":525600}`, []string{"ttlMinutes"}},
		"amounts that do not add up": {
			"order-details",
			`{"header":{"type":"text","text":"Pay"},"body":"Pay","order":{"referenceId":"a b","goods":"goods",` +
				`"currency":"rs","items":[{"name":"Rice","amount":100,"quantity":2}],"subtotal":100,` +
				`"tax":{"amount":5},"total":100}}`, []string{
				"header.type", "order.currency", "order.goods", "order.referenceId", "order.subtotal", "order.total"}},
		"an unknown status": {
			"order-status", `{"body":"B","referenceId":"1","status":"lost"}`, []string{"status"}},
		"an order in India without what India asks for": {"order-details",
			`{"body":"Pay","order":{"referenceId":"r","goods":"physical_goods","currency":"INR",` +
				`"items":[{"name":"Rice",` +
				`"amount":100,"quantity":1}],"expiresAt":"2099-01-01T00:00:00Z","subtotal":100,"tax":{"amount":0},` +
				`"total":100}}`, []string{
				"order.expirationText", "order.items[0].countryOfOrigin", "order.items[0].importerAddress",
				"order.items[0].importerName", "order.paymentSettings"}},
		"an order without items": {"order-details",
			`{"body":"Pay","order":{"referenceId":"r","goods":"digital_goods","currency":"BRL","subtotal":100,` +
				`"tax":{"amount":0},"total":100}}`, []string{"order.items"}},
		"nothing that can be read": {"text", `{"body":" \n\u200b"}`, []string{"body"}},
		"a line break on a button": {
			"button", `{"body":"Well?","buttons":[{"id":"a","title":"A\nB"}]}`, []string{"buttons[0].title"}},
		"products of two catalogs": {"carousel",
			`{"body":"See","cards":[{"product":{"catalogId":"1","productRetailerId":"a"}},` +
				`{"product":{"catalogId":"2","productRetailerId":"b"}}]}`, []string{"cards[1].product.catalogId"}},
		"options of marketing for another template": {
			"template", `{"name":"t","language":"en","category":"utility","productPolicy":"strict",` +
				`"activitySharing":true}`, []string{"activitySharing", "productPolicy"}},
		"a template without a name": {"template", `{"language":"e"}`, []string{"language", "name"}},
		"a parameter of two kinds": {
			"template", `{"name":"t","language":"en","body":[{"text":"a","dateTime":{"fallbackValue":"now"}},` +
				`{"name":"b","text":"x\ny"}]}`, []string{"body", "body[0].text", "body[1].text"}},
		"buttons filled wrongly": {
			"template", `{"name":"t","language":"en","buttons":[{"index":0,"type":"copy_code",` +
				`"value":"DIWALI-2026"},{"index":0,"type":"otp"},{"index":2,"type":"mpm"},{"index":3,` +
				`"type":"order_details"},{"index":4,"type":"url"}]}`, []string{
				"buttons", "buttons[0].value", "buttons[1].value", "buttons[2].sections",
				"buttons[2].thumbnailProductRetailerId", "buttons[3].order", "buttons[4].value"}},
		"headers without their thing": {
			"template", `{"name":"t","language":"en","category":"authentication","header":{"type":"location"},` +
				`"cards":[{"header":{"type":"product"}}],"offerExpiresAt":"soon"}`, []string{
				"cards[0].header.product", "header", "header.location", "offerExpiresAt"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := content.Compose(read(t, c.kind, c.body))
			var faults content.Faults
			if !errors.As(err, &faults) {
				t.Fatalf("%v", err)
			}
			var fields []string
			for _, fault := range faults {
				if fault.Problem == "" || strings.Contains(fault.Problem, "é") {
					t.Errorf("%s: %q", fault.Field, fault.Problem)
				}
				if !slices.Contains(fields, fault.Field) {
					fields = append(fields, fault.Field)
				}
			}
			slices.Sort(fields)
			if diff := cmp.Diff(c.want, fields); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func rows(n int, prefix string) string {
	var list []string
	for i := range n {
		list = append(list, `{"id":"`+prefix+strings.Repeat("x", i)+`","title":"Row"}`)
	}
	return strings.Join(list, ",")
}

func TestAGroupTakesTextsMediaAndTemplatesOfThese(t *testing.T) {
	takes := map[string]bool{
		"text": true, "image": true, "video": true, "audio": true, "voice": true, "document": true, "sticker": true,
		"pin": true, "unpin": true}
	for _, sample := range append(slices.Clone(contenttest.Samples), contenttest.Templates...) {
		m, err := content.Compose(read(t, sample.Kind, sample.Body))
		if err != nil {
			t.Fatal(err)
		}
		want := takes[sample.Kind] ||
			sample.Kind == "template" && (sample.Name == "nothing" || strings.HasPrefix(sample.Name, "texts"))
		if m.ForGroups() != want || m.ForPeople() != (m.Kind.Type != "pin") {
			t.Errorf("%s %s: for groups %v, for people %v", sample.Kind, sample.Name, m.ForGroups(), m.ForPeople())
		}
	}
}

func TestTheSystemsOwnTemplatesAreFilledAsTheyAreWritten(t *testing.T) {
	three := make([]content.TemplateParameter, 3)
	own := []whatsapp.OwnTemplate{
		{Name: "order_confirmation", Languages: []string{"en", "hi"}, Body: 3},
		{Name: "approval_request", Languages: []string{"en", "hi"}, Body: 3, Replies: 2},
	}
	for name, c := range map[string]struct {
		of   content.Template
		want string
	}{
		"no variable": {content.Template{Name: "order_confirmation", Language: "hi"}, "body"},
		"a button it has not": {
			content.Template{
				Name: "order_confirmation", Language: "hi", Body: three, Buttons: make([]content.TemplateButton, 1)},
			"buttons"},
		"a third button": {
			content.Template{
				Name: "approval_request", Language: "hi", Body: three, Buttons: []content.TemplateButton{{Index: 2}}},
			"buttons"},
		"as it should be": {
			content.Template{
				Name: "approval_request", Language: "hi", Body: three,
				Buttons: []content.TemplateButton{{Index: 1}}}, ""},
		"another language": {content.Template{Name: "order_confirmation", Language: "fr", Body: three}, "language"},
		"a header it has not": {
			content.Template{
				Name: "order_confirmation", Language: "en", Body: three, Header: &content.TemplateHeader{}}, "header"},
		"somebody's own": {content.Template{Name: "diwali_offer", Language: "hi"}, ""},
		"two faults":     {content.Template{Name: "order_confirmation", Language: "fr"}, "language body"},
	} {
		var fields []string
		for _, fault := range content.CheckOwn(own, c.of) {
			fields = append(fields, fault.Field)
		}
		if got := strings.Join(fields, " "); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWhatHasEndedIsNotSent(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	order := content.Order{ExpiresAt: "2026-11-21T12:00:00Z"}
	for name, c := range map[string]struct {
		of   content.Content
		want string
	}{
		"an offer that ends later": {content.Template{OfferExpiresAt: "2026-11-21T12:00:01Z"}, ""},
		"an offer that has ended":  {content.Template{OfferExpiresAt: "2026-11-21T17:29:59+05:30"}, "offerExpiresAt"},
		"an order that has ended":  {&content.OrderDetails{Order: order}, "order.expiresAt"},
		"an order in a template": {
			content.Template{Buttons: []content.TemplateButton{{Order: &order}}}, "buttons[0].order.expiresAt"},
		"an order without an end": {content.OrderDetails{}, ""},
		"a text":                  {content.Text{Body: "hi"}, ""},
		"no content":              {nil, ""},
	} {
		var fields []string
		for _, fault := range content.Over(c.of, now) {
			fields = append(fields, fault.Field)
		}
		if got := strings.Join(fields, " "); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestOptionsOfMarketingGoBesideTheTemplate(t *testing.T) {
	shares := false
	m, err := content.Compose(content.Template{
		Name: "t", Language: "en", Category: "marketing", ProductPolicy: "strict", ActivitySharing: &shares})
	if err != nil {
		t.Fatal(err)
	}
	body, err := m.Body(whatsapp.Recipient{ID: "919876543210"}, "")
	if err == nil {
		body, err = m.MarketingBody(body)
	}
	o := whatsapp.ObjectOf(body)
	if err != nil || o.Text("product_policy") != "STRICT" || string(o["message_activity_sharing"]) != "false" ||
		o.Text("type") != "template" {
		t.Errorf("%s, %v", body, err)
	}
	again, _, ok := content.Again(body)
	if !ok || again.Policy != "STRICT" || again.ActivitySharing == nil || *again.ActivitySharing {
		t.Errorf("%+v", again)
	}
}
