// Package issued owns the cards that users hold: their states, and the purchases and payments that are made with them.
package issued

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/changes"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// The rules that a change of a card may break. An error of a rule wraps it, and a problem that names the rule and the
// state.
var (
	ErrState   = errors.New("the card is in another state")
	ErrBalance = errors.New("the card has a balance")
	ErrAmount  = errors.New("the amount is wrong")
)

// Cards reads and writes cards.
type Cards struct {
	DB    *dynamo.Client
	Now   func() time.Time
	NewID func() string
	Audit *audit.Log
}

// now returns the time, as it is stored.
func (s *Cards) now() model.Time { return model.At(s.Now()) }

// moves says from which states a card may come into a state. A cancelled card stays cancelled.
var moves = map[cardsmodel.CardStatus][]cardsmodel.CardStatus{
	cardsmodel.CardActive:    {cardsmodel.CardSuspended},
	cardsmodel.CardSuspended: {cardsmodel.CardActive},
	cardsmodel.CardCancelled: {cardsmodel.CardActive, cardsmodel.CardSuspended},
}

func cardRef(user, card model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Cards, Key: keys.Card(user, card)}
}

// cardIn returns the card that a batch has read, or dynamo.ErrNotFound.
func cardIn(found dynamo.Found, user, id model.Name) (card cardsmodel.Card, err error) {
	item := cardRef(user, id).Found(found)
	if item == nil {
		return card, dynamo.ErrNotFound
	}
	return card, dynamo.Unmarshal(item, &card)
}

// Get returns a user's card, or dynamo.ErrNotFound.
func (s *Cards) Get(ctx context.Context, user, id model.Name) (card cardsmodel.Card, err error) {
	return card, s.DB.Get(ctx, tables.Cards, keys.Card(user, id), &card)
}

// Of returns a page of a user's cards in the order of their ids, from after a card's id ("" for the first), and the id
// of the last card that was read, "" after the last page. Cards that have not the status and the type are left out,
// where these are given: a page may hold fewer cards than its limit.
func (s *Cards) Of(
	ctx context.Context, user model.Name, status cardsmodel.CardStatus, kind string, limit int, after model.Name,
) (cards []cardsmodel.Card, next model.Name, err error) {
	q := dynamo.Query{
		Table: tables.Cards, Where: "ecosystemId = :user", Values: dynamo.Item{":user": dynamo.S(user)},
		Limit: int32(limit)}
	if after != "" {
		q.After = dynamo.Item{"ecosystemId": dynamo.S(user), "cardId": dynamo.S(after)}
	}
	if status != "" {
		q.Filter, q.Values[":status"] = "#status = :status", dynamo.S(status)
	}
	cards, last, err := dynamo.PageOf[cardsmodel.Card](ctx, s.DB, q)
	if err != nil {
		return nil, "", err
	}
	if kind != "" {
		cards = slices.DeleteFunc(cards, func(card cardsmodel.Card) bool { return card.Type != kind })
	}
	return cards, model.Name(dynamo.Text(last, "cardId")), nil
}

// SetStatus activates, suspends or cancels a card. A card that has the status already stays unchanged. Its condition is
// the card's version. It returns dynamo.ErrNotFound, ErrState for a move that a card cannot make, ErrBalance for
// cancelling a card with a balance, and users.ErrDisabled for activating a card of a disabled user.
func (s *Cards) SetStatus(
	ctx context.Context, user, id model.Name, status cardsmodel.CardStatus, reason string, by changes.By,
) (card cardsmodel.Card, err error) {
	return card, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, []dynamo.Ref{cardRef(user, id), users.Ref(user)})
		if err != nil {
			return err
		}
		if card, err = cardIn(found, user, id); err != nil || card.Status == status {
			return err
		}
		owner, err := users.In(found, user)
		if err != nil {
			return err
		}
		card, err = s.move(ctx, owner, card, status, reason, by)
		return err
	})
}

