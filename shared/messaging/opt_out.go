package messaging

import (
	"context"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"

	"encoding/json"
)

// optOutWords are the messages by which a customer asks not to be written to, optInWords those that take it back. A word
// counts only when it is the whole message.
var (
	optOutWords = words("stop", "stopall", "unsubscribe", "opt out", "opt-out", "optout", "cancel subscription", "stop promotions",
		"रोकें", "रोको", "बंद करो", "बंद करें", "band karo", "band kare", "mat bhejo", "मत भेजो")
	optInWords = words("start", "unstop", "subscribe", "opt in", "opt-in", "optin", "चालू करो", "शुरू करें", "shuru karo", "chalu karo")
)

func words(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, word := range list {
		set[word] = true
	}
	return set
}

// OptOut is the reaction that keeps a conversation's opt-out mark: a word sets it, its opposite clears it, and so does
// the customer's deleting or rewriting of the message that set it. The message that decided last, by its own time, wins,
// whatever order they come in.
func (s *Store) OptOut() Reaction {
	return Reaction{Name: "opt-out", React: s.reactToOptOut}
}

func (s *Store) reactToOptOut(ctx context.Context, r Received) error {
	if !r.Live {
		return nil
	}
	var content whatsapp.Object
	_ = json.Unmarshal(r.Message.Content, &content)
	switch text := strings.ToLower(strings.Trim(strings.TrimSpace(r.Message.TextBody), ".!")); {
	case optOutWords[text] || optOutWords[strings.ToLower(buttonTitle(content))]:
		return s.setOptOut(ctx, r, true)
	case optInWords[text]:
		return s.setOptOut(ctx, r, false)
	}
	switch r.Message.Type {
	case "revoke":
		return s.withdrawOptOut(ctx, r, content.Object("revoke").Text("original_message_id"))
	case "edit":
		return s.withdrawOptOut(ctx, r, content.Object("edit").Text("original_message_id"))
	}
	return nil
}

func buttonTitle(content whatsapp.Object) string {
	return content.Object("interactive").Object("button_reply").Text("title")
}

// setOptOut marks or clears. Its condition is that no later message has decided.
func (s *Store) setOptOut(ctx context.Context, r Received, out bool) error {
	u := dynamo.Update{
		Table: table, Key: keys.Conversation(r.Phone, r.Customer),
		Do: "SET optOutChangedAt = :at, optOutChangedBy = :by REMOVE optedOutAt",
		If: "attribute_exists(pk) AND (attribute_not_exists(optOutChangedAt) OR optOutChangedAt < :at OR optOutChangedAt = :at AND optOutChangedBy < :by)",
		Values: dynamo.Item{
			":at": dynamo.S(r.Message.ReceivedAt), ":by": dynamo.S(r.Message.PK),
		},
	}
	if out {
		u.Do = "SET optOutChangedAt = :at, optOutChangedBy = :by, optedOutAt = :at"
	}
	return ignoreFailed(s.DB.Update(ctx, u))
}

// withdrawOptOut clears the mark when the message that set it is taken back. Its condition is that this message set it.
func (s *Store) withdrawOptOut(ctx context.Context, r Received, original string) error {
	id, err := model.Parse[model.MessageID](original)
	if err != nil {
		return nil
	}
	return ignoreFailed(s.DB.Update(ctx, dynamo.Update{
		Table: table, Key: keys.Conversation(r.Phone, r.Customer),
		Do: "SET optOutChangedAt = :at, optOutChangedBy = :by REMOVE optedOutAt",
		If: "optOutChangedBy = :original",
		Values: dynamo.Item{
			":at": dynamo.S(r.Message.ReceivedAt), ":by": dynamo.S(r.Message.PK), ":original": dynamo.S(keys.Message(id).Partition),
		},
	}))
}

// ignoreFailed takes a condition that does not hold for the answer it is: there is nothing to change.
func ignoreFailed(_ dynamo.Item, err error) error {
	if dynamo.IsConditionFailed(err) {
		return nil
	}
	return err
}
