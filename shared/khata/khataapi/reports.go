package khataapi

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/paper"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) reports() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-statement", Method: http.MethodGet, Path: path + "/customers/{customer}/statement",
		Tags:    []string{khataTag},
		Summary: "Get a customer's statement",
		Description: "What happened in a period, in the ledger's order, what was owed before and after it, and how " +
			"old the dues are now.",
		Security: httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.getStatement)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "export-statement", Method: http.MethodGet, Path: path + "/customers/{customer}/statement/export",
		Tags:    []string{khataTag},
		Summary: "Export a customer's statement",
		Description: "As CSV for a spreadsheet, the entries one a line: a cell that a spreadsheet would take for a " +
			"formula begins with an apostrophe. " +
			"Or as PDF for the customer, who can read it on a phone: it holds none of the shop's notes and reasons.",
		Security: httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.exportStatement)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-ageing", Method: http.MethodGet, Path: path + "/ageing", Tags: []string{khataTag},
		Summary:     "List how old the dues are",
		Description: "By customer, the largest dues first. Payments pay the oldest dues first.",
		Security:    httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound},
	}, o.listAgeing)
}

// StatementInput asks for a statement of a customer.
type StatementInput struct {
	CustomerInput
	From string `query:"from" required:"true" format:"date" maxLength:"10" example:"2026-11-01" doc:"The first day, of the store's time zone."`
	To   string `query:"to" required:"true" format:"date" maxLength:"10" example:"2026-11-30" doc:"The last day."`
}

// AgesShown are dues by how long they are owed.
type AgesShown struct {
	UpTo30 operations.Money `json:"upTo30Days" doc:"Owed for up to 30 days."`
	UpTo60 operations.Money `json:"upTo60Days" doc:"Owed for 31 to 60 days."`
	UpTo90 operations.Money `json:"upTo90Days" doc:"Owed for 61 to 90 days."`
	Older  operations.Money `json:"older" doc:"Owed for longer."`
}

func showAges(a statement.Ages) AgesShown {
	return AgesShown{
		operations.MoneyOf(a.UpTo30), operations.MoneyOf(a.UpTo60), operations.MoneyOf(a.UpTo90),
		operations.MoneyOf(a.Older)}
}

type statementShown struct {
	StoreID  string           `json:"storeId" doc:"Whose books."`
	Store    string           `json:"store" doc:"What the store is called."`
	Customer string           `json:"customer" doc:"The number, or Meta's user id."`
	Name     string           `json:"name,omitempty" doc:"What the customer is called."`
	From     string           `json:"from" doc:"The first day."`
	To       string           `json:"to" doc:"The last day."`
	Opening  operations.Money `json:"opening" doc:"What was owed before the first entry."`
	Sold     operations.Money `json:"sold" doc:"What was bought on credit."`
	Paid     operations.Money `json:"paid" doc:"What was paid."`
	Closing  operations.Money `json:"closing" doc:"What was owed after the last entry."`
	Balance  operations.Money `json:"balance" doc:"What is owed now."`
	Ages     AgesShown        `json:"ages" doc:"How old the dues are now."`
	Entries  []entryShown     `json:"entries" doc:"What happened, the earliest first."`
}

type statementOutput struct{ Body statementShown }

// statement returns the statement that a request asks for.
func (o *service) statement(ctx context.Context, in *StatementInput) (statement.Statement, error) {
	store, name, err := o.customer(ctx, in.CustomerInput, httpapi.Caller.Sees)
	if err != nil {
		return statement.Statement{}, err
	}
	return o.statementOf(ctx, store, name, in.From, in.To, "query.to")
}

// statementOf returns the statement of a customer from one day to another.
func (o *service) statementOf(ctx context.Context, store khata.Shop, name model.Name, first, last,
	field string) (statement.Statement, error) {
	from, errFrom := time.ParseInLocation(shop.DateLayout, first, store.Zone)
	to, errTo := time.ParseInLocation(shop.DateLayout, last, store.Zone)
	if errFrom != nil || errTo != nil || to.Before(from) {
		return statement.Statement{}, httpapi.Invalid(field, "it is before from")
	}
	s, err := o.statements.Of(ctx, store, name, from, to.AddDate(0, 0, 1))
	if err != nil {
		return s, err
	}
	shown, err := o.khata.Shown(ctx, store, name)
	if err != nil {
		return s, err
	}
	s.Contact = shown(name)
	return s, nil
}

func (o *service) getStatement(ctx context.Context, in *StatementInput) (*statementOutput, error) {
	s, err := o.statement(ctx, in)
	if err != nil {
		return nil, err
	}
	shown := statementShown{
		StoreID: string(s.Shop.ID), Store: s.Shop.Name, Customer: s.Contact, Name: s.Name, From: in.From, To: in.To,
		Opening: operations.MoneyOf(s.Opening), Sold: operations.MoneyOf(s.Sold), Paid: operations.MoneyOf(s.Paid),
		Closing: operations.MoneyOf(s.Closing),
		Balance: operations.MoneyOf(s.Balance), Ages: showAges(s.Ages), Entries: []entryShown{},
	}
	for _, entry := range s.Entries {
		shown.Entries = append(shown.Entries, showEntry(entry, s.Contact))
	}
	return &statementOutput{shown}, nil
}

type fileOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

// LanguageInput chooses the language of what a customer reads.
type LanguageInput struct {
	Language string `query:"language" enum:"en,hi,hi-Latn" doc:"The language of the PDF file; leave it out for the customer's."`
}

type exportInput struct {
	StatementInput
	LanguageInput
	Format string `query:"format" enum:"csv,pdf" default:"csv" doc:"What kind of file."`
}

func (o *service) exportStatement(ctx context.Context, in *exportInput) (*fileOutput, error) {
	s, err := o.statement(ctx, &in.StatementInput)
	if err != nil {
		return nil, err
	}
	if in.Format == "pdf" {
		content, err := paper.PDF(s, s.Shop.Language(cmp.Or(in.Language, s.Language)), o.khata.Now())
		return &fileOutput{"application/pdf", `attachment; filename="statement.pdf"`, content}, err
	}
	var file bytes.Buffer
	if err := s.CSV(&file); err != nil {
		return nil, err
	}
	return &fileOutput{"text/csv; charset=utf-8", `attachment; filename="statement.csv"`, file.Bytes()}, nil
}

type listAgeingInput struct {
	StoreInput
	httpapi.Page
}

type agedShown struct {
	Customer string           `json:"customer" doc:"The number, or Meta's user id."`
	Name     string           `json:"name,omitempty" doc:"What the customer is called."`
	Balance  operations.Money `json:"balance" doc:"What they owe."`
	AgesShown
}

type agedListOutput struct{ Body httpapi.List[agedShown] }

func (o *service) listAgeing(ctx context.Context, in *listAgeingInput) (*agedListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "ageing", in.StoreID)
	if err != nil {
		return nil, err
	}
	rows, err := o.statements.Ageing(ctx, store, in.Probe(), l.After)
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows, func(a statement.Aged) httpapi.Position { return l.Position(a.Place) })
	return &agedListOutput{operations.ListOf(rows, func(a statement.Aged) agedShown {
		return agedShown{string(a.Customer), a.Name, operations.MoneyOf(a.Owed), showAges(a.Ages)}
	}, next)}, nil
}
