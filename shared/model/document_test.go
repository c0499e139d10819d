package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func nested(levels int) string {
	return strings.Repeat(`[`, levels) + `"end"` + strings.Repeat(`]`, levels)
}

func TestWhatDynamoDBCannotHoldIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"over 28 levels of lists":          nested(29),
		"over 28 levels of maps":           strings.Repeat(`{"a":`, 29) + "1" + strings.Repeat("}", 29),
		"39 digits":                        "1" + strings.Repeat("2", 38),
		"39 digits with a fraction":        "1." + strings.Repeat("3", 38),
		"39 digits with an exponent":       "1." + strings.Repeat("3", 38) + "e7",
		"1e126":                            "1e126",
		"1e-130, of 1e-131 and below":      "1e-131",
		"an exponent of a million":         "1e1000000",
		"an exponent no machine holds":     "-7e-99999999999999999999999999",
		"a whole number of 140 digits":     "1" + strings.Repeat("0", 139),
		"a fraction of 140 places":         "0." + strings.Repeat("0", 139) + "1",
		"an empty key":                     `{"":1}`,
		"an empty key further in":          `{"a":[{"b":{"":null}}]}`,
		"a key of 64 KB":                   `{"` + strings.Repeat("k", 1<<16) + `":1}`,
		"a number out of range further in": `[{"a":[1,2,1e200]}]`,
	} {
		if _, err := model.AttributeFromJSON([]byte(text)); !errors.Is(err, model.ErrNotRepresentable) {
			t.Errorf("%s: %v, want ErrNotRepresentable", name, err)
		}
		if _, err := dynamo.Marshal(model.WebhookEvent{Payload: model.Document(text)}); !errors.Is(err,
			model.ErrNotRepresentable) {
			t.Errorf("%s in an entity: %v, want ErrNotRepresentable", name, err)
		}
	}
}

func TestWhatIsNotOneJSONValueIsRefused(t *testing.T) {
	for _, text := range []string{"", " ", "{", "nul", `{"a":1}{"a":2}`, `1 2`, `"a" x`, "[1,]", "01", "'a'"} {
		if value, err := model.AttributeFromJSON([]byte(text)); err == nil ||
			errors.Is(err, model.ErrNotRepresentable) {
			t.Errorf("%q: %v, %v", text, value, err)
		}
	}
}

func TestADocumentOfAnotherTypeThanJSONsIsRefused(t *testing.T) {
	for _, value := range []types.AttributeValue{
		&types.AttributeValueMemberB{Value: []byte("a")},
		&types.AttributeValueMemberSS{Value: []string{"a"}},
		&types.AttributeValueMemberL{
			Value: []types.AttributeValue{&types.AttributeValueMemberNS{Value: []string{"1"}}}},
		&types.AttributeValueMemberM{Value: dynamo.Item{"a": &types.AttributeValueMemberB{}}},
		nil,
	} {
		var document model.Document
		if err := document.UnmarshalDynamoDBAttributeValue(value); err == nil {
			t.Errorf("%T became %s", value, document)
		}
	}
}

// Whether DynamoDB reads a nought of such an exponent nobody says.
func TestANoughtIsPlainWhateverItsExponent(t *testing.T) {
	for _, text := range []string{
		"0", "0e5", "-0.000E-400", "0e99999999999999999999", "0." + strings.Repeat("0", 200)} {
		value, err := model.AttributeFromJSON([]byte(text))
		if number, ok := value.(*types.AttributeValueMemberN); err != nil || !ok || number.Value != "0" {
			t.Errorf("%.40s is stored as %v, %v", text, value, err)
		}
	}
}

func TestADocumentStaysTheSameValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := anyJSON(t, 4)
		for range rapid.IntRange(0, 24).Draw(t, "wrapped in lists") {
			value = []any{value}
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		attribute, err := model.AttributeFromJSON(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var document model.Document
		if err := document.UnmarshalDynamoDBAttributeValue(attribute); err != nil {
			t.Fatal(err)
		}
		if !sameJSON(text, document) {
			t.Fatalf("%s became %s", text, document)
		}
	})
}

func TestADocumentReadFromTheEngineIsTheOneStored(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	key := keys.Message("wamid.document")
	stored := func(t interface{ Fatalf(string, ...any) }, text []byte) model.Document {
		item, err := dynamo.Marshal(model.Message{PK: key.Partition, ItemType: model.ItemMessage, Content: text})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := db.Put(context.Background(),
			dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var message model.Message
		if err := db.Get(context.Background(), tables.Messages, key, &message); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return message.Content
	}
	for _, text := range []string{
		nested(28), strings.Repeat(`{"a":`, 28) + "1" + strings.Repeat("}", 28),
		`{"` + strings.Repeat("k", 1<<16-1) + `":1}`,
		`"\u0000"`, `["","\ud83d\uded2",{}]`, `99999999999999999999999999999999999999`, `0e99999999999`, `1e124`,
		`1e-125`, `null`,
		`0.` + strings.Repeat("0", 200), `-12345678.000000000000000000000000000001`,
	} {
		if got := stored(t, []byte(text)); !sameJSON([]byte(text), got) {
			t.Errorf("%.100s became %.100s", text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(anyJSON(t, 4))
		if err != nil {
			t.Fatal(err)
		}
		if got := stored(t, text); !sameJSON(text, got) {
			t.Fatalf("%s became %s", text, got)
		}
	})
}

func TestADocumentIsItsOwnJSON(t *testing.T) {
	var holder struct{ Document model.Document }
	const text = `{"b":"<&>","a":[1.50,12345678901234567890123456789012345678]}`
	if err := json.Unmarshal([]byte(`{"Document":`+text+`}`), &holder); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(holder.Document)); diff != "" {
		t.Errorf("not the raw text:\n%s", diff)
	}
	again, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	if !sameJSON([]byte(`{"Document":`+text+`}`), again) {
		t.Errorf("became %s", again)
	}
	empty, err := json.Marshal(model.Document(nil))
	if err != nil || string(empty) != "null" {
		t.Errorf("an empty document is %s, %v", empty, err)
	}
}

// FuzzDocument: whatever JSON comes is either refused or the same value after it was maps and lists.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `null`, `"a"`, `-1.5e-7`, `{"a":{"b":[1,"x",true,null]}}`, nested(28), nested(29), `{"":0}`,
		`{"a":1,"a":2}`,
		`"\ud83d"`, `"\u0000"`, `1e126`, `0e-999999`, `[123456789012345678901234567890123456789]`,
		`{"k":0.00000000000000000000000000000000000000000001}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		attribute, err := model.AttributeFromJSON(text)
		if err != nil {
			if !errors.Is(err, model.ErrNotRepresentable) && json.Valid(text) {
				t.Fatalf("%q is JSON and was refused: %v", text, err)
			}
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%q is not JSON and passed", text)
		}
		var document model.Document
		if err := document.UnmarshalDynamoDBAttributeValue(attribute); err != nil {
			t.Fatal(err)
		}
		if !sameJSON(text, document) {
			t.Fatalf("%q became %q", text, document)
		}
	})
}
