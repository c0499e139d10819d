package messagingapi

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/gateways"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// paymentConfigs puts the operations on the ways in which a tenant's customers pay through WhatsApp.
func (o *service) paymentConfigs() {
	const all = "/v1/tenants/{tenantId}/payment-configurations"
	const one = all + "/{configName}"
	tags, needs := []string{"Payments"}, httpapi.Needs(httpapi.TenantsManage)
	conflicts := []int{http.StatusNotFound, http.StatusConflict}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-payment-configurations", Method: http.MethodGet, Path: all, Tags: tags, Security: needs,
		Summary: "List the ways in which a tenant's customers pay through WhatsApp",
		Errors:  []int{http.StatusNotFound, http.StatusBadRequest},
	}, o.listPaymentConfigs)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-payment-configuration", Method: http.MethodGet, Path: one, Tags: tags, Security: needs,
		Summary: "Get a payment configuration", Errors: []int{http.StatusNotFound},
	}, o.getPaymentConfig)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-payment-configuration", Method: http.MethodPut, Path: one, Tags: tags, Security: needs,
		Summary: "Make a payment configuration, or change one", Errors: conflicts, DefaultStatus: http.StatusAccepted,
		Description: "Meta is asked for it; the answer is in `asked` some seconds later. One with a payment gateway " +
			"has a `connectUrl` then, where the business signs in to its provider.",
	}, o.newPaymentConfig, o.putPaymentConfig)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "validate-payment-configuration", Method: http.MethodPost, Path: one + "/validate", Tags: tags,
		Security: needs, Summary: "Ask Meta whether a payment configuration works", Errors: conflicts,
		DefaultStatus: http.StatusAccepted,
		Description:   "The configuration shows the answer some seconds later.",
	}, o.ownPaymentConfig, func(ctx context.Context, _ *paymentConfigInput,
		c model.PaymentConfig) (*paymentConfigOutput, error) {
		return o.shownAfter(ctx, c, o.rooms.Gateways.Validate(ctx, c))
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "make-default-payment-configuration", Method: http.MethodPost, Path: one + "/make-default",
		Tags: tags, Security: needs, Errors: []int{http.StatusNotFound},
		Summary: "Have a payment configuration used where none is named",
	}, o.ownPaymentConfig, func(ctx context.Context, _ *paymentConfigInput,
		c model.PaymentConfig) (*paymentConfigOutput, error) {
		return o.shownAfter(ctx, c, o.rooms.Gateways.MakeDefault(ctx, c))
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-payment-webhook-secret", Method: http.MethodPut, Path: one + "/webhook-secret", Tags: tags,
		Security: httpapi.Needs(httpapi.PlatformManage), Errors: conflicts,
		Summary: "Set by which secret what a payment gateway posts is verified",
		Description: "The gateway is to post to `webhookPath`. The secret is a reference: store the value in Secrets " +
			"Manager, under `haatline/{stage}/webhooks/`. It counts within a minute, and the one before for another " +
			"day. An empty one ends it.",
	}, o.webhookSecretOf, func(ctx context.Context, in *paymentWebhookSecretInput,
		c model.PaymentConfig) (*paymentConfigOutput, error) {
		return o.shownAfter(ctx, c, o.rooms.Gateways.PutWebhookSecret(ctx, c, in.Body.Secret))
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-payment-configuration", Method: http.MethodDelete, Path: one, Tags: tags, Security: needs,
		Summary: "Delete a payment configuration", Errors: conflicts, DefaultStatus: http.StatusNoContent,
		Description: "At Meta first; it shows until it is gone there. The tenant's default is not deleted.",
	}, o.ownPaymentConfig, func(ctx context.Context, _ *paymentConfigInput, c model.PaymentConfig) (*done, error) {
		return nil, o.rooms.Gateways.Delete(ctx, c)
	})
}

