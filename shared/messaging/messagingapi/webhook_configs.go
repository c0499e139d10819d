package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/webhooks"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// webhookConfigs puts the operations on how the webhooks of single accounts are verified, and who gets them.
func (o *service) webhookConfigs() {
	const all, one = "/v1/webhook-configurations", "/v1/webhook-configurations/{wabaId}"
	platform := httpapi.Needs(httpapi.PlatformManage)
	notFound := []int{http.StatusNotFound}
	tags := []string{"Webhook configurations"}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-webhook-configurations", Method: http.MethodGet, Path: all, Tags: tags, Security: platform,
		Summary: "List the accounts whose webhooks have secrets of their own", Errors: []int{http.StatusBadRequest},
	}, o.listWebhookConfigs)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-webhook-configuration", Method: http.MethodGet, Path: one, Tags: tags, Security: platform,
		Summary: "Get how an account's webhooks are verified", Errors: notFound,
		Description: "It never shows a secret, nor the reference to one.",
	}, o.getWebhookConfig)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-webhook-configuration", Method: http.MethodPut, Path: one, Tags: tags, Security: platform,
		Summary: "Set by which secrets an account's webhooks are verified",
		Description: "The secrets are references: store the values in Secrets Manager, under " +
			"`haatline/{stage}/webhooks/`. They count within five minutes, beside those of the deployment.",
	}, o.newWebhookConfig, o.putWebhookConfig)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "rotate-webhook-secrets", Method: http.MethodPost, Path: one + "/rotate", Tags: tags,
		Security: platform, Errors: notFound, Summary: "Replace secrets of an account's webhooks",
		Description: "The secrets before count for another day: Meta may have signed by them already.",
	}, o.newWebhookSecrets, o.rotateWebhookSecrets)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "delete-webhook-configuration", Method: http.MethodDelete, Path: one, Tags: tags,
		Security: platform, Errors: notFound, DefaultStatus: http.StatusNoContent,
		Summary: "Have an account's webhooks verified by the deployment's secrets alone",
	}, o.anyWebhookConfig, func(ctx context.Context, _ *wabaInput, waba model.WABAID) (*done, error) {
		return nil, o.rooms.Webhooks.Delete(ctx, waba)
	})
	for _, ask := range []struct{ id, path, wish, summary string }{
		{"subscribe-webhooks", "/subscribe", webhooks.Subscribe, "Have Meta post an account's webhooks to the app"},
		{"unsubscribe-webhooks", "/unsubscribe", webhooks.Unsubscribe,
			"Have Meta not post an account's webhooks to the app any more"},
		{"test-webhooks", "/test", webhooks.Test,
			"Try whether the secrets can be read, and whether Meta posts to the app"},
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: ask.id, Method: http.MethodPost, Path: one + ask.path, Tags: tags, Security: platform,
			Summary: ask.summary, Errors: []int{http.StatusNotFound, http.StatusConflict},
			DefaultStatus: http.StatusAccepted,
			Description:   "The answer is in `asked` of the configuration, some seconds later.",
		}, o.anyWebhookConfig, func(ctx context.Context, _ *wabaInput, waba model.WABAID) (*webhookConfigOutput,
			error) {
			if err := o.rooms.Webhooks.Ask(ctx, waba, ask.wish); err != nil {
				return nil, err
			}
			return o.showWebhookConfig(ctx, waba)
		})
	}
}

type wabaInput struct {
	WABAID string `path:"wabaId" maxLength:"512" example:"102290129340398" doc:"The WhatsApp Business Account."`
}

type webhookAsked struct {
	Wish        string     `json:"wish" enum:"subscribe,unsubscribe,test" doc:"What was asked."`
	AskedAt     model.Time `json:"askedAt" doc:"When it was asked."`
	AnsweredAt  model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	AppSecret   bool       `json:"appSecret" doc:"Whether the app's secret could be read."`
	VerifyToken bool       `json:"verifyToken" doc:"Whether the verify token could be read."`
	Subscribed  bool       `json:"subscribed" doc:"Whether Meta posts the account's webhooks to the app."`
	Problem     string     `json:"problem,omitempty" doc:"What stood in the way."`
}

type webhookConfig struct {
	WABAID      string        `json:"wabaId" doc:"The WhatsApp Business Account."`
	Enabled     bool          `json:"enabled" doc:"Whether its secrets count."`
	AppSecret   bool          `json:"hasAppSecret" doc:"Whether it has a secret of the app."`
	VerifyToken bool          `json:"hasVerifyToken" doc:"Whether it has a verify token."`
	FormerUntil model.Time    `json:"formerUntil,omitempty" doc:"Until when the secrets before the last rotation count."`
	UpdatedAt   model.Time    `json:"updatedAt" doc:"When it was changed."`
	Asked       *webhookAsked `json:"asked,omitempty" doc:"What was asked last, and the answer."`
}

func showWebhookConfig(c model.WebhookConfig) webhookConfig {
	shown := webhookConfig{
		WABAID: string(c.WABAMetaID), Enabled: c.Enabled, AppSecret: c.AppSecret != "",
		VerifyToken: c.VerifyToken != "", FormerUntil: c.FormerUntil, UpdatedAt: c.UpdatedAt}
	if a := c.Asked; a != nil {
		shown.Asked = &webhookAsked{
			a.Wish, a.AskedAt, a.AnsweredAt, a.AppSecret, a.VerifyToken, a.Subscribed, a.Problem}
	}
	return shown
}

