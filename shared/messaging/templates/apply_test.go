package templates

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

func place(second int) model.Order {
	return model.OrderOf(model.Time(fmt.Sprintf("2026-11-21T12:00:%02d.999Z", second)), 1)
}

// said decodes events and applies them, each at its second.
func said(t *model.Template, events ...func() (int, string, whatsapp.Object)) {
	for _, event := range events {
		second, field, value := event()
		for _, c := range whatsapp.DecodeTemplateEvent(field, value).Changes {
			apply(t, c, place(second))
		}
	}
}

func event(second int, field, value string) func() (int, string, whatsapp.Object) {
	return func() (int, string, whatsapp.Object) {
		var o whatsapp.Object
		if err := o.UnmarshalJSON([]byte(value)); err != nil {
			panic(err)
		}
		return second, "message_template_" + field, o
	}
}

func category(second int, value string) func() (int, string, whatsapp.Object) {
	return func() (int, string, whatsapp.Object) {
		_, _, o := event(second, "", value)()
		return second, "template_category_update", o
	}
}

// standingOf is what stands of a template.
type standingOf struct{ Status, Reason, Detail, Category, Correct, Quality string }

func TestWhatStandsIsWhatMetaSaidLast(t *testing.T) {
	approved := event(1, "status_update", `{"event":"APPROVED","reason":"NONE","message_template_category":"UTILITY"}`)
	for name, c := range map[string]struct {
		events []func() (int, string, whatsapp.Object)
		want   standingOf
	}{
		"approved": {
			[]func() (int, string, whatsapp.Object){approved}, standingOf{Status: "APPROVED", Category: "UTILITY"}},
		"paused, and told before": {
			[]func() (int, string, whatsapp.Object){
				event(2, "status_update",
					`{"event":"PAUSED","other_info":{"title":"FIRST_PAUSE","description":"for 3 hours"}}`), approved},
			standingOf{Status: "PAUSED", Reason: "FIRST_PAUSE", Detail: "for 3 hours", Category: "UTILITY"}},
		"rejected": {
			[]func() (int, string, whatsapp.Object){
				event(2, "status_update",
					`{"event":"REJECTED","reason":"INVALID_FORMAT","rejection_info":{"reason":"x",`+
						`"recommendation":"Add a variable."}}`)},
			standingOf{Status: "REJECTED", Reason: "INVALID_FORMAT", Detail: "Add a variable."},
		},
		"locked by a pause, and unlocked": {
			[]func() (int, string, whatsapp.Object){
				event(2, "status_update", `{"event":"LOCKED","other_info":{"title":"RATE_LIMITING_PAUSE"}}`),
				event(3, "status_update", `{"event":"LOCKED","other_info":{"title":"UNPAUSE"}}`)},
			standingOf{Status: "APPROVED", Reason: "UNPAUSE"},
		},
		"taken back": {
			[]func() (int, string, whatsapp.Object){
				approved, event(2, "status_update", `{"event":"DISABLED","disable_info":{"disable_date":1751234563}}`),
				event(3, "status_update", `{"event":"REINSTATED"}`)},
			standingOf{Status: "APPROVED", Category: "UTILITY"}},
		"a status nobody knows": {
			[]func() (int, string, whatsapp.Object){event(2, "status_update", `{"event":"SOMETHING_NEW"}`)}, standingOf{
				Status: "SOMETHING_NEW"}},
		"a quality": {
			[]func() (int, string, whatsapp.Object){
				event(2, "quality_update", `{"previous_quality_score":"GREEN","new_quality_score":"RED"}`)},
			standingOf{Quality: "RED"}},
		"a category announced": {
			[]func() (int, string, whatsapp.Object){
				approved, category(2, `{"new_category":"UTILITY","correct_category":"MARKETING"}`)},
			standingOf{Status: "APPROVED", Category: "UTILITY", Correct: "MARKETING"}},
		"and changed": {
			[]func() (int, string, whatsapp.Object){
				category(3, `{"previous_category":"UTILITY","new_category":"MARKETING"}`), approved,
				category(2, `{"new_category":"UTILITY","correct_category":"MARKETING"}`)},
			standingOf{Status: "APPROVED", Category: "MARKETING"}},
		"what is not as it should": {
			[]func() (int, string, whatsapp.Object){
				event(2, "status_update", `{"event":{},"message_template_category":[]}`),
				event(2, "quality_update", `{}`), category(3, `{"new_category":null}`)}, standingOf{}},
	} {
		t.Run(name, func(t *testing.T) {
			var got model.Template
			said(&got, c.events...)
			said(&got, c.events...)
			stands := standingOf{
				got.Status, got.Reason, got.Detail, got.Category, got.CorrectCategory, got.QualityScore}
			if diff := cmp.Diff(c.want, stands); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheOrderOfEventsAndTheirRepetitionChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type one struct {
			second int
			change whatsapp.TemplateChange
		}
		var all []one
		for second := range rapid.IntRange(1, maxHistory+9).Draw(t, "events") {
			aspect := rapid.SampledFrom([]string{
				whatsapp.TemplateStatus, whatsapp.TemplateQuality, whatsapp.TemplateCategory,
				whatsapp.TemplateCorrection, whatsapp.TemplateContent}).Draw(t, "aspect")
			all = append(all, one{second, whatsapp.TemplateChange{Aspect: aspect, Value: fmt.Sprint("value-", second)}})
		}
		var inOrder, shuffled model.Template
		for _, e := range all {
			apply(&inOrder, e.change, place(e.second))
		}
		for _, e := range append(rapid.Permutation(all).Draw(t, "shuffled"),
			rapid.Permutation(all).Draw(t, "again")...) {
			apply(&shuffled, e.change, place(e.second))
		}
		if diff := cmp.Diff(inOrder, shuffled); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestContentShowsWhatACustomerGets(t *testing.T) {
	template := model.Template{Components: []model.Document{
		model.Document(`{"type":"HEADER","format":"TEXT","text":"Order {{1}}"}`),
		model.Document(`{"type":"BODY","text":"Hi {{2}}, {{1}} and {{10}} are ready."}`),
		model.Document(`{"type":"FOOTER","text":"Thanks"}`),
		model.Document(
			`{"type":"BUTTONS","buttons":[{"type":"URL","text":"See","url":"https://example.com/{{1}}"},` +
				`{"type":"QUICK_REPLY","text":"Later"}]}`),
		model.Document(`{"raw":"[not a component"}`),
	}}
	want := Content{
		Header: &Part{Format: "TEXT", Text: "Order {{1}}", Variables: []string{"1"}, Rendered: "Order {{2}}"},
		Body: &Part{
			Text: "Hi {{2}}, {{1}} and {{10}} are ready.", Variables: []string{"1", "2", "10"},
			Rendered: "Hi Asha, rice and {{10}} are ready."},
		Footer: "Thanks",
		Buttons: []PartButton{
			{Type: "URL", Text: "See", URL: "https://example.com/{{1}}", Variables: []string{"1"}},
			{Type: "QUICK_REPLY", Text: "Later", Variables: []string{}},
		},
	}
	if diff := cmp.Diff(want, ContentOf(template, []string{"{{2}}"}, []string{"rice", "Asha"})); diff != "" {
		t.Error(diff)
	}
}
