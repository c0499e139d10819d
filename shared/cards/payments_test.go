package cards_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/issued"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
)

// holder is a user with a card, whose limit is 50000.
func (h *house) holder() (cardsmodel.User, cardsmodel.Card) {
	h.t.Helper()
	user := h.user(800, "")
	request := h.asked(user)
	card, err := h.cards.Issued.Get(h.t.Context(), user.EcosystemID, request.ResultingCardID)
	if err != nil {
		h.t.Fatal(err)
	}
	return user, card
}

func (h *house) moves(ctx context.Context, card cardsmodel.Card, kind cardsmodel.TransactionType, of,
	idempotencyKey string) (issued.Answered, error) {
	h.t.Helper()
	return h.cards.Issued.Transact(ctx, issued.Move{
		Tenant: tenant, User: card.EcosystemID, Card: card.CardID, Type: kind, Amount: amount(of), Merchant: "Haat",
		By:  changes.By{Own: true},
		Key: key(h.t, string(kind), idempotencyKey, of),
	})
}

func (h *house) moved(card cardsmodel.Card, kind cardsmodel.TransactionType, of string) cardsmodel.Transaction {
	h.t.Helper()
	h.posts++
	answer, err := h.moves(h.t.Context(), card, kind, of, fmt.Sprint("move-", h.posts))
	if err != nil {
		h.t.Fatal(err)
	}
	return answer.Transaction
}

func TestAPurchaseIsMadeOnceAndNeverBelowZero(t *testing.T) {
	h := newHouse(t)
	_, card := h.holder()
	first, err := h.moves(t.Context(), card, cardsmodel.Purchase, "49999.99", "k1")
	if err != nil || first.Status != 201 || first.Transaction.Status != cardsmodel.TransactionCompleted ||
		first.Transaction.BalanceAfter.String() != "49999.99" {
		t.Errorf("%+v, %v", first, err)
	}
	again, err := h.moves(t.Context(), card, cardsmodel.Purchase, "49999.99", "k1")
	if err != nil || again.Transaction.TransactionID != first.Transaction.TransactionID ||
		again.Status != first.Status {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := h.moves(t.Context(), card, cardsmodel.Purchase, "1", "k1"); !errors.Is(err, idempotency.ErrKeyReused) {
		t.Errorf("another amount under the same key: %v", err)
	}
	refused := h.moved(card, cardsmodel.Purchase, "0.02")
	if refused.Status != cardsmodel.TransactionFailed || refused.FailureReason != issued.ReasonCredit ||
		refused.BalanceAfter.String() != "49999.99" {
		t.Errorf("%+v", refused)
	}
	h.moved(card, cardsmodel.Purchase, "0.01")
	h.summed(card.EcosystemID)
	listed, next, err := h.cards.Issued.Transactions(t.Context(), card.EcosystemID, card.CardID, cardsmodel.Purchase,
		10, "")
	if err != nil || len(listed) != 3 || next != "" || listed[2].TransactionID != first.Transaction.TransactionID {
		t.Errorf("%+v, %v", listed, err)
	}
}

func TestWhatACardOrAUserIsNotUpToIsRefusedWithItsReason(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(h *house, card cardsmodel.Card)
		kind    cardsmodel.TransactionType
		reason  string
	}{
		"a purchase with a suspended card": {
			func(h *house, card cardsmodel.Card) {
				h.becomes(card, cardsmodel.CardSuspended)
			}, cardsmodel.Purchase, issued.ReasonSuspended},
		"a purchase with a cancelled card": {
			func(h *house, card cardsmodel.Card) {
				h.becomes(card, cardsmodel.CardCancelled)
			}, cardsmodel.Purchase, issued.ReasonCancelled},
		"a purchase of a disabled user": {func(h *house, card cardsmodel.Card) {
			if _, err := h.cards.Users.SetStatus(h.t.Context(), card.EcosystemID, cardsmodel.UserDisabled, "left",
				boss); err != nil {
				h.t.Fatal(err)
			}
		}, cardsmodel.Purchase, issued.ReasonDisabled},
		"a payment of more than is owed": {func(*house, cardsmodel.Card) {}, cardsmodel.Payment, issued.ReasonBalance},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			_, card := h.holder()
			c.prepare(h, card)
			if made := h.moved(card, c.kind, "10"); made.Status != cardsmodel.TransactionFailed ||
				made.FailureReason != c.reason {
				t.Errorf("%+v", made)
			}
			h.summed(card.EcosystemID)
		})
	}
}

func (h *house) becomes(card cardsmodel.Card, status cardsmodel.CardStatus) {
	h.t.Helper()
	if _, err := h.cards.Issued.SetStatus(h.t.Context(), card.EcosystemID, card.CardID, status, "asked",
		boss); err != nil {
		h.t.Fatal(err)
	}
}

