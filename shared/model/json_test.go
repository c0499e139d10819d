package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// anyJSON draws a value that DynamoDB can hold, as deep as levels.
func anyJSON(t *rapid.T, levels int) any {
	kinds := []string{"string", "number", "bool", "null"}
	if levels > 0 {
		kinds = append(kinds, "list", "object")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "number":
		return anyNumber().Draw(t, "number")
	case "bool":
		return rapid.Bool().Draw(t, "bool")
	case "null":
		return nil
	case "list":
		list := make([]any, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range list {
			list[i] = anyJSON(t, levels-1)
		}
		return list
	case "object":
		object := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			key := anyText().Filter(func(text string) bool { return text != "" }).Draw(t, "key")
			object[key] = anyJSON(t, levels-1)
		}
		return object
	}
	return anyText().Draw(t, "string")
}

// anyText is likely to be one of the texts that get lost on the way.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{
		"", " ", "\x00", "a\x00b", "👩🏽‍🌾🛒", "שלום", "مرحبا", "\u202Eabc", "\u2028", "नमस्ते", "<a href=\"x\">&amp;</a>",
		`\"\\/`, "\uFFFD",
		strings.Repeat("ü", 300), "pk", "null", "12", "2026-11-21T10:00:00.000Z",
	}), rapid.String())
}

// anyNumber is one DynamoDB holds exactly: up to 38 digits, within its range.
func anyNumber() *rapid.Generator[json.Number] {
	return rapid.Custom(func(t *rapid.T) json.Number {
		sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		digits := rapid.StringMatching(`[1-9][0-9]{0,37}`).Draw(t, "digits")
		switch rapid.IntRange(0, 3).Draw(t, "form") {
		case 0:
			return json.Number(sign + digits)
		case 1:
			return json.Number(sign + "0." + digits)
		case 2:
			exponent := rapid.IntRange(-80, 80).Draw(t, "exponent")
			return json.Number(fmt.Sprintf("%s%se%+d", sign, digits, exponent))
		}
		return rapid.SampledFrom([]json.Number{
			"0", "-0", "0.0", "0e5", "0e99999999999999999999", "-0.000E-400", "1e124", "1E-125", "9007199254740993",
			"0.1", "100.50",
			"99999999999999999999999999999999999999",
			json.Number("1" + strings.Repeat("0", 120)), json.Number("0." + strings.Repeat("0", 120) + "1"),
		}).Draw(t, "edge")
	})
}

// sameJSON says whether two texts are the same value, whatever the order of members and the way numbers are written.
func sameJSON(a, b []byte) bool {
	one, err := decode(a)
	if err != nil {
		return false
	}
	other, err := decode(b)
	return err == nil && sameValue(one, other)
}

func decode(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}

func sameValue(a, b any) bool {
	switch a := a.(type) {
	case []any:
		other, ok := b.([]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for i := range a {
			if !sameValue(a[i], other[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for key := range a {
			member, there := other[key]
			if !there || !sameValue(a[key], member) {
				return false
			}
		}
		return true
	case json.Number:
		other, ok := b.(json.Number)
		return ok && sameNumber(a, other)
	}
	return a == b
}

func sameNumber(a, b json.Number) bool {
	if zero(a) || zero(b) {
		return zero(a) && zero(b)
	}
	one, err := decimal.NewFromString(string(a))
	if err != nil {
		return false
	}
	other, err := decimal.NewFromString(string(b))
	return err == nil && one.Equal(other)
}

func zero(n json.Number) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(string(n)), "e")
	return strings.Trim(mantissa, "-0.") == ""
}
