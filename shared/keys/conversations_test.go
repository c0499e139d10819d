package keys

import (
	"testing"

	"github.com/haatline/haatline/shared/tables"
)

func init() {
	holds(tables.Conversations, map[string]Key{
		"Talk":        conversationsKey("{recipient}", talkID.with("{company}", "{project}", "{request}", "{end}")),
		"TalkHistory": TalkHistory("{company}", "{project}", "{request}", "{recipient}", "{number}"),
		"Company":     Company("{company}"), "Project": Project("{company}", "{project}"),
		"CompanyOf": CompanyOf("{tenant}", "{company}"), "Reply": Reply("{message}"),
		"Mailbox": Mailbox("{address}"),
		"Spent":   Spent("{company}", "{period}"),
		"SpentBy": SpentBy("{tenant}", "{day}"),
		"TalkSpent": TalkSpent(
			conversationsKey("{recipient}", talkID.with("{company}", "{project}", "{request}", "{end}"))),
		"Questions":     Questions("{company}", "{project}"),
		"QuestionsPart": QuestionsPart("{company}", "{project}", "{list}", "{number}"),
	})
}

// The contract's own id, and an id that shows no email address.
func TestTheIDOfATalkEndsWithTheNumberOrAHash(t *testing.T) {
	if id := TalkID("ci-aaa-001", "pi-aaa-001", "req123", "+447123456789"); id !=
		"ci-aaa-001#pi-aaa-001#req123#447123456789" || !IsTalk(id) {
		t.Error(id)
	}
	id := TalkID("ci-aaa-001", "pi-aaa-001", "req123", "j.doe@example.com")
	if len(id) != len("ci-aaa-001#pi-aaa-001#req123#")+32 || !IsTalk(id) || IsTalk(TalkHistoryPrefix(id)+"000001") ||
		IsTalk(TalkSpent(Talk("ci-aaa-001", "pi-aaa-001", "req123", "+447123456789")).Sort) {
		t.Error(id)
	}
}
