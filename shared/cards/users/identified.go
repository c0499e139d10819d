package users

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Identified returns the user of a tenant whom an identifier leads to, and reports whether there is one.
func (s *Users) Identified(ctx context.Context, tenant model.TenantID,
	identifier model.CustomerID) (cardsmodel.User, bool, error) {
	return s.claiming(ctx, keys.CardPhone(tenant, identifier))
}

// claiming returns the user who has claimed a key, and reports whether there is one.
func (s *Users) claiming(ctx context.Context, key keys.Key) (user cardsmodel.User, known bool, err error) {
	var claim struct{ LeadsTo model.Name }
	err = s.DB.Get(ctx, tables.CardUsers, key, &claim)
	if errors.Is(err, dynamo.ErrNotFound) {
		return user, false, nil
	}
	if err == nil {
		user, err = s.Get(ctx, claim.LeadsTo)
	}
	if err != nil {
		return user, false, fmt.Errorf("card user by identifier: %w", err)
	}
	return user, true, nil
}

// Nobody returns the writes by which a user becomes nobody: disabled, without name, number, address and sign-in. Their
// condition is that the user has not been erased yet.
func (s *Users) Nobody(user cardsmodel.User) []dynamo.Write {
	var writes []dynamo.Write
	for _, key := range claimKeys(user) {
		writes = append(writes, dynamo.Delete{Table: tables.CardUsers, Key: key, If: "attribute_exists(ecosystemId)"})
	}
	update := Change(user.EcosystemID, s.now()).AsRead(user.UpdatedAt).Absent("erasedAt").Set("erasedAt",
		dynamo.S(s.now())).
		Set("status", dynamo.S(cardsmodel.UserDisabled)).
		Drop("firebaseUid", "email", "name", "phoneE164", "personKey", "waUserId", "language")
	return append(writes, update.Write())
}
