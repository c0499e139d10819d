package model_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// entities are all of them; what has no table of its own lies in the messages table.
func entities() map[string]entity {
	all := maps.Clone(loopEntities)
	for name, e := range all {
		if e.table.ID == "" {
			e.table = tables.Messages
			all[name] = e
		}
	}
	return all
}

// whole draws an entity of the type with every field filled in.
func whole(t *rapid.T, of any) any {
	value := reflect.New(reflect.TypeOf(of))
	fill(t, value.Elem(), "")
	return value.Interface()
}

func fill(t *rapid.T, v reflect.Value, name string) {
	switch v.Interface().(type) {
	case model.Rest: // of what another release has written
		return
	case model.Time:
		instant := time.UnixMilli(rapid.Int64Range(0, 4_000_000_000_000).Draw(t, name))
		v.Set(reflect.ValueOf(model.At(instant)))
		return
	case model.Amount:
		coefficient, exponent := rapid.Int64().Draw(t, name), rapid.Int32Range(-18, 18).Draw(t, name)
		v.Set(reflect.ValueOf(model.Amount{Decimal: decimal.New(coefficient, exponent)}))
		return
	case model.Document:
		document, err := json.Marshal(map[string]any{"of": name, "value": anyJSON(t, 3)})
		if err != nil {
			t.Fatal(err)
		}
		v.Set(reflect.ValueOf(model.Document(document)))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), name)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.String:
		v.SetString(rapid.StringN(1, 20, -1).Draw(t, name))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64Range(1, 1<<53).Draw(t, name))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(t, v.Index(i), name)
		}
	case reflect.Uint8:
		v.SetUint(uint64(rapid.Byte().Draw(t, name)))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, name)
		fill(t, value, name)
		v.SetMapIndex(key, value)
	default:
		t.Fatalf("field %s is of a kind nobody fills: %s", name, v.Kind())
	}
}

// sameEntity compares entities by what they mean: amounts as numbers, documents as JSON.
var sameEntity = cmp.Options{
	cmp.Comparer(func(a, b model.Amount) bool { return a.Equal(b.Decimal) }),
	cmp.FilterPath(isDocument, cmp.Comparer(func(a, b model.Document) bool { return sameJSON(a, b) })),
}

func isDocument(path cmp.Path) bool { return path.Last().Type() == reflect.TypeFor[model.Document]() }

func kindOf(value types.AttributeValue) string {
	switch value.(type) {
	case *types.AttributeValueMemberS:
		return "S"
	case *types.AttributeValueMemberN:
		return "N"
	case *types.AttributeValueMemberBOOL:
		return "BOOL"
	case *types.AttributeValueMemberL:
		return "L"
	case *types.AttributeValueMemberM:
		return "M"
	case *types.AttributeValueMemberB:
		return "B"
	}
	return fmt.Sprintf("%T", value)
}

func TestAWholeEntityHasTheContractsAttributesAndTheAdditionsInTheirTypes(t *testing.T) {
	for name, e := range entities() {
		t.Run(name, func(t *testing.T) {
			want := map[string]string{}
			for _, of := range []attributes{e.contract, e.additions} {
				for kind, names := range of {
					for _, attribute := range names {
						if want[attribute] != "" {
							t.Errorf("%s is spelled twice", attribute)
						}
						want[attribute] = kind
					}
				}
			}
			rapid.Check(t, func(t *rapid.T) {
				item, err := dynamo.Marshal(whole(t, e.of))
				if err != nil {
					t.Fatal(err)
				}
				got := map[string]string{}
				for attribute, value := range item {
					got[attribute] = kindOf(value)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("not as spelled (-) but as stored (+):\n%s", diff)
				}
			})
		})
	}
}

func TestAnEntityReadIsTheEntityWritten(t *testing.T) {
	for name, e := range entities() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				want := whole(t, e.of)
				item, err := dynamo.Marshal(want)
				if err != nil {
					t.Fatal(err)
				}
				got := reflect.New(reflect.TypeOf(e.of)).Interface()
				if err := dynamo.Unmarshal(item, got); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, sameEntity); diff != "" {
					t.Fatalf("written (-) and read (+):\n%s", diff)
				}
			})
		})
	}
}