type webhookConfigOutput struct{ Body webhookConfig }

type webhookConfigsOutput struct{ Body httpapi.List[webhookConfig] }

func (o *service) listWebhookConfigs(ctx context.Context, in *httpapi.Page) (*webhookConfigsOutput, error) {
	list, err := operations.PageOf(*in, "webhook configurations")
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Webhooks.List(ctx, in.Limit, list.After)
	return &webhookConfigsOutput{operations.ListOf(found, showWebhookConfig, list.Position(next))}, err
}

func (o *service) getWebhookConfig(ctx context.Context, in *wabaInput) (*webhookConfigOutput, error) {
	waba, err := model.Parse[model.WABAID](in.WABAID)
	if err != nil {
		return nil, httpapi.NotFound()
	}
	return o.showWebhookConfig(ctx, waba)
}

func (o *service) showWebhookConfig(ctx context.Context, waba model.WABAID) (*webhookConfigOutput, error) {
	found, err := o.rooms.Webhooks.Get(ctx, waba)
	return &webhookConfigOutput{showWebhookConfig(found)}, err
}

func aboutAccount(waba model.WABAID) operations.Subject {
	return operations.Subject{Target: audit.Target{Type: "account", ID: string(waba)}}
}

// accountOf parses the id of an account.
func accountOf(text string) (model.WABAID, operations.Subject, error) {
	waba, err := model.Parse[model.WABAID](text)
	if err != nil {
		return "", operations.Subject{}, httpapi.NotFound()
	}
	return waba, aboutAccount(waba), nil
}

func (o *service) anyWebhookConfig(ctx context.Context, in *wabaInput) (model.WABAID, operations.Subject, error) {
	waba, about, err := accountOf(in.WABAID)
	if err == nil {
		_, err = o.rooms.Webhooks.Get(ctx, waba)
	}
	return waba, about, err
}

type putWebhookConfigInput struct {
	WABAID string `path:"wabaId" maxLength:"512" pattern:"^[0-9]{5,20}$" example:"102290129340398" doc:"The WhatsApp Business Account."`
	Body   struct {
		AppSecret   string `json:"appSecret" maxLength:"300" pattern:"^(secretsmanager:haatline/[a-z]+/webhooks/[A-Za-z0-9/_.-]+(#[A-Za-z0-9_.-]+)?|env:WEBHOOK_[A-Z0-9_]+)$" doc:"The reference to the secret of the app that gets the account's webhooks." example:"secretsmanager:haatline/prod/webhooks/acme#APP_SECRET"`
		VerifyToken string `json:"verifyToken,omitempty" maxLength:"300" pattern:"^(secretsmanager:haatline/[a-z]+/webhooks/[A-Za-z0-9/_.-]+(#[A-Za-z0-9_.-]+)?|env:WEBHOOK_[A-Z0-9_]+)$" doc:"The reference to the verify token of the app."`
		Enabled     bool   `json:"enabled" doc:"Whether they count."`
	}
}

func (o *service) newWebhookConfig(_ context.Context,
	in *putWebhookConfigInput) (model.WABAID, operations.Subject, error) {
	return accountOf(in.WABAID)
}

func (o *service) putWebhookConfig(ctx context.Context, in *putWebhookConfigInput,
	waba model.WABAID) (*webhookConfigOutput, error) {
	err := o.rooms.Webhooks.Put(ctx, waba,
		webhooks.Secrets{AppSecret: in.Body.AppSecret, VerifyToken: in.Body.VerifyToken}, in.Body.Enabled)
	if err != nil {
		return nil, err
	}
	return o.showWebhookConfig(ctx, waba)
}

type rotateWebhookSecretsInput struct {
	WABAID string `path:"wabaId" maxLength:"512" example:"102290129340398" doc:"The WhatsApp Business Account."`
	Body   struct {
		AppSecret   string `json:"appSecret,omitempty" maxLength:"300" pattern:"^(secretsmanager:haatline/[a-z]+/webhooks/[A-Za-z0-9/_.-]+(#[A-Za-z0-9_.-]+)?|env:WEBHOOK_[A-Z0-9_]+)$" doc:"The reference to the new secret of the app; leave it out to keep the one that there is." example:"secretsmanager:haatline/prod/webhooks/acme-2#APP_SECRET"`
		VerifyToken string `json:"verifyToken,omitempty" maxLength:"300" pattern:"^(secretsmanager:haatline/[a-z]+/webhooks/[A-Za-z0-9/_.-]+(#[A-Za-z0-9_.-]+)?|env:WEBHOOK_[A-Z0-9_]+)$" doc:"The reference to the new verify token; leave it out to keep the one that there is."`
	}
}

func (o *service) newWebhookSecrets(ctx context.Context,
	in *rotateWebhookSecretsInput) (model.WABAID, operations.Subject, error) {
	return o.anyWebhookConfig(ctx, &wabaInput{in.WABAID})
}

func (o *service) rotateWebhookSecrets(ctx context.Context, in *rotateWebhookSecretsInput,
	waba model.WABAID) (*webhookConfigOutput, error) {
	err := o.rooms.Webhooks.Rotate(ctx, waba,
		webhooks.Secrets{AppSecret: in.Body.AppSecret, VerifyToken: in.Body.VerifyToken})
	if err != nil {
		return nil, err
	}
	return o.showWebhookConfig(ctx, waba)
}
