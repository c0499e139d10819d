package companies

import (
	"context"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// An email address belongs to one company of all tenants: the company writes in its name, and gets the replies.

// mailboxWrites returns the writes by which a company has its email address, first, and gives up the one before. The
// condition is that no other company has it.
func mailboxWrites(was, next conversationsmodel.Company) []dynamo.Write {
	before, now := was.Addresses().Email, next.Addresses().Email
	var writes []dynamo.Write
	if now != "" {
		writes = append(writes, dynamo.Update{
			Table: tables.Conversations, Key: keys.Mailbox(model.Name(now)),
			Do:     "SET company = :company, tenant_id = :tenant",
			If:     "attribute_not_exists(company) OR company = :company",
			Values: dynamo.Item{":company": dynamo.S(next.Company), ":tenant": dynamo.S(next.TenantID)},
		})
	}
	if before != "" && before != now {
		writes = append(writes, dynamo.Update{
			Table: tables.Conversations, Key: keys.Mailbox(model.Name(before)),
			Do: "REMOVE company, tenant_id", If: "attribute_not_exists(company) OR company = :company",
			Values: dynamo.Item{":company": dynamo.S(was.Company)},
		})
	}
	return writes
}

// MailboxOf returns the company that an email address is, and its tenant; "" for an address of nobody.
func MailboxOf(ctx context.Context, db *dynamo.Client, address string) (company model.Name, tenant model.TenantID,
	err error) {
	ref := dynamo.Ref{Table: tables.Conversations, Key: keys.Mailbox(model.Name(address))}
	found, err := db.BatchGet(ctx, []dynamo.Ref{ref})
	if err != nil {
		return "", "", fmt.Errorf("whose an email address is: %w", err)
	}
	item := ref.Found(found)
	return model.Name(dynamo.Text(item, "company")), model.TenantID(dynamo.Text(item, "tenant_id")), nil
}

// MailboxOf returns the tenant whose company an email address is; "" for an address of nobody.
func (s *Companies) MailboxOf(ctx context.Context, address string) (model.TenantID, error) {
	_, tenant, err := MailboxOf(ctx, s.DB, address)
	return tenant, err
}

// mailboxTaken returns the error of a transaction that begins with mailboxWrites: ErrNumber if another company has the
// address.
func mailboxTaken(err error, next conversationsmodel.Company) error {
	var cancelled *dynamo.TransactionCancelled
	if next.Addresses().Email != "" && errors.As(err, &cancelled) && cancelled.Of(0).Failed() {
		return problem.Wrong(ErrNumber, "body.channelConfig.company_email", "another company has it")
	}
	return err
}
