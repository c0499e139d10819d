package model

// ItemResponseTimes is the item type of how long the customers of a number have waited.
const ItemResponseTimes = "RESPONSE_TIMES"

// ResponseTimes says how long the customers waited who began to wait on a day of UTC, RESPONSE_TIMES#{phone}#{date}. It
// is counted from the messages, when somebody asks for it.
type ResponseTimes struct {
	Rest
	PK            string        `dynamodbav:"pk"`
	ItemType      string        `dynamodbav:"itemType"`
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	Date          string        `dynamodbav:"date"` // yyyy-mm-dd
	Times
	Partial   bool    `dynamodbav:"partial,omitempty"` // the day was not over when it was counted
	CountedAt Time    `dynamodbav:"countedAt,omitempty"`
	Counting  *Timing `dynamodbav:"counting,omitempty"` // a count that is under way
	Version   int64   `dynamodbav:"version"`
}

func (r *ResponseTimes) Lock() *int64 { return &r.Version }

// Times are how long customers have waited: how many waited so many seconds until the first reply, and until the work
// was resolved.
type Times struct {
	Opened      int64            `dynamodbav:"opened"` // how often somebody began to wait
	Replies     map[string]int64 `dynamodbav:"replies"`
	Resolutions map[string]int64 `dynamodbav:"resolutions"`
	// how often it cannot be told whether, and when, the work was resolved
	Untold int64 `dynamodbav:"untold"`
}

// Timing is a count that is under way: how far it has come.
type Timing struct {
	StartedAt Time   `dynamodbav:"startedAt"`
	After     string `dynamodbav:"after,omitempty"`
	Times     Times  `dynamodbav:"times"`
}
