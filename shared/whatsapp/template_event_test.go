package whatsapp_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

// Meta's example of a template's quality carries the name of the status field.
func TestAQualityIsReadUnderTheNameOfEitherField(t *testing.T) {
	var value whatsapp.Object
	err := json.Unmarshal(
		[]byte(`{"message_template_id":7,"message_template_name":"bill","message_template_language":"en-US",`+
			`"new_quality_score":"RED"}`), &value)
	if err != nil {
		t.Fatal(err)
	}
	want := whatsapp.TemplateEvent{
		ID: "7", Name: "bill", Language: "en_US",
		Changes: []whatsapp.TemplateChange{{Aspect: whatsapp.TemplateQuality, Value: "RED"}},
	}
	for _, field := range []string{"message_template_quality_update", "message_template_status_update"} {
		if diff := cmp.Diff(want, whatsapp.DecodeTemplateEvent(field, value)); diff != "" {
			t.Errorf("%s:\n%s", field, diff)
		}
	}
}
