package messagingapi

import (
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

type version struct {
	Kind    string `json:"kind" enum:"original,edit,revoke" doc:"How it came to be: written, edited, or deleted by its sender."`
	At      string `json:"at" doc:"When it came to be, by Meta's clock."`
	ID      string `json:"id" doc:"Meta's id of the message that made this version."`
	Text    string `json:"text,omitempty" doc:"The text of this version."`
	Caption string `json:"caption,omitempty" doc:"The text beside a picture, video or document."`
	Refused bool   `json:"refused,omitempty" doc:"It is not the sender's, and counts for nothing."`
	Content any    `json:"content,omitempty" doc:"What this version holds beside text, as Meta wrote it."`
}

// showVersions returns what a message has said before its sender edited or deleted it; nil if nobody has changed it.
func showVersions(m model.Message) []version {
	var shown []version
	phone, _, _ := keys.ConversationIDs(m.ConversationPK)
	for _, v := range m.Versions {
		if v.Phone != "" && v.Phone != phone {
			continue // it waited for the message, and came to another business
		}
		id, _ := keys.MessageIDOf(v.MessagePK)
		shown = append(shown, version{
			Kind: v.Kind, Refused: v.Refused, At: string(v.Order.At()), ID: string(id), Text: v.Text,
			Caption: model.Shown(v.Caption), Content: showDocument(v.Content),
		})
	}
	return shown
}
