package whatsapp_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestTemplatesAreListedPageByPage(t *testing.T) {
	var asked []string
	g := graph(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked,
			r.Method+" "+r.URL.Path+" "+r.URL.Query().Get("limit")+" "+r.URL.Query().Get("after")+" "+
				r.Header.Get("Authorization"))
		answering(200,
			`{"data":[{"id":"17","name":"offer","language":"en-US","status":"APPROVED","category":"MARKETING",`+
				`"quality_score":{"score":"GREEN"},"components":[{"type":"BODY","text":"Hi"}]},7],
			"paging":{"cursors":{"before":"a","after":"b"},"next":"https://x"}}`)(w, r)
	})
	page, err := g.Templates(t.Context(), "102290129340398", "a&b")
	if err != nil || page.After != "b" || len(page.Templates) != 2 {
		t.Fatalf("%+v, %v", page, err)
	}
	first := page.Templates[0]
	if string(first.Components[0]) != `{"type":"BODY","text":"Hi"}` || first.Language != "en_US" ||
		first.Quality != "GREEN" || first.ID != "17" {
		t.Errorf("%+v", first)
	}
	if diff := cmp.Diff([]string{"GET /v24.0/102290129340398/message_templates 200 a&b Bearer " + token},
		asked); diff != "" {
		t.Error(diff)
	}
}

func TestAListThatFailsSaysWhetherToTryAgain(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		answer string
		class  whatsapp.Class
		code   int64
	}{
		"the token is not accepted": {
			401, `{"error":{"code":190,"message":"Error validating access token"}}`, whatsapp.StopSender, 190},
		"too many calls": {400, `{"error":{"code":80007,"message":"Rate limit"}}`, whatsapp.Retry, 80007},
		"down":           {503, `busy`, whatsapp.Retry, 0},
		"no list":        {200, `{}`, whatsapp.Retry, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := graph(t, answering(c.status, c.answer)).Templates(t.Context(), "102290129340398", "")
			var failed *whatsapp.SendError
			if !errors.As(err, &failed) || failed.Class != c.class || failed.Meta.Code != c.code || failed.Ambiguous {
				t.Errorf("%+v", err)
			}
		})
	}
	if _, err := graph(t, answering(200, "{}")).Templates(t.Context(), "../me", ""); err == nil {
		t.Error("an id that leads elsewhere is taken")
	}
}
