package messagingapi

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/accounts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tenancy"
)

func (o *service) numbers() {
	const tag = "Numbers"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-numbers", Method: http.MethodGet, Path: "/v1/numbers", Tags: []string{tag},
		Summary:  "List your numbers by their ids, what Meta says of them, and whether they can send",
		Security: httpapi.Needs(httpapi.InboxRead), Errors: []int{http.StatusNotFound},
		Description: "A number stops sending when Meta refuses everything it sends: its token has expired, or it " +
			"is restricted. " +
			"Messages wait meanwhile, and lose nothing.",
	}, o.listNumbers)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "resume-number", Method: http.MethodPost, Path: "/v1/numbers/{phoneNumberId}/resume",
		Tags:    []string{tag},
		Summary: "Have a stopped number send again", DefaultStatus: http.StatusNoContent,
		Description: "For when the cause is mended. One waiting message is tried within about a minute, and the " +
			"others follow when it has gone out. " +
			"Where the cause is not mended the number stops again.",
		Security: httpapi.Needs(httpapi.OutboxReplay), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.ownNumber, o.resumeNumber)
	o.numberProvider()
}

// resumeNumber ends the stop of a number. A number of a disabled tenant stays stopped until the tenant is enabled.
func (o *service) resumeNumber(ctx context.Context, _ *NumberInput, phone model.PhoneNumberID) (*done, error) {
	group := sending.SenderGroup(phone)
	stops, err := o.outbox.Stops(ctx, []string{group})
	if err != nil {
		return nil, err
	}
	if stops[group].Held() {
		return nil, tenancy.ErrDisabled
	}
	return nil, o.outbox.Resume(ctx, group)
}

type NumberInput struct {
	PhoneNumberID string `path:"phoneNumberId" maxLength:"512" example:"106540352242922" doc:"Meta's id of the number."`
}

// ownNumber finds a number that the caller may have send again.
func (o *service) ownNumber(ctx context.Context, in *NumberInput) (model.PhoneNumberID, operations.Subject, error) {
	phone, err := model.ParsePhoneNumberID(in.PhoneNumberID)
	if err != nil {
		return "", operations.Subject{}, err
	}
	tenant, err := o.tenantOf(ctx, phone, httpapi.Caller.Owns)
	return phone,
		operations.Subject{Tenant: tenant, Target: audit.Target{Type: tenancy.TargetNumber, ID: string(phone)}}, err
}

type listNumbersInput struct {
	httpapi.Page
	TenantID string `query:"tenantId" maxLength:"512" doc:"One of your tenants; leave it out for all of them."`
}

type numberState struct {
	PhoneNumberID      string          `json:"phoneNumberId" doc:"Meta's id of the number."`
	TenantID           string          `json:"tenantId" doc:"Whose number it is."`
	WABAID             string          `json:"wabaId,omitempty" doc:"Its WhatsApp Business Account."`
	DisplayPhoneNumber string          `json:"displayPhoneNumber,omitempty" doc:"The number as people write it."`
	UnansweredSends    string          `json:"unansweredSends" enum:"repeat,park" doc:"Whether a message of which WhatsApp never says that it took it is sent again, or waits for a person."`
	Assignment         *assignment     `json:"assignment" doc:"Which colleague gets a conversation that nobody takes care of."`
	AWSPhoneNumberID   string          `json:"awsPhoneNumberId,omitempty" doc:"AWS's id of a number that sends by AWS End User Messaging; absent for one that sends by Meta itself."`
	VerifiedName       string          `json:"verifiedName,omitempty" doc:"The name that customers see, once Meta has approved one."`
	QualityRating      string          `json:"qualityRating,omitempty" example:"RED" doc:"RED while Meta has the number flagged for low quality. UNKNOWN when it has taken that back: medium or high, it does not say which. GREEN or YELLOW once it was asked. Absent where it has never said anything."`
	MessagingLimit     string          `json:"messagingLimit,omitempty" example:"TIER_10K" doc:"To how many customers a day templates may go, in Meta's words. The numbers of a business share it."`
	Throughput         string          `json:"throughput,omitempty" example:"HIGH" doc:"HIGH when Meta has raised how many messages a second the number may send, or STANDARD once it was asked."`
	HistoryProblem     string          `json:"historyProblem,omitempty" example:"2593109 History sharing is turned off" doc:"Why the conversations on its phone are not imported: Meta's code and words."`
	StoppedUntil       string          `json:"stoppedUntil,omitempty" doc:"Until when it sends nothing; absent while it sends, and if the tenant is disabled."`
	StopReason         string          `json:"stopReason,omitempty" doc:"What Meta said when it refused."`
	StopMeaning        string          `json:"stopMeaning,omitempty" doc:"What that means, in plain English."`
	StopAction         string          `json:"stopAction,omitempty" doc:"What to do about it."`
	Forbidden          string          `json:"forbidden,omitempty" enum:"everything,templates" doc:"What Meta does not let the number's account send; absent while it may send everything."`
	ForbiddenBy        string          `json:"forbiddenBy,omitempty" example:"ACCOUNT_RESTRICTION" doc:"The event that forbade it, in Meta's words."`
	ForbiddenUntil     string          `json:"forbiddenUntil,omitempty" doc:"Until when; absent where Meta has not said."`
	QualityHistory     []qualityChange `json:"qualityHistory" doc:"The latest events about quality and limits, oldest first; never null."`
	AccountNews        []accountNews   `json:"accountNews" doc:"The latest event of each kind about the account, newest first; never null."`
	Waiting            int             `json:"waiting" doc:"How many messages wait for the number to send again, counted up to 1000."`
}

