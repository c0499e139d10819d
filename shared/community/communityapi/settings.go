package communityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/mailaddress"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const settingsPath = "/v1/community-settings"

// targetSettings is what audit records of settings are about.
const targetSettings = "communitySettings"

func (o *service) settings() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-community-settings", Method: http.MethodGet, Path: settingsPath, Tags: []string{settingsTag},
		Summary: "Get a tenant's settings of its communities", Security: httpapi.Needs(httpapi.CommunityRead),
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *operations.TenantInput) (*settingsOutput, error) {
		tenant, err := oneTenant(ctx, in.TenantID, httpapi.Caller.Sees)
		if err != nil {
			return nil, err
		}
		is, err := o.Settings.Get(ctx, tenant)
		return &settingsOutput{showSettings(is)}, err
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-community-settings", Method: http.MethodPut, Path: settingsPath, Tags: []string{settingsTag},
		Summary: "Set a tenant's communities up, or change their settings",
		Description: "It replaces the settings. A tenant without settings has no communities. Give the version that " +
			"you have read; leave it out for the first.",
		Security: httpapi.Needs(httpapi.CommunityManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setSettingsInput) (model.TenantID, operations.Subject, error) {
		tenant, err := oneTenant(ctx, in.TenantID, httpapi.Caller.Owns)
		return tenant, operations.Subject{
			Tenant: tenant, Target: audit.Target{Type: targetSettings, ID: string(tenant)}}, err
	}, o.setSettings)
}

// oneTenant returns the tenant that a request names, or the caller's first. It returns a problem for none.
func oneTenant(ctx context.Context, asked string,
	may func(httpapi.Caller, model.TenantID) bool) (model.TenantID, error) {
	tenant, err := operations.Tenant(ctx, asked, may)
	if caller := httpapi.CallerOf(ctx); err == nil && tenant == "" && len(caller.Tenants) > 0 {
		tenant = caller.Tenants[0]
	}
	if err == nil && tenant == "" {
		err = httpapi.Invalid("query.tenantId", "communities are one tenant's")
	}
	return tenant, err
}

type communitySettings struct {
	TenantID       string   `json:"tenantId" doc:"Whose communities these are."`
	Open           bool     `json:"open" doc:"Whether people may sign up by themselves."`
	From           string   `json:"from" doc:"The address that codes are sent from."`
	FromName       string   `json:"fromName,omitempty" doc:"The name beside that address."`
	Language       string   `json:"language" enum:"en,hi,es" doc:"In which people get their codes."`
	WhatsAppNumber string   `json:"whatsAppNumber,omitempty" doc:"The number that codes are sent from over WhatsApp, by its id; absent if they go by email alone."`
	Words          []string `json:"words" doc:"Words that are hidden in what people write."`
	TimeZone       string   `json:"timeZone" doc:"The time zone of digestAt."`
	DigestAt       int      `json:"digestAt" doc:"The hour at which people get the daily digest that they have chosen."`
	UpdatedAt      string   `json:"updatedAt" doc:"When they changed last."`
	Version        int64    `json:"version" doc:"Increases with every change."`
}

func showSettings(s communitymodel.Settings) communitySettings {
	return communitySettings{
		TenantID: string(s.TenantID), Open: s.Open, From: s.From, FromName: s.FromName, Language: s.Language,
		WhatsAppNumber: string(s.WhatsAppNumber), Words: append([]string{}, s.Words...),
		TimeZone: s.Zone().String(), DigestAt: s.DigestHour(), UpdatedAt: string(s.UpdatedAt), Version: s.Version,
	}
}

type settingsOutput struct{ Body communitySettings }

type setSettingsInput struct {
	operations.TenantInput
	Body struct {
		Version        int64    `json:"version,omitempty" minimum:"0" doc:"The version that you have read; leave it out for the first."`
		Open           bool     `json:"open" doc:"Whether people may sign up by themselves."`
		From           string   `json:"from" minLength:"3" maxLength:"254" doc:"The company_email of one of your companies, which codes are sent from."`
		FromName       string   `json:"fromName,omitempty" maxLength:"100" doc:"The name beside that address."`
		Language       string   `json:"language,omitempty" enum:"en,hi,es" default:"en" doc:"In which people get their codes."`
		WhatsAppNumber string   `json:"whatsAppNumber,omitempty" maxLength:"64" example:"106540352242922" doc:"The id of one of your WhatsApp numbers, which codes are sent from to people who give a phone number. Leave it out to send codes by email alone."`
		Words          []string `json:"words,omitempty" maxItems:"200" doc:"Words that are hidden in what people write, of up to 40 characters each."`
		TimeZone       string   `json:"timeZone,omitempty" maxLength:"64" example:"Asia/Kolkata" doc:"The IANA name of the time zone of digestAt. Default UTC."`
		DigestAt       *int64   `json:"digestAt,omitempty" minimum:"0" maximum:"23" example:"9" doc:"The hour at which people get the daily digest that they have chosen. Default 6. A change takes effect for each person with their next digest, a day later at most."`
	}
}

func (o *service) setSettings(ctx context.Context, in *setSettingsInput,
	tenant model.TenantID) (*settingsOutput, error) {
	set, err := o.Settings.Set(ctx, communitymodel.Settings{
		TenantID: tenant, Open: in.Body.Open, From: in.Body.From, FromName: in.Body.FromName,
		Language: in.Body.Language, WhatsAppNumber: model.PhoneNumberID(in.Body.WhatsAppNumber), Words: in.Body.Words,
		TimeZone: in.Body.TimeZone, DigestAt: in.Body.DigestAt,
	}, in.Body.Version)
	return &settingsOutput{showSettings(set)}, err
}

