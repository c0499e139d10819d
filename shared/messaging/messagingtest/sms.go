package messagingtest

import (
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sms"
)

// The registration of the test's business in India.
const (
	EntityID   = "1201159041234567890"
	TemplateID = "1207161234567890123"
)

// Registered returns a tenant that has registered all wordings in India.
func Registered(tenant model.TenantID, wordings []sms.Wording) model.Tenant {
	of := model.TenantSMS{EntityID: EntityID, Templates: map[string]string{}}
	for _, wording := range wordings {
		for language := range wording.Texts {
			of.Templates[model.SMSTemplate(wording.Name, language)] = TemplateID
		}
	}
	return model.Tenant{PK: keys.Tenant(tenant).Partition, ItemType: model.ItemTenant, TenantID: tenant, SMS: &of}
}
