package messagingapi

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// texts puts the operations on how a tenant sends by SMS.
func (o *service) texts() {
	const tag = "SMS"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-sms-registration", Method: http.MethodGet, Path: "/v1/tenants/{tenantId}/sms",
		Tags: []string{tag}, Summary: "Get how a tenant sends by SMS, and the wordings to register",
		Security: httpapi.Needs(httpapi.OutboxRead), Errors: []int{http.StatusNotFound},
		Description: "India's operators deliver a text only if its wording is registered with them (DLT). Register " +
			"each wording that you use, exactly as it stands here, and give its template id.",
	}, o.getTexts)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-sms-registration", Method: http.MethodPut, Path: "/v1/tenants/{tenantId}/sms",
		Tags: []string{tag}, Summary: "Set how a tenant sends by SMS",
		Security: httpapi.Needs(httpapi.TenantsManage), Errors: []int{http.StatusNotFound},
		Description: "It replaces what was set before. A text to India whose wording has no template id in its " +
			"language is refused as `sms-not-registered`.",
	}, o.ownTexts, o.putTexts)
}

type putTextsInput struct {
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	Body     struct {
		Sender    string            `json:"sender,omitempty" maxLength:"2048" pattern:"^[A-Za-z0-9_:/-]+$" doc:"From whom texts go: the ARN or the id of a sender id, a number or a pool of AWS End User Messaging. Leave it out for the stage's." example:"HAATLN"`
		EntityID  string            `json:"entityId,omitempty" pattern:"^[0-9]{10,25}$" doc:"Your entity id at India's operators (DLT)." example:"1201159041234567890"`
		Templates []registeredInput `json:"templates,omitempty" maxItems:"200" doc:"The template ids of the wordings that you have registered in India."`
	}
}

type registeredInput struct {
	Wording    string `json:"wording" maxLength:"100" doc:"The name of a wording." example:"payment_reminder_sms"`
	Language   string `json:"language" maxLength:"20" doc:"One of its languages." example:"en"`
	TemplateID string `json:"templateId" pattern:"^[0-9]{10,25}$" doc:"Its template id (DLT)." example:"1207161234567890123"`
}

type textsOutput struct {
	Body struct {
		Sender   string    `json:"sender,omitempty" doc:"From whom texts go; absent for the stage's sender."`
		EntityID string    `json:"entityId,omitempty" doc:"Your entity id at India's operators."`
		Wordings []wording `json:"wordings" doc:"The texts that are sent; never null."`
	}
}

type wording struct {
	Wording    string `json:"wording" example:"payment_reminder_sms" doc:"Its name."`
	Language   string `json:"language" example:"en" doc:"Its language."`
	Text       string `json:"text" example:"{#var#}{#var#}: you owe {#var#}." doc:"The text to register. Several gaps in a row stand for one long value."`
	TemplateID string `json:"templateId,omitempty" doc:"Its template id; absent if it is not registered, and then it is not sent to India."`
}

// tenantOfPath returns the tenant of a path if the caller may do with it what may says.
func tenantOfPath(ctx context.Context, text string,
	may func(httpapi.Caller, model.TenantID) bool) (model.TenantID, error) {
	tenant, err := model.Parse[model.TenantID](text)
	if err != nil || !may(httpapi.CallerOf(ctx), tenant) {
		return "", httpapi.NotFound()
	}
	return tenant, nil
}

func (o *service) getTexts(ctx context.Context, in *tenantInput) (*textsOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	is, err := o.rooms.Texting.Registration(ctx, tenant)
	return o.showTexts(is), err
}

func (o *service) showTexts(is model.TenantSMS) *textsOutput {
	out := &textsOutput{}
	out.Body.Sender, out.Body.EntityID, out.Body.Wordings = is.Sender, is.EntityID, []wording{}
	for _, of := range o.rooms.Wordings() {
		for _, language := range slices.Sorted(maps.Keys(of.Texts)) {
			out.Body.Wordings = append(out.Body.Wordings, wording{
				of.Name, language, of.ToRegister(language), is.Templates[model.SMSTemplate(of.Name, language)]})
		}
	}
	return out
}

// ownTexts finds what a caller may say about a tenant of theirs.
func (o *service) ownTexts(ctx context.Context,
	in *putTextsInput) (is model.TenantSMS, about operations.Subject, err error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Owns)
	if err != nil {
		return is, about, err
	}
	is = model.TenantSMS{Sender: in.Body.Sender, EntityID: in.Body.EntityID, Templates: map[string]string{}}
	for i, given := range in.Body.Templates {
		if !o.hasWording(given.Wording, given.Language) {
			return is, about, httpapi.Invalid(fmt.Sprintf("body.templates[%d]", i),
				"there is no such wording in that language; GET lists the wordings")
		}
		is.Templates[model.SMSTemplate(given.Wording, given.Language)] = given.TemplateID
	}
	return is, operations.Subject{Tenant: tenant, Target: audit.Target{Type: tenantTarget, ID: string(tenant)}}, nil
}

func (o *service) hasWording(name, language string) bool {
	for _, of := range o.rooms.Wordings() {
		if of.Name == name {
			return of.Texts[language] != ""
		}
	}
	return false
}

func (o *service) putTexts(ctx context.Context, in *putTextsInput, is model.TenantSMS) (*textsOutput, error) {
	err := o.rooms.Texting.Register(ctx, model.TenantID(in.TenantID), is)
	return o.showTexts(is), err
}
