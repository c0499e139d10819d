// Package writing creates, edits and deletes Meta's message templates. A change is kept on the template as what was
// asked, and leaves by the outbox. The state of a template is what Meta says of it.
package writing

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/templatecheck"
)

// EventChange is the outbox event that asks Meta for a change of a template.
const EventChange = "whatsapp.templates.change"

// What is asked for.
const (
	Create = "create"
	Edit   = "edit"
	Delete = "delete"
)

// Meta takes one edit of an approved template a day, and ten in thirty days.
const (
	day       = 24 * time.Hour
	month     = 30 * day
	mostEdits = 10
)

var (
	// ErrWaits means that another change of the template is under way.
	ErrWaits = problem.New("a change of the template is under way", problem.Error{
		Class: problem.Conflict, Code: "template-change-waits", Title: "A change is under way",
		Detail: "Meta has not answered the change of this template that was asked for before. Wait for the answer.",
	})
	// ErrExists means that Meta has a template of the name in the language.
	ErrExists = problem.New("the template exists", problem.Error{
		Class: problem.Conflict, Code: "template-exists", Title: "The template exists",
		Detail: "The account has a template of this name in this language. Edit it, or choose another name.",
	})
)

// Templates asks Meta for changes of templates.
type Templates struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Outbox *outbox.Outbox
	Cache  *templates.Cache
}

// Of is the account whose template is to change, with a number whose token is used, and who asks for it.
type Of struct {
	templates.Sync
	By string
}

// Draft is what a template shall be.
type Draft struct {
	Name, Language string
	Category       string // of an edit: "" leaves it as it is
	Components     []json.RawMessage
	Library        *model.LibraryTemplate // of one of Meta's library; it has no components
}

// change is the payload of the event.
type change struct {
	WABAID        model.WABAID        `json:"wabaId"`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"` // whose access token is used
	Name          string              `json:"name"`
	Language      string              `json:"language"`
	AskedAt       model.Time          `json:"askedAt"`
}

// Create has Meta asked for a new template. It returns a problem with every fault of the draft, ErrExists and ErrWaits.
// Its condition is that the template is as it was read.
func (s *Templates) Create(ctx context.Context, of Of, d Draft) (model.Template, error) {
	if err := faulty(templatecheck.Faults(templatecheck.Template{
		Name: d.Name, Language: d.Language, Category: d.Category, Components: d.Components})); err != nil {
		return model.Template{}, err
	}
	if err := s.samples(ctx, d.Components); err != nil {
		return model.Template{}, err
	}
	return s.ask(ctx, of, d, Create, creates(of.WABA, d))
}

// creates returns the function that begins a new template. The function returns ErrExists if the template is there.
func creates(waba model.WABAID, d Draft) func(t *model.Template) error {
	return func(t *model.Template) error {
		if there(*t) {
			return ErrExists
		}
		if t.Status == templates.Deleted { // Meta gives the new one another id
			t.TemplateID = ""
		}
		templates.Begin(t, waba, d.Name, d.Language)
		return nil
	}
}

// CreateFromLibrary has Meta asked for a new template that is one of Meta's library. Meta approves such a template at
// once. It returns a problem with every fault of the draft, ErrExists and ErrWaits. Its condition is that the template
// is as it was read.
func (s *Templates) CreateFromLibrary(ctx context.Context, of Of, d Draft) (model.Template, error) {
	faults := templatecheck.Kind(d.Name, d.Language, d.Category)
	if d.Category == templatecheck.Marketing {
		faults = append(faults, problem.Field{Path: "category", Detail: "the library has UTILITY and AUTHENTICATION"})
	}
	if err := faulty(faults); err != nil {
		return model.Template{}, err
	}
	return s.ask(ctx, of, d, Create, creates(of.WABA, d))
}

// Edit has Meta asked to change a template. It returns a problem with every fault of the draft, dynamo.ErrNotFound,
// ErrWaits, and a problem for an edit that Meta does not take now. Its condition is that the template is as it was
// read.
func (s *Templates) Edit(ctx context.Context, of Of, d Draft) (model.Template, error) {
	if err := s.samples(ctx, d.Components); err != nil {
		return model.Template{}, err
	}
	return s.ask(ctx, of, d, Edit, func(t *model.Template) error {
		if !there(*t) {
			return dynamo.ErrNotFound
		}
		category := d.Category
		if category == "" {
			category = t.Category
		}
		faults := templatecheck.Contents(category, d.Components)
		if d.Category != "" {
			faults = append(faults, templatecheck.Category(d.Category)...)
		}
		if err := faulty(faults); err != nil {
			return err
		}
		return s.editable(*t, d)
	})
}

// Delete has Meta asked to delete a template in one language. It returns dynamo.ErrNotFound and ErrWaits. Its condition
// is that the template is as it was read.
func (s *Templates) Delete(ctx context.Context, of Of, name, language string) (model.Template, error) {
	return s.ask(ctx, of, Draft{Name: name, Language: language}, Delete, func(t *model.Template) error {
		if !there(*t) && !templates.NeverTaken(*t) {
			return dynamo.ErrNotFound
		}
		return nil
	})
}

