package model

// ItemAnalytics is the item type of what an account has sent and got in a day.
const ItemAnalytics = "ANALYTICS"

// Analytics is what an account has sent and got in a day of UTC, ANALYTICS#{wabaId}#{date}. It is counted from the
// messages, when somebody asks for it.
type Analytics struct {
	Rest
	PK         string `dynamodbav:"pk"`
	ItemType   string `dynamodbav:"itemType"`
	WABAMetaID WABAID `dynamodbav:"wabaMetaId"`
	Date       string `dynamodbav:"date"` // yyyy-mm-dd
	Counts

	// Additions.
	Partial   bool      `dynamodbav:"partial,omitempty"` // the day was not over when it was counted
	CountedAt Time      `dynamodbav:"countedAt,omitempty"`
	Counting  *Counting `dynamodbav:"counting,omitempty"` // a count that is under way
	Meta      *Figures  `dynamodbav:"meta,omitempty"`     // what Meta has counted; nil if it was not asked
	Version   int64     `dynamodbav:"version"`
}

// Figures are what Meta has counted of an account in a day of UTC. It counts a message by when that was sent, and a
// price by when the message was delivered.
type Figures struct {
	ReadAt    Time                       `dynamodbav:"readAt"` // when Meta said it
	Sent      int64                      `dynamodbav:"sent"`
	Delivered int64                      `dynamodbav:"delivered"`
	Prices    map[string]int64           `dynamodbav:"prices"`             // messages delivered, by category of their price
	Costs     map[string]Amount          `dynamodbav:"costs"`              // what they cost, in the account's currency
	Currency  string                     `dynamodbav:"currency,omitempty"` // ISO 4217; "" if Meta has not said it
	Templates map[string]TemplateFigures `dynamodbav:"templates"`          // by name; those that Meta tells of
}

// TemplateFigures are what Meta has counted of a template.
type TemplateFigures struct {
	Sent      int64 `dynamodbav:"sent"`
	Delivered int64 `dynamodbav:"delivered"`
	Read      int64 `dynamodbav:"read"`
}

// FiguresAsked is what Meta was asked about the figures of an account, and the answer.
type FiguresAsked struct {
	From       string `dynamodbav:"from"` // the first day, yyyy-mm-dd
	To         string `dynamodbav:"to"`   // the last one
	At         Time   `dynamodbav:"at"`
	By         string `dynamodbav:"by,omitempty"`         // who has asked for it
	AnsweredAt Time   `dynamodbav:"answeredAt,omitempty"` // "" while it is under way
	Problem    string `dynamodbav:"problem,omitempty"`    // what stood in the way
}

func (a *Analytics) Lock() *int64 { return &a.Version }

// Counts are numbers of messages. Those that were read were delivered, and those that were delivered were sent.
type Counts struct {
	MessagesSent      int64            `dynamodbav:"messagesSent"`
	MessagesDelivered int64            `dynamodbav:"messagesDelivered"`
	MessagesRead      int64            `dynamodbav:"messagesRead"`
	MessagesFailed    int64            `dynamodbav:"messagesFailed"`
	TemplatesUsed     map[string]int64 `dynamodbav:"templatesUsed"` // messages sent, by template
	// Additions: messages that came in, and those that were sent by kind, and by Meta's category of their price
	MessagesReceived int64            `dynamodbav:"messagesReceived"`
	Kinds            map[string]int64 `dynamodbav:"kinds"`
	Prices           map[string]int64 `dynamodbav:"prices"`
}

// Counting is a count that is under way: how far it has come.
type Counting struct {
	StartedAt Time            `dynamodbav:"startedAt"`
	Phones    []PhoneNumberID `dynamodbav:"phones"` // numbers that are still to be counted, the first one from After on
	After     string          `dynamodbav:"after,omitempty"`
	Counts    Counts          `dynamodbav:"counts"`
}

// FilesCounted is what was counted of the files of an account that are kept.
type FilesCounted struct {
	CountedAt Time                  `dynamodbav:"countedAt,omitempty"` // "" while the first count is under way
	Files     map[string]FileCounts `dynamodbav:"files,omitempty"`     // by the month, yyyy-mm, in which they were stored
	Counting  *FilesCounting        `dynamodbav:"counting,omitempty"`  // a count that is under way
}

// FilesCounting is a count of files that is under way: how far it has come.
type FilesCounting struct {
	StartedAt Time                  `dynamodbav:"startedAt"`
	After     string                `dynamodbav:"after,omitempty"`
	Files     map[string]FileCounts `dynamodbav:"files,omitempty"`
}

// FileCounts are numbers of files, and their bytes: of those that customers have sent, and of those that were uploaded
// to be sent.
type FileCounts struct {
	Incoming      int64 `dynamodbav:"incoming"`
	IncomingBytes int64 `dynamodbav:"incomingBytes"`
	Outgoing      int64 `dynamodbav:"outgoing"`
	OutgoingBytes int64 `dynamodbav:"outgoingBytes"`
}

// Plus returns the sum of two counts.
func (c FileCounts) Plus(o FileCounts) FileCounts {
	return FileCounts{
		c.Incoming + o.Incoming, c.IncomingBytes + o.IncomingBytes, c.Outgoing + o.Outgoing,
		c.OutgoingBytes + o.OutgoingBytes}
}
