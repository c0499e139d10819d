package model

// Received is what a person has sent by email or SMS, RECEIVED#{eventId}, an addition. Its JSON is the value of its
// entry in the log, which has the same id.
type Received struct {
	PK       string `dynamodbav:"pk" json:"-"`
	ItemType string `dynamodbav:"itemType" json:"-"`
	// FromPK is RECEIVED#{tenantId}#{customerWaId}, in gsi_from.
	FromPK        string        `dynamodbav:"fromPk" json:"-"`
	TenantID      TenantID      `dynamodbav:"tenantId" json:"tenantId"`
	Channel       Channel       `dynamodbav:"channel" json:"channel"`
	Business      string        `dynamodbav:"business" json:"business"` // the address that it came to
	Person        string        `dynamodbav:"person" json:"person"`     // the address that it came from
	CustomerID    CustomerID    `dynamodbav:"customerId" json:"customerId"`
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId,omitempty" json:"phoneNumberId,omitempty"`
	ReceivedAt    Time          `dynamodbav:"receivedAt" json:"receivedAt"`

	SenderName string     `dynamodbav:"senderName,omitempty" json:"senderName,omitempty"`
	Subject    string     `dynamodbav:"subject,omitempty" json:"subject,omitempty"`
	Text       string     `dynamodbav:"textBody,omitempty" json:"text,omitempty"`
	EmailID    string     `dynamodbav:"emailId,omitempty" json:"emailId,omitempty"`       // its Message-ID
	References []string   `dynamodbav:"references,omitempty" json:"references,omitempty"` // Message-IDs, the newest first
	Files      []Attached `dynamodbav:"files,omitempty" json:"files,omitempty"`
	LeftOut    []LeftOut  `dynamodbav:"leftOut,omitempty" json:"leftOut,omitempty"`
	// Held is why no domain gets it: who or what has written it, or what is wrong with it. It is "" for a message of a
	// person.
	Held string `dynamodbav:"held,omitempty" json:"held,omitempty"`

	// Outcome is what has become of it; "" before it is processed.
	Outcome string `dynamodbav:"outcome,omitempty" json:"-"`
	// AttentionPK and AttentionAt list it in gsi_webhook_attention if it has come to nothing.
	AttentionPK string `dynamodbav:"attentionPk,omitempty" json:"-"`
	AttentionAt Time   `dynamodbav:"attentionAt,omitempty" json:"-"` // when it came
}

// Attached is a file that came with an email.
type Attached struct {
	Name string `dynamodbav:"name" json:"name"`
	Type string `dynamodbav:"type" json:"type"` // by its content
	Size int    `dynamodbav:"size" json:"size"`
	Key  string `dynamodbav:"s3Key" json:"s3Key"`
}

// LeftOut is a part of an email that was not kept.
type LeftOut struct {
	Name   string `dynamodbav:"name,omitempty" json:"name,omitempty"` // of a file; "" for others
	Reason string `dynamodbav:"reason" json:"reason"`
}