func (o *service) people() {
	const path = "/v1/community-people"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "find-community-person", Method: http.MethodGet, Path: path, Tags: []string{settingsTag},
		Summary:  "Find a person of a tenant's communities by username, email address or phone number",
		Security: httpapi.Needs(httpapi.CommunityRead), Errors: []int{http.StatusNotFound},
	}, o.findManaged)
	for verb, summary := range map[string]string{
		"disable": "Disable a person: their sessions end, and they cannot sign in",
		"enable":  "Enable a disabled person",
		"appoint": "Make a person a moderator of all communities that they are a member of",
		"dismiss": "Make a moderator of all communities a plain person again",
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: verb + "-community-person", Method: http.MethodPost, Path: path + "/{userId}/" + verb,
			Tags: []string{settingsTag}, Summary: summary,
			Security: httpapi.Needs(httpapi.CommunityManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, o.managed, func(ctx context.Context, in *disableInput, person communitymodel.User) (*managedOutput, error) {
			by, err := o.Actor(ctx)
			if err != nil {
				return nil, err
			}
			next, err := o.manage(ctx, verb, person, in.Body.Reason, by)
			return &managedOutput{showManaged(next)}, err
		})
	}
}

// manage does to a person what a verb says.
func (o *service) manage(ctx context.Context, verb string, of communitymodel.User, reason string, by audit.Actor) (
	communitymodel.User, error) {
	switch verb {
	case "appoint":
		return o.Users.SetRole(ctx, of.TenantID, of.ID, communitymodel.RoleModerator, reason, by)
	case "dismiss":
		return o.Users.SetRole(ctx, of.TenantID, of.ID, communitymodel.RoleUser, reason, by)
	}
	return o.Users.SetDisabled(ctx, of.TenantID, of.ID, verb == "disable", reason, by)
}

// managed finds the person whom an operator wants to change. It returns dynamo.ErrNotFound for one of another tenant.
// The change keeps an audit record of its own.
func (o *service) managed(ctx context.Context, in *disableInput) (communitymodel.User, operations.Subject, error) {
	id, err := model.Parse[model.Name](in.UserID)
	if err != nil {
		return communitymodel.User{}, operations.Subject{}, err
	}
	found, err := o.Users.Many(ctx, []model.Name{id})
	if err != nil {
		return communitymodel.User{}, operations.Subject{}, err
	}
	person := found[id]
	if person.ErasedAt != "" || !httpapi.CallerOf(ctx).Owns(person.TenantID) {
		return communitymodel.User{}, operations.Subject{}, dynamo.ErrNotFound
	}
	return person, operations.Subject{}, nil
}

type disableInput struct {
	PersonInput
	Body operations.Reason
}

type managedPerson struct {
	ID         string `json:"id" doc:"The person's id."`
	TenantID   string `json:"tenantId" doc:"Of whose communities the person is."`
	Username   string `json:"username" doc:"The name by which the person is found."`
	Name       string `json:"name" doc:"What the person is called."`
	Email      string `json:"email,omitempty" doc:"The person's address of email."`
	Phone      string `json:"phone,omitempty" doc:"The person's phone number."`
	Role       string `json:"role" enum:"user,moderator" doc:"A moderator moderates all communities of the tenant."`
	CreatedAt  string `json:"createdAt" doc:"When the person signed up."`
	LastSeenAt string `json:"lastSeenAt,omitempty" doc:"When the person was there last, to a minute; absent if they do not show it."`
	DisabledAt string `json:"disabledAt,omitempty" doc:"Since when the person is disabled."`
}

func showManaged(u communitymodel.User) managedPerson {
	return managedPerson{
		ID: string(u.ID), TenantID: string(u.TenantID), Username: u.Username, Name: u.Name, Email: u.Email,
		Phone: u.PhoneE164, Role: string(u.Role), CreatedAt: string(u.CreatedAt),
		LastSeenAt: string(u.ShownSeenAt()),
		DisabledAt: string(u.DisabledAt),
	}
}

type managedOutput struct{ Body managedPerson }

type findManagedInput struct {
	operations.TenantInput
	Username string `query:"username" maxLength:"30" doc:"The whole username."`
	Email    string `query:"email" maxLength:"254" doc:"The address, in place of the username."`
	Phone    string `query:"phone" maxLength:"32" doc:"The phone number with + and its country code, in place of the username."`
}

func (o *service) findManaged(ctx context.Context, in *findManagedInput) (*managedOutput, error) {
	tenant, err := oneTenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, err := o.named(ctx, tenant, in)
	return &managedOutput{showManaged(found)}, err
}

// named returns the person whom an operator names in one of three ways, or dynamo.ErrNotFound.
func (o *service) named(ctx context.Context, tenant model.TenantID,
	in *findManagedInput) (none communitymodel.User, err error) {
	var of users.Address
	switch {
	case in.Username != "" && in.Email+in.Phone == "":
		return o.Users.ByUsername(ctx, tenant, in.Username)
	case in.Email != "" && in.Username+in.Phone == "":
		of.Email, err = mailaddress.Parse(in.Email)
	case in.Phone != "" && in.Username+in.Email == "":
		of.Phone, err = users.ParsePhone(in.Phone)
	default:
		return none, httpapi.Invalid("query.username", "a username, an email or a phone")
	}
	if err != nil {
		return none, dynamo.ErrNotFound
	}
	return o.Users.ByAddress(ctx, tenant, of)
}
