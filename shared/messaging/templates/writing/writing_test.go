package writing_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/messaging/templates/writing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func TestATemplateIsCreatedEditedAndDeleted(t *testing.T) {
	s := newShop(t)
	ctx := t.Context()
	if _, err := s.rooms.Writing.Create(ctx, of, draft("{{1}}")); codes(err) !=
		"body.components[0].textbody.components[0].textbody.components[0].example" {
		t.Error(codes(err))
	}
	for range 2 { // a repetition asks for nothing more
		if _, err := s.rooms.Writing.Create(ctx, of, draft("Your bill is ready.")); err != nil {
			t.Fatal(err)
		}
	}
	s.want("created", `"" create waits`)
	if _, err := s.rooms.Writing.Create(ctx, of, draft("Another.")); !errors.Is(err, writing.ErrWaits) {
		t.Error(err)
	}
	if one, err := s.rooms.TemplateCache.Get(ctx, wt.WABA, "bill", "en"); err != nil || templates.Sendable(one) {
		t.Error("a template that Meta does not have is sent", err)
	}
	s.runs()
	s.want("taken", `"PENDING" create answered`)
	if _, err := s.rooms.Writing.Create(ctx, of, draft("Another.")); !errors.Is(err, writing.ErrExists) {
		t.Error(err)
	}
	if _, err := s.rooms.Writing.Edit(ctx, of, draft("Another.")); codes(err) != "template-not-editable" {
		t.Error(codes(err))
	}
	s.approves()
	if _, err := s.rooms.Writing.Edit(ctx, of, draft("Your new bill is ready.")); err != nil {
		t.Fatal(err)
	}
	s.want("to be edited", `"APPROVED" edit waits`)
	s.runs()
	s.want("edited", `"PENDING" edit answered`)
	s.approves()
	if _, err := s.rooms.Writing.Edit(ctx, of, draft("Once more.")); codes(err) != "template-edited-too-often" {
		t.Error(codes(err))
	}
	if all, err := s.rooms.Writing.DeleteAll(ctx, of, "bill"); err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	s.runs()
	s.want("deleted", `"DELETED" delete answered`)
	_, err := s.rooms.Writing.DeleteAll(ctx, of, "bill")
	_, err2 := s.rooms.Writing.Delete(ctx, of, "bill", "en")
	if !errors.Is(err, dynamo.ErrNotFound) || !errors.Is(err2, dynamo.ErrNotFound) {
		t.Error(err, err2)
	}
	if diff := cmp.Diff([]string{"create bill", "edit 57227", "delete bill 57227"}, s.meta.calls); diff != "" {
		t.Error(diff)
	}
}

// approves has Meta approve the template, and tell it a minute later.
func (s *shop) approves() {
	s.Helper()
	s.now = s.now.Add(time.Minute)
	listed := s.meta.has["bill:en"]
	listed.Status = "APPROVED"
	s.meta.has["bill:en"] = listed
	key, _ := templates.Key(wt.WABA, "bill", "en")
	err := dynamo.Change(s.Context(), s.db.Client, tables.Messages, key,
		func(t *model.Template) ([]dynamo.Write, bool, error) {
			templates.Listed(t, listed, model.At(s.now))
			return nil, true, nil
		})
	if err != nil {
		s.Fatal(err)
	}
	s.now = s.now.Add(time.Minute)
}

func TestARefusalIsShown(t *testing.T) {
	s := newShop(t)
	s.meta.refuses = &whatsapp.SendError{Class: whatsapp.Never, HTTP: 400,
		Meta: whatsapp.Error{Code: 100, Details: "The name is not available for 30 days."}}
	if _, err := s.rooms.Writing.Create(t.Context(), of, draft("Your bill is ready.")); err != nil {
		t.Fatal(err)
	}
	s.runs()
	s.want("refused", `"" create answered WhatsApp error 100: The name is not available for 30 days.`)
	if _, err := s.rooms.Writing.Create(t.Context(), of, draft("Your bill is there.")); err != nil {
		t.Error("it cannot be asked for again:", err)
	}
}

// Meta has taken a template whose answer was lost. It is found, and not created again, whether Meta lists it by then or
// refuses a second one.
func TestALostAnswerCreatesNoSecondTemplate(t *testing.T) {
	for name, c := range map[string]struct {
		hidden int
		calls  int
		has    string
		want   string
	}{
		"it is listed":  {0, 1, "", `"PENDING" create answered`},
		"it is refused": {1, 2, "", `"PENDING" create answered`},
		"it is another": {0, 1, "Something else.", `"PENDING" create answered Meta has another template of this ` +
			`name in this language.`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.meta.loses, s.meta.hidden = true, 2
			if _, err := s.rooms.Writing.Create(t.Context(), of, draft("Your bill is ready.")); err != nil {
				t.Fatal(err)
			}
			s.runs()
			s.want("no answer", `"" create waits`)
			if s.meta.hidden = c.hidden; c.hidden > 0 {
				s.meta.refuses = &whatsapp.SendError{Class: whatsapp.Never, HTTP: 400, Meta: whatsapp.Error{Code: 100}}
			}
			if listed := s.meta.has["bill:en"]; c.has != "" {
				listed.Components = components(c.has)
				s.meta.has["bill:en"] = listed
			}
			s.now = s.now.Add(5 * time.Minute)
			s.runs()
			if s.want("found", c.want); len(s.meta.calls) != c.calls {
				t.Error(s.meta.calls)
			}
		})
	}
}

