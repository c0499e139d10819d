package khataapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/problem"
)

func (o *service) customers() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-balances", Method: http.MethodGet, Path: path + "/customers", Tags: []string{khataTag},
		Summary:     "List what customers owe",
		Description: "All customers with a ledger by number, or those who owe, the largest dues first.",
		Security:    httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound},
	}, o.listBalances)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-balance", Method: http.MethodGet, Path: path + "/customers/{customer}",
		Tags:    []string{khataTag},
		Summary: "Get what a customer owes", Security: httpapi.Needs(httpapi.KhataRead),
		Errors: []int{http.StatusNotFound},
	}, o.getBalance)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-khata-customer", Method: http.MethodPut, Path: path + "/customers/{customer}",
		Tags:    []string{khataTag},
		Summary: "Set a customer's limit and reminders",
		Description: "It replaces what is set of the customer. Give the settings' version that you have read, or 0 " +
			"for a customer without a ledger.",
		Security: httpapi.Needs(httpapi.KhataManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setCustomerInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetAccount, account(in.StoreID, in.Customer))
	}, o.setCustomer)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "change-khata-customer", Method: http.MethodPatch, Path: path + "/customers/{customer}",
		Tags:    []string{khataTag},
		Summary: "Change some of a customer's settings",
		Description: "What is left out stays as it is: a new name changes nothing else. Give the settings' version " +
			"that you have read.",
		Security: httpapi.Needs(httpapi.KhataManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *changeCustomerInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetAccount, account(in.StoreID, in.Customer))
	}, o.changeCustomer)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-customer-balances", Method: http.MethodGet, Path: "/v1/khata/{customer}/balances",
		Tags:    []string{khataTag},
		Summary: "List what a customer owes in all stores of a tenant", Security: httpapi.Needs(httpapi.KhataRead),
		Errors: []int{http.StatusNotFound},
	}, o.listCustomerBalances)
}

// CustomerSettings are what is set of a customer.
type CustomerSettings struct {
	Name              string `json:"name,omitempty" maxLength:"120" doc:"What the customer is called."`
	CreditLimit       Amount `json:"creditLimit,omitempty" pattern:"^[0-9]{1,10}(\\.[0-9]{1,2})?$" doc:"How much they may owe; leave it out for the store's default."`
	Reminders         bool   `json:"reminders,omitempty" doc:"Whether they are reminded while they owe."`
	ReminderFrequency string `json:"reminderFrequency,omitempty" enum:"daily,weekly,monthly" default:"weekly" doc:"How often."`
	ReminderChannel   string `json:"reminderChannel,omitempty" enum:"whatsapp,sms" doc:"How; leave it out for the store's way."`
	Quiet             bool   `json:"quiet,omitempty" doc:"Whether they are not told of the entries in their ledger."`
	Language          string `json:"language,omitempty" enum:"en,hi,hi-Latn" doc:"In which language; leave it out for the store's first."`
}

type balanceShown struct {
	StoreID  string           `json:"storeId" doc:"To whom they owe it."`
	Customer string           `json:"customer" doc:"The number, or Meta's user id."`
	Balance  operations.Money `json:"balance" doc:"What they owe; negative for what the store owes them."`
	Ordered  operations.Money `json:"openOrders,omitempty" doc:"What their open orders on credit come to, which counts against the limit as well."`
	CustomerSettings
	LastEntryID     string `json:"lastEntryId,omitempty" doc:"The latest entry."`
	LastEntryAt     string `json:"lastEntryAt,omitempty" doc:"When it was written."`
	NextReminderAt  string `json:"nextReminderAt,omitempty" doc:"When they are reminded next, if they still owe then."`
	Entries         int64  `json:"entries" doc:"How many entries the ledger has."`
	SettingsVersion int64  `json:"settingsVersion" doc:"Increases with every change of the settings."`
	UpdatedAt       string `json:"updatedAt" doc:"When it changed last."`
}

type balanceOutput struct{ Body balanceShown }

