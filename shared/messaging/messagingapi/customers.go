package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) customers() {
	const tag = "Conversations"
	operations.Change(o.Registry, huma.Operation{
		OperationID: "erase-customer", Method: http.MethodPost, Path: "/v1/conversations/{conversationId}/erase",
		Tags:    []string{tag},
		Summary: "Erase a customer", Security: httpapi.Needs(httpapi.CustomersErase),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "Erases for good what one of your numbers knows of the customer whose conversation this " +
			"is, whatever " +
			"identifiers they have shown: conversations, messages with what was logged of them, and everything in " +
			"the outbox, " +
			"which is not sent any more. Messages in others' conversations that told of them, such as questions to " +
			"a shop or to those who decide " +
			"about cards, stay with their kind and time and say \"[erased]\". Messages that wait and tell of them " +
			"are not sent. " +
			"Repeat the call until it answers complete; it goes on where it ended, and after that gives the " +
			"same answer. " +
			"An open order on credit would leave a debt that names nobody: the answer is 409 and lists such " +
			"orders, until they are paid, delivered or " +
			"cancelled, or openOrders says what becomes of them. Delivered ones are in the credit book, which the " +
			"shop has to keep, or get there. " +
			"The audit record that it was done stays, and names nobody but the person who did it. " +
			"Answer and record say by domain what was erased, and what is kept and why.\n\n" +
			"A mark of the customer's that they do not want to be written to goes with the rest: keep it elsewhere " +
			"if you have to. " +
			"A new message of theirs opens a conversation as a stranger's does. " +
			"What they wrote before and comes only after it is erased as well. " +
			"Statuses and other notices in the log cannot be told by customer; what was logged before expires by " +
			"logClearedBy. " +
			"A tombstone of an erased message is kept under Meta's id of it, in which the number can be read, " +
			"for 37 days, " +
			"because Meta may send it again. " +
			"Answers kept for Idempotency-Keys name the conversation and expire within a day. " +
			"Backups keep the past for as long as they are kept. " +
			"A group's conversation is erased as a whole; what the customer wrote into groups is in theirs and stays.",
	}, o.ownCustomer, o.eraseCustomer)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-erasures", Method: http.MethodGet, Path: "/v1/conversations/{conversationId}/audit",
		Tags:    []string{tag},
		Summary: "List a customer's erasures, newest first", Security: httpapi.Needs(httpapi.AuditRead),
		Errors: []int{http.StatusNotFound},
		Description: "The proof of an erasure, found by any identifier the customer had: of the identifier it " +
			"keeps a hash. It has a scope of " +
			"its own, so that a program that has to show what was done can do without reading messages.",
	}, o.listErasures)
}

type eraseInput struct {
	ConversationInput
	Body struct {
		Reason     string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why. It stays in the audit record: name nobody." example:"The customer asked for it."`
		OpenOrders string `json:"openOrders,omitempty" enum:"cancel,keep" doc:"What becomes of open orders: cancel cancels them; keep leaves them to the shop, without the customer's name and address. Left out, orders on credit have to be closed first, and others are kept."`
	}
}

type Erasure struct {
	Complete     bool          `json:"complete" doc:"Whether all is erased; if not, repeat the call."`
	Erased       erasedCounts  `json:"erased" doc:"What this erasure, in all its calls, has erased."`
	Domains      []domainProof `json:"domains" doc:"The proof by domain: what was erased there, and what is kept."`
	LogClearedBy string        `json:"logClearedBy,omitempty" doc:"When everything has expired that was logged before and cannot be told by customer."`
	AuditID      string        `json:"auditId" doc:"The audit record's."`
	StartedAt    string        `json:"startedAt" doc:"When somebody asked for it."`
	CompletedAt  string        `json:"completedAt,omitempty" doc:"When all was erased; absent while some is left."`
}

type erasedCounts struct {
	Messages      int `json:"messages" doc:"Messages erased."`
	Conversations int `json:"conversations" doc:"Conversations erased."`
	OutboxEvents  int `json:"outboxEvents" doc:"Outbox events erased."`
	LogEntries    int `json:"logEntries" doc:"Logged events from which the customer's messages were taken out."`
}

type domainProof struct {
	Domain string         `json:"domain" example:"khata" doc:"The domain's name."`
	Erased map[string]int `json:"erased" doc:"How much was erased, by what it is."`
	Keeps  []keptOfThem   `json:"keeps" doc:"What is kept of the customer."`
}

type keptOfThem struct {
	What string `json:"what" doc:"What is kept."`
	Why  string `json:"why" doc:"Why: what law or which need keeps it."`
}

func showProofs(domains []erasure.DomainProof) []domainProof {
	all := make([]domainProof, len(domains))
	for i, d := range domains {
		all[i] = domainProof{Domain: d.Domain, Erased: d.Erased, Keeps: []keptOfThem{}}
		for _, kept := range d.Keeps {
			all[i].Keeps = append(all[i].Keeps, keptOfThem(kept))
		}
	}
	return all
}

type erasureOutput struct{ Body Erasure }

// ownCustomer finds a customer whom the caller may erase. The erasure's own record counts what it erases.
func (o *service) ownCustomer(ctx context.Context, in *eraseInput) (address, operations.Subject, error) {
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Owns)
	return a, operations.Subject{}, err
}

func (o *service) eraseCustomer(ctx context.Context, in *eraseInput, a address) (*erasureOutput, error) {
	by, err := o.Actor(ctx)
	if err != nil {
		return nil, err
	}
	done, err := o.rooms.Erase(ctx,
		erasure.Request{
			Tenant: a.tenant, Phone: a.phone, Customer: a.customer, Reason: in.Body.Reason, By: by,
			OpenOrders: erasure.OpenOrders(in.Body.OpenOrders)})
	if err != nil {
		return nil, err
	}
	o.Log.InfoContext(ctx, "erased", "audit", done.AuditID, "complete", done.CompletedAt != "")
	return &erasureOutput{showErasure(done)}, nil
}

func showErasure(done erasure.Progress) Erasure {
	return Erasure{
		Complete: done.CompletedAt != "", AuditID: done.AuditID, StartedAt: string(done.StartedAt),
		CompletedAt:  string(done.CompletedAt),
		LogClearedBy: string(done.LogClearedBy), Domains: showProofs(done.Domains),
		Erased: erasedCounts{
			Messages: done.Counts["messages"], Conversations: done.Counts["conversations"],
			OutboxEvents: done.Counts["outboxEvents"], LogEntries: done.Counts["logEntries"],
		},
	}
}

type listAuditInput struct {
	httpapi.Page
	ConversationInput
}

func (o *service) listErasures(ctx context.Context, in *listAuditInput) (*auditListOutput, error) {
	a, err := o.address(ctx, in.ConversationID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	after, err := in.After()
	if err != nil {
		return nil, err
	}
	found, _, err := o.Audit.List(ctx, erasure.CustomerTarget(a.tenant, a.phone, a.customer), int32(in.Probe()),
		after.At)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && in.Cursor == "" { // an erased customer is known by the record
		if known, err := o.rooms.Knows(ctx, a.phone, a.customer); err != nil || !known {
			return nil, orNotFound(err)
		}
	}
	found, end := httpapi.Cut(in.Page, found, auditPosition)
	out := &auditListOutput{auditList{Items: []auditRecord{}, Cursor: end.Cursor()}}
	for _, record := range found {
		out.Body.Items = append(out.Body.Items, showAudit(record))
	}
	return out, nil
}
