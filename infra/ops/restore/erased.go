package restore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// erasures are those that were done after the time of the restore. A proof holds only a hash of the person. So the
// person is found by what an item says: each of its texts is hashed as the proof's target was.
type erasures struct {
	targets map[string]bool
	numbers map[model.TenantID][]model.PhoneNumberID // of the tenants that have erased somebody
	people  map[person]bool                          // those that items have named
}

type person struct {
	tenant   model.TenantID
	phone    model.PhoneNumberID
	customer model.CustomerID
}

// erasedSince reads the proofs of erasures that were not complete at the time of the restore.
func (r *restoring) erasedSince(ctx context.Context) (*erasures, error) {
	e := &erasures{
		targets: map[string]bool{}, numbers: map[model.TenantID][]model.PhoneNumberID{}, people: map[person]bool{}}
	references := map[string][]string{} // to a target, from others
	err := r.audited(ctx, func(record model.AuditLog) error {
		if record.Action != erasure.ActionErase || record.TargetType != erasure.TargetCustomer {
			return nil
		}
		var to struct{ TargetID string }
		if err := json.Unmarshal(record.NewValue, &to); err != nil {
			return fmt.Errorf("audit record %s: %w", record.LogID, err)
		}
		if to.TargetID != "" {
			references[to.TargetID] = append(references[to.TargetID], record.TargetID)
			return nil
		}
		progress, err := audit.ProgressOf(record)
		if err != nil {
			return err
		}
		if done := progress.CompletedAt; done == "" || done > model.At(r.at) {
			e.targets[record.TargetID] = true
			e.numbers[record.TargetEcosystemID] = nil
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for to, from := range references {
		for _, id := range from {
			e.targets[id] = e.targets[id] || e.targets[to]
		}
	}
	for tenant := range e.numbers {
		phones, err := r.rooms.Phones(ctx, tenant)
		if err != nil {
			return nil, err
		}
		for _, phone := range phones {
			e.numbers[tenant] = append(e.numbers[tenant], phone.PhoneNumberID)
		}
	}
	return e, nil
}

// audited calls work with every audit record.
func (r *restoring) audited(ctx context.Context, work func(model.AuditLog) error) error {
	var from dynamo.Item
	for {
		page, err := r.db.Scan(ctx, dynamo.Scan{Table: tables.AuditLogs, Limit: 1000, After: from})
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			var record model.AuditLog
			if err := dynamo.Unmarshal(item, &record); err != nil {
				return err
			}
			if err := work(record); err != nil {
				return err
			}
		}
		if from = page.Next; from == nil {
			return nil
		}
	}
}

// named reports whether an item names a person who was erased, and keeps who that is.
func (e *erasures) named(item dynamo.Item) (found bool) {
	if len(e.targets) == 0 {
		return false
	}
	for _, value := range item {
		each(value, func(text string) {
			for part := range strings.SplitSeq(text, "#") {
				found = e.is(model.CustomerID(strings.TrimPrefix(part, "+"))) || found
			}
		})
	}
	return found
}

func (e *erasures) is(customer model.CustomerID) (found bool) {
	for tenant, phones := range e.numbers {
		for _, phone := range phones {
			if e.targets[erasure.CustomerTarget(tenant, phone, customer).ID] {
				e.people[person{tenant, phone, customer}] = true
				found = true
			}
		}
	}
	return found
}

// each calls work with every text of a value.
func each(value dynamo.AttributeValue, work func(string)) {
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		work(value.Value)
	case *types.AttributeValueMemberSS:
		for _, text := range value.Value {
			work(text)
		}
	case *types.AttributeValueMemberL:
		for _, one := range value.Value {
			each(one, work)
		}
	case *types.AttributeValueMemberM:
		for _, one := range value.Value {
			each(one, work)
		}
	}
}

// repeat erases again everybody whom what was restored names. What the command itself leaves out never came back; this
// reaches what came back without a name.
func (r *restoring) repeat(ctx context.Context, e *erasures) error {
	for of := range e.people {
		if !r.write {
			continue
		}
		done, err := r.rooms.Erase(ctx, erasure.Request{
			Tenant: of.tenant, Phone: of.phone, Customer: of.customer, By: r.by, Unwritten: true,
			Reason: "repeated after a restore to " + r.at.String(), OpenOrders: erasure.KeepOrders,
		})
		if err != nil {
			return fmt.Errorf("repeat an erasure: %s", deployment.Why(err))
		}
		if done.CompletedAt == "" {
			return fmt.Errorf("the erasure %s is not complete: run the same command again", done.AuditID)
		}
	}
	fmt.Fprintf(r.out, "%d erasures since then, of which %d people were named in what was restored\n", len(e.targets),
		len(e.people))
	return nil
}