type balanceListOutput struct{ Body httpapi.List[balanceShown] }

func showBalance(b khatamodel.Balance, customer string) balanceShown {
	shown := balanceShown{
		StoreID: string(b.StoreID), Customer: customer, Balance: operations.MoneyOf(b.OutstandingBalance),
		CustomerSettings: CustomerSettings{
			Name: model.ShownLine(b.CustomerName), Reminders: b.ReminderEnabled,
			ReminderFrequency: string(b.ReminderFrequency), ReminderChannel: string(b.ReminderChannel),
			Language: b.PreferredLanguage, Quiet: b.Quiet,
		},
		LastEntryID: string(b.LastTransactionID), LastEntryAt: string(b.LastTransactionAt),
		NextReminderAt: string(b.NextReminderAt), Entries: b.Version,
		SettingsVersion: b.SettingsVersion, UpdatedAt: string(b.UpdatedAt),
	}
	if ordered := b.Ordered(); ordered.IsPositive() {
		shown.Ordered = operations.MoneyOf(ordered)
	}
	if b.CreditLimit != nil {
		shown.CreditLimit = Amount(b.CreditLimit.StringFixed(2))
	}
	return shown
}

type listBalancesInput struct {
	StoreInput
	httpapi.Page
	Order string `query:"order" enum:"customer,dues" default:"customer" doc:"By number, or the largest dues first."`
	Name  string `query:"name" maxLength:"120" doc:"Those whose names have all of these words, in any spelling: ramesh yadav. They come on one page."`
}

func (o *service) listBalances(ctx context.Context, in *listBalancesInput) (*balanceListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if name := strings.Fields(strings.ToLower(in.Name)); len(name) > 0 {
		return o.searchBalances(ctx, store, name)
	}
	l, err := operations.PageOf(in.Page, "balances", in.StoreID, in.Order)
	if err != nil {
		return nil, err
	}
	var rows []khatamodel.Balance
	place := ledger.DuePlace
	if in.Order == "dues" {
		rows, err = o.khata.Ledger.Largest(ctx, store.ID, in.Probe(), l.After)
	} else {
		rows, err = o.khata.Ledger.Customers(ctx, store.ID, in.Probe(), model.Name(l.After))
		place = func(b khatamodel.Balance) string { return string(b.CustomerPhone) }
	}
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(b khatamodel.Balance) httpapi.Position { return l.Position(place(b)) })
	// the person's other account goes on
	rows = slices.DeleteFunc(rows, func(b khatamodel.Balance) bool { return b.JoinedInto != "" })
	show, err := shownAs(ctx, o, store, rows, ofBalance, showBalance)
	if err != nil {
		return nil, err
	}
	return &balanceListOutput{operations.ListOf(rows, show, next)}, nil
}

// searchBalances lists the customers whom some words name.
func (o *service) searchBalances(ctx context.Context, store khata.Shop, name []string) (*balanceListOutput, error) {
	const most = 100
	rows, rest, err := o.khata.Ledger.Called(ctx, store.ID, name)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		rows = nil
	}
	rows = rows[:min(len(rows), most)]
	show, err := shownAs(ctx, o, store, rows, ofBalance, showBalance)
	if err != nil {
		return nil, err
	}
	return &balanceListOutput{operations.ListOf(rows, show, httpapi.Position{})}, nil
}