type qualityChange struct {
	At     string `json:"at" doc:"When Meta told it."`
	Event  string `json:"event" example:"FLAGGED" doc:"What happened, in Meta's words; CHECKED if it was asked."`
	Rating string `json:"rating,omitempty" doc:"The quality from then on."`
	Limit  string `json:"limit,omitempty" doc:"The limit from then on."`
}

type accountNews struct {
	Kind    string `json:"kind" example:"account_update.ACCOUNT_RESTRICTION" doc:"The webhook field, and Meta's word for what happened."`
	At      string `json:"at" doc:"When Meta told it."`
	EventID string `json:"eventId" doc:"The entry of the webhook log, which is kept for 30 days."`
	Value   any    `json:"value,omitempty" doc:"What Meta said; absent where it is long, or may name people."`
}

type numberList = httpapi.List[numberState]

type numberListOutput struct{ Body numberList }

func (o *service) listNumbers(ctx context.Context, in *listNumbersInput) (*numberListOutput, error) {
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	caller := httpapi.CallerOf(ctx)
	tenants := caller.Tenants
	if in.TenantID != "" {
		tenants = []model.TenantID{model.TenantID(in.TenantID)}
		if !caller.Sees(tenants[0]) {
			return nil, httpapi.NotFound()
		}
	}
	var phones []model.Phone
	for _, tenant := range tenants {
		of, err := o.rooms.Phones(ctx, tenant)
		if err != nil {
			return nil, err
		}
		phones = append(phones, of...)
	}
	phones, end := httpapi.CutWhole(in.Page, after, phones, func(p model.Phone) httpapi.Position {
		return httpapi.Position{At: string(p.PhoneNumberID)}
	})
	groups := make([]string, len(phones))
	for i, phone := range phones {
		groups[i] = sending.SenderGroup(phone.PhoneNumberID)
	}
	stands, err := o.outbox.Groups(ctx, groups)
	if err != nil {
		return nil, err
	}
	known, err := o.rooms.Accounts.KnownOf(ctx,
		slices.DeleteFunc(slices.Clone(phones), func(p model.Phone) bool { return p.WABAMetaID == "" }))
	if err != nil {
		return nil, err
	}
	out := &numberListOutput{numberList{Items: make([]numberState, len(phones)), Cursor: end.Cursor()}}
	for i, phone := range phones {
		var of accounts.Known
		if phone.WABAMetaID != "" {
			of, known = known[0], known[1:]
		}
		out.Body.Items[i] = showNumber(phone, stands[groups[i]], of)
	}
	return out, nil
}

func showNumber(phone model.Phone, group outbox.Group, known accounts.Known) numberState {
	shown := numberState{
		PhoneNumberID: string(phone.PhoneNumberID), TenantID: string(phone.TenantID), WABAID: string(phone.WABAMetaID),
		DisplayPhoneNumber: phone.DisplayPhoneNumber, VerifiedName: phone.VerifiedName,
		AWSPhoneNumberID: phone.AWSPhoneNumberID, UnansweredSends: unansweredOf(phone), Assignment: assignmentOf(phone),
		QualityRating:  phone.QualityRating,
		MessagingLimit: phone.MessagingLimit, Throughput: phone.Throughput, HistoryProblem: phone.HistoryProblem,
		StopReason: group.Reason, Waiting: group.Waiting,
	}
	switch {
	case group.Held():
		shown.StopMeaning = "The tenant is disabled, so the number sends nothing."
		shown.StopAction = "A platform operator enables the tenant."
	case !group.StoppedUntil.IsZero():
		shown.StoppedUntil = string(model.At(group.StoppedUntil))
		why := explain(group.Code())
		shown.StopMeaning, shown.StopAction = why.Meaning, why.Action
	}
	shown.QualityHistory, shown.AccountNews = []qualityChange{}, []accountNews{}
	if standing := known.Account.Standing; standing.Forbids != "" {
		shown.Forbidden, shown.ForbiddenUntil, shown.ForbiddenBy = standing.Forbids, string(standing.Until),
			standing.Event
	}
	for _, c := range known.Quality.QualityHistory {
		shown.QualityHistory = append(shown.QualityHistory,
			qualityChange{string(c.Order.At()), c.Event, c.Rating, c.Limit})
	}
	for kind, n := range known.Account.News {
		news := accountNews{Kind: kind, At: string(n.Order.At()), EventID: string(n.EventID)}
		if n.Value != nil {
			news.Value = json.RawMessage(n.Value)
		}
		shown.AccountNews = append(shown.AccountNews, news)
	}
	slices.SortFunc(shown.AccountNews,
		func(a, b accountNews) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.Kind, b.Kind)) })
	return shown
}
