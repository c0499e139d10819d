package conversationsmodel

import (
	"encoding/json"
	"strings"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Conversation is a company's conversation with one person. Its attributes have the contract's names; additions are
// marked.
type Conversation struct {
	model.Rest
	PrimaryChannel model.Name    `dynamodbav:"primary_channel"`
	ConversationID string        `dynamodbav:"conversation_id"`
	RecipientTel   model.Name    `dynamodbav:"recipient_tel,omitempty"`
	RecipientEmail model.Name    `dynamodbav:"recipient_email,omitempty"`
	CompanyID      model.Name    `dynamodbav:"company_id"`
	ProjectID      model.Name    `dynamodbav:"project_id"`
	ChannelMethod  model.Channel `dynamodbav:"channel_method"`
	Status         Status        `dynamodbav:"conversation_status"`
	RequestID      model.Name    `dynamodbav:"request_id"`
	Messages       []Entry       `dynamodbav:"messages"` // the newest; older ones are in continuations
	CreatedAt      model.Time    `dynamodbav:"created_at"`
	UpdatedAt      model.Time    `dynamodbav:"updated_at"`
	RequestedAt    string        `dynamodbav:"initial_request_timestamp,omitempty"`

	ProcessorVersion string `dynamodbav:"processor_version,omitempty"`
	RouterVersion    string `dynamodbav:"router_version,omitempty"`
	ThreadID         string `dynamodbav:"thread_id,omitempty"`
	// EmailID is the Message-ID of the first email. It is null until one has been sent.
	EmailID          *string `dynamodbav:"email_id"`
	TaskComplete     int     `dynamodbav:"task_complete"`
	ProcessingTimeMS int64   `dynamodbav:"processing_time_ms,omitempty"`

	RecipientFirstName string          `dynamodbav:"recipient_first_name,omitempty"`
	RecipientLastName  string          `dynamodbav:"recipient_last_name,omitempty"`
	CommsConsent       bool            `dynamodbav:"comms_consent"`
	ProjectData        model.Document  `dynamodbav:"project_data,omitempty"`
	CompanyName        string          `dynamodbav:"company_name,omitempty"`
	ProjectName        string          `dynamodbav:"project_name,omitempty"`
	CompanyRep         model.Document  `dynamodbav:"company_rep,omitempty"`
	AllowedChannels    []model.Channel `dynamodbav:"allowed_channels,omitempty"`
	ProjectStatus      ProjectStatus   `dynamodbav:"project_status,omitempty"`
	Rules
	AIConfig      model.Document `dynamodbav:"ai_config,omitempty"`
	ChannelConfig model.Document `dynamodbav:"channel_config,omitempty"`

	FunctionCall       bool    `dynamodbav:"function_call"`
	FunctionCallType   *string `dynamodbav:"function_call_type"` // null until a function is called
	HandOffToHuman     bool    `dynamodbav:"hand_off_to_human"`
	HandOffReason      *string `dynamodbav:"hand_off_to_human_reason"` // null until it is handed over
	TTL                int64   `dynamodbav:"ttl,omitempty"`
	GSIRecipientTel    string  `dynamodbav:"gsi_recipient_tel,omitempty"`
	GSIRecipientEmail  string  `dynamodbav:"gsi_recipient_email,omitempty"`
	GSICompanyWhatsApp string  `dynamodbav:"gsi_company_whatsapp_number,omitempty"`
	GSICompanySMS      string  `dynamodbav:"gsi_company_sms_number,omitempty"`
	GSICompanyEmail    string  `dynamodbav:"gsi_company_email,omitempty"`

	// Additions.
	TenantID model.TenantID   `dynamodbav:"tenant_id"`
	Customer model.CustomerID `dynamodbav:"customer"` // the key of the person
	// PhoneNumberID is the WhatsApp number at which the person is known; "" for none.
	PhoneNumberID model.PhoneNumberID `dynamodbav:"phone_number_id,omitempty"`
	OutboxEventID string              `dynamodbav:"outbox_event_id,omitempty"` // that sends the opening message
	OpeningID     model.MessageID     `dynamodbav:"opening_id,omitempty"`      // the provider's id of that message
	EmailSubject  string              `dynamodbav:"email_subject,omitempty"`   // of the first email
	// EmailReplyOf is the Message-ID of the person's latest email, which the next one of the company answers.
	EmailReplyOf  string `dynamodbav:"email_reply_of,omitempty"`
	FailureReason string `dynamodbav:"failure_reason,omitempty"`
	Continuations int    `dynamodbav:"continuations,omitempty"` // how many there are
	Entries       int    `dynamodbav:"entries"`                 // of the whole history
	// LastRole is who has written the newest entry.
	LastRole Role `dynamodbav:"last_role,omitempty"`
	// Pending is the message of the person that has come last, as long as nobody has answered it. It is not the last by
	// time: the clocks of the person's message and of an answer differ, and messages come late.
	Pending string `dynamodbav:"pending_entry,omitempty"`
	// Assisted is what the assistant knows; nil before it has answered.
	Assisted *Assisted `dynamodbav:"assisted,omitempty"`
	// ExpiresAfterHours is after how many hours in which nothing happens it expires; 0 for the default.
	ExpiresAfterHours int `dynamodbav:"expires_after_hours,omitempty"`
	// ExpiryPlanned says that the event is planned by which it expires.
	ExpiryPlanned bool `dynamodbav:"expiry_planned,omitempty"`
	// FunctionCalledAt is when the company's server has done what was called.
	FunctionCalledAt model.Time `dynamodbav:"function_called_at,omitempty"`
	Version          int64      `dynamodbav:"version"`
}

// Assisted is what an assistant knows of a conversation.
type Assisted struct {
	Values     map[string]string `dynamodbav:"values,omitempty"` // what the person has told, by the slot's name
	Asked      string            `dynamodbav:"asked,omitempty"`  // the slot that the last answer has asked for
	Times      int               `dynamodbav:"times,omitempty"`  // how often, one after the other
	Language   string            `dynamodbav:"language,omitempty"`
	Introduced bool              `dynamodbav:"introduced,omitempty"` // the person knows that a machine answers
	// Offered are the ids of the entries of which the last answer has asked which one is meant, in its order.
	Offered []string `dynamodbav:"offered,omitempty"`
	// GaveAway is the person's message that the assistant has left to a person of the company. It stays pending.
	GaveAway string `dynamodbav:"gave_away,omitempty"`
}

// Gives notes that the assistant leaves a message of the person to a person of the company.
func (c *Conversation) Gives(entry string) {
	of := Assisted{}
	if c.Assisted != nil {
		of = *c.Assisted
	}
	of.GaveAway = entry
	c.Assisted = &of
}

// Gave reports whether the assistant has left a message of the person to a person of the company.
func (c *Conversation) Gave(entry string) bool {
	return c.Assisted != nil && c.Assisted.GaveAway == entry
}

// AssistantIn returns the assistant that an ai_config names; "" if none answers.
func AssistantIn(config model.Document) string {
	var of struct{ Assistant string }
	if len(config) == 0 || json.Unmarshal(config, &of) != nil {
		return ""
	}
	return of.Assistant
}

// Role is who has written an entry.
type Role string

const (
	User      Role = "user"      // the person
	Assistant Role = "assistant" // the company: an assistant, or a person of it
)

// Entry is one message of a conversation.
type Entry struct {
	EntryID            string     `dynamodbav:"entry_id"` // the id of the message
	MessageTimestamp   model.Time `dynamodbav:"message_timestamp"`
	Role               Role       `dynamodbav:"role"`
	Content            string     `dynamodbav:"content"`
	AIPromptTokens     int        `dynamodbav:"ai_prompt_tokens,omitempty"`
	AICompletionTokens int        `dynamodbav:"ai_completion_tokens,omitempty"`
	AITotalTokens      int        `dynamodbav:"ai_total_tokens,omitempty"`
	ProcessingTimeMS   int64      `dynamodbav:"processing_time_ms,omitempty"`
	SentBy             string     `dynamodbav:"sent_by,omitempty"` // addition: the person of the company
	// Sources are what the assistant's answer is drawn from, an addition: ids of the company's list, and names of
	// lookups, a line each.
	Sources string `dynamodbav:"sources,omitempty"`
	// Pick is what the person has chosen by tapping a button of the assistant, an addition; "" for nothing.
	Pick string `dynamodbav:"pick,omitempty"`
	// EditedAt and DeletedAt say since when the person's message reads as it does, additions. A deleted one says
	// nothing.
	EditedAt  model.Time `dynamodbav:"edited_at,omitempty"`
	DeletedAt model.Time `dynamodbav:"deleted_at,omitempty"`
}

// SourceIDs returns what an answer is drawn from.
func (e Entry) SourceIDs() []string {
	if e.Sources == "" {
		return nil
	}
	return strings.Split(e.Sources, "\n")
}

// Continuation holds the older entries of a conversation, an added item in no index. It changes only with a message
// that the person edits or deletes.
type Continuation struct {
	PrimaryChannel model.Name       `dynamodbav:"primary_channel"`
	ConversationID string           `dynamodbav:"conversation_id"`
	TenantID       model.TenantID   `dynamodbav:"tenant_id"`
	Customer       model.CustomerID `dynamodbav:"customer"`
	Messages       []Entry          `dynamodbav:"messages"`
	TTL            int64            `dynamodbav:"ttl,omitempty"`
}

// Reply says to which conversation a message belongs, an added item. It keeps a message that comes again from being
// written twice.
type Reply struct {
	PrimaryChannel string `dynamodbav:"primary_channel"`
	ConversationID string `dynamodbav:"conversation_id"`
	Talk           string `dynamodbav:"talk,omitempty"` // names the conversation; "" for a message that is in none
	// Changes counts how often the person has changed a message that is in no conversation.
	Changes int   `dynamodbav:"changes,omitempty"`
	TTL     int64 `dynamodbav:"ttl"`
}

// Lock returns the version.
func (c *Conversation) Lock() *int64 { return &c.Version }

// Key returns the conversation's key.
func (c Conversation) Key() keys.Key {
	return keys.Talk(c.CompanyID, c.ProjectID, c.RequestID, c.PrimaryChannel)
}

// SetKeys sets the key and the keys of the indexes: an address only where it is there, and the company's only for the
// channel.
func (c *Conversation) SetKeys() {
	c.PrimaryChannel = c.RecipientTel
	if c.ChannelMethod == model.ChannelEmail {
		c.PrimaryChannel = c.RecipientEmail
	}
	c.ConversationID = c.Key().Sort
	c.GSIRecipientTel, c.GSIRecipientEmail = string(c.RecipientTel), string(c.RecipientEmail)
	own, _ := AddressesIn(c.ChannelConfig) // it was checked when it was stored
	c.GSICompanyWhatsApp, c.GSICompanySMS, c.GSICompanyEmail = "", "", ""
	switch c.ChannelMethod {
	case model.ChannelWhatsApp:
		c.GSICompanyWhatsApp = own.WhatsApp
	case model.ChannelSMS:
		c.GSICompanySMS = own.SMS
	case model.ChannelEmail:
		c.GSICompanyEmail = own.Email
	}
}

// Reference names a conversation in the purpose of its messages: its ids, and the digits of the person's number, or
// their email address. No id of a caller's has a colon, and neither has an address.
func (c Conversation) Reference() string {
	person := string(c.PrimaryChannel)
	if !strings.Contains(person, "@") { // an email address may begin with a plus
		person = strings.TrimPrefix(person, "+")
	}
	return strings.Join([]string{string(c.CompanyID), string(c.ProjectID), string(c.RequestID), person}, ":")
}

// KeyOf returns the key of the conversation that a reference names. It reports false for a text that is none.
func KeyOf(reference string) (key keys.Key, is bool) {
	ids := strings.Split(reference, ":")
	if len(ids) != 4 {
		return key, false
	}
	recipient := model.Name(ids[3])
	if !strings.Contains(ids[3], "@") {
		if strings.Trim(ids[3], "0123456789") != "" {
			return key, false
		}
		recipient = "+" + recipient
	}
	key = keys.Talk(model.Name(ids[0]), model.Name(ids[1]), model.Name(ids[2]), recipient)
	return key, key.Whole()
}
