package tenancy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

const (
	// ActionGiveNumber and ActionReleaseNumber are the actions of the audit records of numbers. TargetNumber is the
	// type of their target, whose id is the number's.
	ActionGiveNumber    = "number.give"
	ActionReleaseNumber = "number.release"
	TargetNumber        = "number"
)

// NumberChange asks to assign a number to a tenant, or to release it.
type NumberChange struct {
	Phone  model.PhoneNumberID
	Tenant model.TenantID
	WABA   model.WABAID // "" if it is not known: the number's first webhook says it
	// Move takes the number from another tenant, with all its conversations.
	Move bool
	// Coexistence and MarketingMessages are what model.Phone has of these names; nil keeps what it has.
	Coexistence, MarketingMessages *bool
	// AccessTokenRef is the reference to the number's own access token; nil keeps what it has.
	AccessTokenRef *string
	// AWSPhoneNumberID has the number send by AWS End User Messaging, or, if it is "", by Meta itself; nil keeps what
	// it has.
	AWSPhoneNumberID *string
	By               audit.Actor
	Reason           string
}

// sealed begins a token that a key of KMS has encrypted for one tenant.
const sealed = "kms:"

// NumberTaken means that a number belongs to another tenant, or did until it was released: that tenant still owns its
// conversations.
type NumberTaken struct{ Tenant model.TenantID }

func (e *NumberTaken) Error() string { return fmt.Sprintf("the number is %s's", e.Tenant) }

// recordedNumber is what an audit record keeps of a number, before and after.
type recordedNumber struct {
	TenantID          model.TenantID `json:"tenantId,omitempty"`
	WABAMetaID        model.WABAID   `json:"wabaMetaId,omitempty"`
	Coexistence       bool           `json:"coexistence,omitempty"`
	MarketingMessages bool           `json:"marketingMessages,omitempty"`
	OwnToken          bool           `json:"ownToken,omitempty"`
	AWSPhoneNumberID  string         `json:"awsPhoneNumberId,omitempty"`
}

func recorded(p model.Phone) recordedNumber {
	return recordedNumber{p.TenantID, p.WABAMetaID, p.Coexistence, p.MarketingMessages, p.AccessTokenRef != "",
		p.AWSPhoneNumberID}
}

// GiveNumber assigns a number to a tenant and reports whether anything changed. A tenant that gets a number gets its
// conversations, so GiveNumber returns a *NumberTaken if the number's current or last tenant is another one and Move is
// not set.
func (s *Numbers) GiveNumber(ctx context.Context, of NumberChange) (changed bool, err error) {
	return s.changeNumber(ctx, of, ActionGiveNumber, func(now model.Phone) (model.Phone, error) {
		if holder := cmp.Or(now.TenantID, now.ReleasedFrom); holder != "" && holder != of.Tenant && !of.Move {
			return now, &NumberTaken{holder}
		}
		now.TenantID, now.ReleasedAt, now.ReleasedFrom = of.Tenant, "", ""
		if of.WABA != "" {
			now.WABAMetaID = of.WABA
		}
		if of.Coexistence != nil {
			now.Coexistence = *of.Coexistence
		}
		if of.MarketingMessages != nil {
			now.MarketingMessages = *of.MarketingMessages
		}
		if of.AccessTokenRef != nil {
			now.AccessTokenRef = *of.AccessTokenRef
		}
		if of.AWSPhoneNumberID != nil {
			now.AWSPhoneNumberID = *of.AWSPhoneNumberID
		}
		return now, nil
	})
}

