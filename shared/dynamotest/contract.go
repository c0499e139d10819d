package dynamotest

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
)

// Contract reads the samples of a contract in testdata into entities, by their names, and writes them again. It fails
// the test where an attribute is lost or changes. An entity may have more attributes.
func Contract(t *testing.T, entities map[string]any) {
	for name, entity := range entities {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var sample map[string]any
			decoder := json.NewDecoder(bytes.NewReader(text))
			decoder.UseNumber()
			if err := decoder.Decode(&sample); err != nil {
				t.Fatal(err)
			}
			item, err := attributevalue.MarshalMap(numbers(sample))
			if err != nil {
				t.Fatal(err)
			}
			if err := attributevalue.UnmarshalMap(item, entity); err != nil {
				t.Fatal(err)
			}
			again, err := attributevalue.MarshalMap(entity)
			if err != nil {
				t.Fatal(err)
			}
			var have map[string]any
			if err := attributevalue.UnmarshalMapWithOptions(again, &have,
				func(o *attributevalue.DecoderOptions) { o.UseNumber = true }); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(canonical(sample), canonical(only(have, sample))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// numbers returns a decoded document with its numbers as DynamoDB stores them.
func numbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for name, v := range value {
			all[name] = numbers(v)
		}
		return all
	case []any:
		all := make([]any, len(value))
		for i, v := range value {
			all[i] = numbers(v)
		}
		return all
	case json.Number:
		return attributevalue.Number(value)
	}
	return value
}

// canonical returns a document with each number in one spelling.
func canonical(value any) any {
	switch value := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for name, v := range value {
			all[name] = canonical(v)
		}
		return all
	case []any:
		all := make([]any, len(value))
		for i, v := range value {
			all[i] = canonical(v)
		}
		return all
	case json.Number:
		return decimal.RequireFromString(value.String()).String()
	case attributevalue.Number:
		return decimal.RequireFromString(value.String()).String()
	}
	return value
}

// only returns of a document what another one has, too.
func only(value, as any) any {
	switch want := as.(type) {
	case map[string]any:
		have, _ := value.(map[string]any)
		all := map[string]any{}
		for name := range want {
			if v, ok := have[name]; ok {
				all[name] = only(v, want[name])
			}
		}
		return all
	case []any:
		have, _ := value.([]any)
		all := make([]any, len(have))
		for i := range have {
			if i < len(want) {
				all[i] = only(have[i], want[i])
			}
		}
		return all
	}
	return value
}
