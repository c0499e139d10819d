package khataapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/reconcile"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) books() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "check-books", Method: http.MethodPost, Path: path + "/check", Tags: []string{khataTag},
		Summary: "Check whether the books hold",
		Description: "That each ledger is a chain without gaps, that each balance is its sum, that each young " +
			"entry has its idempotency record, that each claim that was confirmed has its entry, and that each order " +
			"on credit has its sale. " +
			"A call checks a part of them: go on with the cursor until there is none. With mend, a balance is made " +
			"what its ledger comes to; a ledger stays as it is.",
		Security: httpapi.Needs(httpapi.KhataManage), Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *checkInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetBooks, in.StoreID)
	}, o.checkBooks)
}

type checkInput struct {
	StoreInput
	Body struct {
		Mend   bool   `json:"mend,omitempty" doc:"Whether balances are mended."`
		Cursor string `json:"cursor,omitempty" maxLength:"700" doc:"The cursor of the call before; leave it out to begin."`
	}
}

type findingShown struct {
	Kind     string `json:"kind" enum:"gap,broken,wrong_balance,no_record,record_without_entry,no_sale,no_reversal,not_open,no_entry,unreadable" doc:"What does not hold."`
	Customer string `json:"customer,omitempty" doc:"Whose ledger."`
	About    string `json:"about,omitempty" doc:"The entry or the order."`
	Detail   string `json:"detail" doc:"What is wrong with it."`
	Mended   bool   `json:"mended" doc:"Whether it holds now."`
}

type checkOutput struct {
	Body struct {
		Customers int            `json:"customers" doc:"How many ledgers this call has checked."`
		Entries   int            `json:"entries" doc:"How many entries they have."`
		Orders    int            `json:"orders" doc:"How many orders on credit it has checked."`
		Findings  []findingShown `json:"findings" doc:"What does not hold."`
		Cursor    string         `json:"cursor,omitempty" doc:"Where to go on; there is none at the end."`
	}
}

// The parts of a check. A cursor is a page's position whose place begins with one of them.
const (
	ledgersPart = "ledgers "
	claimsPart  = "claims "
	ordersPart  = "orders "
	// checkPage is how many ledgers or orders one call checks.
	checkPage = 100
)

func (o *service) checkBooks(ctx context.Context, in *checkInput, store khata.Shop) (*checkOutput, error) {
	cursor, err := httpapi.Open(ctx, "body.cursor", in.Body.Cursor)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(httpapi.Page{Cursor: cursor}, "check", in.StoreID)
	if err != nil {
		return nil, httpapi.InvalidCursor("body.cursor")
	}
	var checked reconcile.Checked
	next := ""
	if place, orders := strings.CutPrefix(l.After, ordersPart); orders {
		if checked, next, err = o.khata.Books.OrdersOf(ctx, store, checkPage, place); next != "" {
			next = ordersPart + next
		}
	} else if place, ofClaims := strings.CutPrefix(l.After, claimsPart); ofClaims {
		var claim model.Name
		checked, claim, err = o.khata.Books.ClaimsOf(ctx, store, checkPage, model.Name(place))
		if next = ordersPart; claim != "" {
			next = claimsPart + string(claim)
		}
	} else {
		var customer model.Name
		checked, customer, err = o.khata.Books.Customers(ctx, store, checkPage,
			model.Name(strings.TrimPrefix(l.After, ledgersPart)), in.Body.Mend)
		if next = claimsPart; customer != "" {
			next = ledgersPart + string(customer)
		}
	}
	if err != nil {
		return nil, err
	}
	out := &checkOutput{}
	out.Body.Customers, out.Body.Entries, out.Body.Orders, out.Body.Findings = checked.Customers, checked.Entries,
		checked.Orders, []findingShown{}
	for _, f := range checked.Findings {
		out.Body.Findings = append(out.Body.Findings,
			findingShown{string(f.Kind), string(f.Customer), f.About, f.Detail, f.Mended})
	}
	out.Body.Cursor = l.Position(next).Cursor()
	return out, nil
}
