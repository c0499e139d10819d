package conversationsmodel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// MaxMap is the longest JSON text of a map that a company, a project or a request brings: each is copied into the
// conversation, and from there into seven indexes.
const MaxMap = 1024

// Company is a business that has conversations, an added item. Its id is its own among all tenants.
type Company struct {
	model.Rest
	PrimaryChannel string         `dynamodbav:"primary_channel"`
	ConversationID string         `dynamodbav:"conversation_id"`
	Company        model.Name     `dynamodbav:"company"`
	TenantID       model.TenantID `dynamodbav:"tenant_id"`
	CompanyName    string         `dynamodbav:"company_name"`
	CompanyRep     model.Document `dynamodbav:"company_rep,omitempty"`
	// ChannelConfig holds the addresses of the company by channel, and what else it says of them.
	ChannelConfig model.Document `dynamodbav:"channel_config,omitempty"`
	Active        bool           `dynamodbav:"active"`
	// PhoneNumberID is Meta's id of the WhatsApp number. FormerNumbers are those that were shown for it before, and
	// under which its conversations are found.
	PhoneNumberID model.PhoneNumberID `dynamodbav:"phone_number_id,omitempty"`
	FormerNumbers []model.Name        `dynamodbav:"former_numbers,omitempty"`
	UpdatedAt     model.Time          `dynamodbav:"updated_at"`
	Version       int64               `dynamodbav:"version"`
}

// Lock returns the version.
func (c *Company) Lock() *int64 { return &c.Version }

// SetKey sets the key.
func (c *Company) SetKey() {
	key := keys.Company(c.Company)
	c.PrimaryChannel, c.ConversationID = key.Partition, key.Sort
}

// Addresses are the addresses in a channel config, by the contract's names.
type Addresses struct {
	WhatsApp string `json:"company_whatsapp_number,omitempty"`
	SMS      string `json:"company_sms_number,omitempty"`
	Email    string `json:"company_email,omitempty"`
}

// AddressesIn returns the addresses in a channel config. It returns an error for one that has another type.
func AddressesIn(config model.Document) (a Addresses, err error) {
	if len(config) == 0 {
		return a, nil
	}
	if err = json.Unmarshal(config, &a); err != nil {
		return a, fmt.Errorf("the addresses of a channel config are texts: %w", err)
	}
	return a, nil
}

// Addresses returns the company's addresses.
func (c Company) Addresses() Addresses {
	a, _ := AddressesIn(c.ChannelConfig) // it was checked when it was stored
	return a
}

// Project is what a company has conversations about, an added item.
type Project struct {
	model.Rest
	PrimaryChannel  string          `dynamodbav:"primary_channel"`
	ConversationID  string          `dynamodbav:"conversation_id"`
	Company         model.Name      `dynamodbav:"company"`
	Project         model.Name      `dynamodbav:"project"`
	ProjectName     string          `dynamodbav:"project_name"`
	ProjectStatus   ProjectStatus   `dynamodbav:"project_status"`
	AllowedChannels []model.Channel `dynamodbav:"allowed_channels"`
	AIConfig        model.Document  `dynamodbav:"ai_config,omitempty"`
	Opening         Opening         `dynamodbav:"opening"`
	Rules           Rules           `dynamodbav:"rules"`
	// ExpiresAfterHours is after how many hours in which nothing happens its conversations expire; 0 for the default.
	ExpiresAfterHours int `dynamodbav:"expires_after_hours,omitempty"`
	// Function is called when everything is known that the project asks for; nil for none.
	Function *Function `dynamodbav:"function,omitempty"`

	UpdatedAt model.Time `dynamodbav:"updated_at"`
	Version   int64      `dynamodbav:"version"`
}

// Lock returns the version.
func (p *Project) Lock() *int64 { return &p.Version }

// SetKey sets the key.
func (p *Project) SetKey() {
	key := keys.Project(p.Company, p.Project)
	p.PrimaryChannel, p.ConversationID = key.Partition, key.Sort
}

// ProjectStatus says whether a project opens conversations.
type ProjectStatus string

const (
	ProjectActive   ProjectStatus = "active"
	ProjectInactive ProjectStatus = "inactive"
)

// Opening is the first message of a project's conversations. A text has gaps: {first_name}, {last_name}, {company},
// {project}, and {data.name} for a value of project_data.
type Opening struct {
	// Template is the WhatsApp template, with the texts of its parameters.
	Template   string   `dynamodbav:"template,omitempty"`
	Parameters []string `dynamodbav:"parameters,omitempty"`
	Language   string   `dynamodbav:"language,omitempty"`
	// Text is sent where free text may be, by SMS and by email.
	Text string `dynamodbav:"text,omitempty"`
	// Subject is that of the email; "" for the project's name.
	Subject string `dynamodbav:"subject,omitempty"`
}

// Rules are the routing rules, by the contract's names: which messages that belong to no conversation open one, and
// whose replies are queued to an assistant.
type Rules struct {
	QueueInitial       bool         `dynamodbav:"auto_queue_initial_message,omitempty"`
	QueueInitialNumber []model.Name `dynamodbav:"auto_queue_initial_message_from_number,omitempty"`
	QueueInitialEmail  []model.Name `dynamodbav:"auto_queue_initial_message_from_email,omitempty"`
	QueueReply         bool         `dynamodbav:"auto_queue_reply_message,omitempty"`
	QueueReplyNumber   []model.Name `dynamodbav:"auto_queue_reply_message_from_number,omitempty"`
	QueueReplyEmail    []model.Name `dynamodbav:"auto_queue_reply_message_from_email,omitempty"`
}

// Opens reports whether a message from a number or an email address that belongs to no conversation opens one.
func (r Rules) Opens(from model.Name) bool {
	return r.QueueInitial && names(from, r.QueueInitialNumber, r.QueueInitialEmail)
}

// Queues reports whether a reply from a number or an email address is queued to an assistant.
func (r Rules) Queues(from model.Name) bool {
	return r.QueueReply && names(from, r.QueueReplyNumber, r.QueueReplyEmail)
}

// names reports whether a rule is about somebody: the numbers bound it for WhatsApp and SMS, the emails for email. A
// rule that names none is about everybody.
func names(from model.Name, numbers, emails []model.Name) bool {
	list := numbers
	if strings.Contains(string(from), "@") {
		list = emails
	}
	return len(list) == 0 || slices.Contains(list, from)
}
