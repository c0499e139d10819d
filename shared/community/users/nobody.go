package users

import (
	"context"
	"slices"
	"strings"

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
	ToPhone  model.Name = "phone" // to have a number as one's own
	ToEmail  model.Name = "email" // the same of an address
)

var purposes = []model.Name{ToSignUp, ToReset, ToPhone, ToEmail}

// Reference returns the reference of a message that may have a code: what the code is for, and when it was made. A dead
// letter that is sent again has it as well, and the code is no newer then.
func Reference(purpose model.Name, made model.Time) string {
	return string(purpose) + "@" + string(made)
}

// CodeOf returns when the code of a reference was made; "" if the reference does not say it. It reports false for a
// message of another kind.
func CodeOf(reference string) (made model.Time, is bool) {
	purpose, at, _ := strings.Cut(reference, "@")
	return model.Time(at), slices.Contains(purposes, model.Name(purpose))
}

// Nobody returns the writes by which a person becomes nobody: without name, username, address, phone number, password
// and what they say of themself, and without a session. The username, the address and the number are free again. The
// conditions are that the person is as they were read, and not erased yet.
func (s *Users) Nobody(user communitymodel.User) ([]dynamo.Write, error) {
	var writes []dynamo.Write
	refs := []dynamo.Ref{UsernameRef(user.TenantID, user.Username)}
	for _, address := range addressesOf(user) {
		refs = append(refs, address.Ref(user.TenantID))
		writes = append(writes, Codes(user.TenantID, address.Text())...)
	}
	for _, ref := range refs {
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

// Codes returns the writes that delete the codes that were sent to an address or a number, whose sign-up may not be
// confirmed.
func Codes(tenant model.TenantID, address string) []dynamo.Write {
	var writes []dynamo.Write
	for _, purpose := range purposes {
		writes = append(writes, dynamo.Delete{
			Table: tables.CommunityUsers, Key: keys.AccessCode(purpose, tenant, address),
			If: dynamo.Unconditional, // a code may be there or not
		})
	}
	return writes
}

// Close keeps a person from doing anything more, before they become nobody. Somebody who is disabled stays so.
func (s *Users) Close(ctx context.Context, id model.Name) error {
	err := s.DB.Update(ctx, dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(id), Do: "SET DisabledAt = :now, Version = Version + " +
			":one",
		If:     "attribute_exists(pk) AND attribute_not_exists(DisabledAt)",
		Values: dynamo.Item{":now": dynamo.S(model.At(s.Now())), ":one": dynamo.N(1)},
	})
	return dynamo.IgnoreConditionFailed(err)
}
