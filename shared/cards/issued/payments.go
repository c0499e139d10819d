package issued

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// Why a purchase or a payment is refused.
const (
	ReasonCredit    = "insufficient_credit"
	ReasonSuspended = "card_suspended"
	ReasonCancelled = "card_cancelled"
	ReasonDisabled  = "user_disabled"
	ReasonBalance   = "exceeds_balance"
)

// Move is a purchase with a card, or a payment of its balance.
type Move struct {
	Tenant   model.TenantID
	User     model.Name
	Card     model.Name
	Type     cardsmodel.TransactionType
	Amount   model.Amount
	Merchant string // of a purchase
	Key      idempotency.Request
	By       changes.By

	id model.Name // of the transaction, the same for every attempt
}

// Answered is a transaction, and the HTTP status with which it was answered first.
type Answered struct {
	Transaction cardsmodel.Transaction
	Status      int
}

// Transact makes a purchase or a payment. A refused one is recorded as failed, with its reason, and changes nothing
// else. The transaction, the card, the user's summary and score, and the answer commit together. Their condition is the
// card's version; for a payment that moves the score, the score as well. A repeated request gets the first one's
// answer. It returns dynamo.ErrNotFound, programs.ErrNone and idempotency.ErrKeyReused, and a problem for an amount
// over the ceiling.
func (s *Cards) Transact(ctx context.Context, m Move) (answer Answered, err error) {
	m.Key = m.Key.In(users.Place(m.User))
	if m.id, err = model.Parse[model.Name](s.NewID()); err != nil {
		return answer, err
	}
	return answer, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		refs := append(m.Key.Refs(), cardRef(m.User, m.Card), users.Ref(m.User), programs.Ref(m.Tenant))
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return err
		}
		before, err := m.Key.Before(found, s.Now())
		if err != nil {
			return err
		}
		if before != nil {
			answer.Status = before.StatusCode
			return json.Unmarshal(before.Result, &answer.Transaction)
		}
		card, err := cardIn(found, m.User, m.Card)
		if err != nil {
			return err
		}
		user, err := users.In(found, m.User)
		if err != nil {
			return err
		}
		program, err := programs.In(found, m.Tenant)
		if err != nil {
			return err
		}
		answer, err = s.transact(ctx, m, user, card, program.Policy)
		return err
	})
}

