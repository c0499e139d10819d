package users

import (
	"context"
	"errors"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Rekey gives the user who is known under one key of a person another key of the same person. If both keys have a user,
// both stay, and people decide about their cards and scores. The conditions are that the first key still leads to the
// user, and the second to nobody.
func (s *Users) Rekey(ctx context.Context, of contacts.Rekeyed) error {
	program, err := s.Programs.Get(ctx, of.Tenant)
	// users are known by their conversations with the program's number
	if errors.Is(err, programs.ErrNone) || err == nil && program.PhoneNumberID != of.Phone {
		return nil
	}
	if err != nil {
		return err
	}
	from, to := keys.CardPhone(of.Tenant, canonicalKey(of.From)), keys.CardPhone(of.Tenant, canonicalKey(of.To))
	if from == to {
		return nil
	}
	user, known, err := s.claiming(ctx, from)
	if err != nil || !known {
		return err
	}
	if canonicalKey(user.PersonKey) != canonicalKey(of.From) {
		return nil // it is the user id of Meta's
	}
	writes := []dynamo.Write{
		dynamo.Put{
			Table: tables.CardUsers, If: "attribute_not_exists(ecosystemId)",
			Item: dynamo.Item{"ecosystemId": dynamo.S(to.Partition), "leadsTo": dynamo.S(user.EcosystemID)},
		},
		dynamo.Delete{
			Table: tables.CardUsers, Key: from, If: "leadsTo = :user",
			Values: dynamo.Item{":user": dynamo.S(user.EcosystemID)}},
		Change(user.EcosystemID, s.now()).AsRead(user.UpdatedAt).Absent("erasedAt").Set("personKey",
			dynamo.S(of.To)).Write(),
	}
	err = s.DB.Transact(ctx, writes)
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
		return nil
	}
	return dynamo.Conflict(err)
}

func canonicalKey(key model.CustomerID) model.CustomerID {
	return model.CustomerID(cardsmodel.Canonical(string(key)))
}
