package messagingapi

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
)

// A name that somebody else gave to a file, a picture or themselves cannot look like something else.
func TestNamesAreShownAsTheyAre(t *testing.T) {
	const name = "invoice\u202efdp.exe\x07"
	o := &service{rooms: newWorld(t).rooms}
	c := o.showConversation(model.Conversation{
		PK: keys.Conversation("1055", "919876543210").Partition, SenderName: name,
		LastMessagePK: keys.Message("wamid.1").Partition, LastPreview: name,
	})
	m := showMessage(model.Message{
		PK: keys.Message("wamid.1").Partition, SenderName: name, Caption: name + "\nline", Preview: name})
	for at, shown := range map[string]string{
		"the conversation's name": c.Name, "its last message": c.LastMessage.Preview, "the sender": m.SenderName,
		"the preview": m.Preview,
		"the caption": strings.TrimSuffix(m.Caption, "\nline"),
	} {
		if shown != "invoicefdp.exe" {
			t.Errorf("%s is shown as %q", at, shown)
		}
	}
	if how := disposition(model.Media{
		Filename: name, DetectedType: "application/pdf"}); how != "inline; filename=invoicefdp.exe" {
		t.Errorf("the file is saved as %q", how)
	}
}
