package sending

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// compose returns the checked message, or a *problem.Error that names all that is wrong with it.
func compose(out Outgoing) (content.Message, error) {
	message, err := content.Compose(out.Content)
	var faults content.Faults
	if errors.As(err, &faults) {
		return message, Refused(faults)
	}
	return message, err
}

// Refused returns the error that names all faults of a content.
func Refused(faults content.Faults) error {
	fields := make([]problem.Field, len(faults))
	for i, fault := range faults {
		fields[i] = problem.Field{Path: strings.TrimSuffix("body."+fault.Field, "."), Detail: fault.Problem}
	}
	return problem.New(faults.Error(), problem.Error{Class: problem.Invalid, Fields: fields})
}

// named returns the message that this one answers, reacts to or pins; "" for none.
func (out Outgoing) named() model.MessageID {
	if about, is := out.Content.(content.Named); is && about.Names() != "" {
		return model.MessageID(about.Names())
	}
	return out.ReplyTo
}

// timelineItem returns a message for the timeline.
func timelineItem(out Outgoing, id model.MessageID, to whatsapp.Recipient, of content.Message,
	replyTo string) model.Message {
	if out.Secret {
		of = of.Unfilled()
	}
	m := model.Message{
		PK: keys.Message(id).Partition, ItemType: model.ItemMessage, Direction: model.Outbound, To: to.ID,
		ConversationPK: keys.Conversation(out.Phone, out.Customer).Partition,
		DeliveryStatus: model.Queued, SentBy: out.SentBy, Quiet: out.Quiet, Purpose: out.Purpose,
		ReplayOf: out.original, CampaignID: string(out.Campaign),
		Type: of.Kind.Type, TextBody: of.Text(), Caption: of.Caption(), Preview: of.Preview(),
		Content: model.DocumentOf(of.Stored()),
	}
	if to.Group {
		m.GroupID = to.ID
	}
	if replyTo != "" {
		m.Context, _ = json.Marshal(map[string]string{"id": replyTo})
	}
	return m
}
