package inbox

import (
	"time"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// Search reads the messages of a number by the time at which they were written. A message that is stored long after
// that time, or that says something else now, is marked with the time at which this happens, and search reads it then.

// MessageIsLate is how long after its own time a message may be stored and still be found by that time.
const MessageIsLate = time.Minute

// MarkText marks a message whose words have changed. It does nothing if the message is in no conversation.
func MarkText(m *model.Message, now model.Time) {
	if phone, _, placed := keys.ConversationIDs(m.ConversationPK); placed {
		m.ChangesPK, m.ChangedAt = keys.ChangedTexts(phone), now
	}
}

// MarkLateText marks a message that is stored now, if that is late.
func MarkLateText(m *model.Message, now model.Time) {
	if now.Go().Sub(m.ReceivedAt.Go()) > MessageIsLate {
		MarkText(m, now)
	}
}
