package model

// Tenant is a business that uses haatline, TENANT#{tenantId}. It is written in parts: a number that joins it, how it
// sends by SMS, and what it is called are changed by different people at once.
type Tenant struct {
	PK                   string          `dynamodbav:"pk"`
	ItemType             string          `dynamodbav:"itemType"`
	TenantID             TenantID        `dynamodbav:"tenantId"`
	DisplayName          string          `dynamodbav:"displayName,omitempty"`
	WABAID               WABAID          `dynamodbav:"wabaId,omitempty"`
	PhoneE164            string          `dynamodbav:"phoneE164,omitempty"`
	MCC                  string          `dynamodbav:"mcc,omitempty"`
	PurposeCode          string          `dynamodbav:"purposeCode,omitempty"`
	DefaultPaymentConfig string          `dynamodbav:"defaultPaymentConfig,omitempty"`
	CreatedAt            Time            `dynamodbav:"createdAt,omitempty"`
	PhoneNumberIDs       []PhoneNumberID `dynamodbav:"phoneNumberIds,omitempty"` // addition
	SMS                  *TenantSMS      `dynamodbav:"sms,omitempty"`            // addition
	// Additions: by which gsi_from lists all tenants, by when each was first known, and since when and why the tenant
	// sends nothing.
	FromPK     string `dynamodbav:"fromPk,omitempty"`
	ReceivedAt Time   `dynamodbav:"receivedAt,omitempty"`
	DisabledAt Time   `dynamodbav:"disabledAt,omitempty"`
	DisabledBy string `dynamodbav:"disabledBy,omitempty"`
	// SubscriptionIDs are the places outside that are told events. While there are some, its numbers and stores say so.
	SubscriptionIDs []Name `dynamodbav:"subscriptionIds,omitempty"`
}

// Disabled reports whether the tenant sends nothing for now.
func (t Tenant) Disabled() bool { return t.DisabledAt != "" }

// TenantSMS is how a tenant sends texts. India's operators deliver a text only with the ids of a registration there
// (DLT).
type TenantSMS struct {
	Sender    string            `dynamodbav:"sender,omitempty"`    // as AWS names it; "" for the stage's
	EntityID  string            `dynamodbav:"entityId,omitempty"`  // of the business
	Templates map[string]string `dynamodbav:"templates,omitempty"` // the template's id, by SMSTemplate
}

// SMSTemplate returns the name under which a tenant keeps the template id of a wording in a language.
func SMSTemplate(wording, language string) string { return wording + "." + language }

// WebhookConfig says by which secrets the webhooks of an account are verified, WEBHOOK_CONFIG#{wabaId}. It holds
// references to secrets, and never secrets.
type WebhookConfig struct {
	PK          string `dynamodbav:"pk"`
	ItemType    string `dynamodbav:"itemType"`
	WABAMetaID  WABAID `dynamodbav:"wabaMetaId"`
	VerifyToken string `dynamodbav:"verifyToken,omitempty"`
	AppSecret   string `dynamodbav:"appSecret,omitempty"`
	Enabled     bool   `dynamodbav:"enabled"`
	UpdatedAt   Time   `dynamodbav:"updatedAt"`
	// Additions: the references before the last rotation, which count until a time, how gsi_from lists all
	// configurations, and what was asked last of Meta, with its answer.
	FormerAppSecret   string        `dynamodbav:"formerAppSecret,omitempty"`
	FormerVerifyToken string        `dynamodbav:"formerVerifyToken,omitempty"`
	FormerUntil       Time          `dynamodbav:"formerUntil,omitempty"`
	FromPK            string        `dynamodbav:"fromPk"`
	ReceivedAt        Time          `dynamodbav:"receivedAt"`
	Asked             *WebhookAsked `dynamodbav:"asked,omitempty"`
	Version           int64         `dynamodbav:"version"`
	Rest
}

// WebhookAsked is what was asked about an account's webhooks, and the answer.
type WebhookAsked struct {
	Wish       string `dynamodbav:"wish"` // subscribe, unsubscribe or test
	AskedAt    Time   `dynamodbav:"askedAt"`
	AnsweredAt Time   `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	// whether the secrets could be read, and whether Meta posts the account's webhooks to the app
	AppSecret   bool   `dynamodbav:"appSecret,omitempty"`
	VerifyToken bool   `dynamodbav:"verifyToken,omitempty"`
	Subscribed  bool   `dynamodbav:"subscribed,omitempty"`
	Problem     string `dynamodbav:"problem,omitempty"` // what stood in the way
}

func (c *WebhookConfig) Lock() *int64 { return &c.Version }

// Infra is what the platform's operators note of its infrastructure, CONFIG#INFRA.
type Infra struct {
	PK                string `dynamodbav:"pk"`
	ItemType          string `dynamodbav:"itemType"`
	VPCEndpoint       string `dynamodbav:"vpcEndpoint,omitempty"`
	ServiceLinkedRole string `dynamodbav:"serviceLinkedRole,omitempty"`
	UpdatedAt         Time   `dynamodbav:"updatedAt"`
}
