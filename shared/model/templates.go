package model

// ItemTemplateMeta is the item type of templates.
const ItemTemplateMeta = "TEMPLATE_META"

// Template is what Meta says of a message template, TEMPLATE_META#{wabaId}#{templateName}#{language}. Each aspect has
// the place in time of what stands: an event from before changes only the history.
type Template struct {
	Rest
	PK           string `dynamodbav:"pk"`
	ItemType     string `dynamodbav:"itemType"`
	WABAMetaID   WABAID `dynamodbav:"wabaMetaId"`
	TemplateName string `dynamodbav:"templateName"`
	TemplateID   string `dynamodbav:"templateId,omitempty"`
	Status       string `dynamodbav:"status,omitempty"` // in Meta's words
	Category     string `dynamodbav:"category,omitempty"`
	Language     string `dynamodbav:"language"` // as the API writes it: en_US
	CachedAt     Time   `dynamodbav:"cachedAt,omitempty"`

	// Additions.
	StatusOrder     Order            `dynamodbav:"statusOrder,omitempty"`
	Reason          string           `dynamodbav:"reason,omitempty"` // of the status
	Detail          string           `dynamodbav:"detail,omitempty"` // of the status
	CategoryOrder   Order            `dynamodbav:"categoryOrder,omitempty"`
	CorrectCategory string           `dynamodbav:"correctCategory,omitempty"` // the category that Meta has announced
	CorrectionOrder Order            `dynamodbav:"correctionOrder,omitempty"`
	QualityScore    string           `dynamodbav:"qualityScore,omitempty"` // GREEN, YELLOW, RED, UNKNOWN
	QualityOrder    Order            `dynamodbav:"qualityOrder,omitempty"`
	Components      []Document       `dynamodbav:"components,omitempty"`
	ComponentsOrder Order            `dynamodbav:"componentsOrder,omitempty"`
	History         []TemplateChange `dynamodbav:"history,omitempty"` // the latest changes, oldest first
	// AWSAccountID is AWS's id of the account; "" if it is not at AWS End User Messaging.
	AWSAccountID string         `dynamodbav:"awsAccountId,omitempty"`
	Asked        *TemplateAsked `dynamodbav:"asked,omitempty"` // the latest change that was asked for here
	Version      int64          `dynamodbav:"version"`
	// by which gsi_template_waba and gsi_template_name list it: wabaMetaId, status and language once more
	WABAID           WABAID `dynamodbav:"wabaId,omitempty"`
	TemplateStatus   string `dynamodbav:"templateStatus,omitempty"`
	TemplateLanguage string `dynamodbav:"templateLanguage,omitempty"`
}

// Lock returns the version, the optimistic lock.
func (t *Template) Lock() *int64 { return &t.Version }

// TemplateChange is one change of a template.
type TemplateChange struct {
	Order  Order  `dynamodbav:"order"`
	Aspect string `dynamodbav:"aspect"` // status, quality, category, correction, components
	Value  string `dynamodbav:"value,omitempty"`
	Event  string `dynamodbav:"event,omitempty"` // Meta's word for it, where it is not the value
	Reason string `dynamodbav:"reason,omitempty"`
	Detail string `dynamodbav:"detail,omitempty"`
}

// TemplateAsked is a change of a template that somebody has asked for, and what became of it.
type TemplateAsked struct {
	Wish       string     `dynamodbav:"wish"` // create, edit or delete
	Category   string     `dynamodbav:"category,omitempty"`
	Components []Document `dynamodbav:"components,omitempty"`
	// Library is the template of Meta's library that is to be taken; nil for one of the business's own.
	Library    *LibraryTemplate `dynamodbav:"library,omitempty"`
	At         Time             `dynamodbav:"at"`
	By         string           `dynamodbav:"by"`
	AnsweredAt Time             `dynamodbav:"answeredAt,omitempty"` // "" while Meta has not answered
	Problem    string           `dynamodbav:"problem,omitempty"`    // why Meta did not take it
}

// LibraryTemplate is a template of Meta's library, with what the business fills in, as Meta takes it.
type LibraryTemplate struct {
	Name    string     `dynamodbav:"name"`
	Buttons []Document `dynamodbav:"buttons,omitempty"` // in the order of the template's buttons
	Body    Document   `dynamodbav:"body,omitempty"`
}

// The types of what was looked for in Meta's library of templates.
const (
	ItemLibrarySearch = "LIBRARY_SEARCH"
	ItemLibraryPage   = "LIBRARY_PAGE"
)

// LibraryFilters say which templates of Meta's library are looked for, in Meta's words. What is empty does not matter.
type LibraryFilters struct {
	Text     string `dynamodbav:"text,omitempty"` // of a name or a content
	Topic    string `dynamodbav:"topic,omitempty"`
	UseCase  string `dynamodbav:"useCase,omitempty"`
	Industry string `dynamodbav:"industry,omitempty"`
	Language string `dynamodbav:"language,omitempty"`
}

