package writing

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/templatecheck"
)

// Meta is asked with the access token of a number.
type Meta interface {
	FindTemplate(ctx context.Context, phone, waba, name, language string) (whatsapp.ListedTemplate, bool, error)
	CreateTemplate(ctx context.Context, phone, waba string, of whatsapp.TemplateDraft) (whatsapp.ListedTemplate, error)
	EditTemplate(ctx context.Context, phone, id string, of whatsapp.TemplateDraft) error
	DeleteTemplate(ctx context.Context, phone, waba, name, id string) error
	UploadSample(ctx context.Context, phone string, of whatsapp.Sample) (handle string, err error)
}

// What is stored of a change that Meta was not asked for.
const (
	problemGone   = "Meta does not have the template any more."
	problemOther  = "Meta has another template of this name in this language."
	problemSample = "A file that was to be a sample is not kept any more."
)

// wished is Meta, with what it is asked for.
type wished struct {
	Meta
	files Bucket
	of    change
}

// result is what Meta made of a change.
type result struct {
	listed  *whatsapp.ListedTemplate // as Meta has it then
	edited  bool
	gone    bool
	problem string
}

// Handler returns the handler of the event. files are those that were uploaded to haatline. asFailure says what the
// outbox does about a refusal.
func (s *Templates) Handler(meta Meta, files Bucket,
	asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[change](event)
		if err != nil {
			return "", err
		}
		t, err := s.Cache.Get(ctx, of.WABAID, of.Name, of.Language)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(t, of) {
			return "", nil // it is answered, or something else was asked since
		}
		if err != nil {
			return "", outbox.Unfinished(err, outbox.NotWritten)
		}
		if !slices.Contains([]string{Create, Edit, Delete}, t.Asked.Wish) {
			return "", outbox.Unreadable(asking.ErrUnknown)
		}
		got, err := s.change(ctx, wished{Meta: meta, files: files, of: of}, *t.Asked)
		if errors.Is(err, errSample) {
			got, err = result{problem: problemSample}, nil
		}
		if failure, last := asking.Refused(err, event, asFailure); last {
			got, err = result{problem: failure.Reason}, nil
		} else if failure != nil { // Meta is asked what it has before it is asked again
			return "", failure
		}
		if err == nil {
			err = s.answer(ctx, of, event.AttemptStartedAt, got)
		}
		return "", outbox.Unfinished(err, outbox.NotWritten)
	}}
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(t model.Template, of change) bool {
	return t.Asked != nil && t.Asked.At == of.AskedAt && t.Asked.AnsweredAt == ""
}

// change looks up what Meta has, asks for what differs, and returns what became of it. It may be repeated: what an
// attempt without an answer has done is found, and not done again.
func (s *Templates) change(ctx context.Context, meta wished, asked model.TemplateAsked) (result, error) {
	of, phone, waba := meta.of, string(meta.of.PhoneNumberID), string(meta.of.WABAID)
	find := func() (*whatsapp.ListedTemplate, error) {
		found, has, err := meta.FindTemplate(ctx, phone, waba, of.Name, of.Language)
		if err != nil || !has || slices.Contains([]string{templates.Deleted, "PENDING_DELETION"}, found.Status) {
			return nil, err
		}
		return &found, nil
	}
	found, err := find()
	if err != nil {
		return result{}, err
	}
	switch {
	case asked.Wish == Delete && found == nil:
		return result{gone: true}, nil
	case asked.Wish == Delete:
		return result{gone: true}, meta.DeleteTemplate(ctx, phone, waba, of.Name, found.ID)
	case asked.Wish == Edit && found == nil:
		return result{gone: true, problem: problemGone}, nil
	case found != nil && isAs(asked, *found):
		return result{listed: found, edited: asked.Wish == Edit}, nil
	case asked.Wish == Edit:
		draft, err := s.draftOf(ctx, meta, asked)
		if err == nil {
			err = meta.EditTemplate(ctx, phone, found.ID, draft)
		}
		if err != nil {
			return result{}, err
		}
		found, err = find()
		return result{listed: found, edited: true}, err
	case found != nil:
		return result{listed: found, problem: problemOther}, nil
	}
	return s.create(ctx, find, meta, asked)
}

