package whatsapp_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

const account = "102290129340398"

func TestTemplatesAreWritten(t *testing.T) {
	var asked []string
	g := graph(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Content-Type")+" "+string(body))
		answering(200, `{"success":true,"id":"572279198452421","status":"PENDING","category":"UTILITY"}`)(w, r)
	})
	draft := whatsapp.TemplateDraft{Name: "bill", Language: "en", Category: "UTILITY", ParameterFormat: "POSITIONAL",
		Components: []json.RawMessage{json.RawMessage(`{"type":"BODY","text":"Hi"}`)}}
	got, err := g.CreateTemplate(t.Context(), account, draft)
	want := whatsapp.ListedTemplate{
		ID: "572279198452421", Name: "bill", Language: "en", Status: "PENDING", Category: "UTILITY"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	err = errors.Join(g.EditTemplate(t.Context(), "572279198452421", draft),
		g.DeleteTemplate(t.Context(), account, "bill", "572279198452421"))
	const body = `"category":"UTILITY","parameter_format":"POSITIONAL","components":[{"type":"BODY","text":"Hi"}]}`
	if diff := cmp.Diff([]string{
		"POST /v24.0/" + account + `/message_templates application/json {"name":"bill","language":"en",` + body,
		"POST /v24.0/572279198452421 application/json {" + body,
		"DELETE /v24.0/" + account + "/message_templates?hsm_id=572279198452421&name=bill  ",
	}, asked); diff != "" || err != nil {
		t.Error(err, diff)
	}
	err = errors.Join(g.EditTemplate(t.Context(), "../me", draft),
		g.DeleteTemplate(t.Context(), account, "bill", "me"))
	if _, err2 := g.CreateTemplate(t.Context(), "me", draft); err == nil || err2 == nil || len(asked) != 3 {
		t.Error("an id that is none is part of a path")
	}
}

func TestATemplateIsFoundByItsWholeName(t *testing.T) {
	g := graph(t, answering(200, `{"data":[{"id":"1","name":"bill_2","language":"en"},`+
		`{"id":"2","name":"bill","language":"hi"},{"id":"3","name":"bill","language":"en_US"}]}`))
	found, has, err := g.FindTemplate(t.Context(), account, "bill", "en-US")
	if err != nil || !has || found.ID != "3" {
		t.Errorf("%+v %v %v", found, has, err)
	}
	if _, has, err = g.FindTemplate(t.Context(), account, "bill", "en"); err != nil || has {
		t.Error(has, err)
	}
}

func TestAWriteThatFailsSaysWhetherToTryAgain(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		answer string
		class  whatsapp.Class
	}{
		"refused": {400, `{"error":{"code":100,"error_subcode":2388023,"message":"Invalid parameter",` +
			`"error_user_msg":"There is already English content for this template."}}`, whatsapp.Never},
		"down": {503, `busy`, whatsapp.Retry}, "no answer": {200, `{}`, whatsapp.Retry},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph(t, answering(c.status, c.answer))
			_, created := g.CreateTemplate(t.Context(), account, whatsapp.TemplateDraft{})
			for _, err := range []error{created, g.EditTemplate(t.Context(), "12345", whatsapp.TemplateDraft{}),
				g.DeleteTemplate(t.Context(), account, "bill", "12345")} {
				var failed *whatsapp.SendError
				if !errors.As(err, &failed) || failed.Class != c.class || failed.Ambiguous {
					t.Errorf("%+v", err)
				}
			}
		})
	}
}
