package cardsapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const usersTag = "Card users"

func (o *service) users() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-card-user", Method: http.MethodPost, Path: "/v1/cards/users", Tags: []string{usersTag},
		Summary:       "Create a user",
		Description:   "A firebaseUid, a phone number and a user id of Meta's belong to one user of a tenant.",
		DefaultStatus: http.StatusCreated, Security: httpapi.Needs(httpapi.CardsWrite),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *createUserInput) (model.TenantID, operations.Subject, error) {
		tenant, err := operations.Tenant(ctx, in.Body.TenantID, httpapi.Caller.Owns)
		return tenant, operations.Subject{}, err
	}, o.createUser)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-card-users", Method: http.MethodGet, Path: "/v1/cards/users", Tags: []string{usersTag},
		Summary: "Find users by firebaseUid",
		Description: "Those that you may see: of your tenants, or yourself. It may take a moment until a new " +
			"user is found.",
		Security: httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn),
	}, o.listUsers)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-card-user", Method: http.MethodGet, Path: "/v1/cards/users/{userId}",
		Tags:    []string{usersTag},
		Summary: "Get a user", Security: httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn),
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *UserInput) (*userOutput, error) {
		found, err := o.user(ctx, in.UserID, read)
		return &userOutput{showUser(found.User)}, err
	})
	for _, to := range []struct {
		verb, summary string
		status        cardsmodel.UserStatus
	}{
		{"disable", "Disable a user: no requests and no purchases", cardsmodel.UserDisabled},
		{"enable", "Enable a disabled user", cardsmodel.UserActive},
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: to.verb + "-card-user", Method: http.MethodPost, Path: "/v1/cards/users/{userId}/" + to.verb,
			Tags:    []string{usersTag},
			Summary: to.summary, Security: httpapi.Needs(httpapi.CardsWrite),
			Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, func(ctx context.Context, in *userReasonInput) (touched, operations.Subject, error) {
			return o.change(ctx, in.UserID, write)
		},
			func(ctx context.Context, in *userReasonInput, found touched) (*userOutput, error) {
				user, err := o.domain.Users.SetStatus(ctx, found.EcosystemID, to.status, in.Body.Reason, found.by)
				return &userOutput{showUser(user)}, err
			})
	}
}

type userReasonInput struct {
	UserInput
	Body operations.Reason
}

type cardUser struct {
	ID               string      `json:"id" doc:"The user's id."`
	TenantID         string      `json:"tenantId" doc:"Whose user it is."`
	FirebaseUID      string      `json:"firebaseUid,omitempty" doc:"The subject of the person's own tokens."`
	Name             string      `json:"name,omitempty" doc:"What the person is called."`
	Email            string      `json:"email,omitempty" doc:"The person's e-mail address."`
	Phone            string      `json:"phone,omitempty" example:"+919876543210" doc:"The person's number, as in E.164."`
	WAUserID         string      `json:"waUserId,omitempty" doc:"Meta's user id, for a person who shows no number."`
	Language         string      `json:"language,omitempty" example:"hi" doc:"In which they are written to."`
	Role             string      `json:"role" enum:"user,admin" doc:"What the person is in the ecosystem. It gives no rights in this API: those depend on the token."`
	Status           string      `json:"status" enum:"active,disabled" doc:"A disabled user can ask for nothing and buy nothing."`
	Score            int         `json:"score" doc:"From 0 to 1000."`
	Tier             string      `json:"tier" enum:"low,medium,high" doc:"What the score makes of it, by the program's policy."`
	PendingRequestID string      `json:"pendingRequestId,omitempty" doc:"The request that waits for a decision."`
	CardSummary      cardSummary `json:"cardSummary" doc:"The sum of the user's cards."`
	CreatedAt        string      `json:"createdAt" doc:"When the user was created."`
	UpdatedAt        string      `json:"updatedAt" doc:"When something of the user changed last."`
}

type cardSummary struct {
	ActiveCards  int64            `json:"activeCards" doc:"How many cards are active."`
	TotalBalance operations.Money `json:"totalBalance" doc:"What the user owes."`
	TotalLimit   operations.Money `json:"totalLimit" doc:"What the user may owe."`
}

