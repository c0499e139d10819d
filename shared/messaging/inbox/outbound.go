package inbox

import (
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// OutboundWrites returns the writes that add a message of the business to the addressee's conversation, for the
// caller's transaction. The conditions are that the conversation is as it was read, and that no message has the id.
// namedAt is when somebody named the addressee, "" for now: a conversation that the message opens is that of the person
// who had the identifier then.
func (s *Inbox) OutboundWrites(
	a contacts.Addressee, m model.Message, namedAt model.Time, needsPerson bool,
) ([]dynamo.Write, error) {
	message, err := JoinWrite(m)
	if err != nil {
		return nil, err
	}
	sent := decodedMessage{message: m, namedAt: namedAt, needsPerson: needsPerson}
	conversation, err := s.personWrites(person{Person: a.Person()}, []decodedMessage{sent})
	return append([]dynamo.Write{message}, conversation...), err
}