func (s *Cards) transact(ctx context.Context, m Move, user cardsmodel.User, card cardsmodel.Card,
	p cardsmodel.Policy) (Answered, error) {
	if m.Amount.GreaterThan(p.Ceiling.Decimal) {
		return Answered{}, problem.Wrong(ErrAmount, "body.amount", "more than the program's ceiling of %s", p.Ceiling)
	}
	made := cardsmodel.Transaction{
		EcosystemIDCardID: keys.CardTransactions(m.User, m.Card), TransactionID: m.id, Type: m.Type, Amount: m.Amount,
		Merchant:       m.Merchant,
		IdempotencyKey: m.Key.ID(), Status: cardsmodel.TransactionCompleted, Timestamp: s.now(), ProcessedAt: s.now(),
		BalanceAfter: card.Balance,
	}
	var writes []dynamo.Write
	var err error
	if reason := refusal(m, user, card); reason != "" {
		made.Status, made.FailureReason = cardsmodel.TransactionFailed, reason
		writes = []dynamo.Write{dynamo.Check{ // it is refused as things stand
			Table: tables.Cards, Key: keys.Card(m.User, m.Card), If: "version = :was", Values: dynamo.Item{
				":was": dynamo.N(card.Version)},
		}}
	} else if writes, err = s.changed(m, user, card, p, &made); err != nil {
		return Answered{}, err
	}
	row, err := changes.Put(tables.CardTransactions, made)
	if err != nil {
		return Answered{}, err
	}
	remember, err := m.Key.Answered(s.Now(), http.StatusCreated, made)
	if err != nil {
		return Answered{}, err
	}
	record, err := m.By.Record(s.Audit,
		audit.Draft{
			Action: "card." + string(m.Type), Target: changes.Target(changes.TargetCard, m.Card), Tenant: m.Tenant},
		changes.Values{"balance": card.Balance},
		changes.Values{"balance": made.BalanceAfter, "transaction": m.id, "status": made.Status})
	if err != nil {
		return Answered{}, err
	}
	writes = append(append(append(writes, row), remember...), record...)
	return Answered{made, http.StatusCreated}, dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// refusal returns why a purchase or a payment cannot be made, "" if it can.
func refusal(m Move, user cardsmodel.User, card cardsmodel.Card) string {
	switch purchase := m.Type == cardsmodel.Purchase; {
	case card.Status == cardsmodel.CardCancelled:
		return ReasonCancelled
	case purchase && card.Status == cardsmodel.CardSuspended:
		return ReasonSuspended
	case purchase && user.Status != cardsmodel.UserActive:
		return ReasonDisabled
	case purchase && m.Amount.GreaterThan(card.AvailableCredit.Decimal):
		return ReasonCredit
	case !purchase && m.Amount.GreaterThan(card.Balance.Decimal):
		return ReasonBalance
	}
	return ""
}

// changed returns the writes that change the card and the user, and has the transaction say what it did.
func (s *Cards) changed(m Move, user cardsmodel.User, card cardsmodel.Card, p cardsmodel.Policy,
	made *cardsmodel.Transaction) ([]dynamo.Write, error) {
	update, summary := s.change(card), users.Change(m.User, s.now())
	delta := m.Amount.Decimal
	var writes []dynamo.Write
	if m.Type == cardsmodel.Payment {
		delta = delta.Neg()
		score, err := s.pay(m, user, card, p, made, summary)
		if err != nil {
			return nil, err
		}
		writes = score
	} else {
		summary.Where("status", dynamo.S(cardsmodel.UserActive))
	}
	made.BalanceAfter = model.Amount{Decimal: card.Balance.Add(delta)}
	update.Set("balance", changes.Number(made.BalanceAfter)).Set("availableCredit",
		changes.Number(model.Amount{Decimal: card.AvailableCredit.Sub(delta)})).
		Set("minimumPayment", changes.Number(policy.MinimumDue(p, made.BalanceAfter))).Set("nextDueDate",
		dynamo.S(s.nextDue(m, card, p)))
	summary.Add("cardSummary.totalBalance", changes.Number(model.Amount{Decimal: delta}))
	return append(writes, update.Write(), summary.Write()), nil
}

// settles reports whether a payment pays what is due for the period: once a period, at least the minimum. Only such a
// payment moves the due date and the score.
func (s *Cards) settles(m Move, card cardsmodel.Card, p cardsmodel.Policy) bool {
	return m.Type == cardsmodel.Payment && !m.Amount.LessThan(card.MinimumPayment.Decimal) &&
		policy.IsDue(p, card.NextDueDate, s.now())
}

// nextDue returns the due date after a transaction. The first purchase begins a period unless one has begun already. A
// payment that settles a period begins the next: from the due date on, or from now on if that has passed.
func (s *Cards) nextDue(m Move, card cardsmodel.Card, p cardsmodel.Policy) model.Time {
	switch {
	case m.Type == cardsmodel.Purchase && !card.Balance.IsPositive():
		return max(card.NextDueDate, policy.NextDue(p, s.now()))
	case s.settles(m, card, p):
		return policy.NextDue(p, max(card.NextDueDate, s.now()))
	}
	return card.NextDueDate
}

// pay has a payment say whether it is in time, and moves the score.
func (s *Cards) pay(
	m Move, user cardsmodel.User, card cardsmodel.Card, p cardsmodel.Policy, made *cardsmodel.Transaction,
	summary *changes.Change,
) ([]dynamo.Write, error) {
	made.PaymentStatus, made.DaysOverdue = cardsmodel.PaymentOnTime, policy.DaysOverdue(card.NextDueDate, s.now())
	if made.DaysOverdue > 0 {
		made.PaymentStatus = cardsmodel.PaymentLate
	}
	points := 0
	if s.settles(m, card, p) {
		points = policy.PointsFor(p, made.DaysOverdue)
	}
	made.ScoreImpact = policy.Score(user.CurrentScore+points) - user.CurrentScore
	if made.ScoreImpact == 0 {
		return nil, nil
	}
	_, entry, err := users.SetScore(summary, s.now(), user, p, made.TransactionID, users.ScoreChange{
		Value: user.CurrentScore + made.ScoreImpact, Reason: "payment " + made.PaymentStatus,
		Source:   cardsmodel.ScoreBySystem,
		SourceID: string(m.Card), RelatedEntityType: cardsmodel.RelatedPayment,
		RelatedEntityID: string(made.TransactionID),
	})
	return []dynamo.Write{entry}, err
}

// Transaction returns a transaction, or dynamo.ErrNotFound.
func (s *Cards) Transaction(ctx context.Context, user, card, id model.Name) (t cardsmodel.Transaction, err error) {
	return t, s.DB.Get(ctx, tables.CardTransactions, keys.CardTransaction(user, card, id), &t)
}

// Transactions returns a page of a card's transactions, newest first, from below a transaction's id ("" for the
// newest), and the id of the last one that was read, "" after the last page. Those of another type are left out, where
// one is given: a page may hold fewer transactions than its limit.
func (s *Cards) Transactions(
	ctx context.Context, user, card model.Name, kind cardsmodel.TransactionType, limit int, below model.Name,
) (all []cardsmodel.Transaction, next model.Name, err error) {
	q := dynamo.Query{
		Table: tables.CardTransactions, Where: "ecosystemIdCardId = :card",
		Values:    dynamo.Item{":card": dynamo.S(keys.CardTransactions(user, card))},
		Backwards: true, Limit: int32(limit),
	}
	if below != "" {
		q.Where += " AND transactionId < :below"
		q.Values[":below"] = dynamo.S(below)
	}
	if kind != "" {
		q.Filter, q.Names, q.Values[":type"] = "#type = :type", map[string]string{"#type": "type"}, dynamo.S(kind)
	}
	all, last, err := dynamo.PageOf[cardsmodel.Transaction](ctx, s.DB, q)
	if err != nil {
		return nil, "", fmt.Errorf("transactions: %w", err)
	}
	return all, model.Name(dynamo.Text(last, "transactionId")), nil
}
