package templates

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The API has one template, is asked for another, and refuses a third.
func TestWhatAnAccountLacksIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	for name, handle := range map[string]string{"has": "", "waits": "", "gone": "", "wrong": "", "photo": placeholder} {
		text := `{"name":"` + name + `","language":"en","category":"UTILITY","components":[{"handle":"` + handle + `"}]}`
		if err := os.WriteFile(filepath.Join(dir, name+".en.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer a-token" {
			t.Error("without the token")
		}
		if r.Method == http.MethodGet {
			page := `{"items":[{"name":"has","language":"en","status":"APPROVED"},` +
				`{"name":"gone","language":"en","status":"DELETED"}],"cursor":"2"}`
			if r.URL.Query().Get("cursor") == "2" {
				page = `{"items":[{"name":"waits","language":"en","asked":{"change":"create"}}]}`
			}
			_, _ = w.Write([]byte(page))
			return
		}
		var given struct {
			WABAID, Name string
			Components   []struct{ Handle string }
		}
		_ = json.NewDecoder(r.Body).Decode(&given)
		asked = append(asked, given.WABAID+" "+given.Name+" "+given.Components[0].Handle)
		if given.Name == "wrong" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = w.Write([]byte(`{"title":"Unprocessable Entity","detail":"no","errors":[{"location":"body.name"}]}`))
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer server.Close()
	t.Setenv("HAATLINE_TOKEN", "a-token")
	run := func(args ...string) (string, error) {
		asked = nil
		var out bytes.Buffer
		err := Run(t.Context(), append([]string{"-api", server.URL, "-waba", "1020", "-dir", dir}, args...), &out)
		return out.String(), err
	}
	out, err := run()
	if got := strings.Join(asked, ","); got != "1020 gone ,1020 wrong " || err == nil ||
		!strings.Contains(out, "photo in en needs a picture") || !strings.Contains(out, "wrong in en is refused") {
		t.Error(got, out, err)
	}
	if _, err := run("-picture", "m1"); strings.Join(asked, ",") != "1020 gone ,1020 photo media:m1,1020 wrong " ||
		err == nil {
		t.Error(asked, err)
	}
	if _, err := run("-waba", ""); err == nil {
		t.Error("without an account")
	}
	dir = t.TempDir()
	if _, err := run(); err == nil {
		t.Error("a folder without templates")
	}
}