func TestPaymentsMoveTheScoreByHowLateTheyAre(t *testing.T) {
	for name, c := range map[string]struct {
		after  time.Duration // since the purchase, which is due in 30 days
		amount string
		want   cardsmodel.Transaction
	}{
		"in time": {
			24 * time.Hour, "500", cardsmodel.Transaction{PaymentStatus: cardsmodel.PaymentOnTime, ScoreImpact: 5}},
		"in time, and less than the minimum": {
			24 * time.Hour, "49", cardsmodel.Transaction{PaymentStatus: cardsmodel.PaymentOnTime}},
		"a day late": {
			30*24*time.Hour + time.Minute, "500",
			cardsmodel.Transaction{PaymentStatus: cardsmodel.PaymentLate, DaysOverdue: 1, ScoreImpact: -5}},
		"ten days late": {
			40 * 24 * time.Hour, "500",
			cardsmodel.Transaction{PaymentStatus: cardsmodel.PaymentLate, DaysOverdue: 10, ScoreImpact: -20}},
		"a year late": {
			365 * 24 * time.Hour, "500",
			cardsmodel.Transaction{PaymentStatus: cardsmodel.PaymentLate, DaysOverdue: 335, ScoreImpact: -50}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			user, card := h.holder()
			h.moved(card, cardsmodel.Purchase, "10000")
			h.now = h.now.Add(c.after)
			made := h.moved(card, cardsmodel.Payment, c.amount)
			if got := (cardsmodel.Transaction{
				PaymentStatus: made.PaymentStatus, DaysOverdue: made.DaysOverdue,
				ScoreImpact: made.ScoreImpact}); got != c.want {
				t.Errorf("%+v", made)
			}
			after := h.read(user.EcosystemID)
			history, err := h.cards.Users.Scores(t.Context(), user.EcosystemID, 10, "")
			if err != nil || after.CurrentScore != 800+c.want.ScoreImpact ||
				(len(history) == 1) != (c.want.ScoreImpact != 0) {
				t.Errorf("%d, %+v, %v", after.CurrentScore, history, err)
			}
			paid, err := h.cards.Issued.Get(t.Context(), card.EcosystemID, card.CardID)
			if err != nil {
				t.Fatal(err)
			}
			due := model.At(noon.AddDate(0, 0, 30))
			if moved := paid.NextDueDate != due; moved != (c.amount == "500") || paid.NextDueDate < due {
				t.Errorf("due %s", paid.NextDueDate)
			}
			h.summed(user.EcosystemID)
		})
	}
}

func TestACardMovesOnlyAsItMay(t *testing.T) {
	h := newHouse(t)
	_, card := h.holder()
	h.moved(card, cardsmodel.Purchase, "10")
	h.becomes(card, cardsmodel.CardSuspended)
	h.summed(card.EcosystemID)
	if _, err := h.cards.Issued.SetStatus(t.Context(), card.EcosystemID, card.CardID, cardsmodel.CardCancelled, "lost",
		boss); !errors.Is(err, issued.ErrBalance) {
		t.Errorf("%v", err)
	}
	h.becomes(card, cardsmodel.CardActive)
	h.moved(card, cardsmodel.Payment, "10")
	h.becomes(card, cardsmodel.CardCancelled)
	h.summed(card.EcosystemID)
	if _, err := h.cards.Issued.SetStatus(t.Context(), card.EcosystemID, card.CardID, cardsmodel.CardActive, "found",
		boss); !errors.Is(err, issued.ErrState) {
		t.Errorf("%v", err)
	}
}

// Purchases and payments at once leave the card, the summary and the list of transactions in one state.
func TestConcurrentPurchasesAndPaymentsOfOneCard(t *testing.T) {
	h := newHouse(t)
	_, card := h.holder()
	h.moved(card, cardsmodel.Purchase, "20000")
	var running sync.WaitGroup
	for i := range 24 {
		running.Go(func() {
			kind := cardsmodel.Purchase
			if i%3 == 0 {
				kind = cardsmodel.Payment
			}
			if _, err := h.moves(t.Context(), card, kind, "3000", fmt.Sprint("k", i)); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	h.summed(card.EcosystemID)
	listed, _, err := h.cards.Issued.Transactions(t.Context(), card.EcosystemID, card.CardID, "", 100, "")
	if err != nil || len(listed) != 25 {
		t.Errorf("%d transactions, %v", len(listed), err)
	}
	balance := amount("0")
	for _, made := range listed {
		switch {
		case made.Status == cardsmodel.TransactionFailed:
		case made.Type == cardsmodel.Purchase:
			balance.Decimal = balance.Add(made.Amount.Decimal)
		default:
			balance.Decimal = balance.Sub(made.Amount.Decimal)
		}
	}
	if end, err := h.cards.Issued.Get(t.Context(), card.EcosystemID, card.CardID); err != nil ||
		!end.Balance.Equal(balance.Decimal) {
		t.Errorf("owes %s, and the transactions say %s, %v", end.Balance, balance, err)
	}
}

// Nobody earns a score by buying and paying the same thing again and again: a period is paid once.
func TestAPeriodIsPaidOnce(t *testing.T) {
	h := newHouse(t)
	user, card := h.holder()
	for range 5 {
		h.moved(card, cardsmodel.Purchase, "100")
		h.moved(card, cardsmodel.Payment, "100")
	}
	if got := h.read(user.EcosystemID).CurrentScore; got != 805 {
		t.Errorf("the score is %d", got)
	}
	h.moved(card, cardsmodel.Purchase, "1000")
	h.now = h.now.AddDate(0, 0, 90) // a month late
	h.moved(card, cardsmodel.Payment, "100")
	for range 3 { // the first of these pays for the period that has begun
		h.now = h.now.Add(time.Second)
		h.moved(card, cardsmodel.Payment, "100")
	}
	if got := h.read(user.EcosystemID).CurrentScore; got != 805-20+5 {
		t.Errorf("the score is %d", got)
	}
}