// PaymentFacts say by what customers pay.
type PaymentFacts struct {
	Type        string `json:"type" enum:"pg,upi" doc:"pg for a payment gateway, upi for payments to an address of UPI."`
	WABAID      string `json:"wabaId" maxLength:"20" pattern:"^[0-9]{5,20}$" example:"102290129340398" doc:"The WhatsApp Business Account of the tenant's that has it."`
	Provider    string `json:"provider,omitempty" maxLength:"40" pattern:"^[a-z0-9_]*$" example:"razorpay" doc:"The payment gateway of a pg, in Meta's words."`
	UPIID       string `json:"upiId,omitempty" maxLength:"100" pattern:"^([A-Za-z0-9._-]+@[A-Za-z0-9]+)?$" example:"sharma@okbank" doc:"The address of UPI to which customers pay."`
	MCC         string `json:"mcc" maxLength:"4" pattern:"^[0-9]{4}$" example:"5411" doc:"The merchant category code."`
	PurposeCode string `json:"purposeCode" maxLength:"10" pattern:"^[0-9A-Za-z]{1,10}$" example:"00" doc:"The purpose code of the payments."`
}

type paymentAsked struct {
	Wish       string     `json:"wish" enum:"create,validate,delete" doc:"What was asked."`
	AskedAt    model.Time `json:"askedAt" doc:"When it was asked."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way."`
}

type paymentConfig struct {
	ConfigName string `json:"configName" doc:"Its name, by which orders name it."`
	PaymentFacts
	Status          string        `json:"status" enum:"active,inactive,pending" doc:"Whether customers can pay by it; pending: Meta does not have it yet, or the business has to connect it."`
	GatewayMID      string        `json:"paymentGatewayMid,omitempty" doc:"What the payment gateway calls the business."`
	ConnectURL      string        `json:"connectUrl,omitempty" doc:"Where the business signs in to its provider."`
	LastValidatedAt model.Time    `json:"lastValidatedAt,omitempty" doc:"When Meta last said its state."`
	WebhookPath     string        `json:"webhookPath,omitempty" doc:"Where the payment gateway is to post its webhooks, below the address of the API."`
	WebhookSecret   bool          `json:"hasWebhookSecret" doc:"Whether what it posts there is verified and taken."`
	Asked           *paymentAsked `json:"asked,omitempty" doc:"What was asked last of Meta, and the answer."`
}

func showPaymentConfig(c model.PaymentConfig) paymentConfig {
	shown := paymentConfig{
		ConfigName: string(c.ConfigName), Status: c.Status, GatewayMID: c.PaymentGatewayMID, ConnectURL: c.ConnectURL,
		LastValidatedAt: c.LastValidatedAt, PaymentFacts: PaymentFacts{
			Type: strings.ToLower(c.Type), WABAID: string(c.WABAID), Provider: c.Provider, UPIID: c.UPIID, MCC: c.MCC,
			PurposeCode: c.PurposeCode},
		WebhookSecret: c.WebhookSecret != ""}
	if c.Type == gateways.Gateway {
		shown.WebhookPath = "/webhooks/payments/" + url.PathEscape(string(c.TenantID)) + "/" + string(c.ConfigName)
	}
	if a := c.Asked; a != nil {
		shown.Asked = &paymentAsked{a.Wish, a.AskedAt, a.AnsweredAt, a.Problem}
	}
	return shown
}

type paymentConfigOutput struct{ Body paymentConfig }

type paymentConfigsOutput struct{ Body httpapi.List[paymentConfig] }

type listPaymentConfigsInput struct {
	httpapi.Page
	TenantID string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
}

func (o *service) listPaymentConfigs(ctx context.Context, in *listPaymentConfigsInput) (*paymentConfigsOutput, error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	list, err := operations.PageOf(in.Page, "payment configurations", in.TenantID)
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Gateways.List(ctx, tenant, in.Limit, list.After)
	return &paymentConfigsOutput{operations.ListOf(found, showPaymentConfig, list.Position(next))}, err
}

type paymentConfigInput struct {
	TenantID   string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	ConfigName string `path:"configName" maxLength:"512" doc:"The name of the configuration."`
}

func (o *service) paymentConfig(ctx context.Context, in *paymentConfigInput, may may) (c model.PaymentConfig,
	about operations.Subject, err error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, may)
	if err != nil {
		return c, about, err
	}
	name, err := model.Parse[model.Name](in.ConfigName)
	if err != nil {
		return c, about, httpapi.NotFound()
	}
	c, err = o.rooms.Gateways.Get(ctx, tenant, name)
	return c, aboutPaymentConfig(tenant, name), err
}

