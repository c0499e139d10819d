package groups

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Whatever Meta tells of a group changes it once.
func FuzzGroupEvents(f *testing.F) {
	for _, text := range events {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var o whatsapp.Object
		if json.Unmarshal([]byte(text), &o) != nil {
			return
		}
		var g model.Group
		apply(&g, changeOf(o, at(1)))
		again := g
		if changed := apply(&again, changeOf(o, at(1))); changed || !cmp.Equal(g, again) {
			t.Errorf("%s changes the group twice", text)
		}
	})
}