func (o *service) getBalance(ctx context.Context, in *CustomerInput) (*balanceOutput, error) {
	store, name, err := o.customer(ctx, *in, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	b, err := o.khata.Ledger.Balance(ctx, store.ID, name)
	return o.balance(ctx, store, b, err)
}

// customer finds a store that the caller may touch, and how the contract names a customer of it.
func (o *service) customer(ctx context.Context, in CustomerInput, may may) (khata.Shop, model.Name, error) {
	store, err := o.store(ctx, in.StoreID, may)
	if err != nil {
		return store, "", err
	}
	name, err := o.named(ctx, store, in.Customer, "path.customer")
	var invalid *problem.Error
	if errors.As(err, &invalid) && invalid.Class == problem.Invalid {
		err = dynamo.ErrNotFound
	}
	return store, name, err
}

type setCustomerInput struct {
	CustomerInput
	Body struct {
		CustomerSettings
		SettingsVersion int64 `json:"settingsVersion" minimum:"0" doc:"The version that you have read."`
	}
}

func (o *service) setCustomer(ctx context.Context, in *setCustomerInput, store khata.Shop) (*balanceOutput, error) {
	name, err := o.named(ctx, store, in.Customer, "path.customer")
	if err != nil {
		return nil, err
	}
	body := in.Body
	to := ledger.Settings{
		Name: body.Name, Reminders: body.Reminders, Frequency: khatamodel.Frequency(body.ReminderFrequency),
		Channel: khatamodel.Channel(body.ReminderChannel), Language: body.Language, Quiet: body.Quiet,
	}
	if body.CreditLimit != "" {
		limit, err := body.CreditLimit.amount("body.creditLimit")
		if err != nil {
			return nil, err
		}
		to.Limit = &limit
	}
	b, err := o.khata.Ledger.Set(ctx, store, name, to, body.SettingsVersion)
	return o.balance(ctx, store, b, err)
}

type changeCustomerInput struct {
	CustomerInput
	Body struct {
		SettingsVersion   int64   `json:"settingsVersion" minimum:"0" doc:"The version that you have read."`
		Name              *string `json:"name,omitempty" maxLength:"120" doc:"What the customer is called."`
		CreditLimit       *Amount `json:"creditLimit,omitempty" pattern:"^([0-9]{1,10}(\\.[0-9]{1,2})?)?$" doc:"How much they may owe. Empty: the store's default."`
		Reminders         *bool   `json:"reminders,omitempty" doc:"Whether they are reminded while they owe."`
		ReminderFrequency *string `json:"reminderFrequency,omitempty" enum:"daily,weekly,monthly" doc:"How often."`
		ReminderChannel   *string `json:"reminderChannel,omitempty" enum:"whatsapp,sms" doc:"How."`
		Quiet             *bool   `json:"quiet,omitempty" doc:"Whether they are not told of the entries in their ledger."`
		Language          *string `json:"language,omitempty" enum:"en,hi,hi-Latn" doc:"In which language."`
	}
}

func (o *service) changeCustomer(ctx context.Context, in *changeCustomerInput,
	store khata.Shop) (*balanceOutput, error) {
	name, err := o.named(ctx, store, in.Customer, "path.customer")
	if err != nil {
		return nil, err
	}
	body := in.Body
	var limit *model.Amount
	if body.CreditLimit != nil && *body.CreditLimit != "" {
		value, err := body.CreditLimit.amount("body.creditLimit")
		if err != nil {
			return nil, err
		}
		limit = &value
	}
	b, err := o.khata.Ledger.Change(ctx, store, name, body.SettingsVersion, func(s *ledger.Settings) {
		if body.CreditLimit != nil {
			s.Limit = limit
		}
		give(&s.Name, body.Name)
		give(&s.Reminders, body.Reminders)
		give(&s.Quiet, body.Quiet)
		give(&s.Language, body.Language)
		give((*string)(&s.Frequency), body.ReminderFrequency)
		give((*string)(&s.Channel), body.ReminderChannel)
	})
	return o.balance(ctx, store, b, err)
}

// give sets what is given; nil leaves it.
func give[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}

func (o *service) listCustomerBalances(ctx context.Context, in *CustomerEverywhereInput) (*balanceListOutput, error) {
	name, ours, err := o.everywhere(ctx, *in)
	if err != nil {
		return nil, err
	}
	rows, err := o.khata.Ledger.OfCustomer(ctx, name, ours)
	if err != nil {
		return nil, err
	}
	show, err := shownAs(ctx, o, khata.Shop{}, rows, ofBalance, showBalance)
	if err != nil {
		return nil, err
	}
	return &balanceListOutput{operations.ListOf(rows, show, httpapi.Position{})}, nil
}
