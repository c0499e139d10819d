package commerceapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) sessions() {
	const path = "/v1/stores/{storeId}/sessions/{customer}"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-session", Method: http.MethodGet, Path: path, Tags: []string{chatTag},
		Summary:  "Get what the assistant knows of a customer's conversation",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.getSession)
	for _, to := range []struct {
		id, path, summary string
		do                func(ctx context.Context, store commercemodel.Store,
			customer model.CustomerID) (commercemodel.Session, error)
	}{
		{"take-over", "/take-over", "Answer a customer in place of the assistant", o.takeOver},
		{"hand-back", "/hand-back", "Have the assistant answer a customer again", o.handBack},
	} {
		operations.Change(o.Registry, huma.Operation{
			OperationID: to.id, Method: http.MethodPost, Path: path + to.path, Tags: []string{chatTag},
			Summary:  to.summary,
			Security: httpapi.Needs(httpapi.OrdersWrite), Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, func(ctx context.Context, in *SessionInput) (commercemodel.Store, operations.Subject, error) {
			store, subject, err := o.change(ctx, in.StoreID, targetSession, "")
			if err != nil {
				return store, subject, err
			}
			customer, err := o.customer(ctx, store, in.Customer, "path.customer")
			subject.Target.ID = string(o.shop.SessionID(store.ID, customer))
			return store, subject, err
		}, func(ctx context.Context, in *SessionInput, store commercemodel.Store) (*sessionOutput, error) {
			customer, err := o.customer(ctx, store, in.Customer, "path.customer")
			if err != nil {
				return nil, err
			}
			s, err := to.do(ctx, store, customer)
			return &sessionOutput{showSession(s)}, err
		})
	}
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-assistant-texts", Method: http.MethodGet, Path: "/v1/assistant-texts",
		Tags:        []string{chatTag},
		Summary:     "List what the assistant says",
		Description: "By key and language. A store's settings may replace each; names in braces are filled in.",
		Security:    httpapi.Needs(httpapi.StoresRead),
	}, o.listTexts)
}

// SessionInput names a customer's session with a store.
type SessionInput struct {
	StoreInput
	Customer string `path:"customer" maxLength:"131" example:"919876543210" doc:"The customer's number, or Meta's user id."`
}

type sessionShown struct {
	ID            string        `json:"id" doc:"The session's id."`
	StoreID       string        `json:"storeId" doc:"With which store."`
	Customer      string        `json:"customer" doc:"The customer's number or user id."`
	PhoneNumberID string        `json:"phoneNumberId,omitempty" doc:"The store's number that they write to."`
	Language      string        `json:"language,omitempty" doc:"In which they are answered."`
	HandedOverAt  string        `json:"handedOverAt,omitempty" doc:"Since when a person answers, and not the assistant."`
	HandedOverFor string        `json:"handedOverFor,omitempty" doc:"Why."`
	MutedUntil    string        `json:"mutedUntil,omitempty" doc:"Until when the assistant does not answer, because the customer writes too much."`
	Basket        []sessionLine `json:"basket" doc:"What the customer wants so far."`
	Questions     []string      `json:"questions" doc:"What is still unclear: the customer's own words."`
	Details       sessionSaid   `json:"details" doc:"What the customer has said about the order beside its lines."`
	Pending       bool          `json:"pendingConfirmation" doc:"Whether the customer was asked to say yes."`
	LastOrderID   string        `json:"lastOrderId,omitempty" doc:"The order that was made in this session."`
	LastActivity  string        `json:"lastActivityAt" doc:"When the customer wrote last."`
	ExpiresAt     string        `json:"expiresAt,omitempty" doc:"When it is forgotten."`
}

type sessionLine struct {
	Article  string           `json:"article" doc:"The product, with its variant."`
	Quantity Quantity         `json:"quantity" doc:"How much of it."`
	Worth    operations.Money `json:"worth,omitempty" doc:"So much money's worth, in place of a quantity."`
}

type sessionSaid struct {
	Fulfilment string   `json:"fulfilment,omitempty" doc:"delivery or pickup."`
	Address    string   `json:"address,omitempty" doc:"Where to."`
	WantedAt   string   `json:"wantedAt,omitempty" doc:"When, in the customer's words."`
	Payment    string   `json:"payment,omitempty" doc:"How they want to pay."`
	Notes      []string `json:"notes,omitempty" doc:"Their wishes, in their words."`
}

type sessionOutput struct{ Body sessionShown }

func showSession(s commercemodel.Session) sessionShown {
	all := sessionShown{
		ID: string(s.SessionID), StoreID: string(s.StoreID), Customer: string(s.Customer),
		PhoneNumberID: string(s.PhoneNumberID), Language: s.Context.Language,
		HandedOverAt: string(s.HandedOverAt), HandedOverFor: s.HandedOverFor, MutedUntil: string(s.MutedUntil),
		Basket: []sessionLine{}, Questions: []string{},
		Pending: s.Context.PendingConfirmation, LastOrderID: string(s.Context.LastOrder),
		LastActivity: string(s.LastActivity), ExpiresAt: expires(s.TTL),
	}
	if b := s.Context.CurrentOrder; b != nil {
		all.Details = sessionSaid{b.Details.Way, b.Details.Address, b.Details.When, b.Details.Payment, b.Details.Notes}
		for _, line := range b.Lines {
			shown := sessionLine{Article: string(line.Article), Quantity: Quantity(line.Quantity.String())}
			if line.Worth != nil {
				shown.Worth = operations.MoneyOf(*line.Worth)
			}
			all.Basket = append(all.Basket, shown)
		}
		for _, q := range b.Open {
			all.Questions = append(all.Questions, q.Text)
		}
	}
	return all
}

func (o *service) getSession(ctx context.Context, in *SessionInput) (*sessionOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	customer, err := o.customer(ctx, store, in.Customer, "path.customer")
	if err != nil {
		return nil, err
	}
	s, err := o.shop.Assistant.Session(ctx, store.ID, customer)
	if err == nil && s.TTL > 0 && s.TTL <= o.shop.Now().Unix() {
		err = dynamo.ErrNotFound // it has expired, and is about to be deleted
	}
	return &sessionOutput{showSession(s)}, err
}

func (o *service) takeOver(ctx context.Context, store commercemodel.Store,
	customer model.CustomerID) (commercemodel.Session, error) {
	if len(store.PhoneNumberIDs) == 0 {
		return commercemodel.Session{}, dynamo.ErrNotFound
	}
	return o.shop.Assistant.TakeOver(ctx, store, store.PhoneNumberIDs[0], customer)
}

func (o *service) handBack(ctx context.Context, store commercemodel.Store,
	customer model.CustomerID) (commercemodel.Session, error) {
	return o.shop.HandBack(ctx, store, customer)
}

type assistantText struct {
	Key   string            `json:"key" doc:"By which a store's settings replace it."`
	Texts map[string]string `json:"texts" doc:"By language."`
}

type textsOutput struct{ Body httpapi.List[assistantText] }

func (o *service) listTexts(context.Context, *struct{}) (*textsOutput, error) {
	list := httpapi.List[assistantText]{Items: []assistantText{}}
	for _, key := range wording.Keys() {
		text := assistantText{Key: key, Texts: map[string]string{}}
		for _, language := range wording.Languages {
			text.Texts[language] = wording.Default(key, language)
		}
		list.Items = append(list.Items, text)
	}
	return &textsOutput{list}, nil
}