// create asks for a new template. Meta may have taken it from an attempt that it did not answer, and not have listed it
// before it was asked again: then it refuses one that exists, and lists it.
func (s *Templates) create(ctx context.Context, find func() (*whatsapp.ListedTemplate, error), meta wished,
	asked model.TemplateAsked) (result, error) {
	draft, err := s.draftOf(ctx, meta, asked)
	if err != nil {
		return result{}, err
	}
	created, err := meta.CreateTemplate(ctx, string(meta.of.PhoneNumberID), string(meta.of.WABAID), draft)
	if err != nil {
		if found, _ := find(); found != nil && isAs(asked, *found) {
			return result{listed: found}, nil
		}
		return result{}, err
	}
	if asked.Library != nil { // Meta has written it
		if found, err := find(); err == nil && found != nil {
			created.Components = found.Components
		}
	}
	for _, c := range asked.Components {
		created.Components = append(created.Components, json.RawMessage(c))
	}
	return result{listed: &created}, nil
}

// isAs reports whether Meta has a template as it was asked for. The category of a new one is Meta's choice.
func isAs(asked model.TemplateAsked, found whatsapp.ListedTemplate) bool {
	if asked.Wish == Edit && asked.Category != "" && asked.Category != found.Category {
		return false
	}
	if asked.Library != nil {
		return found.Library == asked.Library.Name
	}
	has := make([]model.Document, len(found.Components))
	for i, c := range found.Components {
		has[i] = model.DocumentOf(c)
	}
	return len(contentDiffers(asked.Components, has, found.Category)) == 0
}

// draftOf returns what Meta is asked for, with the handles of the samples.
func (s *Templates) draftOf(ctx context.Context, meta wished, asked model.TemplateAsked) (whatsapp.TemplateDraft,
	error) {
	d := whatsapp.TemplateDraft{Name: meta.of.Name, Language: meta.of.Language, Category: asked.Category,
		ParameterFormat: "POSITIONAL"}
	if of := asked.Library; of != nil {
		d.ParameterFormat, d.LibraryTemplate, d.LibraryBody = "", of.Name, json.RawMessage(of.Body)
		for _, b := range of.Buttons {
			d.LibraryButtons = append(d.LibraryButtons, json.RawMessage(b))
		}
		return d, nil
	}
	handles, err := s.upload(ctx, meta, asked)
	if err != nil {
		return d, err
	}
	for _, c := range asked.Components {
		component, err := whatsapp.WithHandles(json.RawMessage(c), handles)
		if err != nil {
			return d, err
		}
		d.Components = append(d.Components, component)
		if text := whatsapp.ObjectOf(json.RawMessage(c)).Text("text"); templatecheck.Named(text) {
			d.ParameterFormat = "NAMED"
		}
	}
	return d, nil
}

// answer stores what became of a change. The condition is that it is still waited for.
func (s *Templates) answer(ctx context.Context, of change, began model.Time, got result) error {
	key, err := templates.Key(of.WABAID, of.Name, of.Language)
	if err != nil {
		return err
	}
	return templates.Change(ctx, s.DB, key, func(t *model.Template) ([]dynamo.Write, bool, error) {
		if !current(*t, of) {
			return nil, false, nil
		}
		answered := *t.Asked
		answered.AnsweredAt, answered.Problem = model.At(s.Now()), got.problem
		t.Asked = &answered
		if got.listed != nil {
			templates.Listed(t, *got.listed, began)
		}
		if got.edited {
			templates.NoteEdit(t, began)
		}
		if got.gone {
			templates.Gone(t, "ASKED_FOR", began)
		}
		return nil, true, nil
	})
}
