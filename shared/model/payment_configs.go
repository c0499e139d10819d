package model

// ItemPaymentConfig is the item type of payment configurations.
const ItemPaymentConfig = "PAYMENT_CONFIG"

// PaymentConfig is a way in which a tenant's customers pay through WhatsApp, TENANT#{tenantId}#PAYCFG#{configName}.
type PaymentConfig struct {
	Rest
	PK                string   `dynamodbav:"pk"`
	ItemType          string   `dynamodbav:"itemType"`
	TenantID          TenantID `dynamodbav:"tenantId"`
	ConfigName        Name     `dynamodbav:"configName"`
	Type              string   `dynamodbav:"type"`   // PG or UPI
	Status            string   `dynamodbav:"status"` // active, inactive, pending
	PaymentGatewayMID string   `dynamodbav:"paymentGatewayMid,omitempty"`
	UPIID             string   `dynamodbav:"upiId,omitempty"`
	MCC               string   `dynamodbav:"mcc,omitempty"`
	PurposeCode       string   `dynamodbav:"purposeCode,omitempty"`
	LastValidatedAt   Time     `dynamodbav:"lastValidatedAt,omitempty"`

	// Additions: the account at Meta that has it, the provider of a PG, where the business connects it with the
	// provider, and what was asked last of Meta, with its answer.
	WABAID     WABAID        `dynamodbav:"wabaId"`
	Provider   string        `dynamodbav:"provider,omitempty"`
	ConnectURL string        `dynamodbav:"connectUrl,omitempty"`
	Asked      *PaymentAsked `dynamodbav:"asked,omitempty"`
	// references to the secret by which the provider signs what it posts, and to the one before it, which still counts
	// until then
	WebhookSecret       string `dynamodbav:"webhookSecret,omitempty"`
	FormerWebhookSecret string `dynamodbav:"formerWebhookSecret,omitempty"`
	FormerSecretUntil   Time   `dynamodbav:"formerSecretUntil,omitempty"`
	Version             int64  `dynamodbav:"version"`
}

// PaymentAsked is what was asked about a payment configuration, and the answer.
type PaymentAsked struct {
	Wish       string `dynamodbav:"wish"` // create, validate or delete
	AskedAt    Time   `dynamodbav:"askedAt"`
	AnsweredAt Time   `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	Problem    string `dynamodbav:"problem,omitempty"`    // what stood in the way
}

// Lock returns the version, the optimistic lock.
func (c *PaymentConfig) Lock() *int64 { return &c.Version }