// LibrarySearch is what an account has looked for in Meta's library of templates, LIBRARY#{wabaId}#{hash of the
// filters}. The contract does not have it.
type LibrarySearch struct {
	Rest
	PK         string         `dynamodbav:"pk"`
	ItemType   string         `dynamodbav:"itemType"`
	Filters    LibraryFilters `dynamodbav:"filters"`
	At         Time           `dynamodbav:"at"`
	By         string         `dynamodbav:"by,omitempty"`         // who has asked for it
	AnsweredAt Time           `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	Problem    string         `dynamodbav:"problem,omitempty"`    // what stood in the way
	After      string         `dynamodbav:"after,omitempty"`      // where at Meta the next page begins
	Pages      int            `dynamodbav:"pages"`                // that were read so far
	Count      int            `dynamodbav:"count"`                // templates in them
	More       bool           `dynamodbav:"more,omitempty"`       // Meta has more than are kept
	TTL        int64          `dynamodbav:"ttl"`
	Version    int64          `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (s *LibrarySearch) Lock() *int64 { return &s.Version }

// LibraryPage is a page of what such a search has found, LIBRARY#{wabaId}#{search}#PAGE#{at}#{number}. at is when the
// search was asked for.
type LibraryPage struct {
	PK       string         `dynamodbav:"pk"`
	ItemType string         `dynamodbav:"itemType"`
	Entries  []LibraryEntry `dynamodbav:"entries"`
	TTL      int64          `dynamodbav:"ttl"`
}

// LibraryEntry is a template of Meta's library.
type LibraryEntry struct {
	ID         string     `dynamodbav:"id,omitempty"`
	Name       string     `dynamodbav:"name"`
	Language   string     `dynamodbav:"language"` // as the API writes it: en_US
	Category   string     `dynamodbav:"category,omitempty"`
	Topic      string     `dynamodbav:"topic,omitempty"`
	UseCase    string     `dynamodbav:"useCase,omitempty"`
	Industries []string   `dynamodbav:"industries,omitempty"`
	Header     string     `dynamodbav:"header,omitempty"`
	Body       string     `dynamodbav:"body,omitempty"`
	Samples    []string   `dynamodbav:"samples,omitempty"` // of the variables of the body, in their order
	Types      []string   `dynamodbav:"types,omitempty"`   // of these variables
	Buttons    []Document `dynamodbav:"buttons,omitempty"` // as Meta writes them
}

// ItemTemplateEUM is the type of TemplateAtAWS.
const ItemTemplateEUM = "TEMPLATE_EUM"

// TemplateAtAWS is a template of an account at AWS End User Messaging,
// TEMPLATE_EUM#{wabaId}#{templateName}#{language}. It follows the template of Meta's, by which messages are sent.
type TemplateAtAWS struct {
	Rest
	PK               string     `dynamodbav:"pk"`
	ItemType         string     `dynamodbav:"itemType"`
	WABAID           string     `dynamodbav:"wabaId"` // AWS's id of the account: waba-…
	TemplateName     string     `dynamodbav:"templateName"`
	MetaTemplateID   string     `dynamodbav:"metaTemplateId,omitempty"`
	TemplateStatus   string     `dynamodbav:"templateStatus,omitempty"`
	TemplateCategory string     `dynamodbav:"templateCategory,omitempty"`
	TemplateLanguage string     `dynamodbav:"templateLanguage"`
	QualityScore     string     `dynamodbav:"qualityScore,omitempty"`
	Components       []Document `dynamodbav:"components,omitempty"`
	CachedAt         Time       `dynamodbav:"cachedAt"`           // when it was last written
	SyncedAt         Time       `dynamodbav:"syncedAt,omitempty"` // when AWS last listed it

	// Additions.
	WABAMetaID WABAID `dynamodbav:"metaWabaId"` // Meta's id of the account
	Version    int64  `dynamodbav:"version"`    // of the template of Meta's that it follows
}

// ItemTemplateMedia is the type of TemplateMedia.
const ItemTemplateMedia = "TEMPLATE_MEDIA"

// TemplateMedia is a file that was shown to Meta as the sample of a template, TEMPLATE_MEDIA#{mediaId}.
type TemplateMedia struct {
	PK            string  `dynamodbav:"pk"`
	ItemType      string  `dynamodbav:"itemType"`
	MediaID       MediaID `dynamodbav:"mediaId"`
	WABAID        WABAID  `dynamodbav:"wabaId"`
	S3Bucket      string  `dynamodbav:"s3Bucket"`
	S3Key         string  `dynamodbav:"s3Key"`
	ContentType   string  `dynamodbav:"contentType"`
	ContentLength int64   `dynamodbav:"contentLength"`
	UploadedAt    Time    `dynamodbav:"uploadedAt"` // to Meta, for the first time
}
