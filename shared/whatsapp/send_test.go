package whatsapp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestSendBodies(t *testing.T) {
	template := whatsapp.Template{Name: "order_confirmation", Language: "hi", Components: []json.RawMessage{[]byte(`{"type":"body"}`)}}
	type made func() ([]byte, error)
	for want, body := range map[string]made{
		`{"messaging_product":"whatsapp","recipient_type":"individual","text":{"body":"hi"},"to":"919876543210","type":"text"}`: func() ([]byte, error) {
			return whatsapp.TextBody(whatsapp.Recipient{ID: "919876543210"}, "hi", false, "")
		},
		`{"messaging_product":"whatsapp","recipient":"IN.1234","recipient_type":"individual","text":{"body":"hi","preview_url":true},"type":"text"}`: func() ([]byte, error) {
			return whatsapp.TextBody(whatsapp.Recipient{ID: "IN.1234"}, "hi", true, "")
		},
		`{"messaging_product":"whatsapp","recipient":"US.ENT.1234","recipient_type":"individual","text":{"body":""},"type":"text"}`: func() ([]byte, error) {
			return whatsapp.TextBody(whatsapp.Recipient{ID: "US.ENT.1234"}, "", false, "")
		},
		`{"context":{"message_id":"wamid.0"},"messaging_product":"whatsapp","recipient_type":"group","text":{"body":"hi"},"to":"IN.group","type":"text"}`: func() ([]byte, error) {
			return whatsapp.TextBody(whatsapp.Recipient{ID: "IN.group", Group: true}, "hi", false, "wamid.0")
		},
		`{"messaging_product":"whatsapp","recipient_type":"individual","template":{"components":[{"type":"body"}],"language":{"code":"hi"},"name":"order_confirmation"},"to":"9","type":"template"}`: func() ([]byte, error) {
			return whatsapp.TemplateBody(whatsapp.Recipient{ID: "9"}, template, "")
		},
		`{"context":{"message_id":"wamid.0"},"messaging_product":"whatsapp","recipient_type":"individual","template":{"language":{"code":"en"},"name":"hello"},"to":"9","type":"template"}`: func() ([]byte, error) {
			return whatsapp.TemplateBody(whatsapp.Recipient{ID: "9"}, whatsapp.Template{Name: "hello", Language: "en"}, "wamid.0")
		},
		`{"message_id":"wamid.1","messaging_product":"whatsapp","status":"read"}`: func() ([]byte, error) {
			return whatsapp.ReadReceiptBody("wamid.1")
		},
	} {
		got, err := body()
		if err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

func TestOnlyACountryAndADotMakeAUserID(t *testing.T) {
	for id, recipient := range map[string]bool{
		"IN.1": true, "US.ENT.1": true, "919876543210": false, "in.1": false, "IND.1": false, "I.1": false, "1N.1": false, ".1": false, "IN1": false, "": false,
	} {
		body, err := whatsapp.TextBody(whatsapp.Recipient{ID: id}, "hi", false, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(body), `"recipient":`); got != recipient {
			t.Errorf("%q is a user id: %v", id, got)
		}
	}
}

func TestTemplateParametersBecomeComponents(t *testing.T) {
	for name, c := range map[string]struct {
		of   whatsapp.TemplateParameters
		want []string
	}{
		"none":            {whatsapp.TemplateParameters{}, nil},
		"a text header":   {whatsapp.TemplateParameters{Header: &whatsapp.HeaderParameter{Type: "text", Text: "Hi"}}, []string{`{"parameters":[{"text":"Hi","type":"text"}],"type":"header"}`}},
		"a named header":  {whatsapp.TemplateParameters{Header: &whatsapp.HeaderParameter{Type: "text", Name: "who", Text: "A"}}, []string{`{"parameters":[{"parameter_name":"who","text":"A","type":"text"}],"type":"header"}`}},
		"an image by id":  {whatsapp.TemplateParameters{Header: &whatsapp.HeaderParameter{Type: "image", MediaID: "7", Link: "https://x"}}, []string{`{"parameters":[{"image":{"id":"7"},"type":"image"}],"type":"header"}`}},
		"a video by link": {whatsapp.TemplateParameters{Header: &whatsapp.HeaderParameter{Type: "video", Link: "https://x", Filename: "a.mp4"}}, []string{`{"parameters":[{"type":"video","video":{"link":"https://x"}}],"type":"header"}`}},
		"a document":      {whatsapp.TemplateParameters{Header: &whatsapp.HeaderParameter{Type: "document", MediaID: "7", Filename: "a.pdf"}}, []string{`{"parameters":[{"document":{"filename":"a.pdf","id":"7"},"type":"document"}],"type":"header"}`}},
		"a body": {whatsapp.TemplateParameters{Body: []whatsapp.TextParameter{{Text: "1"}, {Name: "total", Text: "₹50"}}}, []string{
			`{"parameters":[{"text":"1","type":"text"},{"parameter_name":"total","text":"₹50","type":"text"}],"type":"body"}`,
		}},
		"buttons": {whatsapp.TemplateParameters{Buttons: []whatsapp.ButtonParameter{
			{Index: 0, Type: "quick_reply", Value: "yes"}, {Index: 1, Type: "url", Value: "o/1"}, {Index: 2, Type: "copy_code", Value: "C"},
		}}, []string{
			`{"index":0,"parameters":[{"payload":"yes","type":"payload"}],"sub_type":"quick_reply","type":"button"}`,
			`{"index":1,"parameters":[{"text":"o/1","type":"text"}],"sub_type":"url","type":"button"}`,
			`{"index":2,"parameters":[{"coupon_code":"C","type":"coupon_code"}],"sub_type":"copy_code","type":"button"}`,
		}},
	} {
		got, err := c.of.Components()
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %s, %v", name, got, err)
			continue
		}
		for i := range got {
			if string(got[i]) != c.want[i] {
				t.Errorf("%s: %s, want %s", name, got[i], c.want[i])
			}
		}
	}
}

func TestWrongParametersOfAnOwnTemplateAreNamed(t *testing.T) {
	three := make([]whatsapp.TextParameter, 3)
	for name, c := range map[string]struct {
		template, language string
		of                 whatsapp.TemplateParameters
		field              string
	}{
		"no variable":           {"order_confirmation", "hi", whatsapp.TemplateParameters{}, "body.body"},
		"one too few":           {"order_confirmation", "hi", whatsapp.TemplateParameters{Body: three[:2]}, "body.body"},
		"a button it has not":   {"order_confirmation", "hi", whatsapp.TemplateParameters{Body: three, Buttons: make([]whatsapp.ButtonParameter, 1)}, "body.buttons"},
		"a third button":        {"approval_request", "hi", whatsapp.TemplateParameters{Body: three, Buttons: []whatsapp.ButtonParameter{{Index: 2}}}, "body.buttons"},
		"as it should be":       {"order_confirmation", "hi", whatsapp.TemplateParameters{Body: three}, ""},
		"both buttons":          {"approval_request", "hi", whatsapp.TemplateParameters{Body: three, Buttons: []whatsapp.ButtonParameter{{Index: 0}, {Index: 1}}}, ""},
		"another language":      {"order_confirmation", "fr", whatsapp.TemplateParameters{Body: three}, "body.language"},
		"a header it has not":   {"order_confirmation", "en", whatsapp.TemplateParameters{Body: three, Header: &whatsapp.HeaderParameter{}}, "body.header"},
		"somebody's own":        {"diwali_offer", "hi", whatsapp.TemplateParameters{}, ""},
		"a button below nought": {"approval_request", "hi", whatsapp.TemplateParameters{Body: three, Buttons: []whatsapp.ButtonParameter{{Index: -1}}}, "body.buttons"},
	} {
		own := []whatsapp.OwnTemplate{
			{Name: "order_confirmation", Languages: []string{"en", "hi"}, Body: 3}, {Name: "approval_request", Languages: []string{"en", "hi"}, Body: 3, Replies: 2},
		}
		field, problem := whatsapp.CheckOwn(own, c.template, c.language, c.of)
		if field != c.field || (problem == "") != (field == "") {
			t.Errorf("%s: %q, %q", name, field, problem)
		}
	}
}

func TestOnlyNumbersWithTheirCountryAndUserIDsAreReachable(t *testing.T) {
	for _, id := range []string{"91987654", "919876543210", "123456789012345", "US.13491208655302741918", "US.ENT.11815799212886844830", "IN.CURRENTBSUID", "US." + strings.Repeat("a", 128)} {
		if !whatsapp.Reachable(id) {
			t.Errorf("%q cannot be reached", id)
		}
	}
	for _, id := range []string{
		"", "1", "9198765", "0919876543210", "00919876543210", "1234567890123456", "+919876543210", "919876543210~x", "919876543210~1a2b3c4d", "91 9876543210",
		"US", "US.", "US..1", "US.1.", ".US.1", "us.1", "USA.1", "U.1", "US.1~2", "US.1 2", "US.1/2", "US.<BSUID>", "US.ä", "US." + strings.Repeat("a", 129), "GROUP-1", "me",
	} {
		if whatsapp.Reachable(id) {
			t.Errorf("%q can be reached", id)
		}
	}
}
