package communityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/community/access"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const accessPath = "/v1/community-access/"

func (o *service) access() {
	public(o, huma.Operation{
		OperationID: "sign-up-to-communities", Path: accessPath + "sign-up", DefaultStatus: http.StatusAccepted,
		Summary: "Sign up",
		Description: "Give an address of email or, where the tenant sends codes over WhatsApp, a phone number. A " +
			"code of six digits goes there; confirm it within ten minutes. The answer is the same for one that has " +
			"an account: its owner is told there. Asking again replaces the code: once a minute and five times " +
			"an hour.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.signUp)
	public(o, huma.Operation{
		OperationID: "confirm-sign-up", Path: accessPath + "confirm-sign-up",
		Summary:     "Confirm one's address or number by the code, and be signed in",
		Description: "Give the password of the sign-up as well. A code is good once, for five tries.",
		Errors:      []int{http.StatusConflict},
	}, o.confirmSignUp)
	public(o, huma.Operation{
		OperationID: "sign-in-to-communities", Path: accessPath + "sign-in",
		Summary:     "Sign in by username, email address or phone number",
		Description: "A wrong account and a wrong password get the same answer.",
		Errors:      []int{http.StatusNotFound},
	}, o.signIn)
	public(o, huma.Operation{
		OperationID: "refresh-session", Path: accessPath + "refresh",
		Summary: "Get a new access token, and a new refresh token",
		Description: "A refresh token is good for thirty days, once. Repeat the request within a minute if its " +
			"answer was lost. A token that is used again later ends the session: somebody else has it.",
	}, o.refresh)
	public(o, huma.Operation{
		OperationID: "reset-password", Path: accessPath + "reset-password", DefaultStatus: http.StatusAccepted,
		Summary:     "Ask for a code to set a new password",
		Description: "The answer is the same for an address or a number that nobody has.",
		Errors:      []int{http.StatusNotFound},
	}, o.resetPassword)
	public(o, huma.Operation{
		OperationID: "confirm-reset", Path: accessPath + "confirm-reset", DefaultStatus: http.StatusNoContent,
		Summary: "Set a new password by the code, and end all sessions",
	}, o.confirmReset)
}

// public registers an operation for everybody.
func public[I, O any](o *service, op huma.Operation, handle func(context.Context, *I, string) (*O, error)) {
	op.Method, op.Tags, op.Security = http.MethodPost, []string{accessTag}, httpapi.NeedsNothing()
	op.Errors = append(op.Errors, http.StatusTooManyRequests)
	operations.Change(o.Registry, op, func(ctx context.Context, _ *I) (string, operations.Subject, error) {
		return httpapi.CallerOf(ctx).IP, operations.Subject{}, nil
	}, handle)
}

// OfTenant names the tenant of whose communities somebody is.
type OfTenant struct {
	TenantID string `json:"tenantId" minLength:"1" maxLength:"512" example:"demo" doc:"Whose communities these are."`
}

func (of OfTenant) tenant() (model.TenantID, error) { return model.Parse[model.TenantID](of.TenantID) }

// At is an address of email or a phone number.
type At struct {
	Email string `json:"email,omitempty" minLength:"3" maxLength:"254" doc:"The person's address of email. Nobody else sees it."`
	Phone string `json:"phone,omitempty" minLength:"3" maxLength:"32" example:"+919876543210" doc:"The person's phone number, with + and its country code, in place of the address. Nobody else sees it."`
}

type signUpInput struct {
	Body struct {
		OfTenant
		At
		Username string `json:"username" minLength:"3" maxLength:"30" doc:"3 to 30 of the characters a to z, 0 to 9, dot and underscore, with a letter or a digit first. Capital letters count as small ones."`
		Name     string `json:"name" minLength:"1" maxLength:"80" doc:"What others see the person called."`
		Password string `json:"password" minLength:"10" maxLength:"128" doc:"10 to 128 characters."`
	}
}

func (o *service) signUp(ctx context.Context, in *signUpInput, ip string) (*done, error) {
	tenant, err := in.Body.tenant()
	if err != nil {
		return nil, err
	}
	return nil, o.Access.SignUp(ctx, access.SignUp{
		Tenant: tenant, Username: in.Body.Username, Name: in.Body.Name, Email: in.Body.Email,
		Phone: in.Body.Phone, Password: in.Body.Password, IP: ip,
	})
}

type confirmInput struct {
	Body struct {
		OfTenant
		At
		Code     string `json:"code" pattern:"^[0-9]{6}$" example:"123456" doc:"The code."`
		Password string `json:"password" minLength:"10" maxLength:"128" doc:"The password of the sign-up, or the new one of a reset."`
	}
}

func (in confirmInput) confirmation(ip string) (access.Confirmation, error) {
	tenant, err := in.Body.tenant()
	return access.Confirmation{
		Tenant: tenant, Email: in.Body.Email, Phone: in.Body.Phone, Code: in.Body.Code,
		Password: in.Body.Password, IP: ip}, err
}

type tokens struct {
	UserID           string `json:"userId" doc:"Who is signed in."`
	AccessToken      string `json:"accessToken" doc:"The bearer token of the other operations."`
	AccessExpiresAt  string `json:"accessExpiresAt" doc:"Until when the access token is good: ten minutes."`
	RefreshToken     string `json:"refreshToken" doc:"The token by which the session goes on. Keep it secret."`
	RefreshExpiresAt string `json:"refreshExpiresAt" doc:"When the session ends if it is not refreshed."`
}

type tokensOutput struct{ Body tokens }

// tokensOf returns what somebody gets who is signed in.
func tokensOf(s access.Signed, err error) (*tokensOutput, error) {
	if err != nil {
		return nil, err
	}
	return &tokensOutput{tokens{
		UserID: string(s.User.ID), AccessToken: s.Access, AccessExpiresAt: string(s.AccessExpires),
		RefreshToken: s.Refresh, RefreshExpiresAt: string(s.RefreshExpires),
	}}, nil
}

func (o *service) confirmSignUp(ctx context.Context, in *confirmInput, ip string) (*tokensOutput, error) {
	confirmation, err := in.confirmation(ip)
	if err != nil {
		return nil, err
	}
	return tokensOf(o.Access.ConfirmSignUp(ctx, confirmation))
}

func (o *service) confirmReset(ctx context.Context, in *confirmInput, ip string) (*done, error) {
	confirmation, err := in.confirmation(ip)
	if err != nil {
		return nil, err
	}
	return nil, o.Access.ConfirmReset(ctx, confirmation)
}

type signInInput struct {
	Body struct {
		OfTenant
		Account  string `json:"account" minLength:"1" maxLength:"254" doc:"The username, the email address, or the phone number with + and its country code."`
		Password string `json:"password" minLength:"1" maxLength:"128" doc:"The password."`
	}
}

func (o *service) signIn(ctx context.Context, in *signInInput, ip string) (*tokensOutput, error) {
	tenant, err := in.Body.tenant()
	if err != nil {
		return nil, err
	}
	return tokensOf(o.Access.SignIn(ctx, access.SignIn{
		Tenant: tenant, Account: in.Body.Account, Password: in.Body.Password, IP: ip}))
}

type refreshInput struct {
	Body struct {
		RefreshToken string `json:"refreshToken" minLength:"1" maxLength:"512" doc:"The latest refresh token of the session."`
	}
}

func (o *service) refresh(ctx context.Context, in *refreshInput, _ string) (*tokensOutput, error) {
	return tokensOf(o.Access.Refresh(ctx, in.Body.RefreshToken))
}

type resetInput struct {
	Body struct {
		OfTenant
		At
	}
}

func (o *service) resetPassword(ctx context.Context, in *resetInput, ip string) (*done, error) {
	tenant, err := in.Body.tenant()
	if err != nil {
		return nil, err
	}
	return nil, o.Access.Reset(ctx, tenant, users.Address{Email: in.Body.Email, Phone: in.Body.Phone}, ip)
}