func showUser(u cardsmodel.User) cardUser {
	return cardUser{
		ID: string(u.EcosystemID), TenantID: string(u.TenantID), FirebaseUID: string(u.FirebaseUID), Name: u.Name,
		Email: u.Email, Phone: u.PhoneE164,
		WAUserID: string(u.WAUserID), Language: u.Language, Role: string(u.Role), Status: string(u.Status),
		Score: u.CurrentScore, Tier: string(u.Tier),
		PendingRequestID: string(u.PendingRequestID), CreatedAt: string(u.CreatedAt), UpdatedAt: string(u.UpdatedAt),
		CardSummary: cardSummary{
			u.CardSummary.ActiveCards, operations.MoneyOf(u.CardSummary.TotalBalance),
			operations.MoneyOf(u.CardSummary.TotalLimit)},
	}
}

type userOutput struct{ Body cardUser }

type createUserInput struct {
	operations.Keyed
	Body struct {
		TenantID    string `json:"tenantId,omitempty" maxLength:"512" doc:"One of your tenants; leave it out for your first."`
		FirebaseUID string `json:"firebaseUid,omitempty" maxLength:"128" pattern:"^[^#]+$" doc:"The subject of the person's own tokens."`
		Name        string `json:"name,omitempty" maxLength:"100" doc:"What the person is called."`
		Email       string `json:"email,omitempty" maxLength:"254" format:"email" doc:"The person's e-mail address."`
		Phone       string `json:"phone,omitempty" maxLength:"20" pattern:"^\\+[0-9]{8,15}$" example:"+919876543210" doc:"The person's number, as in E.164."`
		WAUserID    string `json:"waUserId,omitempty" maxLength:"131" pattern:"^[A-Z]{2}\\.[A-Za-z0-9.]+$" doc:"Meta's user id, for a person who shows no number."`
		Language    string `json:"language,omitempty" enum:"en,hi,es" doc:"In which the person is written to; the program's where it is left out."`
		Role        string `json:"role,omitempty" enum:"user,admin" default:"user" doc:"What the person is in the ecosystem."`
		Score       *int   `json:"score,omitempty" minimum:"0" maximum:"1000" doc:"The first score; 500 if it is left out."`
	}
}

func (o *service) createUser(ctx context.Context, in *createUserInput, tenant model.TenantID) (*userOutput, error) {
	by, err := o.by(ctx)
	if err != nil {
		return nil, err
	}
	request, err := in.Request(ctx, tenant, "create-card-user", in.Body)
	if err != nil {
		return nil, err
	}
	score := policy.FirstScore
	if in.Body.Score != nil {
		score = *in.Body.Score
	}
	created, err := o.domain.Users.Create(ctx, users.New{
		Tenant: tenant, FirebaseUID: model.Name(in.Body.FirebaseUID), Name: in.Body.Name, Email: in.Body.Email,
		Phone:    in.Body.Phone,
		WAUserID: model.CustomerID(in.Body.WAUserID), Language: in.Body.Language,
		Role: cardsmodel.UserRole(in.Body.Role), Score: score,
	}, request, by)
	return &userOutput{showUser(created)}, err
}

type listUsersInput struct {
	httpapi.Page
	FirebaseUID string `query:"firebaseUid" required:"true" minLength:"1" maxLength:"128" doc:"The subject of the person's tokens; me for yourself."`
}

type userListOutput struct{ Body httpapi.List[cardUser] }

func (o *service) listUsers(ctx context.Context, in *listUsersInput) (*userListOutput, error) {
	uid := in.FirebaseUID
	if uid == "me" {
		uid = httpapi.CallerOf(ctx).Subject
	}
	id, err := model.Parse[model.Name](uid)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "users", uid)
	if err != nil {
		return nil, err
	}
	found, err := o.domain.Users.ByFirebaseUID(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &userListOutput{httpapi.List[cardUser]{Items: []cardUser{}}}
	for _, one := range found {
		if _, err := o.user(ctx, string(one.EcosystemID), read); err == nil {
			out.Body.Items = append(out.Body.Items, showUser(one))
		}
	}
	var next httpapi.Position
	out.Body.Items, next = httpapi.CutWhole(in.Page, l.Position(l.After), out.Body.Items,
		func(u cardUser) httpapi.Position { return l.Position(u.ID) })
	out.Body.Cursor = next.Cursor()
	return out, nil
}