// Meta does not ask whether it may give a template another category.
func TestATemplateHasTheCategoryThatMetaGivesIt(t *testing.T) {
	s := newShop(t)
	s.meta.gives = "MARKETING"
	if _, err := s.rooms.Writing.Create(t.Context(), of, draft("Half price today.")); err != nil {
		t.Fatal(err)
	}
	s.runs()
	is, err := s.rooms.TemplateCache.Get(t.Context(), wt.WABA, "bill", "en")
	if err != nil || is.Category != "MARKETING" || is.Asked.Category != "UTILITY" || is.Asked.Problem != "" {
		t.Errorf("%+v, %v", is, err)
	}
	want := []writing.Difference{{"category", `"UTILITY"`, `"MARKETING"`}}
	if diff := cmp.Diff(want, writing.Differences(is)); diff != "" {
		t.Error(diff)
	}
}

func TestNamedVariablesAreAskedForAsSuch(t *testing.T) {
	s := newShop(t)
	d := draft("")
	d.Components = []json.RawMessage{json.RawMessage(`{"type":"BODY","text":"Hello {{who}}, your bill is ready.",` +
		`"example":{"body_text_named_params":[{"param_name":"who","example":"Asha"}]}}`)}
	if _, err := s.rooms.Writing.Create(t.Context(), of, d); err != nil {
		t.Fatal(err)
	}
	s.runs()
	if len(s.meta.drafts) != 1 || s.meta.drafts[0].ParameterFormat != "NAMED" {
		t.Errorf("%+v", s.meta.drafts)
	}
}

func TestASampleIsShownToMeta(t *testing.T) {
	s := newShop(t)
	photo := model.Media{PK: keys.Media("photo").Partition, ItemType: model.ItemMedia, MediaID: "photo",
		S3Bucket: "b", S3Key: "files/photo", ContentType: "image/png", ContentLength: 7, UploadedBy: "user-1"}
	theirs := photo // a customer has sent it
	theirs.PK, theirs.MediaID, theirs.UploadedBy = keys.Media("theirs").Partition, "theirs", ""
	s.db.Seed(t, tables.Messages, photo, theirs)
	with := func(file string) writing.Draft {
		d := draft("Your bill is ready.")
		d.Components = append(d.Components, json.RawMessage(
			`{"type":"HEADER","format":"IMAGE","example":{"header_handle":["media:`+file+`"]}}`))
		return d
	}
	for _, file := range []string{"theirs", "none", "a#b", ""} {
		if _, err := s.rooms.Writing.Create(t.Context(), of, with(file)); !errors.Is(err, writing.ErrNoSample) {
			t.Error(file, err)
		}
	}
	if _, err := s.rooms.Writing.Create(t.Context(), of, with("photo")); err != nil {
		t.Fatal(err)
	}
	s.runs()
	s.want("taken", `"PENDING" create answered`)
	if got := string(s.meta.drafts[0].Components[1]); !strings.Contains(got, `"4::image/pngfiles/photo"`) {
		t.Error(got)
	}
	var kept model.TemplateMedia
	err := s.db.Client.Get(t.Context(), tables.Messages, keys.TemplateMedia("photo"), &kept)
	if err != nil || kept.S3Key != "files/photo" || kept.WABAID != wt.WABA || kept.ContentLength != 7 {
		t.Errorf("%+v %v", kept, err)
	}
}

