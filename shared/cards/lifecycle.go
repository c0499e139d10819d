package cards

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

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

// Card returns a user's card, or dynamo.ErrNotFound.
func (s *Store) Card(ctx context.Context, user, id model.Name) (card cardsmodel.Card, err error) {
	return card, s.DB.Get(ctx, tables.Cards, keys.Card(user, id), &card)
}

// CardsOf returns a page of a user's cards in the order of their ids, from after a card's id ("" for the first), and the id of the last
// card that was read, "" after the last page. Cards that have not the status and the type are left out, where these are given: a page
// may hold fewer cards than its limit.
func (s *Store) CardsOf(
	ctx context.Context, user model.Name, status cardsmodel.CardStatus, kind string, limit int, after model.Name,
) (cards []cardsmodel.Card, next model.Name, err error) {
	q := dynamo.Query{Table: tables.Cards, Where: "ecosystemId = :user", Values: dynamo.Item{":user": dynamo.S(user)}, Limit: int32(limit)}
	if after != "" {
		q.After = dynamo.Item{"ecosystemId": dynamo.S(user), "cardId": dynamo.S(after)}
	}
	if status != "" {
		q.Filter, q.Values[":status"] = "#status = :status", dynamo.S(status)
	}
	page, err := s.DB.Query(ctx, q)
	if err != nil {
		return nil, "", err
	}
	for _, item := range page.Items {
		var card cardsmodel.Card
		if err := dynamo.Unmarshal(item, &card); err != nil {
			return nil, "", err
		}
		if kind == "" || card.Type == kind {
			cards = append(cards, card)
		}
	}
	return cards, model.Name(dynamo.Text(page.Next, "cardId")), nil
}

// SetCardStatus activates, suspends or cancels a card. A card that has the status already stays unchanged. Its condition is the
// card's version. It returns dynamo.ErrNotFound, ErrCardState for a move that a card cannot make, ErrBalance for cancelling a card
// with a balance, and ErrUserDisabled for activating a card of a disabled user.
func (s *Store) SetCardStatus(
	ctx context.Context, user, id model.Name, status cardsmodel.CardStatus, reason string, by By,
) (card cardsmodel.Card, err error) {
	return card, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, []dynamo.Ref{cardRef(user, id), userRef(user)})
		if err != nil {
			return err
		}
		if card, err = cardIn(found, user, id); err != nil || card.Status == status {
			return err
		}
		owner, err := userIn(found, user)
		if err != nil {
			return err
		}
		card, err = s.setCardStatus(ctx, owner, card, status, reason, by)
		return err
	})
}

func (s *Store) setCardStatus(
	ctx context.Context, owner cardsmodel.User, card cardsmodel.Card, status cardsmodel.CardStatus, reason string, by By,
) (cardsmodel.Card, error) {
	was := card
	switch {
	case !slices.Contains(moves[status], was.Status):
		return card, problem.Breaks(ErrCardState, "card-state", "Card in another state", "The card is %s and cannot become %s.", was.Status, status)
	case status == cardsmodel.CardCancelled && was.Balance.IsPositive():
		return card, problem.Breaks(ErrBalance, "card-balance", "Card with a balance", "The card's balance is %s. It can be cancelled when it is paid.", was.Balance)
	case status == cardsmodel.CardActive && owner.Status != cardsmodel.UserActive:
		return card, userDisabled()
	}
	setCardStatus(&card, status)
	card.StatusReason, card.Version, card.UpdatedAt = reason, was.Version+1, s.now()
	update, summary := s.changeCard(was), s.changeUser(card.EcosystemID)
	update.set("status", dynamo.S(status)).set(tables.SortStatusCardID, dynamo.S(card.StatusCardID)).set("statusReason", dynamo.S(reason))
	active := int64(-1)
	switch {
	case status == cardsmodel.CardActive:
		active, card.ActivatedAt = 1, s.now()
		update.set("activatedAt", dynamo.S(card.ActivatedAt))
		summary.active()
	case was.Status == cardsmodel.CardSuspended:
		active = 0
	}
	if active != 0 {
		summary.add("cardSummary.activeCards", dynamo.N(active))
	}
	if status == cardsmodel.CardCancelled {
		card.CancelledAt = s.now()
		update.set("cancelledAt", dynamo.S(card.CancelledAt))
		summary.add("cardSummary.totalLimit", number(model.Amount{Decimal: card.Limit.Neg()}))
	}
	record, err := s.record(by, audit.Draft{
		Action: "card." + string(status), Target: target(TargetCard, card.CardID), Tenant: owner.TenantID, Reason: reason,
	}, values{"status": was.Status}, values{"status": status})
	if err != nil {
		return card, err
	}
	return card, dynamo.Conflict(s.DB.Transact(ctx, append(record, update.write(), summary.write())))
}

// changeCard begins a change of a card. Its condition is the version that was read.
func (s *Store) changeCard(card cardsmodel.Card) *change {
	return changeOf(tables.Cards, keys.Card(card.EcosystemID, card.CardID)).where("version", dynamo.N(card.Version)).
		set("version", dynamo.N(card.Version+1)).set("updatedAt", dynamo.S(s.now()))
}
