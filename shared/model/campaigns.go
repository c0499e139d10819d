package model

// The item types of campaigns.
const (
	ItemCampaign         = "CAMPAIGN"
	ItemCampaignPart     = "CAMPAIGN_PART"
	ItemCampaignProgress = "CAMPAIGN_PROGRESS"
	ItemCampaignUse      = "CAMPAIGN_USE"
)

// CampaignStatus is the state of a campaign.
type CampaignStatus string

// The states of a campaign. The contract has draft, scheduled, running, completed and paused.
const (
	CampaignDraft     CampaignStatus = "draft"
	CampaignScheduled CampaignStatus = "scheduled"
	CampaignRunning   CampaignStatus = "running"
	CampaignPaused    CampaignStatus = "paused"
	CampaignCompleted CampaignStatus = "completed"
	CampaignCancelled CampaignStatus = "cancelled"
)

// Campaign is a template that goes to many customers, CAMPAIGN#{campaignId}.
type Campaign struct {
	Rest
	PK              string         `dynamodbav:"pk"`
	ItemType        string         `dynamodbav:"itemType"`
	CampaignID      Name           `dynamodbav:"campaignId"`
	WABAMetaID      WABAID         `dynamodbav:"wabaMetaId,omitempty"`
	Name            string         `dynamodbav:"name"`
	TemplateName    string         `dynamodbav:"templateName,omitempty"` // of the first variant
	Status          CampaignStatus `dynamodbav:"status"`
	TotalRecipients int64          `dynamodbav:"totalRecipients"`
	SentCount       int64          `dynamodbav:"sentCount"`
	DeliveredCount  int64          `dynamodbav:"deliveredCount"`
	ReadCount       int64          `dynamodbav:"readCount"`
	CreatedAt       Time           `dynamodbav:"createdAt"`
	ScheduledAt     Time           `dynamodbav:"scheduledAt,omitempty"`

	// Additions.
	TenantID      TenantID         `dynamodbav:"tenantId"`
	PhoneNumberID PhoneNumberID    `dynamodbav:"phoneNumberId"`
	CreatedBy     string           `dynamodbav:"createdBy"`
	Variants      []Document       `dynamodbav:"variants"` // one or two templates, with the columns that fill them
	Test          *CampaignTest    `dynamodbav:"test,omitempty"`
	Hours         *CampaignHours   `dynamodbav:"hours,omitempty"`
	SkipsNotNow   bool             `dynamodbav:"skipsNotNow,omitempty"`
	Lists         []CampaignList   `dynamodbav:"lists,omitempty"`
	Markets       map[string]int64 `dynamodbav:"markets,omitempty"` // recipients by the country of their number

	Part     int   `dynamodbav:"part"`     // the part that is being sent, over all lists
	Position int   `dynamodbav:"position"` // of its next recipient
	Aside    int   `dynamodbav:"aside"`    // recipients who are tried again at the end
	Run      int64 `dynamodbav:"run"`      // the number of its starts: an event of an earlier one does nothing

	Queued    int64             `dynamodbav:"queued"`            // messages that are not sent yet
	Failed    int64             `dynamodbav:"failed"`            // messages that could not be sent, or delivered
	Cancelled int64             `dynamodbav:"cancelled"`         // messages that were not sent any more
	Replied   int64             `dynamodbav:"replied"`           // recipients who have written since
	Skipped   map[string]int64  `dynamodbav:"skipped,omitempty"` // recipients who got none, by reason
	CountedAt Time              `dynamodbav:"countedAt,omitempty"`
	Counting  *CampaignCounting `dynamodbav:"counting,omitempty"`

	WaitsFor    string `dynamodbav:"waitsFor,omitempty"` // what a running campaign waits for
	WaitsUntil  Time   `dynamodbav:"waitsUntil,omitempty"`
	StartedAt   Time   `dynamodbav:"startedAt,omitempty"`
	PausedAt    Time   `dynamodbav:"pausedAt,omitempty"`
	HandedAt    Time   `dynamodbav:"handedAt,omitempty"` // when the last recipient was dealt with
	CompletedAt Time   `dynamodbav:"completedAt,omitempty"`
	Problem     string `dynamodbav:"problem,omitempty"` // why it was paused by itself
	Version     int64  `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (c *Campaign) Lock() *int64 { return &c.Version }

// CampaignTest says how the better of two variants is found.
type CampaignTest struct {
	Sample    int64  `dynamodbav:"sample"`  // recipients who get the variants in turn
	By        string `dynamodbav:"by"`      // read or reply
	Minutes   int64  `dynamodbav:"minutes"` // between the last of the sample and the decision
	SampledAt Time   `dynamodbav:"sampledAt,omitempty"`
	DecidedAt Time   `dynamodbav:"decidedAt,omitempty"`
	Winner    int    `dynamodbav:"winner"`
}

// CampaignHours are the hours of a day at which a campaign sends.
type CampaignHours struct {
	From     string `dynamodbav:"from"` // 15:04
	To       string `dynamodbav:"to"`
	TimeZone string `dynamodbav:"timeZone"`
}

// CampaignList is a list of recipients that was added at once. It is stored in parts of 100.
type CampaignList struct {
	ID         Name   `dynamodbav:"id"`
	Source     string `dynamodbav:"source"` // file, label, notSeenSince and others
	Recipients int    `dynamodbav:"recipients"`
	AddedAt    Time   `dynamodbav:"addedAt"`
	// Columns are those of the values of its recipients. Announced is set until all its parts are stored.
	Columns   []string `dynamodbav:"columns,omitempty"`
	Announced bool     `dynamodbav:"announced,omitempty"`
}

// CampaignCounting is a round in which the outcomes of a campaign are counted.
type CampaignCounting struct {
	Round int `dynamodbav:"round"`
	Part  int `dynamodbav:"part"` // the next part
}

// CampaignPart is up to 100 recipients, CAMPAIGN#{campaignId}#PART#{listId}#{number}.
type CampaignPart struct {
	Rest
	PK         string              `dynamodbav:"pk"`
	ItemType   string              `dynamodbav:"itemType"`
	Columns    []string            `dynamodbav:"columns,omitempty"` // of the values of the recipients
	Recipients []CampaignRecipient `dynamodbav:"recipients"`
	TTL        int64               `dynamodbav:"ttl"`
	Version    int64               `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (p *CampaignPart) Lock() *int64 { return &p.Version }

// CampaignRecipient is one recipient. One who was erased has no identifier, and keeps what had become of them.
type CampaignRecipient struct {
	To      CustomerID `dynamodbav:"to,omitempty"`
	Values  []string   `dynamodbav:"values,omitempty"`
	Was     string     `dynamodbav:"was,omitempty"`
	Replied bool       `dynamodbav:"replied,omitempty"`
}

// CampaignProgress is what has become of a part's recipients, CAMPAIGN#{campaignId}#PROGRESS#{listId}#{number}. The
// messages say the rest.
type CampaignProgress struct {
	Rest
	PK       string            `dynamodbav:"pk"`
	ItemType string            `dynamodbav:"itemType"`
	Handed   int               `dynamodbav:"handed"`            // recipients who were dealt with
	Skipped  map[string]string `dynamodbav:"skipped,omitempty"` // reasons, by the recipient's position
	Aside    []int             `dynamodbav:"aside,omitempty"`   // positions that are tried again
	Counts   []CampaignCounts  `dynamodbav:"counts,omitempty"`  // that are in the campaign's, by variant
	Final    bool              `dynamodbav:"final,omitempty"`   // nothing can change any more
	TTL      int64             `dynamodbav:"ttl"`
	Version  int64             `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (p *CampaignProgress) Lock() *int64 { return &p.Version }

// CampaignCounts are numbers of messages. Those that were read were delivered, and those that were delivered were sent.
type CampaignCounts struct {
	Queued    int64 `dynamodbav:"queued"`
	Sent      int64 `dynamodbav:"sent"`
	Delivered int64 `dynamodbav:"delivered"`
	Read      int64 `dynamodbav:"read"`
	Failed    int64 `dynamodbav:"failed"`
	Cancelled int64 `dynamodbav:"cancelled"`
	Replied   int64 `dynamodbav:"replied"`
}

// CampaignUse is how many messages of campaigns an account has sent in which hour, CAMPAIGN_USE#{wabaId}: Meta limits
// to how many people it writes first in 24 hours.
type CampaignUse struct {
	Rest
	PK       string           `dynamodbav:"pk"`
	ItemType string           `dynamodbav:"itemType"`
	Hours    map[string]int64 `dynamodbav:"hours"` // by the hour of UTC, 2006-01-02T15
	Version  int64            `dynamodbav:"version"`
}

// Lock returns the version, the optimistic lock.
func (u *CampaignUse) Lock() *int64 { return &u.Version }
