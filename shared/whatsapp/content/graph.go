package content

import (
	"reflect"
	"strings"
	"unicode"
)

// grapher is implemented by parts of a content whose form in the Graph API is not that of their fields.
type grapher interface{ graph() any }

// plain returns a struct in the form of the Graph API: its fields under their names in snake case, or under the name in
// the tag graph. Fields that were left out are left out, and maps stay as they are.
func plain(part any) map[string]any {
	fields := map[string]any{}
	addFields(fields, reflect.Indirect(reflect.ValueOf(part)))
	return fields
}

func addFields(fields map[string]any, of reflect.Value) {
	for i := range of.NumField() {
		field, value := of.Type().Field(i), of.Field(i)
		name, optional := jsonName(field)
		switch {
		case field.Anonymous:
			addFields(fields, value)
		case optional && value.IsZero():
		default:
			if renamed := field.Tag.Get("graph"); renamed != "" {
				name = renamed
			}
			fields[snake(name)] = graphOf(value)
		}
	}
}

func graphOf(value reflect.Value) any {
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if part, is := value.Interface().(grapher); is {
		return part.graph()
	}
	switch value.Kind() {
	case reflect.Struct:
		return plain(value.Interface())
	case reflect.Slice:
		list := make([]any, value.Len())
		for i := range list {
			list[i] = graphOf(value.Index(i))
		}
		return list
	}
	return value.Interface()
}

// listOf returns the parts of a list in the form of the Graph API.
func listOf[P any](parts []P, graph func(i int, part P) any) []any {
	list := make([]any, len(parts))
	for i, part := range parts {
		list[i] = graph(i, part)
	}
	return list
}

// snake returns a name in snake case.
func snake(name string) string {
	var text strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			text.WriteByte('_')
		}
		text.WriteRune(unicode.ToLower(r))
	}
	return text.String()
}

// object is an object of the Graph API.
type object = map[string]any

// with adds a member unless its value is empty.
func with(o object, name string, value any) object {
	if v := reflect.ValueOf(value); v.IsValid() && !v.IsZero() {
		o[name] = value
	}
	return o
}
