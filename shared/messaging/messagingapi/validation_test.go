package messagingapi

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/tables"
)

func base64URL(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

const echo = "ECHO-OF-WHAT-WAS-SENT"

// locations are the fields a problem names, each once.
func locations(t testing.TB, a answer, status int) []string {
	t.Helper()
	var named []string
	for _, e := range a.WantProblem(t, status).Errors {
		if e.Message == "" {
			t.Errorf("%s without a message", e.Location)
		}
		if e.Value != nil {
			t.Errorf("%s repeats what was sent", e.Location)
		}
		if !slices.Contains(named, e.Location) {
			named = append(named, e.Location)
		}
	}
	slices.Sort(named)
	if strings.Contains(a.Body, echo) {
		t.Errorf("the problem repeats what was sent: %s", a.Body)
	}
	return named
}

func TestAProblemNamesEveryInvalidFieldOfABody(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	text, template := "/v1/conversations/"+a.conversation+"/messages/text",
		"/v1/conversations/"+a.conversation+"/messages/template"
	long := func(n int) string { return strings.Repeat("क", n) }
	for name, c := range map[string]struct {
		path, body string
		status     int
		want       []string
	}{
		"not JSON":         {text, echo, 400, []string{"body"}},
		"half of JSON":     {text, `{"body":"` + echo, 400, []string{"body"}},
		"two values":       {text, `{"body":"hi"}{"body":"` + echo + `"}`, 400, []string{"body"}},
		"empty":            {text, "", 400, nil},
		"null":             {text, `null`, 422, []string{"body"}},
		"a list":           {text, `["` + echo + `"]`, 422, []string{"body"}},
		"a string":         {text, `"` + echo + `"`, 422, []string{"body"}},
		"nothing in it":    {text, `{}`, 422, []string{"body"}},
		"an empty text":    {text, `{"body":""}`, 422, []string{"body.body"}},
		"a text too long":  {text, `{"body":"` + long(4097) + `"}`, 422, []string{"body.body"}},
		"an unknown field": {text, `{"body":"hi","colour":"` + echo + `"}`, 422, []string{"body.colour"}},
		"wrong types": {
			text, `{"body":7,"previewUrl":"` + echo + `","replyTo":["` + echo + `"]}`, 422,
			[]string{"body.body", "body.previewUrl", "body.replyTo"}},
		"null for a text":     {text, `{"body":null}`, 422, []string{"body.body"}},
		"a reply to too much": {text, `{"body":"hi","replyTo":"` + long(513) + `"}`, 422, []string{"body.replyTo"}},
		"two wrong, one extra": {
			text, `{"body":"","replyTo":1,"colour":"` + echo + `"}`, 422,
			[]string{"body.body", "body.colour", "body.replyTo"}},
		"a template of nothing": {template, `{}`, 422, []string{"body"}},
		"a wrong header": {
			template, `{"name":"t","language":"en","header":{"type":"` + echo + `"}}`, 422,
			[]string{"body.header.mediaId", "body.header.type"},
		},
		"a text header without its text": {
			template, `{"name":"t","language":"en","header":{"type":"text"}}`, 422, []string{"body.header.text"}},
		"an image from nowhere": {
			template, `{"name":"t","language":"en","header":{"type":"image"}}`, 422, []string{"body.header.mediaId"}},
		"an image from two places": {
			template, `{"name":"t","language":"en","header":{"type":"image","mediaId":"1",` +
				`"link":"https://x.example/"}}`, 422,
			[]string{"body.header.mediaId"},
		},
		"a link that is none": {
			template, `{"name":"t","language":"en","header":{"type":"image","link":"http://` + echo + `%zz"}}`, 422,
			[]string{"body.header.link"},
		},
		"parameters wrong in three ways": {
			template, `{"name":"t","language":"e","body":[{"text":""},{"txt":"x"}],"buttons":[{"index":10,` +
				`"type":"call","value":"x"}]}`, 422,
			[]string{"body.body[0].text", "body.body[1].text", "body.body[1].txt", "body.buttons[0].index",
				"body.buttons[0].type", "body.language"},
		},
		"a header and a parameter at once": {
			template, `{"name":"","language":"en","header":{"type":"video"},"body":[{"text":7}]}`, 422,
			[]string{"body.body[0].text", "body.header.mediaId", "body.name"},
		},
		"a fraction of an index": {
			template, `{"name":"t","language":"en","buttons":[{"index":1.5,"type":"url","value":"x"}]}`, 422,
			[]string{"body.buttons[0].index"},
		},
		"too many buttons": {
			template, `{"name":"t","language":"en","buttons":[` +
				strings.Repeat(`{"index":1,"type":"url","value":"x"},`, 10) +
				`{"index":1,"type":"url","value":"x"}]}`, 422, []string{"body.buttons"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := locations(t,
				w.do(request{By: operator(a.tenant), Method: http.MethodPost, Path: c.path, Body: c.body}), c.status)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := len(w.db.Items(t, tables.Outbox)); got != 3 {
		t.Errorf("%d events: what was refused was sent", got)
	}
}

func TestAProblemNamesEveryInvalidParameter(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	lists := map[string]url.Values{
		"/v1/conversations": {}, "/v1/conversations/" + a.conversation + "/messages": {}, "/v1/outbox": {},
		"/v1/webhook-events": {},
	}
	for path := range lists {
		for name, c := range map[string]struct {
			query url.Values
			want  []string
		}{
			"a limit of 0":         {url.Values{"limit": {"0"}}, []string{"query.limit"}},
			"a limit of 101":       {url.Values{"limit": {"101"}}, []string{"query.limit"}},
			"a limit below 0":      {url.Values{"limit": {"-1"}}, []string{"query.limit"}},
			"a limit of no digits": {url.Values{"limit": {echo}}, []string{"query.limit"}},
		} {
			t.Run(path+" "+name, func(t *testing.T) {
				got := locations(t, w.get(operator(a.tenant), path, c.query), http.StatusUnprocessableEntity)
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
	for name, c := range map[string]struct {
		path  string
		query url.Values
		want  []string
	}{
		"unread that is no truth": {
			"/v1/conversations", url.Values{"unread": {echo}, "archived": {echo}},
			[]string{"query.archived", "query.unread"}},
		"a state there is not": {"/v1/outbox", url.Values{"state": {echo}}, []string{"query.state"}},
		"a kind there is not":  {"/v1/webhook-events", url.Values{"kind": {echo}}, []string{"query.kind"}},
		"a WABA id too long": {
			"/v1/webhook-events", url.Values{"wabaId": {strings.Repeat("1", 513)}}, []string{"query.wabaId"}},
		"a message id too long": {"/v1/messages/" + strings.Repeat("m", 513), nil, []string{"path.messageId"}},
		"an event id too long":  {"/v1/outbox/" + strings.Repeat("m", 513), nil, []string{"path.eventId"}},
		"a conversation too long": {
			"/v1/conversations/" + strings.Repeat("m", 1101), nil, []string{"path.conversationId"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want,
				locations(t, w.get(operator(a.tenant), c.path, c.query), http.StatusUnprocessableEntity)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnIDThatCannotBeOneIsNotFound(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	unknown := w.get(operator(a.tenant), "/v1/conversations/700000000000009:1", nil)
	for _, id := range []string{
		"x", ":", a.phone, a.phone + ":", ":" + a.customer, a.phone + ":a%23b", "a%23b:c",
		a.phone + ":" + strings.Repeat("9", 600)} {
		got := w.get(operator(a.tenant), "/v1/conversations/"+id, nil)
		if diff := cmp.Diff(unknown, got, cmp.AllowUnexported(answer{})); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	w.get(operator(a.tenant), "/v1/messages/a%23b", nil).WantProblem(t, http.StatusNotFound)
	w.get(operator(a.tenant), "/v1/webhook-events/a%23CHUNK%230000", nil).WantProblem(t, http.StatusNotFound)
	w.get(operator(a.tenant), "/v1/conversations", url.Values{"phoneNumberId": {"a#b"}}).WantProblem(t,
		http.StatusNotFound)
}

func TestABodyOfAnotherTypeOrTooLargeIsRefused(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	r := request{
		By: operator(a.tenant), Method: http.MethodPost, Path: "/v1/conversations/" + a.conversation + "/messages/text",
		Body: `{"body":"hi"}`}
	r.Headers = map[string]string{"content-type": "text/" + strings.ToLower(echo)}
	if got := w.do(r); strings.Contains(got.Body, strings.ToLower(echo)) {
		t.Errorf("repeats what was sent: %s", got.Body)
	} else {
		got.WantProblem(t, http.StatusUnsupportedMediaType)
	}
	r.Headers, r.Body = nil, `{"body":"`+strings.Repeat("a", 300<<10)+`"}`
	w.do(r).WantProblem(t, http.StatusRequestEntityTooLarge)
	r.Body, r.Headers = `{"body":"hi"}`, map[string]string{"idempotency-key": strings.Repeat("k", 256)}
	if diff := cmp.Diff([]string{"header.Idempotency-Key"},
		locations(t, w.do(r), http.StatusUnprocessableEntity)); diff != "" {
		t.Error(diff)
	}
}

func TestOperationsThatTakeNoBodyIgnoreOne(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	for id, op := range apitest.Operations(w.api) {
		if op.Method == http.MethodPost && op.RequestBody == nil {
			r := reaching()[id](a)[0]
			r.By, r.Method, r.Body = apitest.OwnerOf(op, a.tenant), op.Method, echo
			if got := w.do(r); got.Status >= 300 {
				t.Errorf("%s answered %d: %s", id, got.Status, got.Body)
			}
		}
	}
}

func TestWhatIsNoOperationIsAProblem(t *testing.T) {
	w := newWorld(t)
	for _, r := range []request{
		{Method: http.MethodGet, Path: "/v1/nothing"}, {Method: http.MethodGet, Path: "/v1/messages/"},
		{Method: http.MethodGet, Path: "/v1/conversations/a/b/c/d"},
	} {
		r.By = operator("tenant-1")
		w.do(r).WantProblem(t, http.StatusNotFound)
	}
	for path, allow := range map[string]string{
		"/v1/conversations": "GET", toAsha + "/read": "POST", "/v1/outbox/e-1": "GET"} {
		for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch} {
			refused := w.do(request{By: operator("tenant-1"), Method: method, Path: path})
			if refused.WantProblem(t, http.StatusMethodNotAllowed); refused.Headers["allow"] != allow {
				t.Errorf("%s %s allows %q, want %q", method, path, refused.Headers["allow"], allow)
			}
		}
	}
}

func TestAParameterThatAnOperationDoesNotHaveIsRefused(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	for id, op := range apitest.Operations(w.api) {
		for _, r := range reaching()[id](a) {
			r.By, r.Method = apitest.OwnerOf(op, a.tenant), op.Method
			r.Query = maps.Clone(r.Query)
			if r.Query == nil {
				r.Query = url.Values{}
			}
			r.Query.Set("phoneNumberID", a.phone) // misspelt
			r.Query.Set(a.phone, "")              // it may be personal data
			answer := w.do(r)
			answer.WantProblem(t, http.StatusUnprocessableEntity)
			if strings.Contains(answer.Body, a.phone) || !strings.Contains(answer.Body, `"query.phoneNumberID"`) {
				t.Errorf("%s: %s", id, answer.Body)
			}
		}
	}
}

func TestEveryAnswerIsKeptByNobodyAndTakenForWhatItSays(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	for id, op := range apitest.Operations(w.api) {
		for _, r := range reaching()[id](a) {
			for _, by := range []*caller{nil, operator(a.tenant), operator("tenant-2")} {
				r.By, r.Method = by, op.Method
				if h := w.do(r).Headers; h["cache-control"] != "no-store" || h["x-content-type-options"] != "nosniff" {
					t.Errorf("%s answers with %v", id, h)
				}
			}
		}
	}
}
