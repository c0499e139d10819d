package conversationsapi

import (
	"context"
	"net/http"
	"testing"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// turns notes each message that an assistant is to answer, in the message's transaction.
type turns struct{}

func noteKey(id string) keys.Key {
	return keys.Key{PartitionName: "requestId", Partition: "turn of " + id}
}

func (turns) Queue(_ context.Context, _ conversationsmodel.Conversation,
	said conversationsmodel.Entry) ([]dynamo.Write, error) {
	return []dynamo.Write{dynamo.Put{
		Table: tables.PendingApprovals, If: "attribute_not_exists(requestId)",
		Item: dynamo.Item{"requestId": dynamo.S(noteKey(said.EntryID).Partition)}}}, nil
}

// An assistant gets the replies of a project whose rules say so, each once, and none while a person goes on.
func TestAnAssistantGetsTheRepliesThatTheRulesSay(t *testing.T) {
	w := firm(t)
	w.domain.Replies.Turns = turns{}
	queued := func(id string) bool {
		ref := dynamo.Ref{Table: tables.PendingApprovals, Key: noteKey(id)}
		found, err := w.db.BatchGet(t.Context(), []dynamo.Ref{ref})
		w.must(err)
		return ref.Found(found) != nil
	}
	w.begins(asha, "r1", "")
	w.says(w.text(asha, "wamid.1", "a person answers here"))
	if queued("wamid.1") || w.stored(asha, "r1").Status != conversationsmodel.WithPerson {
		t.Error("an assistant gets what the rules do not say")
	}
	w.projectIs(1, `"rules":{"replyMessage":true},`)
	w.do(http.MethodPost, talkAt(asha, "r1")+"/complete", "", "")
	w.begins(asha, "r2", "")
	for _, step := range []struct {
		id, path string
		queued   bool
		status   conversationsmodel.Status
	}{
		{"wamid.2", "", true, conversationsmodel.AwaitingReply},
		{"wamid.3", "/hand-over", false, conversationsmodel.WithPerson},
		{"wamid.4", "/hand-back", true, conversationsmodel.AwaitingReply},
	} {
		if step.path != "" {
			w.do(http.MethodPost, talkAt(asha, "r2")+step.path, "", `{"reason":"asked for a person"}`).
				Want(t, http.StatusOK)
		}
		w.says(w.text(asha, step.id, "hello"))
		if c := w.stored(asha, "r2"); queued(step.id) != step.queued || c.Status != step.status {
			t.Errorf("%s: queued %t, %s", step.id, queued(step.id), c.Status)
		}
	}
	w.says(wt.Tap(asha, "wamid.5", "conversations:entry:fees", "1", "wamid.4", w.now),
		wt.Tap(asha, "wamid.6", "another:entry:fees", "Yes", "wamid.4", w.now))
	c := w.stored(asha, "r2")
	if len(c.Messages) < 2 {
		t.Fatalf("%+v", c)
	}
	last := c.Messages[len(c.Messages)-2:]
	if c.Entries != 6 || last[0].Pick != "entry:fees" || last[0].Content != "1" || last[1].Pick != "" ||
		last[1].Content != "Yes" {
		t.Errorf("%+v", c)
	}
}
