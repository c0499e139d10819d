// Package spending counts what language models take for a conversation, for a day and a month of its company, and for a
// day of the company's tenant. What a question may take at most is reserved before it is asked, and what it has taken
// is settled with its answer. So no limit is passed, however many questions are asked at once. What a question has
// taken that got no answer, or whose process has died, nobody knows: its reservation stays.
package spending

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Spending keeps the counters.
type Spending struct {
	DB  *dynamo.Client
	Now func() time.Time
}

// How long the counters of a day and of a month are kept.
const (
	keepsDays   = 40 * 24 * time.Hour
	keepsMonths = 400 * 24 * time.Hour
)

// counter is an item that counts what a scope has taken.
type counter struct {
	key    keys.Key
	also   string // what else is set
	values dynamo.Item
}

// countersOf returns the counters of a conversation, in the order of budget.Limits.All.
func countersOf(c conversationsmodel.Conversation, now time.Time) []counter {
	at := string(model.At(now))
	day, month := model.Name(at[:len("2026-11-25")]), model.Name(at[:len("2026-11")])
	period := func(key keys.Key, keeps time.Duration) counter {
		return counter{key, "tenant_id = :tenant, #ttl = :ttl",
			dynamo.Item{":tenant": dynamo.S(c.TenantID), ":ttl": dynamo.N(now.Add(keeps).Unix())}}
	}
	talk := counter{keys.TalkSpent(c.Key()), "tenant_id = :tenant, customer = :customer",
		dynamo.Item{":tenant": dynamo.S(c.TenantID), ":customer": dynamo.S(c.Customer)}}
	if c.TTL > 0 {
		talk.also += ", #ttl = :ttl"
		talk.values[":ttl"] = dynamo.N(c.TTL)
	}
	return []counter{
		talk, period(keys.Spent(c.CompanyID, day), keepsDays), period(keys.Spent(c.CompanyID, month), keepsMonths),
		period(keys.SpentBy(c.TenantID, day), keepsDays)}
}

// Reserved is what a question may take at most, counted in advance.
type Reserved struct {
	counters []counter
	most     budget.Amount
}

// Reserve counts what a question may take at most. It returns the scope that has not enough left, and counts nothing
// then; "" if all have.
func (s *Spending) Reserve(ctx context.Context, c conversationsmodel.Conversation, limits budget.Limits,
	most budget.Amount) (r Reserved, over budget.Scope, err error) {
	r = Reserved{countersOf(c, s.Now()), most}
	var writes []dynamo.Write
	all := limits.All()
	for i, limit := range all {
		room, fits := limit.Room(most)
		if !fits {
			return Reserved{}, limit.Scope, nil
		}
		u := adds(r.counters[i], most)
		u.Do += " SET " + r.counters[i].also
		for name, value := range r.counters[i].values {
			u.Values[name] = value
		}
		var within []string
		if limit.Most.Tokens > 0 {
			within = append(within, "(attribute_not_exists(#tokens) OR #tokens <= :roomTokens)")
			u.Values[":roomTokens"] = dynamo.N(room.Tokens)
		}
		if limit.Most.Money.IsPositive() {
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
				over = all[at].Scope
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
	return r, "", nil
}

// adds returns the update that adds an amount to a counter.
func adds(to counter, amount budget.Amount) dynamo.Update {
	return dynamo.Update{
		Table: tables.Conversations, Key: to.key, Do: "ADD #tokens :tokens, #money :money",
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

// SettleAlone settles a question whose answer is not used.
func (s *Spending) SettleAlone(ctx context.Context, r Reserved, took budget.Amount) error {
	writes := r.Settle(took)
	err := dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		err := s.DB.Transact(ctx, writes)
		var canceled *dynamo.TransactionCancelled
		if errors.As(err, &canceled) && canceled.FirstFailed() == 0 && len(writes) == len(r.counters) {
			writes = writes[1:] // the conversation was erased
			return fmt.Errorf("%w: without the conversation", dynamo.ErrConflict)
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
