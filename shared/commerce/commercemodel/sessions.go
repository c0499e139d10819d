package commercemodel

import "github.com/haatline/haatline/shared/model"

// Session is what the assistant remembers of a customer's conversation with a store.
type Session struct {
	model.Rest
	PK            string     `dynamodbav:"pk"` // SESSION#{session_id}
	SessionID     model.Name `dynamodbav:"session_id"`
	CustomerPhone model.Name `dynamodbav:"customer_phone"`
	StoreID       model.Name `dynamodbav:"store_id"`
	Context       Context    `dynamodbav:"context"`
	LastActivity  model.Time `dynamodbav:"last_activity"`
	GSI1PK        string     `dynamodbav:"gsi1pk"` // CUSTOMER#{customer_phone}
	GSI1SK        model.Time `dynamodbav:"gsi1sk"` // last_activity
	TTL           int64      `dynamodbav:"ttl,omitempty"`

	// Additions.
	TenantID      model.TenantID      `dynamodbav:"tenant_id"`
	PhoneNumberID model.PhoneNumberID `dynamodbav:"phone_number_id"`
	Customer      model.CustomerID    `dynamodbav:"customer"` // as in the conversation's key
	Version       int64               `dynamodbav:"version"`  // the optimistic lock
	StartedAt     model.Time          `dynamodbav:"started_at"`
	// since when a person answers, and not the assistant
	HandedOverAt  model.Time `dynamodbav:"handed_over_at,omitempty"`
	HandedOverFor string     `dynamodbav:"handed_over_for,omitempty"`
	// the customer has written more than the limit
	MutedUntil model.Time        `dynamodbav:"muted_until,omitempty"`
	Seen       []model.MessageID `dynamodbav:"seen,omitempty"` // the latest messages that were dealt with
}

// Lock returns the optimistic lock.
func (s *Session) Lock() *int64 { return &s.Version }

// Context is what was said and what is open.
type Context struct {
	CurrentOrder        *Basket      `dynamodbav:"current_order"`
	ConversationHistory []Said       `dynamodbav:"conversation_history"` // the latest
	SelectedProducts    []model.Name `dynamodbav:"selected_products"`    // what was last asked about, or shown
	PendingConfirmation bool         `dynamodbav:"pending_confirmation"` // the customer was asked to say yes

	// Additions.
	Language      string     `dynamodbav:"language,omitempty"`
	Misunderstood int        `dynamodbav:"misunderstood,omitempty"` // in a row
	LastOrder     model.Name `dynamodbav:"last_order,omitempty"`    // made in this session
	// Shown is a digest of the order that the customer was shown last: a yes is to that, and to nothing else.
	Shown string `dynamodbav:"shown,omitempty"`
	// LanguageSure is set if the customer has written in the language, and not only greeted. OtherLanguage is the one
	// of their last message, if it was another.
	LanguageSure  bool   `dynamodbav:"language_sure,omitempty"`
	OtherLanguage string `dynamodbav:"other_language,omitempty"`
	// MediaAnswered is set if the customer was told that a person looks at what cannot be read here.
	MediaAnswered bool `dynamodbav:"media_answered,omitempty"`
	// Unsold is set if the customer was just told that the shop does not sell something.
	Unsold bool `dynamodbav:"unsold,omitempty"`
	// Asking is the message that a language model is asked about; nil for none. Nothing of it is in the rest yet.
	Asking *Asking `dynamodbav:"asking,omitempty"`
	// Details are what the customer has said about delivery and payment before there was an order.
	Details *Details `dynamodbav:"details,omitempty"`
}

// Details are what a customer has said about an order beside its lines. "" says nothing.
type Details struct {
	Way     string     `dynamodbav:"way,omitempty"` // delivery or pickup
	Address string     `dynamodbav:"address,omitempty"`
	When    string     `dynamodbav:"when,omitempty"` // in the customer's words
	Payment string     `dynamodbav:"payment,omitempty"`
	Notes   []string   `dynamodbav:"notes,omitempty"`
	Code    model.Name `dynamodbav:"code,omitempty"` // for a discount
	// the time in which the store brings the order, and the words for which it was chosen
	Slot    *TakenSlot `dynamodbav:"slot,omitempty"`
	SlotFor string     `dynamodbav:"slot_for,omitempty"`
}

// Asking is a message whose answer waits for a language model.
type Asking struct {
	Message model.MessageID `dynamodbav:"message"`
	Text    string          `dynamodbav:"text"`
	At      model.Time      `dynamodbav:"at"`
	Name    string          `dynamodbav:"name,omitempty"` // of the customer
	// what the answer to the message before is, which waited, too, and whether a person is to look
	Notes  []string `dynamodbav:"notes,omitempty"`
	Person bool     `dynamodbav:"person,omitempty"`
}

// Said is one message of the conversation.
type Said struct {
	Role      string     `dynamodbav:"role"` // user or assistant
	Message   string     `dynamodbav:"message"`
	Timestamp model.Time `dynamodbav:"timestamp"`
}

// Basket is an order that is not made yet.
type Basket struct {
	Lines []BasketLine `dynamodbav:"lines"`
	Open  []Question   `dynamodbav:"open"` // asked one after the other
	// increases with every change: a button of an earlier basket does not confirm this one
	Revision   int64        `dynamodbav:"revision"`
	Confidence model.Amount `dynamodbav:"confidence"` // of the message that was understood worst
	Entities   []Entity     `dynamodbav:"entities"`

	Details Details `dynamodbav:"details"`
	// AddressAsked is set if the customer was asked where the goods are wanted: nobody is asked twice.
	AddressAsked bool       `dynamodbav:"address_asked,omitempty"`
	Amends       model.Name `dynamodbav:"amends,omitempty"` // the order that this one is to become; "" for a new one
	Code         *UsedCode  `dynamodbav:"code,omitempty"`   // that the order has used which this one is to become
}

// BasketLine is an article and how much of it.
type BasketLine struct {
	Article  model.Name    `dynamodbav:"article"`
	Quantity model.Amount  `dynamodbav:"quantity"`
	Worth    *model.Amount `dynamodbav:"worth,omitempty"` // so many rupees' worth, in place of a quantity
}

// Question is what the customer has to say before the order stands: which article is meant, or how much of one.
type Question struct {
	Text    string         `dynamodbav:"text"`     // the customer's word
	Options []model.Name   `dynamodbav:"options"`  // articles, one of which is meant
	Article model.Name     `dynamodbav:"article"`  // of which the quantity is missing; "" if there are Options
	Said    model.Document `dynamodbav:"said"`     // how much was said
	NotSold bool           `dynamodbav:"not_sold"` // the shop has no such thing; Options are near it
}