func TestAnEmptyOptionalAttributeIsAbsent(t *testing.T) {
	for name, e := range entities() {
		t.Run(name, func(t *testing.T) {
			item, err := dynamo.Marshal(e.of)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Sorted(slices.Values(e.always))
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(item))); diff != "" {
				t.Errorf("what stands even when empty, as spelled (-) and as stored (+):\n%s", diff)
			}
			got := reflect.New(reflect.TypeOf(e.of)).Interface()
			if err := dynamo.Unmarshal(item, got); err != nil {
				t.Fatal(err)
			}
			again, err := dynamo.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(item, again) {
				t.Errorf("an empty entity %v was read and written again as %v", item, again)
			}
		})
	}
}

// An item is in an index when it has both of its keys. One that were in an index too many would cost a write unit for
// ever; one missing would not be found.
func TestAWholeEntityIsInTheIndexesItShouldBeInAndNoOther(t *testing.T) {
	db := dynamotest.StartWhole(t, tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs)
	want := map[string][]string{}
	for name, e := range entities() {
		entity := rapid.Custom(func(t *rapid.T) any { return whole(t, e.of) }).Example(1)
		item, err := dynamo.Marshal(entity)
		if err != nil {
			t.Fatal(err)
		}
		item[e.table.Partition.Name] = dynamo.S(name)
		if e.table.Sort.Name != "" {
			item[e.table.Sort.Name] = dynamo.S(name)
		}
		if err := db.Put(t.Context(), dynamo.Put{Table: e.table, Item: item, If: dynamo.Unconditional}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, index := range e.indexes {
			want[index] = append(want[index], name)
		}
	}
	got := map[string][]string{}
	for _, table := range []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences, tables.AuditLogs} {
		for _, index := range table.Indexes() {
			for _, item := range db.Index(t, table, index.Name) {
				got[index.Name] = append(got[index.Name], dynamo.Text(item, table.Partition.Name))
			}
		}
	}
	for _, names := range []map[string][]string{want, got} {
		for index := range names {
			slices.Sort(names[index])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in the indexes as spelled (-) and as found (+):\n%s", diff)
	}
}

// The contract lists 25 item types of the messages table. Those without a user come with their domains.
func TestWhatIsNoAdditionIsSpelledOutAsTheContractHasIt(t *testing.T) {
	additions := []string{
		"CONFIG#INFRA", "ABOUT", "PHONE", "PERSON", "MEMBER", "ALIAS", "ERASED", "ACCOUNT", "WEBHOOK_CHUNK",
		"NUMBER_SETTING", "FORM", "FLOW", "NOTE", "MENTION", "DRAFT",
		"QUICK_REPLY", "FILTERS", "SEARCH", "EVENT_SUBSCRIPTION",
		"PUSH_DEVICE", "PUSH_KEY",
		"SEARCH_SEGMENT", "CAMPAIGN#PART", "CAMPAIGN#PROGRESS", "CAMPAIGN_USE",
		"RESPONSE_TIMES", "LIBRARY_SEARCH", "LIBRARY_PAGE",
		"outbox event", "outbox sequence", "audit log"}
	var ofTheContract []string
	for name, e := range entities() {
		if slices.Contains(additions, name) {
			continue
		}
		ofTheContract = append(ofTheContract, name)
		if e.table.ID != tables.Messages.ID || len(e.contract) == 0 {
			t.Errorf("%s is not spelled out as the contract has it", name)
		}
	}
	slices.Sort(ofTheContract)
	if diff := cmp.Diff([]string{
		"ADDRESS", "ANALYTICS", "BUSINESS_PROFILE", "CALL", "CAMPAIGN", "CATALOG", "CONFIG", "CONVERSATION",
		"FLOW_RESPONSE", "GROUP", "IDEMPOTENCY", "MEDIA", "MESSAGE", "PAYMENT_CONFIG", "PAYMENT_ORDER", "PRODUCT",
		"QUALITY_RATING", "REFUND", "TEMPLATE_EUM", "TEMPLATE_MEDIA", "TEMPLATE_META", "TENANT", "WEBHOOK_CONFIG",
		"WEBHOOK_EVENT"}, ofTheContract); diff != "" {
		t.Errorf("item types of the contract that have a user:\n%s", diff)
	}
}
