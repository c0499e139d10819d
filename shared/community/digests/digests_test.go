package digests

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

var six = time.Date(2026, 11, 22, Hour, 0, 0, 0, time.UTC)

func TestADigestIsDueAtOneHour(t *testing.T) {
	for after, want := range map[time.Time]time.Time{
		six.Add(-time.Millisecond): six, six: six.Add(24 * time.Hour), six.Add(18 * time.Hour): six.Add(24 * time.Hour),
		six.In(time.FixedZone("", -7*3600)): six.Add(24 * time.Hour),
	} {
		if got := next(after); got != model.At(want) {
			t.Errorf("after %s: %s", after, got)
		}
	}
}

func TestADigestThatHasWaitedIsNotSent(t *testing.T) {
	digest, stopped := reference(model.At(six)), &model.Conversation{OptedOutAt: model.At(six)}
	for name, c := range map[string]struct {
		reference string
		after     time.Duration
		to        *model.Conversation
		want      string
	}{
		"at once":                {digest, time.Hour, nil, ""},
		"to somebody who writes": {digest, time.Hour, &model.Conversation{}, ""},
		"late":                   {digest, late, nil, Late},
		"after a STOP":           {digest, time.Hour, stopped, sending.OptedOut},
		"another message":        {"signup", late, stopped, ""},
	} {
		if why := Still(c.reference, six.Add(c.after), c.to); why != c.want {
			t.Errorf("%s: %q", name, why)
		}
	}
}

func TestCountsAreSaidInALanguage(t *testing.T) {
	c := counts{messages: 3, chats: 2, others: 1, more: true}
	for language, want := range map[string]string{
		"en": "notices of messages: 3, in chats: 2, other notices: 1, and more",
		"es": "avisos de mensajes: 3, en chats: 2, otros avisos: 1, y más",
		"xx": "notices of messages: 3, in chats: 2, other notices: 1, and more",
	} {
		if got := c.in(language); got != want {
			t.Errorf("%s: %s", language, got)
		}
	}
}
