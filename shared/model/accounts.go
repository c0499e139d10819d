package model

// Item types of the messages table about accounts and numbers.
const (
	ItemAccount = "ACCOUNT"
	ItemQuality = "QUALITY_RATING"
)

// Account is what is known of a WhatsApp Business Account, ACCOUNT#{wabaId}.
type Account struct {
	Rest
	PK         string `dynamodbav:"pk"`
	ItemType   string `dynamodbav:"itemType"`
	WABAMetaID WABAID `dynamodbav:"wabaMetaId"`
	// TemplatesSyncedAt is when Meta listed the account's templates; "" for never. TemplatesAskedAt is when that was
	// last asked for, and TemplatesEvent the outbox event that does it, while it waits.
	TemplatesSyncedAt Time   `dynamodbav:"templatesSyncedAt,omitempty"`
	TemplatesAskedAt  Time   `dynamodbav:"templatesAskedAt,omitempty"`
	TemplatesEvent    string `dynamodbav:"templatesEvent,omitempty"`
	// Catalogs is when its catalogues were asked for, and the answer; nil for never.
	Catalogs *CatalogAsked `dynamodbav:"catalogs,omitempty"`
	// Flows is when its flows were asked for, and the answer; nil for never.
	Flows *FlowAsked `dynamodbav:"flows,omitempty"`
	// Figures is when Meta's figures were asked for, and the answer; nil for never.
	Figures *FiguresAsked `dynamodbav:"figures,omitempty"`
	// Files is what was counted of its files; nil for never.
	Files *FilesCounted `dynamodbav:"files,omitempty"`
	// News holds the latest event of each kind. Standing is what the latest event that forbids or allows sending says.
	News     map[string]AccountNews `dynamodbav:"news,omitempty"`
	Standing AccountStanding        `dynamodbav:"standing"`
	Version  int64                  `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (a *Account) Lock() *int64 { return &a.Version }

// AccountNews is an event about an account.
type AccountNews struct {
	Order   Order    `dynamodbav:"order"`
	EventID EventID  `dynamodbav:"eventId"`         // in the log
	Value   Document `dynamodbav:"value,omitempty"` // as Meta wrote it; absent where it is long, or may name people
}

// AccountStanding says whether an account may send.
type AccountStanding struct {
	Order Order  `dynamodbav:"order,omitempty"` // "" if Meta has said nothing
	Event string `dynamodbav:"event,omitempty"` // in Meta's words
	// Forbids says what may not be sent: everything, or templates. It is "" if everything may be sent.
	Forbids string `dynamodbav:"forbids,omitempty"`
	Until   Time   `dynamodbav:"until,omitempty"` // "" if Meta has not said
}

// The kinds of messages that an account may not send.
const (
	ForbidsEverything = "everything"
	ForbidsTemplates  = "templates"
)

// Quality is the quality of a number and how it came to be, QUALITY#{phoneNumberId}.
type Quality struct {
	Rest
	PK               string          `dynamodbav:"pk"`
	ItemType         string          `dynamodbav:"itemType"`
	WABAMetaID       WABAID          `dynamodbav:"wabaMetaId"`
	QualityRating    string          `dynamodbav:"qualityRating,omitempty"`    // RED, UNKNOWN if no longer, or as asked
	ThroughputStatus string          `dynamodbav:"throughputStatus,omitempty"` // HIGH, or STANDARD as asked
	LastCheckedAt    Time            `dynamodbav:"lastCheckedAt,omitempty"`    // the time of the latest event
	QualityHistory   []QualityChange `dynamodbav:"qualityHistory,omitempty"`   // the latest events, oldest first

	// Additions.
	RatingOrder     Order `dynamodbav:"ratingOrder,omitempty"`
	ThroughputOrder Order `dynamodbav:"throughputOrder,omitempty"`
	Version         int64 `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (q *Quality) Lock() *int64 { return &q.Version }

// QualityChange is an event about a number's quality or limits.
type QualityChange struct {
	Order  Order  `dynamodbav:"order"`
	Event  string `dynamodbav:"event"` // in Meta's words
	Rating string `dynamodbav:"rating,omitempty"`
	Limit  string `dynamodbav:"limit,omitempty"` // how many customers a day, in Meta's words
}
