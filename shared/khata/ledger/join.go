package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// joinSource says of an entry that it joins two accounts of one person.
const joinSource = "join"

// Join moves what an account owes to another account of the same person, who was known under two keys. Two entries say
// so: one takes the balance from the first account, and one adds it to the second. The first is closed, also if it has
// no entries. What is added to it later goes into the second.
//
// All commit in one transaction. Its conditions are that both balances are as they were read, and that the first is not
// joined yet. A repeated call does nothing.
func (l *Ledger) Join(ctx context.Context, s shop.Shop, from, to model.Name) error {
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		found, err := l.DB.BatchGet(ctx, []dynamo.Ref{BalanceRef(s.ID, from), BalanceRef(s.ID, to)})
		if err != nil {
			return err
		}
		closing, err := BalanceIn(found, s.ID, from)
		if err != nil || closing.JoinedInto != "" {
			return err
		}
		going, err := l.Balance(ctx, s.ID, to)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return err
		}
		if going.CustomerPhone != "" {
			to = going.CustomerPhone
		}
		if to == from {
			return nil
		}
		writes, err := l.joinWrites(s, closing, going, from, to)
		if err != nil {
			return err
		}
		return dynamo.Conflict(l.DB.Transact(ctx, writes))
	})
	l.known.forget(s.ID, from)
	l.known.forget(s.ID, to)
	if err != nil {
		return fmt.Errorf("join accounts: %w", err)
	}
	return nil
}

// joinWrites returns the transaction that joins two accounts. Either may have no balance yet.
func (l *Ledger) joinWrites(s shop.Shop, closing, going khatamodel.Balance, from,
	to model.Name) ([]dynamo.Write, error) {
	now := l.Now()
	closed, continued := closing, going
	if closing.PK == "" {
		closed = begin(s, from, model.At(now))
	}
	if going.PK == "" {
		continued = begin(s, to, model.At(now))
	}
	var writes []dynamo.Write
	if owed := closed.OutstandingBalance; !owed.IsZero() {
		taken, err := l.joinEntry(s, &closed, model.Amount{Decimal: owed.Neg()},
			"moved to another account of the same person", now)
		if err != nil {
			return nil, err
		}
		added, err := l.joinEntry(s, &continued, owed, "moved from another account of the same person", now)
		if err != nil {
			return nil, err
		}
		writes = append(taken, added...)
	}
	if closing.PK != "" {
		inherit(&continued, closed)
		Plan(s, &continued, now)
		put, err := replaceBalance(going, continued, now)
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
	}
	closed.JoinedInto, closed.CustomerName, closed.OpenOrders = to, "", nil
	closed.ReminderEnabled, closed.ReminderBucket, closed.NextReminderAt = false, "", ""
	put, err := replaceBalance(closing, closed, now)
	return append(writes, put), err
}

// joinEntry returns the writes of an entry that adds to a balance, and moves the balance.
func (l *Ledger) joinEntry(s shop.Shop, b *khatamodel.Balance, delta model.Amount, reason string,
	now time.Time) ([]dynamo.Write, error) {
	d := Draft{Customer: b.CustomerPhone, Type: khatamodel.Adjustment, Amount: delta, Reason: reason, By: joinSource,
		Source: joinSource}
	request, err := Request(s, idempotency.Job, fmt.Sprintf("join %s %d", b.CustomerPhone, b.Version), reason)
	if err != nil {
		return nil, err
	}
	entry := khatamodel.Transaction{
		StoreID: s.ID, CustomerPhone: d.Customer, Type: d.Type, Amount: delta, BalanceBefore: b.OutstandingBalance,
		BalanceAfter: model.Amount{Decimal: b.OutstandingBalance.Add(delta.Decimal)}, CreatedBy: d.By,
		TenantID: s.Tenant, Version: b.Version + 1, Reason: reason,
		Metadata: map[string]any{"source": d.Source},
	}
	identify(s, &entry, model.Name(request.ID()), now)
	b.OutstandingBalance, b.Version, b.LastTransactionID, b.LastTransactionAt = entry.BalanceAfter, entry.Version,
		entry.TransactionID, entry.CreatedAt
	item, err := dynamo.Marshal(entry)
	if err != nil {
		return nil, err
	}
	record, err := request.Writes(now,
		result{entry.TransactionID, entry.StoreID, entry.CustomerPhone, entry.BalanceAfter})
	return slices.Concat([]dynamo.Write{dynamo.Put{Table: tables.KhataTransactions, Item: item, If: dynamo.IfAbsent}},
		record), err
}

// inherit gives the account that goes on what is set of the closed one and not of itself: the person's name, language
// and limit. The open orders of both count. The latest reminder of either counts, so that a period has one.
func inherit(going *khatamodel.Balance, closing khatamodel.Balance) {
	going.OpenOrders = maps.Clone(going.OpenOrders)
	for order, amount := range closing.OpenOrders {
		open(going, order, amount)
	}
	going.CustomerName = cmp.Or(going.CustomerName, closing.CustomerName)
	going.PreferredLanguage = cmp.Or(going.PreferredLanguage, closing.PreferredLanguage)
	if going.CreditLimit == nil {
		going.CreditLimit = closing.CreditLimit
	}
	if going.Version == 0 || closing.LastReminderAt > going.LastReminderAt {
		going.LastReminderAt = max(going.LastReminderAt, closing.LastReminderAt)
		going.ReminderBucket, going.NextReminderAt = "", "" // planned anew, a period after the latest
	}
}

// replaceBalance returns the write of a balance. Its condition is that the stored one is as it was read; none if it was
// none.
func replaceBalance(was, is khatamodel.Balance, now time.Time) (dynamo.Write, error) {
	is.SettingsVersion, is.OrdersVersion, is.UpdatedAt = was.SettingsVersion+1, was.OrdersVersion+1, model.At(now)
	item, err := dynamo.Marshal(is)
	if err != nil {
		return nil, err
	}
	put := dynamo.Put{Table: tables.CustomerBalances, Item: item, If: dynamo.IfAbsent}
	if was.PK != "" {
		put.Values = dynamo.Item{}
		put.If = unchangedBalance(was, put.Values)
	}
	return put, nil
}

// unchangedBalance returns the condition that nothing of a balance has changed since it was read.
func unchangedBalance(was khatamodel.Balance, values dynamo.Item) string {
	values[":version"], values[":settings"] = dynamo.N(was.Version), dynamo.N(was.SettingsVersion)
	return dynamo.And("#version = :version", "#settings_version = :settings",
		dynamo.SameNumber("orders_version", was.OrdersVersion, values),
		dynamo.SameText("next_reminder_at", was.NextReminderAt, values),
		dynamo.SameText("last_reminder_at", was.LastReminderAt, values))
}
