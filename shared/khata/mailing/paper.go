package mailing

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/model"
)

// Paper is the kind of the paper that a customer gets who asks for a statement.
const Paper = "khata.statement"

// Layout lays out a statement as a PDF file. paper.PDF does.
type Layout func(s statement.Statement, language string, at time.Time) ([]byte, error)

// Maker makes the statements that customers ask for.
type Maker struct {
	Now        func() time.Time
	Shops      shop.Shops
	Statements statement.Statements
	// Shown returns what names the customers of accounts.
	Shown  func(ctx context.Context, s shop.Shop, accounts ...model.Name) (func(model.Name) string, error)
	Layout Layout
}

// Paper returns a customer's statement of this month and the last one. Of a customer with very many entries it is of
// this month, or of today.
func (m *Maker) Paper(ctx context.Context, of papers.Asked) (papers.Paper, error) {
	store, err := m.Shops.Shop(ctx, of.Store)
	if err == nil && store.Tenant != of.Tenant {
		err = papers.ErrGone
	}
	if err != nil {
		return papers.Paper{}, gone(err)
	}
	account := model.PhoneOf(of.Customer)
	s, err := m.latest(ctx, store, account)
	if err != nil {
		return papers.Paper{}, gone(err)
	}
	shown, err := m.Shown(ctx, store, account)
	if err != nil {
		return papers.Paper{}, err
	}
	s.Contact = shown(account)
	language := store.Language(cmp.Or(of.Language, s.Language))
	return letter(s, language, func() ([]byte, error) { return m.Layout(s, language, m.Now()) }), nil
}

// latest returns the statement of the longest of some periods that end today and are not too long for one.
func (m *Maker) latest(ctx context.Context, store shop.Shop, account model.Name) (s statement.Statement, err error) {
	now := m.Now().In(store.Zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, store.Zone)
	month := today.AddDate(0, 0, 1-today.Day())
	for _, from := range []time.Time{month.AddDate(0, -1, 0), month, today} {
		s, err = m.Statements.Of(ctx, store, account, from, today.AddDate(0, 0, 1))
		if !errors.Is(err, statement.ErrLong) {
			return s, err
		}
	}
	return s, err
}

// gone returns papers.ErrGone for what is not there any more, or is too long for a paper, and any other error as it is.
func gone(err error) error {
	if errors.Is(err, dynamo.ErrNotFound) || errors.Is(err, statement.ErrLong) {
		return papers.ErrGone
	}
	return err
}
