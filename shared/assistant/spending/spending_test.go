package spending_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/assistant/budget"
	"github.com/haatline/haatline/shared/assistant/spending"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func dollars(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func spendingOn(client *dynamo.Client) *spending.Spending { return &spending.Spending{DB: client} }

// limits are those of the scopes of a question.
type limits struct{ talk, day, month, tenant budget.Amount }

// talkKey is the key of what was taken for a conversation.
func talkKey(request model.Name) keys.Key {
	return keys.TalkSpent(keys.Talk("ci-1", "pi-1", request, "+919876543210"))
}

// counters are those of a question in a conversation of a company.
func counters(company, request model.Name, l limits) []spending.Counter {
	period := func(name model.Name, scope budget.Scope, most budget.Amount) spending.Counter {
		return spending.OfPeriod("demo", keys.Spent(company, name), noon.Add(spending.KeepsDays),
			budget.Limit{Scope: scope, Most: most})
	}
	return []spending.Counter{
		{Key: talkKey(request), Also: "customer = :customer",
			Values: dynamo.Item{":customer": dynamo.S("919876543210")},
			Limit:  budget.Limit{Scope: budget.Conversation, Most: l.talk}},
		period(spending.Day(noon), budget.Day, l.day), period(spending.Month(noon), budget.Company, l.month),
		spending.OfTenant("demo", noon, l.tenant)}
}

// says compares what a counter says.
func says(t testing.TB, db *dynamotest.DB, key keys.Key, tokens int64, money string) {
	t.Helper()
	have, err := spendingOn(db.Client).Taken(t.Context(), key)
	if err != nil || have.Tokens != tokens || !have.Money.Equal(dollars(money)) {
		t.Errorf("%s: %d tokens and %s, want %d and %s; %v", key.Sort, have.Tokens, have.Money, tokens, money, err)
	}
}

var (
	day   = keys.Spent("ci-1", "2026-11-25")
	month = keys.Spent("ci-1", "2026-11")
	all   = keys.SpentBy("demo", "2026-11-25")
)

// Of many questions at once, as many are asked as the limit allows, and the counters say exactly what they have taken.
func TestALimitHoldsUnderRaces(t *testing.T) {
	db := dynamotest.Start(t, tables.Conversations)
	most := budget.Amount{Tokens: 100, Money: dollars("0.01")}
	took := budget.Amount{Tokens: 7, Money: dollars("0.000007")}
	of := limits{day: budget.Amount{Tokens: 500}}
	var asked atomic.Int64
	var jobs []func() error
	for n := range 12 {
		jobs = append(jobs, func() error {
			s := spendingOn(db.Client)
			r, over, err := s.Reserve(t.Context(), counters("ci-1", model.Name("r"+string(rune('a'+n))), of), most)
			if err != nil || over != "" {
				if over != "" && over != budget.Day {
					t.Errorf("over %s", over)
				}
				return err
			}
			if asked.Add(1) > 5 {
				return nil // its answer is lost: it counts with what it may have taken
			}
			return s.SettleAlone(t.Context(), r, took)
		})
	}
	if err := errors.Join(lanes.Concurrently(len(jobs), jobs...)...); err != nil {
		t.Fatal(err)
	}
	n := asked.Load()
	if n < 5 {
		t.Errorf("%d were asked", n)
	}
	lost := decimal.NewFromInt(n - 5)
	says(t, db, day, 5*7+(n-5)*100, dollars("0.000035").Add(lost.Mul(most.Money)).String())
	says(t, db, month, 5*7+(n-5)*100, dollars("0.000035").Add(lost.Mul(most.Money)).String())
}

func TestEachScopeHasItsLimit(t *testing.T) {
	db := dynamotest.Start(t, tables.Conversations)
	s, most := spendingOn(db.Client), budget.Amount{Tokens: 100, Money: dollars("0.10")}
	reserve := func(of limits, want budget.Scope) {
		t.Helper()
		if _, over, err := s.Reserve(t.Context(), counters("ci-1", "r1", of), most); err != nil || over != want {
			t.Errorf("%+v: over %q, %v", of, over, err)
		}
	}
	reserve(limits{month: budget.Amount{Tokens: 99}}, budget.Company)
	reserve(limits{talk: budget.Amount{Money: dollars("0.09")}}, budget.Conversation)
	says(t, db, day, 0, "0")
	reserve(limits{talk: most, day: most, month: most}, "")
	reserve(limits{talk: budget.Amount{Tokens: 199}}, budget.Conversation)
	reserve(limits{day: budget.Amount{Money: dollars("0.19999")}}, budget.Day)
	reserve(limits{month: budget.Amount{Money: dollars("0.2"), Tokens: 199}}, budget.Company)
	reserve(limits{month: budget.Amount{Money: dollars("0.2"), Tokens: 200}}, "")
	reserve(limits{}, "")
	says(t, db, talkKey("r1"), 300, "0.3")
	for _, c := range []struct {
		limit int64
		over  budget.Scope
	}{{399, budget.Tenant}, {400, ""}} {
		another := counters("ci-2", "r2", limits{tenant: budget.Amount{Tokens: c.limit}})
		if _, over, err := s.Reserve(t.Context(), another, most); err != nil || over != c.over {
			t.Errorf("the tenant's limit of %d: over %q, %v", c.limit, over, err)
		}
	}
	says(t, db, all, 400, "0.4")
	says(t, db, day, 300, "0.3")
}

// What was erased while a question was on its way does not come back, and what the question has taken counts.
func TestAnErasedConversationLeavesNoCounter(t *testing.T) {
	db := dynamotest.Start(t, tables.Conversations)
	s, of := spendingOn(db.Client), counters("ci-1", "r1", limits{})
	r, _, err := s.Reserve(t.Context(), of, budget.Amount{Tokens: 100, Money: dollars("1")})
	if err == nil {
		err = db.Transact(t.Context(), []dynamo.Write{dynamo.Delete{
			Table: tables.Conversations, Key: talkKey("r1"), If: dynamo.Unconditional}})
	}
	if err == nil {
		err = s.SettleAlone(t.Context(), r, budget.Amount{Tokens: 3, Money: dollars("0.03")})
	}
	if err != nil {
		t.Fatal(err)
	}
	says(t, db, day, 3, "0.03")
	if n := len(db.Items(t, tables.Conversations)); n != 3 {
		t.Errorf("%d items", n)
	}
}
