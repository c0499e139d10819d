package conversationsmodel

import "github.com/haatline/haatline/shared/model"

// Questions is the head of a project's list of questions, an added item: it says which version counts, and how many
// parts that has.
type Questions struct {
	model.Rest
	PrimaryChannel string         `dynamodbav:"primary_channel"`
	ConversationID string         `dynamodbav:"conversation_id"`
	TenantID       model.TenantID `dynamodbav:"tenant_id"`
	Parts          int            `dynamodbav:"parts"`
	FormerParts    int            `dynamodbav:"former_parts"` // of the version before
	Entries        int            `dynamodbav:"entries"`
	UpdatedAt      model.Time     `dynamodbav:"updated_at"`
	Version        int64          `dynamodbav:"version"`
}

// Lock returns the version.
func (h *Questions) Lock() *int64 { return &h.Version }

// QuestionsPart holds some entries of one version of a list, an added item.
type QuestionsPart struct {
	PrimaryChannel string `dynamodbav:"primary_channel"`
	ConversationID string `dynamodbav:"conversation_id"`
	Entries        string `dynamodbav:"entries"` // JSON
	TTL            int64  `dynamodbav:"ttl,omitempty"`
}
