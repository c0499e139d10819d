package model

// Item types of what customers fill in.
const (
	ItemFlowResponse = "FLOW_RESPONSE"
	ItemAddress      = "ADDRESS"
	ItemOpenForm     = "FORM"
)

// FlowResponse is a form that a customer has filled in, FLOW_RESPONSE#{flowId}#{responseId}. The response's id is that
// of the message.
type FlowResponse struct {
	PK            string   `dynamodbav:"pk"`
	ItemType      string   `dynamodbav:"itemType"`
	FlowID        string   `dynamodbav:"flowId"`
	ResponseID    string   `dynamodbav:"responseId"`
	CustomerPhone string   `dynamodbav:"customerPhone,omitempty"`
	ScreenID      string   `dynamodbav:"screenId,omitempty"`
	Data          Document `dynamodbav:"data"`
	CompletedAt   Time     `dynamodbav:"completedAt"`

	// Additions.
	CreatedAt     Time          `dynamodbav:"createdAt"`
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
}

// Address is an address that a customer has sent, ADDRESS#{customerPhone}#{addressId}. The address's id is that of the
// message.
type Address struct {
	Rest
	PK            string `dynamodbav:"pk"`
	ItemType      string `dynamodbav:"itemType"`
	CustomerPhone string `dynamodbav:"customerPhone"`
	AddressID     string `dynamodbav:"addressId"`
	Name          string `dynamodbav:"name,omitempty"`
	PhoneNumber   string `dynamodbav:"phoneNumber,omitempty"`
	Address       string `dynamodbav:"address,omitempty"`
	City          string `dynamodbav:"city,omitempty"`
	State         string `dynamodbav:"state,omitempty"`
	PostalCode    string `dynamodbav:"postalCode,omitempty"`
	Country       string `dynamodbav:"country,omitempty"`
	IsDefault     bool   `dynamodbav:"isDefault"`
	CreatedAt     Time   `dynamodbav:"createdAt"`

	// Additions.
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	DefaultSince  Time          `dynamodbav:"defaultSince,omitempty"` // the latest of several defaults is the default
	Version       int64         `dynamodbav:"version,omitempty"`      // the optimistic lock
}

// Lock returns the version, the optimistic lock.
func (a *Address) Lock() *int64 { return &a.Version }

// OpenForm is a form that a customer was sent and whose screens a domain answers, FORM#{hash of its token}. The
// contract does not have it.
type OpenForm struct {
	PK            string        `dynamodbav:"pk"`
	ItemType      string        `dynamodbav:"itemType"`
	Form          string        `dynamodbav:"form"`  // which one, such as commerce.address
	About         Name          `dynamodbav:"about"` // what it is about, for the domain: a store
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	Customer      CustomerID    `dynamodbav:"customer"` // as in the conversation's key
	CustomerPhone string        `dynamodbav:"customerPhone"`
	Language      string        `dynamodbav:"language,omitempty"` // in which the customer was written to, for the domain
	CreatedAt     Time          `dynamodbav:"createdAt"`
	TTL           int64         `dynamodbav:"ttl"` // when it cannot be opened any more
}
