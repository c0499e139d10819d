package model

// Item types of search.
const (
	ItemSearchIndex   = "SEARCH"
	ItemSearchSegment = "SEARCH_SEGMENT"
)

// SearchIndex is what search knows of a number, SEARCH#{phoneNumberId}. The contract does not have it.
type SearchIndex struct {
	Rest
	PK            string        `dynamodbav:"pk"`
	ItemType      string        `dynamodbav:"itemType"`
	PhoneNumberID PhoneNumberID `dynamodbav:"phoneNumberId"`
	// Until is before which time the messages and the notes are in segments, and PeopleUntil before which time the
	// names and numbers are. Search looks at what came later itself.
	Until       Time `dynamodbav:"until,omitempty"`
	PeopleUntil Time `dynamodbav:"peopleUntil,omitempty"`
	// Segments says which segments there are, one a line.
	Segments string `dynamodbav:"segments,omitempty"`
	Version  int64  `dynamodbav:"version"` // the optimistic lock, also of all segments
}

// Lock returns the version, the optimistic lock.
func (i *SearchIndex) Lock() *int64 { return &i.Version }

// SearchSegment is a part of the words by which search finds things of a number,
// SEARCH#{phoneNumberId}#SEGMENT#{number}. The contract does not have it.
type SearchSegment struct {
	PK       string `dynamodbav:"pk"`
	ItemType string `dynamodbav:"itemType"`
	Version  int64  `dynamodbav:"version"` // the version of the index with which it was written
	Entries  []byte `dynamodbav:"entries"` // compressed
	TTL      int64  `dynamodbav:"ttl,omitempty"`
}
