package content

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Fault is something that WhatsApp would refuse. It repeats no value, because a value may be personal.
type Fault struct {
	Field   string // the path of the field, such as buttons[0].title
	Problem string
}

// Faults are all faults of a content.
type Faults []Fault

func (f Faults) Error() string {
	var text strings.Builder
	text.WriteString("not a message that WhatsApp takes")
	for _, fault := range f {
		text.WriteString("; " + strings.TrimPrefix(fault.Field+": "+fault.Problem, ": "))
	}
	return text.String()
}

// add adds a fault unless it is there.
func (f *Faults) add(field, problem string) {
	if fault := (Fault{field, problem}); !slices.Contains(*f, fault) {
		*f = append(*f, fault)
	}
}

// unless adds a fault if ok is false.
func (f *Faults) unless(ok bool, field, problem string) {
	if !ok {
		f.add(field, problem)
	}
}

// ruled is implemented by parts of a content that have rules which tags cannot say. The fields are relative to the
// part.
type ruled interface{ rules() Faults }

// Check returns all faults of a content.
func Check(c Content) Faults { return faults(c, true) }

// Rules returns the faults that the limits in the tags do not show. It serves callers that have checked the limits.
func Rules(c Content) Faults { return faults(c, false) }

func faults(c Content, limits bool) Faults {
	var found Faults
	walk(reflect.Indirect(reflect.ValueOf(c)), "", func(value reflect.Value, path string, tag reflect.StructTag) {
		if limits {
			checkLimits(&found, value, path, tag)
		}
		if value.Kind() == reflect.String {
			checkText(&found, value.String(), path, tag)
		}
		if part, is := value.Interface().(ruled); is {
			for _, fault := range part.rules() {
				found.add(join(path, fault.Field), fault.Problem)
			}
		}
	})
	return found
}

func join(path, field string) string { return strings.Trim(path+"."+field, ".") }

// walk visits a value and all of its parts. A part that was left out is not visited.
func walk(value reflect.Value, path string, visit func(value reflect.Value, path string, tag reflect.StructTag)) {
	walkTagged(value, path, "", visit)
}

func walkTagged(value reflect.Value, path string, tag reflect.StructTag,
	visit func(reflect.Value, string, reflect.StructTag)) {
	for value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return
		}
		value = value.Elem()
	}
	visit(value, path, tag)
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			field := value.Type().Field(i)
			name, optional := jsonName(field)
			if field.Anonymous {
				walkTagged(value.Field(i), path, "", visit)
			} else if !optional || !value.Field(i).IsZero() {
				walkTagged(value.Field(i), join(path, name), field.Tag, visit)
			}
		}
	case reflect.Slice:
		for i := range value.Len() {
			walkTagged(value.Index(i), fmt.Sprintf("%s[%d]", path, i), "", visit)
		}
	}
}

// jsonName returns the name of a field in JSON, and whether it may be left out.
func jsonName(field reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name, strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
}

// checkLimits compares a value with the limits in its field's tag.
func checkLimits(found *Faults, value reflect.Value, path string, tag reflect.StructTag) {
	within := func(n float64, least, most, what string) {
		if text, given := tag.Lookup(least); given && n < number(text) {
			found.add(path, fmt.Sprintf("%s at least %s", what, text))
		}
		if text, given := tag.Lookup(most); given && n > number(text) {
			found.add(path, fmt.Sprintf("%s at most %s", what, text))
		}
	}
	switch value.Kind() {
	case reflect.String:
		text := value.String()
		within(float64(utf8.RuneCountInString(text)), "minLength", "maxLength", "its characters must be")
		if allowed := tag.Get("enum"); allowed != "" {
			found.unless(slices.Contains(strings.Split(allowed, ","), text), path, "must be one of "+allowed)
		}
		if pattern := tag.Get("pattern"); pattern != "" {
			found.unless(compiled(pattern).MatchString(text), path, "has another form than "+pattern)
		}
	case reflect.Slice:
		within(float64(value.Len()), "minItems", "maxItems", "its elements must be")
	case reflect.Int, reflect.Int64:
		within(float64(value.Int()), "minimum", "maximum", "must be")
	case reflect.Float64:
		within(value.Float(), "minimum", "maximum", "must be")
	}
}

// checkText checks what no limit of a JSON schema says: a required text has a character that can be read, and a text
// that stands in one line has no line break.
func checkText(found *Faults, text, path string, tag reflect.StructTag) {
	_, required := tag.Lookup("minLength")
	found.unless(!required || text == "" || !isBlank(text), path, "holds nothing that can be read")
	found.unless(tag.Get("lines") != "1" || !strings.ContainsAny(text, "\n\r"), path, "must not have line breaks")
}

// isBlank reports whether a text has no character that can be seen.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	})
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("a limit that is no number: " + text) // a mistake in a tag
	}
	return n
}

var patterns sync.Map

func compiled(pattern string) *regexp.Regexp {
	if known, found := patterns.Load(pattern); found {
		return known.(*regexp.Regexp)
	}
	made := regexp.MustCompile(pattern)
	patterns.Store(pattern, made)
	return made
}

// isWebAddress reports whether a text is an address that WhatsApp can open.
func isWebAddress(text string) bool {
	address, err := url.Parse(text)
	return err == nil && address.Host != "" && (address.Scheme == "https" || address.Scheme == "http")
}
