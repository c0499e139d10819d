package admission_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/live"
	"github.com/haatline/haatline/shared/live/admission"
	"github.com/haatline/haatline/shared/sessiontoken"
)

var (
	noon    = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	errLost = errors.New("the table does not answer")
)

func keys(context.Context) (string, error) { return "one", nil }

// members lets everybody listen to the chat chat-1, and cannot tell of chat-lost.
type members struct{ admission.Own }

func (m members) May(ctx context.Context, token sessiontoken.Token, channel live.Channel) (bool, error) {
	if channel == live.OfChat(token.Tenant, "chat-lost", 0) {
		return true, errLost
	}
	own, err := m.Own.May(ctx, token, channel)
	return own || channel == live.OfChat(token.Tenant, "chat-1", 0), err
}

func asking(authorization, operation string, channel live.Channel) (asked admission.Request) {
	asked.AuthorizationToken = authorization
	asked.RequestContext.Operation, asked.RequestContext.Channel = operation, string(channel)
	return asked
}

func TestWhoMayListenToWhat(t *testing.T) {
	sign := func(keys sessiontoken.Keys, expires time.Time) string {
		text, err := keys.Sign(t.Context(), sessiontoken.Token{
			Subject: "user-1", Session: "session-1", Tenant: "demo", Expires: expires})
		if err != nil {
			t.Fatal(err)
		}
		return admission.TokenPrefix + text
	}
	good := sign(keys, noon.Add(time.Minute))
	old := sign(keys, noon)
	forged := sign(func(context.Context) (string, error) { return "two", nil }, noon.Add(time.Minute))
	for name, c := range map[string]struct {
		authorization, operation string
		channel                  live.Channel
		ownAlone, members        bool
	}{
		"connects":                     {good, admission.Connect, "", true, true},
		"the own channel":              {good, admission.Subscribe, live.OfPerson("demo", "user-1"), true, true},
		"a chat as a member":           {good, admission.Subscribe, live.OfChat("demo", "chat-1", 0), false, true},
		"another's channel":            {good, admission.Subscribe, live.OfPerson("demo", "user-2"), false, false},
		"a chat as a stranger":         {good, admission.Subscribe, live.OfChat("demo", "chat-2", 0), false, false},
		"a namesake of another tenant": {good, admission.Subscribe, live.OfPerson("shop", "user-1"), false, false},
		"a chat of another tenant":     {good, admission.Subscribe, live.OfChat("shop", "chat-1", 0), false, false},
		"a number":                     {good, admission.Subscribe, live.OfNumber("demo", "10654035"), false, false},
		"a chat by the own id":         {good, admission.Subscribe, live.OfChat("demo", "user-1", 0), false, false},
		"all chats":                    {good, admission.Subscribe, "/haatline/demo/chat/*", false, false},
		"everything":                   {good, admission.Subscribe, "/haatline/*", false, false},
		"no channel":                   {good, admission.Subscribe, "", false, false},
		"publishes":                    {good, admission.Publish, live.OfPerson("demo", "user-1"), false, false},
		"something else":               {good, "EVENT_ERASE", live.OfPerson("demo", "user-1"), false, false},
		"nothing":                      {good, "", "", false, false},
		"an old token":                 {old, admission.Connect, "", false, false},
		"an old token, subscribing":    {old, admission.Subscribe, live.OfPerson("demo", "user-1"), false, false},
		"a forged token":               {forged, admission.Subscribe, live.OfPerson("demo", "user-1"), false, false},
		"no token":                     {"", admission.Connect, "", false, false},
		"an operator's token":          {good[len(admission.TokenPrefix):], admission.Connect, "", false, false},
		"a bearer":                     {"Bearer " + good, admission.Connect, "", false, false},
	} {
		for rule, want := range map[admission.Rule]bool{admission.Own{}: c.ownAlone, members{}: c.members} {
			gate := admission.Gate{Keys: keys, Now: func() time.Time { return noon }, Rule: rule}
			got, err := gate.Admit(t.Context(), asking(c.authorization, c.operation, c.channel))
			if err != nil || got.IsAuthorized != want || want != (got.Context["sub"] == "user-1") || got.Seconds != 0 {
				t.Errorf("%s, by %T: %+v, %v", name, rule, got, err)
			}
		}
	}
}

func TestWhereNobodyCanTellThereIsNoAnswer(t *testing.T) {
	token, err := sessiontoken.Keys(keys).Sign(t.Context(), sessiontoken.Token{
		Subject: "user-1", Session: "session-1", Tenant: "demo", Expires: noon.Add(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(keys sessiontoken.Keys) error {
		gate := admission.Gate{Keys: keys, Now: func() time.Time { return noon }, Rule: members{}}
		got, err := gate.Admit(t.Context(),
			asking(admission.TokenPrefix+token, admission.Subscribe, live.OfChat("demo", "chat-lost", 0)))
		if got.IsAuthorized {
			t.Error("they may")
		}
		return err
	}
	if err := ask(keys); !errors.Is(err, errLost) {
		t.Errorf("the rule: %v", err)
	}
	if err := ask(func(context.Context) (string, error) { return "", errLost }); !errors.Is(err, errLost) {
		t.Errorf("the keys: %v", err)
	}
}
