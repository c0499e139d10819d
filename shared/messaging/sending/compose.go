package sending

import (
	"encoding/json"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// compose returns a message for the timeline, and its body for WhatsApp.
func compose(out Outgoing, id model.MessageID, to whatsapp.Recipient, replyTo string) (model.Message, json.RawMessage, error) {
	m := model.Message{
		PK: keys.Message(id).Partition, ItemType: model.ItemMessage, Direction: model.Outbound,
		To: to.ID, ConversationPK: keys.Conversation(out.Phone, out.Customer).Partition, InboxPK: keys.InboxMessages(out.Phone),
		DeliveryStatus: model.Queued, SentBy: out.SentBy, Purpose: out.Purpose, ReplayOf: out.original,
	}
	if replyTo != "" {
		m.Context, _ = json.Marshal(map[string]string{"id": replyTo})
	}
	var body []byte
	var err error
	switch {
	case out.Text != nil:
		body, err = whatsapp.TextBody(to, out.Text.Body, out.Text.PreviewURL, replyTo)
		m.Type, m.TextBody, m.Preview = "text", out.Text.Body, whatsapp.PreviewOf(out.Text.Body)
		return m, body, err
	case out.Interactive != nil:
		body, err = whatsapp.InteractiveBody(to, *out.Interactive, replyTo)
		m.Type, m.TextBody, m.Preview = "interactive", out.Interactive.Body, whatsapp.PreviewOf(out.Interactive.Body)
		if err == nil {
			m.Content, err = json.Marshal(map[string]any{"interactive": out.Interactive})
		}
	default:
		body, err = whatsapp.TemplateBody(to, *out.Template, replyTo)
		m.Type, m.Preview = "template", whatsapp.PreviewOf("📋 "+out.Template.Name)
		if err == nil {
			m.Content, err = json.Marshal(map[string]any{"template": out.Template})
		}
	}
	return m, body, err
}
