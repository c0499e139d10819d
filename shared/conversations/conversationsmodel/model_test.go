package conversationsmodel

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
)

// The contract's own attributes are read and written again without losing or changing one. What is added is in
// shared/CONTRACTS.md.
func TestTheContractsSamplesSurviveTheModel(t *testing.T) {
	dynamotest.Contract(t, map[string]any{"conversation": &Conversation{}})
}

// The picture in the document is drawn from the states themselves.
func TestTheDocumentShowsTheStates(t *testing.T) {
	text, err := os.ReadFile("../CONVERSATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "```mermaid\n"+Diagram()+"```\n") {
		t.Errorf("CONVERSATIONS.md does not hold:\n%s", Diagram())
	}
}

func TestIDsAndAddressesThatAreNoneAreRefused(t *testing.T) {
	for _, text := range []string{"", "a#b", "a:b", "a b", "-a", "é", strings.Repeat("a", 65)} {
		if _, err := ParseID(text); !errors.Is(err, model.ErrInvalidID) {
			t.Errorf("id %q: %v", text, err)
		}
	}
	for _, text := range []string{"", "@", "a#b@example.com", "a\nb@example.com", "Ann <a@example.com>", "12", "+"} {
		if got, err := ParseRecipient(text); !errors.Is(err, model.ErrInvalidID) {
			t.Errorf("recipient %q is %q: %v", text, got, err)
		}
	}
	for text, want := range map[string]model.Name{
		"J.Doe@Example.com": "j.doe@example.com", "+44 7123 456789": "+447123456789"} {
		if got, err := ParseRecipient(text); err != nil || got != want {
			t.Errorf("recipient %q is %q: %v", text, got, err)
		}
	}
}

// An index holds a conversation only if it has both of its keys, and the company's only for the conversation's channel.
func TestTheKeysOfIndexesAreThereOnlyForTheChannel(t *testing.T) {
	c := Conversation{
		CompanyID: "ci-1", ProjectID: "pi-1", RequestID: "r1", RecipientTel: "+447123456789",
		ChannelConfig: model.Document(`{"company_whatsapp_number":"+441","company_sms_number":"+442",` +
			`"company_email":"replies@company.com"}`),
	}
	for channel, want := range map[model.Channel][3]string{
		model.ChannelWhatsApp: {"+441", "", ""}, model.ChannelSMS: {"", "+442", ""},
		model.ChannelEmail: {"", "", "replies@company.com"},
	} {
		c.ChannelMethod, c.RecipientEmail = channel, ""
		if channel == model.ChannelEmail {
			c.RecipientEmail = "+promo@example.com" // it looks like a number in E.164
		}
		c.SetKeys()
		if got := [3]string{c.GSICompanyWhatsApp, c.GSICompanySMS, c.GSICompanyEmail}; got != want ||
			c.GSIRecipientTel != "+447123456789" || (c.GSIRecipientEmail != "") != (channel == model.ChannelEmail) {
			t.Errorf("%s: %+v", channel, c)
		}
		if key, is := KeyOf(c.Reference()); !is || key != c.Key() {
			t.Errorf("%s: the reference %s leads to %v", channel, c.Reference(), key)
		}
	}
}
