package tenancy

import (
	"context"
	"fmt"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// SenderChange asks to assign a number that sends SMS to a tenant, or to release it.
type SenderChange struct {
	Number model.Name // E.164
	Tenant model.TenantID
	Move   bool // takes it from another tenant
	By     audit.Actor
	Reason string
}

// SenderRef refers to the item of a number that sends SMS.
func SenderRef(number model.Name) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Sender(number)}
}

// SenderOf returns the item of a number that sends SMS, read consistently. It returns the zero value for a number that
// was never given to anybody.
func SenderOf(ctx context.Context, db *dynamo.Client, number model.Name) (is model.Sender, err error) {
	ref := SenderRef(number)
	found, err := db.BatchGet(ctx, []dynamo.Ref{ref})
	if err != nil {
		return is, fmt.Errorf("read the sender: %w", err)
	}
	return is, dynamo.Unmarshal(ref.Found(found), &is)
}

// GiveSender assigns a number that sends SMS to a tenant and reports whether anything changed. It returns a
// *NumberTaken if the number is another tenant's and Move is not set.
func (s *Numbers) GiveSender(ctx context.Context, of SenderChange) (changed bool, err error) {
	return s.changeSender(ctx, of, ActionGiveNumber, func(now model.Sender) (model.Sender, error) {
		if now.TenantID != "" && now.TenantID != of.Tenant && !of.Move {
			return now, &NumberTaken{now.TenantID}
		}
		now.TenantID = of.Tenant
		return now, nil
	})
}

// ReleaseSender takes a number that sends SMS from its tenant and reports whether anything changed. It returns a
// *NumberTaken if the number is another tenant's.
func (s *Numbers) ReleaseSender(ctx context.Context, of SenderChange) (changed bool, err error) {
	return s.changeSender(ctx, of, ActionReleaseNumber, func(now model.Sender) (model.Sender, error) {
		if now.TenantID != "" && now.TenantID != of.Tenant {
			return now, &NumberTaken{now.TenantID}
		}
		now.TenantID = ""
		return now, nil
	})
}

// changeSender writes the changed number and the audit record in one transaction. The condition is that the number is
// as it was read. A company that it served was the earlier tenant's.
func (s *Numbers) changeSender(ctx context.Context, of SenderChange, action string,
	change func(now model.Sender) (model.Sender, error)) (changed bool, err error) {
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		changed = false
		was, err := SenderOf(ctx, s.DB, of.Number)
		if err != nil {
			return err
		}
		next, err := change(was)
		if err != nil || next.TenantID == was.TenantID {
			return err
		}
		_, record, err := s.numberRecords().CompletedRecord(audit.Draft{
			Action: action, Target: audit.Target{Type: TargetNumber, ID: string(of.Number)}, Tenant: of.Tenant,
			By: of.By, Reason: of.Reason,
		}, recordedNumber{TenantID: was.TenantID}, recordedNumber{TenantID: next.TenantID})
		if err != nil {
			return err
		}
		changed = true
		return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{s.senderWrite(of.Number, was, next), record}))
	})
	return changed && err == nil, err
}

func (s *Numbers) senderWrite(number model.Name, was, next model.Sender) dynamo.Update {
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Sender(number),
		Do:     "SET itemType = :type, createdAt = if_not_exists(createdAt, :now) REMOVE tenantId, companyId",
		Values: dynamo.Item{":type": dynamo.S(model.ItemSender), ":now": dynamo.S(model.At(s.Now()))},
	}
	if next.TenantID != "" {
		u.Do = "SET itemType = :type, createdAt = if_not_exists(createdAt, :now), tenantId = :tenant REMOVE companyId"
		u.Values[":tenant"] = dynamo.S(next.TenantID)
	}
	u.If = dynamo.SameText("tenantId", string(was.TenantID), u.Values)
	return u
}

// SenderWrite returns the write by which the texts of a company go out from a number, or by which the company gives it
// up. The condition is that the number is the tenant's, and serves no other company.
func SenderWrite(number model.Name, tenant model.TenantID, company model.Name, has bool) dynamo.Update {
	return servesWrite(keys.Sender(number), tenant, "companyId", "storeId", company, has)
}

// Sends reports whether a number's item says that texts of a tenant's company go out from it.
func Sends(item dynamo.Item, tenant model.TenantID, company model.Name) bool {
	return item != nil && dynamo.Text(item, "tenantId") == string(tenant) &&
		dynamo.Text(item, "companyId") == string(company)
}