func TestEditsAreLimitedAsMetaLimitsThem(t *testing.T) {
	edits := func(ago ...time.Duration) []model.TemplateChange {
		var all []model.TemplateChange
		for _, d := range ago {
			all = append(all, model.TemplateChange{Aspect: whatsapp.TemplateContent, Event: templates.Edited,
				Order: model.OrderOf(model.At(noon.Add(-d)), 0)})
		}
		return all
	}
	var ten []time.Duration
	for i := range 10 {
		ten = append(ten, time.Duration(29-2*i)*24*time.Hour)
	}
	again := []time.Duration{11*24*time.Hour - time.Minute} // a minute after the last one
	for name, c := range map[string]struct {
		status, category string
		history          []model.TemplateChange
		want             string
	}{
		"approved":      {"APPROVED", "", nil, "<nil>"},
		"pending":       {"PENDING", "", nil, "template-not-editable"},
		"today":         {"APPROVED", "", edits(23 * time.Hour), "template-edited-too-often"},
		"yesterday":     {"APPROVED", "UTILITY", edits(24 * time.Hour), "<nil>"},
		"ten times":     {"APPROVED", "", edits(ten...), "template-edited-too-often"},
		"nine times":    {"APPROVED", "", edits(ten[1:]...), "<nil>"},
		"its category":  {"APPROVED", "MARKETING", nil, "template-category-fixed"},
		"once rejected": {"REJECTED", "MARKETING", edits(time.Hour), "<nil>"},
		"paused":        {"PAUSED", "", edits(ten...), "<nil>"},
		"told twice":    {"APPROVED", "", edits(slices.Concat(ten[1:], again)...), "<nil>"},
		"gone":          {"DELETED", "", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.db.Seed(t, tables.Messages, model.Template{
				PK: keys.TemplateMeta(wt.WABA, "bill", "en").Partition, ItemType: model.ItemTemplateMeta,
				WABAMetaID: wt.WABA, TemplateName: "bill", Language: "en", Status: c.status, TemplateID: "57227",
				Category: "UTILITY", History: c.history, Version: 1})
			d := draft("Your bill is here.")
			d.Category = c.category
			if _, err := s.rooms.Writing.Edit(t.Context(), of, d); codes(err) != c.want {
				t.Error(codes(err))
			}
		})
	}
}

func TestDifferencesAreNamed(t *testing.T) {
	docs := func(all ...string) []model.Document {
		var list []model.Document
		for _, text := range all {
			list = append(list, model.Document(text))
		}
		return list
	}
	for name, c := range map[string]struct {
		asked, has []model.Document
		category   string
		want       []writing.Difference
	}{
		"the same, in another order and with other samples": {
			asked: docs(`{"type":"body","text":"a {{1}} b","example":{"body_text":[["x"]]}}`, `{"type":"FOOTER","text":"f"}`),
			has:   docs(`{"type":"FOOTER","text":"f"}`, `{"type":"BODY","text":"a {{1}} b","more":1}`)},
		"another text, and a footer more": {
			asked: docs(`{"type":"BODY","text":"a"}`), has: docs(`{"type":"BODY","text":"b"}`, `{"type":"FOOTER","text":"f"}`),
			want: []writing.Difference{{"BODY.text", `"a"`, `"b"`}, {"FOOTER", "", `{"text":"f","type":"FOOTER"}`}}},
		"a button less": {
			asked: docs(`{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"a"}]}`), has: docs(`{"type":"BUTTONS","buttons":[]}`),
			want: []writing.Difference{{"BUTTONS.buttons", `[{"text":"a","type":"QUICK_REPLY"}]`, "[]"}}},
		"another category": {category: "MARKETING",
			want: []writing.Difference{{"category", `"UTILITY"`, `"MARKETING"`}}},
	} {
		t.Run(name, func(t *testing.T) {
			template := model.Template{Category: "UTILITY", Components: c.has,
				Asked: &model.TemplateAsked{Wish: writing.Create, Category: "UTILITY", Components: c.asked}}
			if c.category != "" {
				template.Category = c.category
			}
			if diff := cmp.Diff(c.want, writing.Differences(template)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAChangeSurvivesEveryCrashPoint(t *testing.T) {
	for _, wish := range []string{writing.Create, writing.Edit, writing.Delete} {
		t.Run(wish, func(t *testing.T) {
			var at *meta
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences},
				Seed: func(t testing.TB, db *dynamotest.DB) {
					at = &meta{has: map[string]whatsapp.ListedTemplate{}}
					if wish != writing.Create {
						at.has["bill:en"] = whatsapp.ListedTemplate{
							ID: "57227", Name: "bill", Language: "en", Status: "APPROVED", Category: "UTILITY"}
					}
					db.Seed(t, tables.Messages, model.Template{
						PK: keys.TemplateMeta(wt.WABA, "bill", "en").Partition, ItemType: model.ItemTemplateMeta,
						WABAMetaID: wt.WABA, TemplateName: "bill", Language: "en", Version: 1,
						Asked: &model.TemplateAsked{Wish: wish, Category: "UTILITY", At: model.At(noon), By: "user-1",
							Components: []model.Document{model.Document(`{"type":"BODY","text":"Hi"}`)}}})
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					rooms := messaging.New(messaging.Config{DB: client, Now: func() time.Time { return noon }})
					_, err := rooms.Writing.Handler(at, at, sending.AsFailure).Send(ctx, model.OutboxEvent{
						EcosystemID: "demo", AttemptStartedAt: model.At(noon),
						Payload: []byte(`{"wabaId":"` + wt.WABA + `","phoneNumberId":"` + wt.Phone +
							`","name":"bill","language":"en","askedAt":"` + string(model.At(noon)) + `"}`)})
					if len(at.calls) > 1 {
						t.Error("Meta was asked twice:", at.calls)
					}
					return err
				},
			})
			t.Logf("%d crash points", points)
		})
	}
}
