package templates

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// staleAfter is the age from which the cache is listed anew when it lacks a template that somebody sends.
const staleAfter = time.Hour

// ErrUnknown means that the account has no such template in this language.
var ErrUnknown = problem.New("no such template", problem.Error{
	Class: problem.Invalid, Field: "body.name",
	Detail: "the account has no template of this name in this language; a new one is known within minutes, or " +
		"after POST /v1/template-syncs",
})

// ErrRestricted means that Meta does not let the account write first for now.
var ErrRestricted = problem.New("the account may not send templates", problem.Error{
	Class: problem.Conflict, Code: "account-restricted", Title: "Account restricted",
	Detail: "Meta does not let this WhatsApp Business Account begin conversations for now. Customers who have " +
		"written in the last 24 hours can be answered. " +
		"The list of numbers says until when.",
})

// CheckRefs returns the items that Check needs, so that the caller reads them together with its own.
func (s *Cache) CheckRefs(phone model.PhoneNumberID, name, language string) []dynamo.Ref {
	refs := []dynamo.Ref{phoneRef(phone)}
	if waba, known := s.accounts.Load(phone); known {
		refs = append(refs, templateRefs(waba.(model.WABAID), name, language)...)
	}
	return refs
}

func templateRefs(waba model.WABAID, name, language string) []dynamo.Ref {
	refs := []dynamo.Ref{accountRef(waba)}
	if key, ok := keyOf(waba, name, language); ok {
		refs = append(refs, dynamo.Ref{Table: accountRef(waba).Table, Key: key})
	}
	return refs
}

// Asked is a template that somebody wants to send.
type Asked struct {
	Tenant         model.TenantID
	Phone          model.PhoneNumberID
	Name, Language string
}

// Check returns a template that is about to be sent, as far as it is known; the zero Template where nothing is. found
// holds the items of CheckRefs. It returns ErrUnknown for a template that the account does not have, and a problem for
// one that Meta does not send. An account that was never listed refuses nothing. A cache that lacks the template, and
// is old or empty, is listed anew.
func (s *Cache) Check(ctx context.Context, of Asked, found dynamo.Found) (model.Template, error) {
	waba := WABA(found, of.Phone)
	if waba == "" {
		return model.Template{}, nil
	}
	s.accounts.Store(of.Phone, waba)
	refs := templateRefs(waba, of.Name, of.Language)
	if refs[0].Found(found) == nil { // not asked for, or not there
		var err error
		if found, err = s.DB.BatchGet(ctx, refs); err != nil {
			return model.Template{}, fmt.Errorf("read template: %w", err)
		}
	}
	var account model.Account
	var template model.Template
	err := dynamo.Unmarshal(refs[0].Found(found), &account)
	if len(refs) > 1 {
		err = errors.Join(err, dynamo.Unmarshal(refs[1].Found(found), &template))
	}
	if err != nil {
		return model.Template{}, err
	}
	if template.PK == "" && account.TemplatesSyncedAt < model.At(s.Now().Add(-staleAfter)) {
		if _, err := s.RequestSync(ctx, Sync{of.Tenant, waba, of.Phone}, staleAfter); err != nil {
			return model.Template{}, err
		}
	}
	switch {
	case account.Standing.Forbids == model.ForbidsTemplates && account.Standing.Until > model.At(s.Now()):
		return template, ErrRestricted
	case account.TemplatesSyncedAt == "":
		return template, nil
	case template.PK == "" || NeverTaken(template):
		return template, ErrUnknown
	case !Sendable(template):
		return template, unsendableError(template)
	}
	return template, nil
}

// unsendableError says why a template cannot be sent.
func unsendableError(t model.Template) error {
	why := ""
	if t.Reason != "" {
		why = " (" + t.Reason + ")"
	}
	return problem.New("the template cannot be sent", problem.Error{
		Class: problem.Conflict, Code: "template-not-sendable", Title: "Template cannot be sent",
		Detail: fmt.Sprintf("Meta has the template %s in %s as %s%s. Send another one, or mend it in WhatsApp Manager.",
			t.TemplateName, t.Language, t.Status, why),
	})
}
