package corpus

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// body is one file that is a webhook body.
type body struct {
	name   string // path under the folder
	raw    []byte
	posts  [][]byte        // what is posted in its place, one after the other; nil for raw
	ids    []string        // ids of its messages, statuses and calls, as stored
	calls  map[string]bool // those of ids that are calls
	counts counts
}

type skippedFile struct{ name, why string }

// load reads every *.json file under the folder, ordered by name.
func load(dir, secret string) (bodies []body, skipped []skippedFile, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if b, why := read(name, raw, secret); why != "" {
			skipped = append(skipped, skippedFile{name, why})
		} else {
			bodies = append(bodies, b)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the corpus: %w", err)
	}
	return bodies, skipped, nil
}

// read accepts a file as a webhook body if it is an object with "object" or "entry", or an API Gateway sample event
// with such a body. Otherwise it returns why not.
func read(name string, raw []byte, secret string) (body, string) {
	raw, why := inside(raw, secret)
	if why != "" {
		return body{}, why
	}
	var decoded any
	if err := json.Unmarshal(raw, &decoded); err != nil {
		return body{}, "not JSON"
	}
	root, isObject := decoded.(map[string]any)
	if !isObject {
		return body{}, "not a JSON object"
	}
	if _, has := root["object"]; !has && root["entry"] == nil {
		return body{}, "no webhook body: neither object nor entry"
	}
	b := body{name: name, raw: raw, calls: map[string]bool{}, counts: counts{}}
	for _, entry := range list(root["entry"]) {
		for _, change := range list(entry["changes"]) {
			b.readChange(change)
		}
	}
	return b, ""
}

func (b *body) readChange(change map[string]any) {
	for _, p := range partsOf(text(change, "field"), change["value"]) {
		b.counts[p.kind]++
		if p.id != "" && !slices.Contains(b.ids, p.id) {
			b.ids = append(b.ids, p.id)
		}
		if p.call {
			b.calls[p.id] = true
		}
	}
}

// part is a message, a status or a call of a change, or a change that has none.
type part struct {
	kind     string
	id       string
	call     bool   // the id is a call's
	position string // in the value, as an error names it; "" for a change
}

// partsOf returns the messages, statuses and calls of a change's value, or the change itself if there are none.
func partsOf(field string, value any) []part {
	object, _ := value.(map[string]any)
	parts := partsIn("", object)
	for i, history := range list(object["history"]) {
		for j, thread := range list(history["threads"]) {
			parts = append(parts, partsIn(fmt.Sprintf("history[%d].threads[%d].", i, j), thread)...)
		}
	}
	if len(parts) == 0 {
		if field == "" {
			field = "a change without a field"
		}
		parts = []part{{kind: field}}
	}
	return parts
}

// partsIn returns the messages, statuses and calls of a value or thread.
func partsIn(position string, value map[string]any) []part {
	var parts []part
	for _, of := range []struct{ list, name, kind string }{
		{"messages", "message", "type"}, {"message_echoes", "echo", "type"}, {"statuses", "status", "status"},
		{"calls", "call", "event"},
	} {
		for i, element := range list(value[of.list]) {
			parts = append(parts,
				part{
					kind: of.name + " " + kind(element, of.kind), id: text(element, "id"),
					call:     of.list == "calls" || of.list == "statuses" && text(element, "type") == "call",
					position: fmt.Sprintf("%s%s[%d]", position, of.list, i)})
		}
	}
	return parts
}

func kind(part map[string]any, key string) string {
	if kind := text(part, key); kind != "" {
		return kind
	}
	return "without a " + key
}

// list returns the objects of a value that should be a list of objects.
func list(value any) []map[string]any {
	var objects []map[string]any
	elements, _ := value.([]any)
	for _, element := range elements {
		if object, ok := element.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

func text(object map[string]any, key string) string {
	text, _ := object[key].(string)
	return text
}

// counts is the number of each kind.
type counts map[string]int

func (c counts) add(other counts) {
	for kind, n := range other {
		c[kind] += n
	}
}

func (c counts) String() string {
	if len(c) == 0 {
		return "nothing in it"
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, fmt.Sprintf("%d %s", c[kind], kind))
	}
	return strings.Join(parts, ", ")
}