func (o *service) scores() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "change-score", Method: http.MethodPost, Path: "/v1/cards/users/{userId}/scores",
		Tags:    []string{usersTag},
		Summary: "Change a user's score, and the tier with it", DefaultStatus: http.StatusCreated,
		Security: httpapi.Needs(httpapi.CardsWrite), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *changeScoreInput) (touched, operations.Subject, error) {
		return o.change(ctx, in.UserID, write)
	}, o.changeScore)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-scores", Method: http.MethodGet, Path: "/v1/cards/users/{userId}/scores",
		Tags:     []string{usersTag},
		Summary:  "List the changes of a user's score, newest first",
		Security: httpapi.Needs(httpapi.CardsRead, httpapi.CardsOwn), Errors: []int{http.StatusNotFound},
	}, o.listScores)
}

type changeScoreInput struct {
	UserInput
	operations.Keyed
	Body struct {
		Value             int    `json:"value" minimum:"0" maximum:"1000" doc:"The new score."`
		Reason            string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why."`
		Source            string `json:"source,omitempty" enum:"system,admin" default:"admin" doc:"Who changes it."`
		SourceID          string `json:"sourceId,omitempty" maxLength:"128" doc:"Which system, or which of its runs."`
		RelatedEntityType string `json:"relatedEntityType,omitempty" maxLength:"64" doc:"What the change is about."`
		RelatedEntityID   string `json:"relatedEntityId,omitempty" maxLength:"128" doc:"Which one."`
	}
}

type scoreChange struct {
	ID                string `json:"id" doc:"The change's id."`
	Value             int    `json:"value" doc:"The score after it."`
	PreviousValue     int    `json:"previousValue" doc:"The score before it."`
	Delta             int    `json:"delta" doc:"By how much it changed."`
	Reason            string `json:"reason" doc:"Why."`
	Source            string `json:"source" enum:"system,admin" doc:"Who changed it."`
	SourceID          string `json:"sourceId,omitempty" doc:"Which system, or which of its runs."`
	RelatedEntityType string `json:"relatedEntityType,omitempty" doc:"What the change is about."`
	RelatedEntityID   string `json:"relatedEntityId,omitempty" doc:"Which one."`
	At                string `json:"at" doc:"When it changed."`
}

func showScore(s cardsmodel.Score) scoreChange {
	return scoreChange{
		ID: string(s.ScoreID), Value: s.Value, PreviousValue: s.PreviousValue, Delta: s.Delta, Reason: s.Reason,
		Source: string(s.Source), SourceID: s.SourceID,
		RelatedEntityType: s.RelatedEntityType, RelatedEntityID: s.RelatedEntityID, At: string(s.Timestamp),
	}
}

type scoreOutput struct{ Body scoreChange }

func (o *service) changeScore(ctx context.Context, in *changeScoreInput, found touched) (*scoreOutput, error) {
	request, err := in.Request(ctx, found.TenantID, "change-score", in.Body)
	if err != nil {
		return nil, err
	}
	changed, err := o.domain.Users.ChangeScore(ctx, found.EcosystemID, users.ScoreChange{
		Value: in.Body.Value, Reason: in.Body.Reason, Source: cardsmodel.ScoreSource(in.Body.Source),
		SourceID:          in.Body.SourceID,
		RelatedEntityType: in.Body.RelatedEntityType, RelatedEntityID: in.Body.RelatedEntityID,
	}, request, found.by)
	return &scoreOutput{showScore(changed)}, err
}

type listScoresInput struct {
	UserInput
	httpapi.Page
}

type scoreListOutput struct{ Body httpapi.List[scoreChange] }

func (o *service) listScores(ctx context.Context, in *listScoresInput) (*scoreListOutput, error) {
	found, err := o.user(ctx, in.UserID, read)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "scores", in.UserID)
	if err != nil {
		return nil, err
	}
	rows, err := o.domain.Users.Scores(ctx, found.EcosystemID, in.Probe(), l.After)
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(s cardsmodel.Score) httpapi.Position { return l.Position(s.TimestampScoreID) })
	return &scoreListOutput{operations.ListOf(rows, showScore, next)}, nil
}
