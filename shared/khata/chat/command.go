package chat

import (
	"context"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// command writes an entry down that the owner asks for, and answers with the new balance.
func (t talk) command(ctx context.Context, c Command) error {
	customer := t.numberOf(c.Number)
	if customer == "" {
		return t.reply(ctx, "command_help", nil)
	}
	d := ledger.Draft{Customer: customer, Type: khatamodel.Payment, Amount: c.Amount, Notes: model.Truncate(c.Note, maxNote), By: string(model.PhoneOf(t.shop.Owner)), Source: source}
	if c.Sale {
		d.Type = khatamodel.CreditSale
	} else {
		d.Method = "cash"
	}
	d.With = func(ctx context.Context, entry khatamodel.Transaction) ([]dynamo.Write, error) {
		values := map[string]string{"amount": t.money(c.Amount), "who": string(customer), "balance": t.money(entry.BalanceAfter)}
		key := "written"
		if c.Sale {
			key = "written_sale"
		}
		return t.prepare(ctx, t.m.Customer, "shop", content.Text{Body: t.text("", key, values)})
	}
	return t.write(ctx, d, idempotency.Command, string(t.m.ID))
}

const (
	source  = "chat" // of an entry
	maxNote = 200
)

// write adds an entry. Where a rule forbids it, the shop is told which.
func (t talk) write(ctx context.Context, d ledger.Draft, origin idempotency.Origin, key string) error {
	request, err := ledger.Request(t.shop, origin, key, nil)
	if err != nil {
		return err
	}
	_, err = t.Ledger.Add(ctx, t.shop, d, request)
	var rule *problem.Error
	if errors.As(err, &rule) && !errors.Is(err, dynamo.ErrConflict) && !errors.Is(err, dynamo.ErrNotFound) {
		return t.reply(ctx, "refused", map[string]string{"rule": rule.Detail})
	}
	return ignoreTold(err)
}

// numberOf returns how the contract names a number; "" for none. One without a country code gets the owner's.
func (t talk) numberOf(digits string) model.Name {
	if owner := string(t.shop.Owner); len(digits) == localDigits && len(owner) > localDigits && strings.Trim(owner, "0123456789") == "" {
		digits = owner[:len(owner)-localDigits] + digits
	}
	if len(digits) <= localDigits {
		return ""
	}
	return model.PhoneOf(model.CustomerID(digits))
}
