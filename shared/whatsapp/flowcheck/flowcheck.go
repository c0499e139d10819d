// Package flowcheck names what is certainly wrong with the JSON of a flow before Meta is asked. Meta checks much more.
package flowcheck

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/problem"
)

// MaxBytes is how large Meta lets the JSON of a flow be.
const MaxBytes = 10 << 20

// maxFaults bounds how many faults one answer names.
const maxFaults = 100

// What Meta takes.
var (
	versionForm = lazy.Regexp(`^[0-9]{1,3}\.[0-9]{1,3}$`)
	idForm      = lazy.Regexp(`^[A-Za-z_]{1,80}$`)
)

// reserved is the id of the screen by which Meta ends a flow. No screen of a business has it.
const reserved = "SUCCESS"

// faults are what is wrong: every fault, so that one answer names them all.
type faults []problem.Field

func (f *faults) add(right bool, path, detail string) {
	if !right && len(*f) < maxFaults {
		*f = append(*f, problem.Field{Path: path, Detail: detail})
	}
}

// Faults returns every fault of the JSON of a flow; none if it is right as far as haatline knows.
func Faults(text []byte) []problem.Field {
	var f faults
	var flow map[string]json.RawMessage
	f.add(len(text) <= MaxBytes, "", fmt.Sprintf("must have at most %d MB", MaxBytes>>20))
	if len(f) == 0 {
		f.add(json.Unmarshal(text, &flow) == nil && flow != nil, "", "must be a JSON object")
	}
	if len(f) > 0 {
		return f
	}
	version, is := textOf(flow["version"])
	f.add(is && versionForm.Get().MatchString(version), "version", `must be a version, such as "7.0"`)
	var screens []json.RawMessage
	is = json.Unmarshal(flow["screens"], &screens) == nil
	f.add(is && len(screens) > 0, "screens", "must be a list of at least one screen")
	f.screens(screens)
	return f
}

// screens adds the faults of the screens.
func (f *faults) screens(all []json.RawMessage) {
	seen, ends := map[string]bool{}, false
	for i, text := range all {
		path := fmt.Sprintf("screens[%d]", i)
		var screen map[string]json.RawMessage
		if json.Unmarshal(text, &screen) != nil || screen == nil {
			f.add(false, path, "must be an object")
			continue
		}
		id, is := textOf(screen["id"])
		f.add(is && idForm.Get().MatchString(id), path+".id", "must be 1 to 80 letters and underscores")
		f.add(id != reserved, path+".id", reserved+" is Meta's own")
		f.add(!seen[id], path+".id", "must differ from the ids of the other screens")
		seen[id] = id != ""
		terminal := bytes.TrimSpace(screen["terminal"])
		f.add(len(terminal) == 0 || string(terminal) == "true" || string(terminal) == "false", path+".terminal",
			"must be true or false")
		ends = ends || string(terminal) == "true"
	}
	f.add(ends || len(all) == 0, "screens", "must have at least one that is terminal")
}

// textOf returns a text, and reports whether it is one.
func textOf(raw json.RawMessage) (text string, is bool) {
	var decoded any
	_ = json.Unmarshal(raw, &decoded) // what is no JSON is no text
	text, is = decoded.(string)
	return text, is
}
