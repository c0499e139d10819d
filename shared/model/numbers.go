package model

// Person is the display name of a person who signs in, PERSON#{subject}. It outlives their account.
type Person struct {
	PK        string `dynamodbav:"pk"`
	ItemType  string `dynamodbav:"itemType"`
	Subject   Name   `dynamodbav:"subject"` // the sub of their tokens
	Name      string `dynamodbav:"name,omitempty"`
	Email     string `dynamodbav:"email,omitempty"`
	UpdatedAt Time   `dynamodbav:"updatedAt,omitempty"`
	// what the person may do for all of their tenants, beside the groups of the user pool
	Roles   []string `dynamodbav:"roles,omitempty"`
	Tenants int64    `dynamodbav:"tenants,omitempty"` // how many they work for by items
}

// Member says that a person works for a tenant, MEMBER#{subject}#{tenantId}.
type Member struct {
	PK         string   `dynamodbav:"pk"`
	ItemType   string   `dynamodbav:"itemType"`
	Subject    Name     `dynamodbav:"subject"`
	TenantID   TenantID `dynamodbav:"tenantId"`
	FromPK     string   `dynamodbav:"fromPk"`     // MEMBER#{subject}, by which gsi_from lists a person's tenants
	ReceivedAt Time     `dynamodbav:"receivedAt"` // since when it is the person's first: given, or chosen by them
	GivenAt    Time     `dynamodbav:"givenAt"`
	GivenBy    Name     `dynamodbav:"givenBy"` // the subject of who has given it
}

// Phone says which tenant has a business number, PHONE#{phoneNumberId}.
type Phone struct {
	PK                 string        `dynamodbav:"pk"`
	ItemType           string        `dynamodbav:"itemType"`
	PhoneNumberID      PhoneNumberID `dynamodbav:"phoneNumberId"`
	TenantID           TenantID      `dynamodbav:"tenantId,omitempty"`
	WABAMetaID         WABAID        `dynamodbav:"wabaMetaId,omitempty"`
	DisplayPhoneNumber string        `dynamodbav:"displayPhoneNumber,omitempty"`
	// Meta's latest events about the number, each with its place in the order: the later one wins.
	VerifiedName        string `dynamodbav:"verifiedName,omitempty"`
	VerifiedNameOrder   Order  `dynamodbav:"verifiedNameOrder,omitempty"`
	QualityRating       string `dynamodbav:"qualityRating,omitempty"` // RED, UNKNOWN if it is no longer RED, or as asked
	QualityRatingOrder  Order  `dynamodbav:"qualityRatingOrder,omitempty"`
	MessagingLimit      string `dynamodbav:"messagingLimit,omitempty"` // TIER_250, TIER_2K, …
	MessagingLimitOrder Order  `dynamodbav:"messagingLimitOrder,omitempty"`
	Throughput          string `dynamodbav:"throughput,omitempty"` // HIGH, or STANDARD as asked
	ThroughputOrder     Order  `dynamodbav:"throughputOrder,omitempty"`

	// why the phone's history is not imported: Meta's code and title
	HistoryProblem   string `dynamodbav:"historyProblem,omitempty"`
	HistoryProblemAt Time   `dynamodbav:"historyProblemAt,omitempty"`

	// Set by an operator.
	// it is also used in the phone app, and sends more slowly
	Coexistence bool `dynamodbav:"coexistence,omitempty"`
	// its marketing templates go the way of marketing messages
	MarketingMessages bool `dynamodbav:"marketingMessages,omitempty"`
	// it does not repeat a send that WhatsApp never confirmed: a person decides
	SendsOnce bool `dynamodbav:"sendsOnce,omitempty"`
	// how conversations of its customers that nobody takes care of get a colleague, the ids of the colleagues with a
	// space between them, and how many conversations have got one
	AssignBy   AssignRule `dynamodbav:"assignBy,omitempty"`
	AssignTo   string     `dynamodbav:"assignTo,omitempty"`
	AssignTurn int64      `dynamodbav:"assignTurn,omitempty"`
	// AWS's id of it, phone-number-id-…, if it sends by AWS End User Messaging; "" if it sends by Meta itself
	AWSPhoneNumberID string `dynamodbav:"awsPhoneNumberId,omitempty"`

	// secretsmanager: or env:, or the token as a key of KMS has encrypted it: kms:
	AccessTokenRef string `dynamodbav:"accessTokenRef,omitempty"`
	WindowPolicy   string `dynamodbav:"windowPolicy,omitempty"`
	CreatedAt      Time   `dynamodbav:"createdAt,omitempty"`
	// addition: since when it is deliberately without a tenant: released, or claimable by several
	ReleasedAt   Time     `dynamodbav:"releasedAt,omitempty"`
	ReleasedFrom TenantID `dynamodbav:"releasedFrom,omitempty"` // addition: the tenant that it was released from
	// addition: somebody outside is told events of its tenant, so that those of this number are published
	Subscribed bool `dynamodbav:"subscribed,omitempty"`
	StoreID    Name `dynamodbav:"storeId,omitempty"`   // addition: the store whose customers write to it
	CompanyID  Name `dynamodbav:"companyId,omitempty"` // addition: the company whose conversations go by it
}

// AssignRule is how conversations that nobody takes care of get a colleague; "" if they do not.
type AssignRule string

// The rules: in turn, or to who has the fewest open conversations at the number.
const (
	AssignInTurn    AssignRule = "round_robin"
	AssignLeastOpen AssignRule = "least_open"
)

// Sender is a number that sends SMS, SENDER#{number}, an addition: whose it is.
type Sender struct {
	PK        string   `dynamodbav:"pk"`
	ItemType  string   `dynamodbav:"itemType"`
	TenantID  TenantID `dynamodbav:"tenantId,omitempty"`
	CompanyID Name     `dynamodbav:"companyId,omitempty"` // the company whose conversations go by it
	CreatedAt Time     `dynamodbav:"createdAt,omitempty"`
}