// ReleaseNumber takes a number from its tenant and reports whether anything changed. The item stays and records the
// release: otherwise the next message would give the number, and the tenant's conversations, to the default tenant. It
// returns a *NumberTaken if the number belongs to another tenant.
func (s *Numbers) ReleaseNumber(ctx context.Context, of NumberChange) (changed bool, err error) {
	return s.changeNumber(ctx, of, ActionReleaseNumber, func(now model.Phone) (model.Phone, error) {
		switch now.TenantID {
		case "":
			return now, nil
		case of.Tenant:
			now.TenantID, now.ReleasedAt, now.ReleasedFrom = "", model.At(s.Now()), of.Tenant
			return now, nil
		}
		return now, &NumberTaken{now.TenantID}
	})
}

// changeNumber writes the changed number, the number lists of the tenants that gain or lose it, and the audit record,
// in one transaction. The conditions are that the number and the lists are as they were read.
func (s *Numbers) changeNumber(
	ctx context.Context, of NumberChange, action string, change func(now model.Phone) (model.Phone, error),
) (changed bool, err error) {
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		changed = false
		var was model.Phone
		ref := dynamo.Ref{Table: tables.Messages, Key: keys.Phone(of.Phone)}
		found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
		if err != nil {
			return fmt.Errorf("read number: %w", err)
		}
		if err := dynamo.Unmarshal(ref.Found(found), &was); err != nil {
			return err
		}
		next, err := change(was)
		if next.TenantID != was.TenantID {
			next.StoreID, next.CompanyID = "", "" // the store and the company are the earlier tenant's
			next.Subscribed = false
			next.AssignBy, next.AssignTo = "", "" // the colleagues are the earlier tenant's
			if strings.HasPrefix(next.AccessTokenRef, sealed) && next.AccessTokenRef == was.AccessTokenRef {
				next.AccessTokenRef = "" // it opens for the earlier tenant alone
			}
		}
		if err != nil || next == was {
			return err
		}
		lists, heard, err := s.listWrites(ctx, of.Phone, was.TenantID, next.TenantID)
		if err != nil {
			return err
		}
		next.Subscribed = next.Subscribed || heard
		_, record, err := s.numberRecords().CompletedRecord(audit.Draft{
			Action: action, Target: audit.Target{Type: TargetNumber, ID: string(of.Phone)}, Tenant: of.Tenant,
			By: of.By, Reason: of.Reason,
		}, recorded(was), recorded(next))
		if err != nil {
			return err
		}
		changed = true
		return dynamo.Conflict(s.DB.Transact(ctx, append(lists, s.numberWrite(of.Phone, was, next), record)))
	})
	return changed && err == nil, err
}

// numberWrite returns the update of a number's item. The condition is that what it changes has not changed since it was
// read.
func (s *Numbers) numberWrite(id model.PhoneNumberID, was, next model.Phone) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Phone(id),
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemPhone), ":phone": dynamo.S(id), ":now": dynamo.S(model.At(s.Now())),
		},
	}
	do := dynamo.Do{
		Set: []string{"itemType = :type", "phoneNumberId = :phone", "createdAt = if_not_exists(createdAt, :now)"}}
	for _, a := range []struct{ name, was, next string }{
		{"tenantId", string(was.TenantID), string(next.TenantID)},
		{"wabaMetaId", string(was.WABAMetaID), string(next.WABAMetaID)},
		{"releasedAt", string(was.ReleasedAt), string(next.ReleasedAt)},
		{"releasedFrom", string(was.ReleasedFrom), string(next.ReleasedFrom)},
		{"storeId", string(was.StoreID), string(next.StoreID)},
		{"companyId", string(was.CompanyID), string(next.CompanyID)},
		{"accessTokenRef", was.AccessTokenRef, next.AccessTokenRef},
		{"awsPhoneNumberId", was.AWSPhoneNumberID, next.AWSPhoneNumberID},
		{"assignBy", string(was.AssignBy), string(next.AssignBy)},
		{"assignTo", was.AssignTo, next.AssignTo},
	} {
		if a.next != "" {
			do.Set = append(do.Set, a.name+" = :"+a.name)
			u.Values[":"+a.name] = dynamo.S(a.next)
		} else {
			do.Remove = append(do.Remove, a.name)
		}
		u.If = dynamo.And(u.If, dynamo.SameText(a.name, a.was, u.Values))
	}
	for _, a := range []struct {
		name      string
		was, next bool
	}{{"coexistence", was.Coexistence, next.Coexistence}, {
		"marketingMessages", was.MarketingMessages, next.MarketingMessages}, {
		"sendsOnce", was.SendsOnce, next.SendsOnce}, {
		"subscribed", was.Subscribed, next.Subscribed}} {
		if a.was == a.next {
			continue
		}
		do.Set = append(do.Set, a.name+" = :"+a.name)
		u.Values[":"+a.name], u.Values[":was_"+a.name] = dynamo.Bool(a.next), dynamo.Bool(a.was)
		asRead := a.name + " = :was_" + a.name
		if !a.was {
			asRead = "(attribute_not_exists(" + a.name + ") OR " + asRead + ")"
		}
		u.If = dynamo.And(u.If, asRead)
	}
	u.Do = do.String()
	return u
}

