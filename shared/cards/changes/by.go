package changes

import (
	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// By is who changes something.
type By struct {
	Actor audit.Actor
	Via   string // a channel of cardsmodel
	// Own is set for a user who changes what is their own. It leaves no audit record: the change itself says who made
	// it.
	Own bool
	// Decides is set for who may decide card requests.
	Decides bool
}

// Target types of audit records.
const (
	TargetUser    = "cardUser"
	TargetRequest = "cardRequest"
	TargetCard    = "card"
	TargetProgram = "cardProgram"
)

// Target returns what an audit record is about.
func Target(kind string, id model.Name) audit.Target { return audit.Target{Type: kind, ID: string(id)} }

// Values are what an audit record says of a thing before or after a change.
type Values = map[string]any

// Record returns the write of the audit record of a change, for its transaction; none for a user's change of their own.
func (by By) Record(log *audit.Log, what audit.Draft, before, after Values) ([]dynamo.Write, error) {
	if by.Own {
		return nil, nil
	}
	what.By = by.Actor
	_, put, err := log.CompletedRecord(what, before, after)
	return []dynamo.Write{put}, err
}
