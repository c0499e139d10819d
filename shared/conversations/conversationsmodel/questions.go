package conversationsmodel

import "github.com/haatline/haatline/shared/model"

// Questions is the head of a project's list of questions, an added item: it names the parts that count.
type Questions struct {
	model.Rest
	PrimaryChannel string         `dynamodbav:"primary_channel"`
	ConversationID string         `dynamodbav:"conversation_id"`
	TenantID       model.TenantID `dynamodbav:"tenant_id"`
	List           model.Name     `dynamodbav:"list"` // names the parts that count: a hash of what they hold
	Parts          int            `dynamodbav:"parts"`
	FormerList     model.Name     `dynamodbav:"former_list,omitempty"` // the list before
	FormerParts    int            `dynamodbav:"former_parts,omitempty"`
	Entries        int            `dynamodbav:"entries"`
	UpdatedAt      model.Time     `dynamodbav:"updated_at"`
	Version        int64          `dynamodbav:"version"`
}

// Lock returns the version.
func (h *Questions) Lock() *int64 { return &h.Version }

// QuestionsPart holds some entries of a list, an added item.
type QuestionsPart struct {
	PrimaryChannel string `dynamodbav:"primary_channel"`
	ConversationID string `dynamodbav:"conversation_id"`
	Entries        string `dynamodbav:"entries"` // JSON
	TTL            int64  `dynamodbav:"ttl,omitempty"`
}
