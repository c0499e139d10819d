// Package spending counts what language models take, in counters that each have a limit: that of a conversation, of a
// company, of a tenant. What a question may take at most is reserved before it is asked, and what it has taken is
// settled with its answer. So no limit is passed, however many questions are asked at once. What a question has taken
// that got no answer, or whose process has died, nobody knows: its reservation stays.
package spending

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Spending keeps the counters.
type Spending struct{ DB *dynamo.Client }

// How long the counters of a day and of a month are kept.
const (
	KeepsDays   = 40 * 24 * time.Hour
	KeepsMonths = 400 * 24 * time.Hour
)

// Counter is an item that counts what a scope has taken.
type Counter struct {
	Key    keys.Key
	Also   string // what else is set: the owner of the item, and how long it is kept
	Values dynamo.Item
	Limit  budget.Limit
}

// OfPeriod returns the counter of a period of something of a tenant.
func OfPeriod(tenant model.TenantID, key keys.Key, until time.Time, limit budget.Limit) Counter {
	return Counter{key, "tenant_id = :tenant, #ttl = :ttl",
		dynamo.Item{":tenant": dynamo.S(tenant), ":ttl": dynamo.N(until.Unix())}, limit}
}

// OfTenant returns the counter of everything that a tenant has models do in a day.
func OfTenant(tenant model.TenantID, now time.Time, most budget.Amount) Counter {
	return OfPeriod(tenant, keys.SpentBy(tenant, Day(now)), now.Add(KeepsDays), budget.Limit{
		Scope: budget.Tenant, Most: most})
}

// Day returns the day of a time, and Month its month, as counters name them.
func Day(now time.Time) model.Name { return model.Name(model.At(now)[:len("2026-11-25")]) }

// Month returns the month of a time, as counters name it.
func Month(now time.Time) model.Name { return model.Name(model.At(now)[:len("2026-11")]) }

// Reserved is what a question may take at most, counted in advance.
type Reserved struct {
	counters []Counter
	most     budget.Amount
}

// Reserve counts what a question may take at most. It returns the scope that has not enough left, and counts nothing
// then; "" if all have.
func (s *Spending) Reserve(ctx context.Context, counters []Counter, most budget.Amount) (r Reserved, over budget.Scope,
	err error) {
	var writes []dynamo.Write
	for _, of := range counters {
		room, fits := of.Limit.Room(most)
		if !fits {
			return Reserved{}, of.Limit.Scope, nil
		}
		u := adds(of, most)
		u.Do += " SET " + of.Also
		for name, value := range of.Values {
			u.Values[name] = value
		}
		var within []string
		if of.Limit.Most.Tokens > 0 {
			within = append(within, "(attribute_not_exists(#tokens) OR #tokens <= :roomTokens)")
			u.Values[":roomTokens"] = dynamo.N(room.Tokens)
		}
		if of.Limit.Most.Money.IsPositive() {
			within = append(within, "(attribute_not_exists(#money) OR #money <= :roomMoney)")
			u.Values[":roomMoney"] = dynamo.Number(room.Money.String())
		}
		u.If = dynamo.And(within...)
		writes = append(writes, u)
	}
	err = dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		err := s.DB.Transact(ctx, writes)
		var canceled *dynamo.TransactionCancelled
		if errors.As(err, &canceled) {
			if at := canceled.FirstFailed(); at >= 0 {
				over = counters[at].Limit.Scope
				return nil
			}
		}
		return dynamo.Conflict(err)
	})
	if err != nil {
		return Reserved{}, "", fmt.Errorf("reserve what a question may take: %w", err)
	}
	if over != "" {
		return Reserved{}, over, nil
	}
	return Reserved{counters, most}, "", nil
}

// adds returns the update that adds an amount to a counter.
func adds(to Counter, amount budget.Amount) dynamo.Update {
	return dynamo.Update{
		Table: tables.Conversations, Key: to.Key, Do: "ADD #tokens :tokens, #money :money",
		Values: dynamo.Item{":tokens": dynamo.N(amount.Tokens), ":money": dynamo.Number(amount.Money.String())},
	}
}

// Settle returns the writes by which a question counts as what it has taken, and not as what was reserved. Their
// condition is that the counters are there: nothing brings back what was erased.
func (r Reserved) Settle(took budget.Amount) []dynamo.Write {
	var writes []dynamo.Write
	for _, of := range r.counters {
		u := adds(of, took.Minus(r.most))
		u.If = "attribute_exists(primary_channel)"
		writes = append(writes, u)
	}
	return writes
}

// SettleAlone settles a question whose answer is not used. A counter that was erased meanwhile stays away.
func (s *Spending) SettleAlone(ctx context.Context, r Reserved, took budget.Amount) error {
	writes := r.Settle(took)
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		if len(writes) == 0 {
			return nil
		}
		err := s.DB.Transact(ctx, writes)
		var canceled *dynamo.TransactionCancelled
		if errors.As(err, &canceled) {
			if at := canceled.FirstFailed(); at >= 0 {
				writes = slices.Delete(writes, at, at+1)
				return fmt.Errorf("%w: without a counter", dynamo.ErrConflict)
			}
		}
		return dynamo.Conflict(err)
	})
	if err != nil {
		return fmt.Errorf("settle what a question has taken: %w", err)
	}
	return nil
}

// Taken returns what a counter says, with what is reserved; zero for one that is not there.
func (s *Spending) Taken(ctx context.Context, key keys.Key) (budget.Amount, error) {
	ref := dynamo.Ref{Table: tables.Conversations, Key: key}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	if err != nil {
		return budget.Amount{}, fmt.Errorf("what models have taken: %w", err)
	}
	var of struct {
		Tokens int64        `dynamodbav:"tokens"`
		Money  model.Amount `dynamodbav:"money"`
	}
	if item := ref.Found(found); item != nil {
		err = dynamo.Unmarshal(item, &of)
	}
	return budget.Amount{Tokens: of.Tokens, Money: of.Money.Decimal}, err
}
