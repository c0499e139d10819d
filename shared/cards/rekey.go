package cards

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// rekey gives the user who is known under one key of a person another key of the same person. If both keys have a user, both stay, and
// people decide about their cards and scores. The conditions are that the first key still leads to the user, and the second to nobody.
func (s *Store) rekey(ctx context.Context, of contacts.Rekeyed) error {
	program, err := s.Program(ctx, of.Tenant)
	if errors.Is(err, ErrNoProgram) || err == nil && program.PhoneNumberID != of.Phone { // users are known by their conversations with the program's number
		return nil
	}
	if err != nil {
		return err
	}
	from, to := keys.CardPhone(of.Tenant, canonicalKey(of.From)), keys.CardPhone(of.Tenant, canonicalKey(of.To))
	if from == to {
		return nil
	}
	var claim struct{ LeadsTo model.Name }
	err = s.DB.Get(ctx, tables.CardUsers, from, &claim)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("rekey card user: %w", err)
	}
	user, err := s.User(ctx, claim.LeadsTo)
	if err != nil {
		return fmt.Errorf("rekey card user: %w", err)
	}
	if canonicalKey(user.PersonKey) != canonicalKey(of.From) {
		return nil // it is the user id of Meta's
	}
	writes := []dynamo.Write{
		dynamo.Put{
			Table: tables.CardUsers, If: "attribute_not_exists(ecosystemId)",
			Item: dynamo.Item{"ecosystemId": dynamo.S(to.Partition), "leadsTo": dynamo.S(user.EcosystemID)},
		},
		dynamo.Delete{Table: tables.CardUsers, Key: from, If: "leadsTo = :user", Values: dynamo.Item{":user": dynamo.S(user.EcosystemID)}},
		s.changeUser(user.EcosystemID).asRead(user).absent("erasedAt").set("personKey", dynamo.S(of.To)).write(),
	}
	err = s.DB.Transact(ctx, writes)
	var cancelled *dynamo.TransactionCancelled
	if errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
		return nil
	}
	return dynamo.Conflict(err)
}

func canonicalKey(key model.CustomerID) model.CustomerID {
	return model.CustomerID(canonical(string(key)))
}
