package writing

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/templatecheck"
)

// Difference is a part of a template that Meta has otherwise than it was asked for. Both are JSON; "" for a part that
// is not there.
type Difference struct{ Path, Asked, Meta string }

// Differences returns what differs between what was asked for here and what Meta has. Samples do not count, because
// Meta keeps them in another form. Nor do the texts of templates for AUTHENTICATION, which Meta writes.
func Differences(t model.Template) []Difference {
	if t.Asked == nil || t.Asked.Wish == Delete {
		return nil
	}
	var all []Difference
	if asked := t.Asked.Category; asked != "" && asked != t.Category {
		all = append(all, Difference{"category", text(asked), text(t.Category)})
	}
	if t.Asked.Library != nil { // Meta writes it
		return all
	}
	return append(all, contentDiffers(t.Asked.Components, t.Components, t.Category)...)
}

// contentDiffers compares components by their types, in whatever order they are.
func contentDiffers(asked, has []model.Document, category string) []Difference {
	wanted, there := byType(asked), byType(has)
	kinds := slices.Sorted(maps.Keys(wanted))
	for kind := range there {
		if _, known := wanted[kind]; !known {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	var all []Difference
	for _, kind := range kinds {
		a, has := wanted[kind], there[kind]
		switch {
		case a == nil:
			all = append(all, Difference{kind, "", text(has)})
		case has == nil:
			all = append(all, Difference{kind, text(a), ""})
		case category != templatecheck.Authentication:
			all = append(all, differences(kind, a, has)...)
		}
	}
	return all
}

func byType(components []model.Document) map[string]any {
	all := map[string]any{}
	for _, value := range values(components) {
		if fields, is := value.(map[string]any); is {
			kind, _ := fields["type"].(string)
			all[strings.ToUpper(kind)] = fields
		}
	}
	return all
}

func values(components []model.Document) []any {
	all := make([]any, len(components))
	for i, c := range components {
		_ = json.Unmarshal(c, &all[i]) // a document is JSON
	}
	return all
}

// differences compares two values. What Meta adds to an object is no difference.
func differences(path string, asked, has any) []Difference {
	switch asked := asked.(type) {
	case map[string]any:
		other, is := has.(map[string]any)
		if !is {
			break
		}
		var all []Difference
		for _, name := range slices.Sorted(maps.Keys(asked)) {
			if name != "example" {
				all = append(all, differences(path+"."+name, asked[name], other[name])...)
			}
		}
		return all
	case []any:
		other, is := has.([]any)
		if !is || len(other) != len(asked) {
			break
		}
		var all []Difference
		for i := range asked {
			all = append(all, differences(fmt.Sprintf("%s[%d]", path, i), asked[i], other[i])...)
		}
		return all
	case string: // types and formats are the same in either case
		other, is := has.(string)
		word := strings.HasSuffix(path, ".type") || strings.HasSuffix(path, ".format")
		if is && (other == asked || word && strings.EqualFold(other, asked)) {
			return nil
		}
	default:
		if asked == has || has == nil && asked == false {
			return nil
		}
	}
	return []Difference{{strings.TrimPrefix(path, "."), text(asked), text(has)}}
}

// text returns a value as JSON, "" for none.
func text(value any) string {
	if value == nil {
		return ""
	}
	encoded, _ := json.Marshal(value) // it was decoded from JSON
	return string(encoded)
}
