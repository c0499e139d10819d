package inbox

import (
	"encoding/json"
	"slices"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// An edit, a deletion or a reaction is attached to the message that it names, its target: it changes the target and is
// no message of the timeline. Its own item leads to the target, so that nothing is applied twice. If a change comes
// before its target, it waits under the target's key. If its sender may not change the target, for example because
// somebody else wrote it, the change stays a message of its own.

// attachment is what a message changes about another message.
type attachment struct {
	target   string          // the pk of the message
	version  *model.Version  // an edit or a deletion
	reaction *model.Reaction // or a reaction
}

// attachmentOf returns what a message changes about another one; nil if it is a message of its own, or does not say
// what it changes.
func attachmentOf(a decodedMessage, m whatsapp.Message, phone model.PhoneNumberID) *attachment {
	name := "original_message_id"
	if m.Type == "reaction" {
		name = "message_id"
	} else if m.Type != "edit" && m.Type != "revoke" {
		return nil
	}
	content := m.Content.Object(m.Type)
	id, err := model.Parse[model.MessageID](content.Text(name))
	if err != nil || keys.Message(id).Partition == a.message.PK {
		return nil
	}
	of := &attachment{target: keys.Message(id).Partition}
	by := a.ids
	switch {
	case a.message.Direction == model.Outbound:
		by = nil
	case m.GroupID != "":
		by = model.ParseCustomers(m.From, m.FromUserID)
	}
	if m.Type == "reaction" {
		of.reaction = &model.Reaction{
			Emoji: model.Truncate(content.Text("emoji"), 128),
			Order: a.order(), MessagePK: a.message.PK, By: by, Phone: phone, GroupID: m.GroupID,
		}
		return of
	}
	version := model.Version{
		Kind:  model.VersionRevoke,
		Order: a.order(), MessagePK: a.message.PK, By: by, Phone: phone, GroupID: m.GroupID,
	}
	if m.Type == "edit" && !edited(&version, content) {
		return nil
	}
	of.version = &version
	return of
}

// edited fills a version with what an edit says. It reports false if the edit contains no message.
func edited(version *model.Version, edit whatsapp.Object) bool {
	m, err := whatsapp.DecodeMessage(edit["message"])
	if err != nil || m.Type == "edit" || m.Type == "unknown" {
		return false
	}
	version.Kind, version.Text, version.Preview = model.VersionEdit, m.Text, m.Preview()
	if media, ok := m.Media(); ok || media.Caption != "" {
		version.Caption = media.Caption
	}
	delete(m.Content, "type")
	if m.Type != "text" && len(m.Content) > 0 {
		content, _ := json.Marshal(m.Content)
		version.Content = model.DocumentOf(content)
	}
	return true
}

// senderOf returns the identifiers of a message's sender; none for the business.
func senderOf(m model.Message) []model.CustomerID {
	switch {
	case m.Direction == model.Outbound:
		return nil
	case m.GroupID != "":
		return model.ParseCustomers(m.From, m.FromUserID)
	}
	return customerIDsOf(m)
}

// appliedTo returns a message with the change. A message that has not come yet only keeps it.
func (of *attachment) appliedTo(m model.Message, entry model.EventID) model.Message {
	switch {
	case of.reaction != nil:
		m.Reactions, _ = model.MergeReactions(m.Reactions, *of.reaction)
	case m.Direction == "":
		m.Versions = model.MergeVersions(m.Versions, *of.version)
	default:
		m.AddVersion(*of.version)
	}
	if entry != "" && entry != m.EventID && !slices.Contains(m.AlsoLogged, entry) {
		m.AlsoLogged = append(slices.Clone(m.AlsoLogged), entry) // an erasure finds it there
	}
	return m
}