// listWrites returns the updates of the number lists on the items of the two tenants. If a tenant is disabled, an event
// has the number held, or not any more. heard reports whether somebody outside is told events of the tenant that gets
// the number.
func (s *Numbers) listWrites(ctx context.Context, id model.PhoneNumberID, from,
	to model.TenantID) (writes []dynamo.Write, heard bool, err error) {
	if from == to {
		return nil, false, nil
	}
	for _, tenant := range []model.TenantID{from, to} {
		if tenant == "" {
			continue
		}
		ref := dynamo.Ref{Table: tables.Messages, Key: keys.Tenant(tenant)}
		found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
		if err != nil {
			return nil, false, fmt.Errorf("read tenant: %w", err)
		}
		item := ref.Found(found)
		write, err := s.listWrite(tenant, item, id, tenant == to)
		if err != nil {
			return nil, false, err
		}
		heard = heard || tenant == to && item["subscriptionIds"] != nil
		writes = append(writes, write)
		if s.Tenants != nil && item["disabledAt"] != nil {
			follow, err := s.Tenants.Follow(ctx, tenant, id)
			if err != nil {
				return nil, false, err
			}
			writes = append(writes, follow...)
		}
	}
	return writes, heard, nil
}

// listWrite returns the update that adds a number to a tenant's list or removes it, and a check if the list is right
// already. The condition is that the list is as it was read, the tenant has not been disabled or enabled, and its
// subscriptions are as they were read.
func (s *Numbers) listWrite(id model.TenantID, item dynamo.Item, phone model.PhoneNumberID,
	has bool) (dynamo.Write, error) {
	var tenant model.Tenant
	if err := dynamo.Unmarshal(item, &tenant); err != nil {
		return nil, err
	}
	values := dynamo.Item{}
	still := dynamo.And(dynamo.SameText("disabledAt", string(tenant.DisabledAt), values),
		dynamo.Same("subscriptionIds", item["subscriptionIds"], values))
	if slices.Contains(tenant.PhoneNumberIDs, phone) == has {
		return dynamo.Check{Table: tables.Messages, Key: keys.Tenant(id), If: still, Values: values}, nil
	}
	list := slices.DeleteFunc(slices.Clone(tenant.PhoneNumberIDs),
		func(p model.PhoneNumberID) bool { return p == phone })
	if has {
		list = append(list, phone)
	}
	value, err := dynamo.Value(list)
	if err != nil {
		return nil, err
	}
	values[":list"] = value
	u := dynamo.Update{
		If: dynamo.And(still, dynamo.Same("phoneNumberIds", item["phoneNumberIds"], values)),
		Do: "phoneNumberIds = :list", Values: values}
	founding(&u, id, s.Now())
	return u, nil
}

func (s *Numbers) numberRecords() *audit.Log {
	return &audit.Log{DB: s.DB, Now: s.Now, NewID: s.NewID}
}
