package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) me() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-me", Method: http.MethodGet, Path: "/v1/me", Tags: []string{"You"},
		Summary:  "See who you are, and what you may do",
		Security: httpapi.NeedsOnlyAToken(),
	}, o.getMe)
}

type me struct {
	Subject  string   `json:"subject" doc:"The id of your account, as messages and audit records name you."`
	Username string   `json:"username,omitempty" doc:"The name that you sign in with."`
	Name     string   `json:"name,omitempty" doc:"What colleagues see for you, where an administrator has entered it."`
	Tenants  []string `json:"tenants" doc:"The businesses that you work for."`
	Roles    []string `json:"roles" doc:"Your roles. What each may do is in the description of this API."`
	Scopes   []string `json:"scopes" doc:"What this token may do: what it was asked for, as far as your roles give it."`
	Platform bool     `json:"platform" doc:"Whether you are one of the platform's own operators, who read everything."`
}

type meOutput struct{ Body me }

func (o *service) getMe(ctx context.Context, _ *struct{}) (*meOutput, error) {
	caller := httpapi.CallerOf(ctx)
	names, err := o.namesOf(ctx, caller.Subject)
	if err != nil {
		return nil, err
	}
	shown := me{
		Subject: caller.Subject, Username: caller.Username, Name: names[caller.Subject], Platform: caller.Platform,
		Tenants: []string{}, Roles: append([]string{}, caller.Roles...), Scopes: append([]string{}, caller.Scopes...),
	}
	for _, tenant := range caller.Tenants {
		shown.Tenants = append(shown.Tenants, string(tenant))
	}
	return &meOutput{shown}, nil
}

// namesOf returns what people are called, by subject, of those whom the directory knows.
func (o *service) namesOf(ctx context.Context, subjects ...string) (map[string]string, error) {
	found, err := o.People.Find(ctx, subjects...)
	names := make(map[string]string, len(found))
	for subject, person := range found {
		names[subject] = person.Called()
	}
	return names, err
}

// showMessages shows messages with the names of the colleagues who sent them, and with why those wait that do.
func (o *service) showMessages(ctx context.Context, messages ...model.Message) ([]message, error) {
	var senders []string
	for _, m := range messages {
		if m.SentBy != "" {
			senders = append(senders, m.SentBy)
		}
	}
	names, err := o.namesOf(ctx, senders...)
	if err != nil {
		return nil, err
	}
	waits, err := o.waits(ctx, messages)
	if err != nil {
		return nil, err
	}
	shown := make([]message, len(messages))
	for i, m := range messages {
		shown[i] = showMessage(m)
		shown[i].SentByName, shown[i].Waiting = names[m.SentBy], waits[m.PK]
	}
	return shown, nil
}
