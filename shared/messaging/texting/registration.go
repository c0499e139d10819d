package texting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// ErrNotRegistered means that a text to India has no registration with India's operators (DLT): the tenant has not
// given its entity id, or no template id for the wording in its language.
var ErrNotRegistered = problem.New("the text is not registered in India", problem.Error{
	Class: problem.Conflict, Code: "sms-not-registered", Title: "Text not registered in India",
	Detail: "India's operators deliver a text only if its wording is registered. Register it, and give the entity id " +
		"and the template id of the wording in this language with PUT /v1/tenants/{tenantId}/sms.",
})

// india is the country code of the numbers whose texts need a registration.
const india = "+91"

// register adds a tenant's sender to a text, and for a text to India its registration. item is the tenant's.
func register(text *Text, item dynamo.Item) error {
	var tenant model.Tenant
	if err := dynamo.Unmarshal(item, &tenant); err != nil {
		return fmt.Errorf("read the tenant: %w", err)
	}
	if tenant.SMS == nil {
		tenant.SMS = &model.TenantSMS{}
	}
	text.From = cmp.Or(text.From, tenant.SMS.Sender)
	if !strings.HasPrefix(text.To, india) {
		return nil
	}
	text.EntityID = tenant.SMS.EntityID
	text.TemplateID = tenant.SMS.Templates[model.SMSTemplate(text.Wording, text.Language)]
	if text.EntityID == "" || text.TemplateID == "" {
		return ErrNotRegistered
	}
	return nil
}

func tenantRef(tenant model.TenantID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Tenant(tenant)}
}

// Registration returns how a tenant sends texts. It returns the zero value for a tenant that has said nothing.
func (t *Texting) Registration(ctx context.Context, tenant model.TenantID) (is model.TenantSMS, err error) {
	var found model.Tenant
	err = t.Sender.DB.Get(ctx, tables.Messages, keys.Tenant(tenant), &found)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && found.SMS == nil {
		return is, nil
	}
	if err != nil {
		return is, fmt.Errorf("read the tenant: %w", err)
	}
	return *found.SMS, nil
}

// Register sets how a tenant sends texts. The last call wins. Its condition is that the item is a tenant's or not
// there, so that a number that joins the tenant at the same time loses nothing.
func (t *Texting) Register(ctx context.Context, tenant model.TenantID, as model.TenantSMS) error {
	value, err := dynamo.Value(as)
	if err != nil {
		return err
	}
	err = t.Sender.DB.Update(ctx,
		tenancy.Founding(tenant, t.Sender.Now(), "sms = :sms", dynamo.Item{":sms": value}))
	if err != nil {
		return fmt.Errorf("register for SMS: %w", err)
	}
	return nil
}
