package flowcheck_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp/flowcheck"
)

const right = `{"version":"7.0","screens":[{"id":"ASK","layout":{}},{"id":"THANKS","terminal":true}]}`

func TestEveryFaultOfTheJSONIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		right:                        "",
		"":                           "",
		"nonsense":                   "",
		"[]":                         "",
		"null":                       "",
		`{}`:                         "version screens",
		`{"version":7,"screens":{}}`: "version screens",
		`{"Version":"7.0","screens":[{"ID":"A","terminal":true}]}`:          "version screens[0].id",
		`{"version":"7.0","screens":[]}`:                                    "screens",
		`{"version":"7.0","screens":[1,null]}`:                              "screens[0] screens[1] screens",
		`{"version":"7","screens":[{"id":"A"},{"id":"A","terminal":true}]}`: "version screens[1].id",
		`{"version":"7.0","screens":[{"id":"A1"},{"terminal":1}]}`: "screens[0].id screens[1].id screens[1].terminal " +
			"screens",
		`{"version":"7.0","screens":[{"id":"SUCCESS","terminal":true}]}`: "screens[0].id",
		"{" + strings.Repeat(" ", flowcheck.MaxBytes) + "}":              "",
	} {
		faults := flowcheck.Faults([]byte(text))
		paths := make([]string, len(faults))
		for i, fault := range faults {
			paths[i] = fault.Path
		}
		if got := strings.Join(paths, " "); got != want || (len(faults) == 0) != (text == right) {
			t.Errorf("%.60s: %q, want %q", text, got, want)
		}
	}
}

func TestAnAnswerDoesNotNameFaultsWithoutEnd(t *testing.T) {
	many := `{"version":"7.0","screens":[` + strings.Repeat("1,", 100_000) + `1]}`
	if n := len(flowcheck.Faults([]byte(many))); n != 100 {
		t.Errorf("%d faults", n)
	}
}

// FuzzFaults: whatever text comes is checked without a panic. Text without a fault is an object with screens whose ids
// differ and of which one is terminal.
func FuzzFaults(f *testing.F) {
	for _, text := range []string{right, "", "null", `{"screens":[{"id":"A","id":"B"}]}`, `{"Version":"7.0"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(flowcheck.Faults(text)) > 0 {
			return
		}
		var flow struct {
			Version string
			Screens []struct {
				ID       string
				Terminal bool
			}
		}
		if err := json.Unmarshal(text, &flow); err != nil {
			t.Fatal(err)
		}
		ids, ends := map[string]bool{}, 0
		for _, s := range flow.Screens {
			ids[s.ID] = true
			if s.Terminal {
				ends++
			}
		}
		if flow.Version == "" || len(ids) != len(flow.Screens) || ends == 0 {
			t.Errorf("no fault: %s", fmt.Sprintf("%.200s", text))
		}
	})
}