// DeleteAll has Meta asked to delete a template in all languages. It may be repeated, and goes on where it has stopped.
// It returns dynamo.ErrNotFound if there is none, and ErrWaits. The condition of each language is its own.
func (s *Templates) DeleteAll(ctx context.Context, of Of, name string) ([]model.Template, error) {
	all, err := s.Cache.Of(ctx, of.WABA)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t model.Template) bool {
		return t.TemplateName != name || !there(t) && !templates.NeverTaken(t)
	})
	if len(all) == 0 {
		return nil, dynamo.ErrNotFound
	}
	slices.SortFunc(all, func(a, b model.Template) int { return cmp.Compare(a.Language, b.Language) })
	for i, t := range all {
		all[i], err = s.Delete(ctx, of, name, t.Language)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return nil, err
		}
	}
	return all, nil
}

// there reports whether Meta has a template, as far as is known.
func there(t model.Template) bool {
	return t.Version > 0 && !templates.NeverTaken(t) && t.Status != templates.Deleted
}

// ask keeps what is asked for, and queues the event that asks Meta. The same change that waits already is not asked for
// again. allowed may change the template.
func (s *Templates) ask(ctx context.Context, of Of, d Draft, wish string,
	allowed func(t *model.Template) error) (asked model.Template, err error) {
	key, err := templates.Key(of.WABA, d.Name, d.Language)
	if err != nil {
		return asked, err
	}
	wanted := model.TemplateAsked{Wish: wish, Category: d.Category, By: of.By, Library: d.Library}
	for _, c := range d.Components {
		wanted.Components = append(wanted.Components, model.DocumentOf(c))
	}
	err = templates.Change(ctx, s.DB, key, func(t *model.Template) ([]dynamo.Write, bool, error) {
		now := s.Now()
		if t.Asked != nil && asking.Waits(t.Asked.At, t.Asked.AnsweredAt, now) {
			asked = *t
			if same(*t.Asked, wanted) {
				return nil, false, nil
			}
			return nil, false, ErrWaits
		}
		if err := allowed(t); err != nil {
			return nil, false, err
		}
		kept := wanted
		kept.At = model.At(now)
		t.Asked = &kept
		asked = *t
		writes, err := s.Outbox.Queue(ctx,
			outbox.Entity{Tenant: of.Tenant, Type: keys.EntityTemplates, ID: string(of.WABA)}, EventChange,
			change{of.WABA, of.Phone, t.TemplateName, t.Language, kept.At})
		return writes, true, err
	})
	return asked, err
}

// same reports whether two changes want the same.
func same(a, b model.TemplateAsked) bool {
	return a.Wish == b.Wish && a.Category == b.Category && dynamo.StoredAlike(a.Library, b.Library) &&
		len(differences("", values(a.Components), values(b.Components))) == 0 &&
		len(differences("", values(b.Components), values(a.Components))) == 0
}

func faulty(faults []problem.Field) error {
	if len(faults) == 0 {
		return nil
	}
	for i := range faults {
		faults[i].Path = "body." + faults[i].Path
	}
	return problem.New("the template is not right", problem.Error{Class: problem.Invalid, Fields: faults})
}

// editable returns why Meta does not take an edit now, and when it does.
func (s *Templates) editable(t model.Template, d Draft) error {
	if !slices.Contains([]string{"APPROVED", "REJECTED", "PAUSED"}, t.Status) || t.TemplateID == "" {
		return notNow("template-not-editable", "Meta takes edits of templates that are APPROVED, REJECTED or PAUSED. "+
			"Meta has this one as %q.", t.Status)
	}
	if t.Status != "APPROVED" {
		return nil
	}
	if d.Category != "" && d.Category != t.Category {
		return notNow("template-category-fixed",
			"Meta does not change the category of an approved template on request. This one is %s.", t.Category)
	}
	now, edits := s.Now(), templates.Edits(t)
	edits = slices.DeleteFunc(edits, func(at time.Time) bool { return now.Sub(at) >= month })
	if len(edits) == 0 {
		return nil
	}
	again := edits[len(edits)-1].Add(day)
	if len(edits) >= mostEdits {
		if first := edits[len(edits)-mostEdits].Add(month); first.After(again) {
			again = first
		}
	}
	if now.Before(again) {
		return notNow("template-edited-too-often",
			"Meta takes one edit of an approved template a day, and ten in 30 days. This one may be edited again "+
				"from %s.", model.At(again))
	}
	return nil
}

func notNow(code, detail string, values ...any) error {
	return problem.New(code, problem.Error{
		Class: problem.Conflict, Code: code, Title: "The template cannot be edited now",
		Detail: fmt.Sprintf(detail, values...)})
}
