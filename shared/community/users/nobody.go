package users

import (
	"context"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The purposes of codes.
const (
	ToSignUp model.Name = "signup"
	ToReset  model.Name = "reset"
)

// Nobody returns the writes by which a person becomes nobody: without name, username, address, password and what they
// say of themself, and without a session. The username and the address are free again. The conditions are that the
// person is as they were read, and not erased yet.
func (s *Users) Nobody(user communitymodel.User) ([]dynamo.Write, error) {
	writes := Codes(user.TenantID, user.Email)
	for _, ref := range []dynamo.Ref{
		UsernameRef(user.TenantID, user.Username), EmailRef(user.TenantID, user.Email)} {
		writes = append(writes, dynamo.Delete{
			Table: ref.Table, Key: ref.Key, If: "UserId = :user", Values: dynamo.Item{":user": dynamo.S(user.ID)}})
	}
	nobody := communitymodel.User{
		ID: user.ID, TenantID: user.TenantID, CreatedAt: user.CreatedAt, Role: communitymodel.RoleUser,
		DisabledAt: user.DisabledAt, Epoch: user.Epoch + 1, ErasedAt: model.At(s.Now()), Version: user.Version,
	}
	nobody.SetKey()
	put, err := dynamo.PutVersion(tables.CommunityUsers, &nobody)
	put.If += " AND attribute_not_exists(ErasedAt)"
	return append(writes, put), err
}

// Codes returns the writes that delete the codes that were sent to an address, whose sign-up may not be confirmed.
func Codes(tenant model.TenantID, address string) []dynamo.Write {
	var writes []dynamo.Write
	for _, purpose := range []model.Name{ToSignUp, ToReset} {
		writes = append(writes, dynamo.Delete{
			Table: tables.CommunityUsers, Key: keys.AccessCode(purpose, tenant, address),
			If: dynamo.Unconditional, // a code may be there or not
		})
	}
	return writes
}

// Close keeps a person from doing anything more, before they become nobody. Somebody who is disabled stays so.
func (s *Users) Close(ctx context.Context, id model.Name) error {
	_, err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(id), Do: "SET DisabledAt = :now, Version = Version + " +
			":one",
		If:     "attribute_exists(pk) AND attribute_not_exists(DisabledAt)",
		Values: dynamo.Item{":now": dynamo.S(model.At(s.Now())), ":one": dynamo.N(1)},
	})
	return dynamo.IgnoreConditionFailed(err)
}
