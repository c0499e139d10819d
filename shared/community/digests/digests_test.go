package digests

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
)

var six = time.Date(2026, 11, 22, communitymodel.UsualDigestAt, 0, 0, 0, time.UTC)

func TestADigestIsDueAtOneHour(t *testing.T) {
	for after, want := range map[time.Time]time.Time{
		six.Add(-time.Millisecond): six, six: six.Add(24 * time.Hour), six.Add(18 * time.Hour): six.Add(24 * time.Hour),
		six.In(time.FixedZone("", -7*3600)): six.Add(24 * time.Hour),
	} {
		if got := next(communitymodel.Settings{}, after); got != model.At(want) {
			t.Errorf("after %s: %s", after, got)
		}
	}
}

// A tenant's hour is that of its clocks, also on the days on which they are changed.
func TestADigestIsDueAtTheTenantsHour(t *testing.T) {
	for name, c := range map[string]struct {
		zone  string
		hour  int64
		after string
		want  []string
	}{
		"India":       {"Asia/Kolkata", 9, "2026-11-22T03:29:00Z", []string{"2026-11-22T03:30", "2026-11-23T03:30"}},
		"midnight":    {"Asia/Kolkata", 0, "2026-11-22T12:00:00Z", []string{"2026-11-22T18:30", "2026-11-23T18:30"}},
		"spring":      {"Europe/Berlin", 8, "2026-03-28T12:00:00Z", []string{"2026-03-29T06:00", "2026-03-30T06:00"}},
		"no such":     {"Europe/Berlin", 2, "2026-03-28T12:00:00Z", []string{"2026-03-29T01:00", "2026-03-30T00:00"}},
		"autumn":      {"Europe/Berlin", 8, "2026-10-24T12:00:00Z", []string{"2026-10-25T07:00", "2026-10-26T07:00"}},
		"twice":       {"Europe/Berlin", 2, "2026-10-24T12:00:00Z", []string{"2026-10-25T01:00", "2026-10-26T01:00"}},
		"beyond":      {"Pacific/Kiritimati", 23, "2026-11-22T12:00:00Z", []string{"2026-11-23T09:00"}},
		"of no place": {"Nowhere/Else", 7, "2026-11-22T12:00:00Z", []string{"2026-11-23T07:00"}},
	} {
		after, err := time.Parse(time.RFC3339, c.after)
		if err != nil {
			t.Fatal(err)
		}
		of := communitymodel.Settings{TimeZone: c.zone, DigestAt: &c.hour}
		for _, want := range c.want {
			got := next(of, after)
			if string(got)[:16] != want || !isDue(of, got) || isDue(of, model.At(got.Go().Add(time.Minute))) {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
			after = got.Go()
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