func (s *Cards) move(
	ctx context.Context, owner cardsmodel.User, card cardsmodel.Card, status cardsmodel.CardStatus, reason string,
	by changes.By,
) (cardsmodel.Card, error) {
	was := card
	switch {
	case !slices.Contains(moves[status], was.Status):
		return card,
			problem.Breaks(ErrState, "card-state", "Card in another state", "The card is %s and cannot become %s.",
				was.Status, status)
	case status == cardsmodel.CardCancelled && was.Balance.IsPositive():
		return card,
			problem.Breaks(ErrBalance, "card-balance", "Card with a balance",
				"The card's balance is %s. It can be cancelled when it is paid.", was.Balance)
	case status == cardsmodel.CardActive && owner.Status != cardsmodel.UserActive:
		return card, users.Disabled()
	}
	setStatus(&card, status)
	card.StatusReason, card.Version, card.UpdatedAt = reason, was.Version+1, s.now()
	update, summary := s.change(was), users.Change(card.EcosystemID, s.now())
	update.Set("status", dynamo.S(status)).Set(tables.SortStatusCardID, dynamo.S(card.StatusCardID)).Set("statusReason",
		dynamo.S(reason))
	active := int64(-1)
	switch {
	case status == cardsmodel.CardActive:
		active, card.ActivatedAt = 1, s.now()
		update.Set("activatedAt", dynamo.S(card.ActivatedAt))
		summary.Where("status", dynamo.S(cardsmodel.UserActive))
	case was.Status == cardsmodel.CardSuspended:
		active = 0
	}
	if active != 0 {
		summary.Add("cardSummary.activeCards", dynamo.N(active))
	}
	if status == cardsmodel.CardCancelled {
		card.CancelledAt = s.now()
		update.Set("cancelledAt", dynamo.S(card.CancelledAt))
		summary.Add("cardSummary.totalLimit", changes.Number(model.Amount{Decimal: card.Limit.Neg()}))
	}
	record, err := by.Record(s.Audit, audit.Draft{
		Action: "card." + string(status), Target: changes.Target(changes.TargetCard, card.CardID),
		Tenant: owner.TenantID, Reason: reason,
	}, changes.Values{"status": was.Status}, changes.Values{"status": status})
	if err != nil {
		return card, err
	}
	return card, dynamo.Conflict(s.DB.Transact(ctx, append(record, update.Write(), summary.Write())))
}

// change begins a change of a card. Its condition is the version that was read.
func (s *Cards) change(card cardsmodel.Card) *changes.Change {
	return changes.Of(tables.Cards, keys.Card(card.EcosystemID, card.CardID)).Where("version", dynamo.N(card.Version)).
		Set("version", dynamo.N(card.Version+1)).Set("updatedAt", dynamo.S(s.now()))
}

// Make returns the card of an approved request. It has the request's id, so that there is one at most.
func (s *Cards) Make(p cardsmodel.Policy, request cardsmodel.Request, d cardsmodel.Decision,
	product cardsmodel.Product) cardsmodel.Card {
	limit := product.Limits[request.TierAtRequest]
	card := cardsmodel.Card{
		EcosystemID: request.EcosystemID, CardID: request.RequestID, Type: cardsmodel.CreditCard,
		ProductID: request.ProductID, Status: cardsmodel.CardActive,
		Limit: limit, AvailableCredit: limit, NextDueDate: policy.NextDue(p, s.now()), Version: 1,
		ApprovedBy: d.By, ApprovedByAdminID: d.AdminID, ScoreAtApproval: request.ScoreAtRequest,
		CreatedAt: s.now(), UpdatedAt: s.now(), ActivatedAt: s.now(),
	}
	setStatus(&card, cardsmodel.CardActive)
	return card
}

// setStatus sets a card's status, in its index key as well.
func setStatus(card *cardsmodel.Card, status cardsmodel.CardStatus) {
	card.Status, card.StatusCardID = status, fmt.Sprintf("%s#%s", status, card.CardID)
}
