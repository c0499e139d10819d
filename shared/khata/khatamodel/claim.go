package khatamodel

import "github.com/haatline/haatline/shared/model"

// Claim is what a customer says that they have paid a store. It is no entry: it becomes one when the shop confirms it.
type Claim struct {
	PK            string              `dynamodbav:"pk"` // STORE#{store_id}
	SK            string              `dynamodbav:"sk"` // CLAIM#{state}#{claim_id}
	ClaimID       model.Name          `dynamodbav:"claim_id"`
	StoreID       model.Name          `dynamodbav:"store_id"`
	CustomerPhone model.Name          `dynamodbav:"customer_phone"` // whose account it is about
	State         ClaimState          `dynamodbav:"state"`
	Amount        model.Amount        `dynamodbav:"amount"`
	ReferenceID   string              `dynamodbav:"reference_id,omitempty"` // of the UPI payment, as the customer has it
	MessageID     model.MessageID     `dynamodbav:"message_id"`             // by which the customer has said so
	PhoneNumberID model.PhoneNumberID `dynamodbav:"phone_number_id"`        // to which
	GSI1PK        string              `dynamodbav:"gsi1pk"`                 // PHONE#{customer_phone}
	GSI1SK        string              `dynamodbav:"gsi1sk"`                 // CLAIM#{state}#{store_id}#{claim_id}
	CreatedAt     model.Time          `dynamodbav:"created_at"`             // when the customer said it
	TenantID      model.TenantID      `dynamodbav:"tenant_id"`

	// Of a claim that is settled.
	SettledAt     model.Time `dynamodbav:"settled_at,omitempty"`
	SettledBy     string     `dynamodbav:"settled_by,omitempty"`     // who has confirmed or refused it
	TransactionID model.Name `dynamodbav:"transaction_id,omitempty"` // of a confirmed one: its entry
}

// ClaimState is what has become of a claim. Only an open one changes.
type ClaimState string

const (
	ClaimOpen      ClaimState = "open"
	ClaimConfirmed ClaimState = "confirmed" // the shop has got the money, and the claim is an entry
	ClaimRefused   ClaimState = "refused"   // the shop has not found the payment
	ClaimWithdrawn ClaimState = "withdrawn" // the customer has deleted the message that said so
)
