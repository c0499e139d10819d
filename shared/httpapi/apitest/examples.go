package apitest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/golden"
)

// demo replaces the names of what a tenant of the tests has by those of the demo tenant.
var demo = strings.NewReplacer(TenantOf("1"), "demo", "700000000000001", "106540352242922", "800000000000001",
	"102290129340398")

// everyBodyHasAnExample compares the package's examples.json with the requests of the walk. TheOwnerIsAnswered shows
// that each is accepted.
func (a API[B]) everyBodyHasAnExample(t *testing.T) {
	db, server := a.open(t)
	own := a.Furnish(t, db, "1")
	examples := map[string]json.RawMessage{}
	for id, op := range Operations(server.API) {
		for _, r := range a.requests(t, op, own) {
			if body := demo.Replace(r.Body); json.Valid([]byte(body)) {
				examples[id] = json.RawMessage(body)
				break
			}
		}
		if op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil && examples[id] == nil {
			t.Errorf("%s takes a body, and no request has one", id)
		}
	}
	text, err := json.Marshal(examples)
	if err != nil {
		t.Fatal(err)
	}
	golden.CompareJSON(t, "examples.json", text)
}
