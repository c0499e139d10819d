package whatsapp_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestASampleIsUploadedInASession(t *testing.T) {
	var asked []string
	g := graph(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, r.Method+" "+strings.ReplaceAll(r.URL.RequestURI(), token, "TOKEN")+" "+
			strings.ReplaceAll(r.Header.Get("Authorization"), token, "TOKEN")+" "+r.Header.Get("file_offset")+" "+
			string(body))
		answers := map[string]string{
			"/v24.0/debug_token":             `{"data":{"app_id":"670843887433847","is_valid":true}}`,
			"/v24.0/670843887433847/uploads": `{"id":"upload:MTphd?sig=AR"}`, "/v24.0/upload:MTphd": `{"h":"4::aW"}`}
		answering(200, answers[r.URL.Path])(w, r)
	})
	handle, err := g.UploadSample(t.Context(), whatsapp.Sample{ContentType: "image/png", Body: []byte("png")})
	if err != nil || handle != "4::aW" {
		t.Error(handle, err)
	}
	if diff := cmp.Diff([]string{
		"GET /v24.0/debug_token?input_token=TOKEN Bearer TOKEN  ",
		"POST /v24.0/670843887433847/uploads?file_length=3&file_type=image%2Fpng Bearer TOKEN  ",
		"POST /v24.0/upload:MTphd?sig=AR OAuth TOKEN 0 png"}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestASampleThatMetaDoesNotTake(t *testing.T) {
	for name, c := range map[string]struct {
		app, session, handle string
		class                whatsapp.Class
	}{
		"no app":      {`{"data":{"app_id":"../me"}}`, `{}`, `{}`, whatsapp.Retry},
		"no session":  {`{"data":{"app_id":"12345"}}`, `{"id":"upload:../me"}`, `{}`, whatsapp.Retry},
		"no handle":   {`{"data":{"app_id":"12345"}}`, `{"id":"upload:1"}`, `{}`, whatsapp.Retry},
		"its content": {`{"data":{"app_id":"12345"}}`, `{"id":"upload:1"}`, `{"error":{"code":100}}`, whatsapp.Never},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, "debug_token"):
					answering(200, c.app)(w, r)
				case strings.HasSuffix(r.URL.Path, "uploads"):
					answering(200, c.session)(w, r)
				case r.URL.Path == "/v24.0/upload:1":
					answering(200, c.handle)(w, r)
				default:
					t.Error(r.URL.Path)
				}
			})
			_, err := g.UploadSample(t.Context(), whatsapp.Sample{})
			var failed *whatsapp.SendError
			if !errors.As(err, &failed) || failed.Class != c.class {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestHandlesStandForFiles(t *testing.T) {
	const component = `{"cards":[{"components":[{"example":{"header_handle":["media:a"]}}]}],` +
		`"example":{"header_handle":["4::x","media:b","media:a",7]},"n":12345678901234567890,"text":"media:c"}`
	files := whatsapp.SampleFiles([]json.RawMessage{json.RawMessage(component), json.RawMessage("[")})
	if len(files) != 2 {
		t.Error(files)
	}
	got, err := whatsapp.WithHandles(json.RawMessage(component), map[string]string{"a": "4::a", "b": "4::b"})
	want := strings.NewReplacer("media:a", "4::a", "media:b", "4::b").Replace(component)
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}