func aboutPaymentConfig(tenant model.TenantID, name model.Name) operations.Subject {
	return operations.Subject{
		Tenant: tenant, Target: audit.Target{Type: "payment-configuration", ID: string(tenant) + ":" + string(name)}}
}

func (o *service) ownPaymentConfig(ctx context.Context, in *paymentConfigInput) (model.PaymentConfig,
	operations.Subject, error) {
	return o.paymentConfig(ctx, in, httpapi.Caller.Owns)
}

type paymentWebhookSecretInput struct {
	TenantID   string `path:"tenantId" maxLength:"512" doc:"The tenant."`
	ConfigName string `path:"configName" maxLength:"512" doc:"The name of the configuration."`
	Body       struct {
		Secret string `json:"secret" maxLength:"300" pattern:"^(secretsmanager:haatline/[a-z]+/webhooks/[A-Za-z0-9/_.-]+(#[A-Za-z0-9_.-]+)?|env:WEBHOOK_[A-Z0-9_]+)?$" doc:"The reference to the secret; empty to take nothing any more." example:"secretsmanager:haatline/prod/webhooks/razorpay#WEBHOOK_SECRET"`
	}
}

// webhookSecretOf finds a configuration for a platform operator, who need not work for its tenant.
func (o *service) webhookSecretOf(ctx context.Context, in *paymentWebhookSecretInput) (model.PaymentConfig,
	operations.Subject, error) {
	return o.paymentConfig(ctx, &paymentConfigInput{in.TenantID, in.ConfigName}, httpapi.Caller.Sees)
}

func (o *service) getPaymentConfig(ctx context.Context, in *paymentConfigInput) (*paymentConfigOutput, error) {
	c, _, err := o.paymentConfig(ctx, in, httpapi.Caller.Sees)
	return &paymentConfigOutput{showPaymentConfig(c)}, err
}

// shownAfter returns a configuration as it is after a change.
func (o *service) shownAfter(ctx context.Context, c model.PaymentConfig, err error) (*paymentConfigOutput, error) {
	if err != nil {
		return nil, err
	}
	c, err = o.rooms.Gateways.Get(ctx, c.TenantID, c.ConfigName)
	return &paymentConfigOutput{showPaymentConfig(c)}, err
}

type putPaymentConfigInput struct {
	TenantID   string `path:"tenantId" maxLength:"512" doc:"One of your tenants."`
	ConfigName string `path:"configName" maxLength:"60" pattern:"^[A-Za-z0-9][A-Za-z0-9_.-]*$" doc:"The name of the configuration." example:"upi-main"`
	Body       PaymentFacts
}

func (o *service) newPaymentConfig(ctx context.Context, in *putPaymentConfigInput) (c model.PaymentConfig,
	about operations.Subject, err error) {
	tenant, err := tenantOfPath(ctx, in.TenantID, httpapi.Caller.Owns)
	if err != nil {
		return c, about, err
	}
	name, err := model.Parse[model.Name](in.ConfigName)
	if err != nil {
		return c, about, err
	}
	of := in.Body
	of.Type = strings.ToUpper(of.Type)
	if of.Type == gateways.Gateway && (of.Provider == "" || of.UPIID != "") {
		return c, about, httpapi.Invalid("body.provider", "a pg has a provider, and no upiId")
	}
	if of.Type == gateways.UPI && (of.UPIID == "" || of.Provider != "") {
		return c, about, httpapi.Invalid("body.upiId", "upi has an upiId, and no provider")
	}
	return model.PaymentConfig{
		TenantID: tenant, ConfigName: name, Type: of.Type, WABAID: model.WABAID(of.WABAID), Provider: of.Provider,
		UPIID: of.UPIID, MCC: of.MCC, PurposeCode: of.PurposeCode}, aboutPaymentConfig(tenant, name), nil
}

func (o *service) putPaymentConfig(ctx context.Context, _ *putPaymentConfigInput,
	c model.PaymentConfig) (*paymentConfigOutput, error) {
	return o.shownAfter(ctx, c, o.rooms.Gateways.Put(ctx, c))
}
