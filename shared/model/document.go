package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/tidwall/gjson"
)

// Document is JSON whose schema haatline does not own. In Go it is the raw text. In DynamoDB it is the same value as
// maps, lists, strings, numbers and booleans, so that a person can read it there and a filter can select by it.
type Document json.RawMessage

// ErrNotRepresentable means that DynamoDB cannot store JSON as maps and lists: more than 32 levels, a number of more
// than 38 digits or out of range, an empty key, or a key of 64 KB. Such a value is stored as text instead.
var ErrNotRepresentable = errors.New("not representable in DynamoDB")

const (
	maxDocumentLevels = 28 // DynamoDB allows 32; the item and the attribute take some of them
	maxNumberDigits   = 38
	maxNumberExponent = 125
	maxKeyBytes       = 1<<16 - 1
)

// MarshalJSON returns the raw text.
func (d Document) MarshalJSON() ([]byte, error) {
	if len(d) == 0 {
		return []byte("null"), nil
	}
	return d, nil
}

// UnmarshalJSON stores the raw text.
func (d *Document) UnmarshalJSON(text []byte) error {
	*d = append((*d)[:0], text...)
	return nil
}

// MarshalDynamoDBAttributeValue returns the text as maps and lists. It returns ErrNotRepresentable if that is not
// possible.
func (d Document) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	if len(d) == 0 {
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	return AttributeFromJSON(d)
}

// UnmarshalDynamoDBAttributeValue converts maps and lists to text. Keys are sorted.
func (d *Document) UnmarshalDynamoDBAttributeValue(value types.AttributeValue) error {
	plain, err := plainValue(value)
	if err != nil {
		return err
	}
	text, err := encodeJSON(plain)
	*d = text
	return err
}

func encodeJSON(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(text.Bytes(), "\n"), nil
}

// AttributeFromJSON returns the DynamoDB form of one JSON value. It builds the form while it reads the text, because
// every logged body passes through it.
func AttributeFromJSON(text []byte) (types.AttributeValue, error) {
	if !gjson.ValidBytes(text) {
		return nil, errors.New("document: not JSON")
	}
	return attributeValue(gjson.ParseBytes(text), 0)
}

func attributeValue(value gjson.Result, level int) (types.AttributeValue, error) {
	switch {
	case level > maxDocumentLevels:
		return nil, fmt.Errorf("%w: over %d levels", ErrNotRepresentable, maxDocumentLevels)
	case value.Type == gjson.String:
		return &types.AttributeValueMemberS{Value: value.Str}, nil
	case value.IsBool():
		return &types.AttributeValueMemberBOOL{Value: value.Bool()}, nil
	case value.Type == gjson.Null:
		return &types.AttributeValueMemberNULL{Value: true}, nil
	case value.Type == gjson.Number:
		return number(value.Raw)
	case value.IsArray():
		return listValue(value, level)
	}
	return mapValue(value, level)
}

func listValue(value gjson.Result, level int) (types.AttributeValue, error) {
	list := []types.AttributeValue{}
	var err error
	value.ForEach(func(_, element gjson.Result) bool {
		var member types.AttributeValue
		if member, err = attributeValue(element, level+1); err == nil {
			list = append(list, member)
		}
		return err == nil
	})
	return &types.AttributeValueMemberL{Value: list}, err
}

func mapValue(value gjson.Result, level int) (types.AttributeValue, error) {
	members := map[string]types.AttributeValue{}
	var err error
	value.ForEach(func(name, element gjson.Result) bool {
		key := name.Str
		if key == "" || len(key) > maxKeyBytes {
			err = fmt.Errorf("%w: a key of %d bytes", ErrNotRepresentable, len(key))
			return false
		}
		var member types.AttributeValue
		if member, err = attributeValue(element, level+1); err == nil {
			members[key] = member
		}
		return err == nil
	})
	return &types.AttributeValueMemberM{Value: members}, err
}

// number rejects numbers that DynamoDB would round or reject. Almost every number is a short integer and passes the
// first test.
func number(text string) (types.AttributeValue, error) {
	if len(text) > 18 || strings.ContainsAny(text, "eE") {
		if err := checkNumber(text); err != nil {
			return nil, err
		}
		if mantissa, _, _ := strings.Cut(strings.ToLower(text), "e"); strings.Trim(mantissa, "-0.") == "" {
			text = "0" // DynamoDB might not read its exponent
		}
	}
	return &types.AttributeValueMemberN{Value: text}, nil
}

func checkNumber(text string) error {
	mantissa, exponentText, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if len(strings.TrimRight(digits, "0")) > maxNumberDigits {
		return fmt.Errorf("%w: a number of over %d digits", ErrNotRepresentable, maxNumberDigits)
	}
	exponent := new(big.Int)
	if exponentText != "" {
		if _, ok := exponent.SetString(strings.TrimPrefix(exponentText, "+"), 10); !ok {
			return fmt.Errorf("%w: a malformed number", ErrNotRepresentable)
		}
	}
	// The magnitude is that of the first digit: 0.d₁d₂… × 10^(len(digits) - len(fraction) + exponent).
	magnitude := exponent.Add(exponent, big.NewInt(int64(len(digits)-len(fraction))))
	if digits != "" && magnitude.CmpAbs(big.NewInt(maxNumberExponent)) > 0 {
		return fmt.Errorf("%w: a number out of range", ErrNotRepresentable)
	}
	return nil
}

func plainValue(value types.AttributeValue) (any, error) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return v.Value, nil
	case *types.AttributeValueMemberN:
		return json.Number(v.Value), nil
	case *types.AttributeValueMemberBOOL:
		return v.Value, nil
	case *types.AttributeValueMemberNULL:
		return nil, nil
	case *types.AttributeValueMemberL:
		list := make([]any, len(v.Value))
		for i, member := range v.Value {
			element, err := plainValue(member)
			if err != nil {
				return nil, err
			}
			list[i] = element
		}
		return list, nil
	case *types.AttributeValueMemberM:
		members := make(map[string]any, len(v.Value))
		for key, member := range v.Value {
			element, err := plainValue(member)
			if err != nil {
				return nil, err
			}
			members[key] = element
		}
		return members, nil
	}
	return nil, fmt.Errorf("document: %T has no place in JSON", value)
}

// DocumentOf returns JSON as it is stored: unchanged, or as a text in a map if DynamoDB cannot store it as a document.
func DocumentOf(raw json.RawMessage) Document {
	if len(raw) == 0 {
		return nil
	}
	if _, err := AttributeFromJSON(raw); err != nil {
		raw, _ = json.Marshal(map[string]string{"raw": string(raw)})
	}
	return Document(raw)
}
