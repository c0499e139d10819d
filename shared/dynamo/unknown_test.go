package dynamo_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// An attribute that the type has no field for is read and stored again. One that it has a field for goes with its
// value.
func TestWhatTheTypeHasNoFieldForIsKept(t *testing.T) {
	type entity struct {
		model.Rest
		PK   string `dynamodbav:"pk"`
		Note string `dynamodbav:"note,omitempty"`
		Bare string
	}
	var read entity
	err := dynamo.Unmarshal(dynamo.Item{
		"pk": dynamo.S("A"), "note": dynamo.S("old"), "Bare": dynamo.S("b"), "later": dynamo.N(7)}, &read)
	if err != nil || len(read.Unknown) != 1 {
		t.Fatalf("%+v, %v", read, err)
	}
	read.Note = ""
	item, err := dynamo.Marshal(&read)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name := range item {
		got[name] = dynamo.Text(item, name)
	}
	if diff := cmp.Diff(map[string]string{"pk": "A", "Bare": "b", "later": ""}, got); diff != "" ||
		dynamo.Int(item, "later") != 7 {
		t.Error(diff)
	}
}
