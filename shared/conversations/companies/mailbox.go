package companies

import (
	"context"
	"errors"

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

// HasMailbox reports whether an email address is a company's.
func HasMailbox(ctx context.Context, db *dynamo.Client, company model.Name, address string) (bool, error) {
	ref := dynamo.Ref{Table: tables.Conversations, Key: keys.Mailbox(model.Name(address))}
	found, err := db.BatchGet(ctx, []dynamo.Ref{ref})
	return dynamo.Text(ref.Found(found), "company") == string(company), err
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
