package messaging_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// repeating is a transport by which an index is behind its table: it answers a question that it has answered before as
// before, once.
type repeating struct {
	mu       sync.Mutex
	answered map[string][]byte
}

func (l *repeating) RoundTrip(request *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(request.Header.Get("X-Amz-Target"), ".Query") {
		return http.DefaultTransport.RoundTrip(request)
	}
	asked, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(asked))
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	fresh, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	answer := fresh
	if before := l.answered[string(asked)]; before != nil {
		answer, fresh = before, nil
	}
	l.answered[string(asked)] = fresh
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(answer)), int64(len(answer))
	response.Header.Del("X-Amz-Crc32")
	return response, nil
}

// Messages leave a conversation one after the other. The index still shows one that has left: it does not become the
// conversation's last message again.
func TestAConversationShowsNothingThatHasLeftIt(t *testing.T) {
	db := raceDB(t)
	for i, story := range []struct {
		name  string
		steps []lateStep
		want  []string
		of    string // a message
		on    string // what stands on it
	}{
		{
			"the next owner writes twice",
			[]lateStep{writes(numberA, "m1", "mine", 30), writes(numberA, "s1", "theirs", 10),
				writes(numberA, "s2", "theirs", 5)},
			[]string{"m1 n", "s1 s2"}, "m1", "",
		},
		{
			"the next owner reacts twice to somebody else's message",
			[]lateStep{
				writes(numberB, "o1", "not theirs", 40), writes(numberA, "m1", "mine", 30),
				changes("reaction", numberA, "", "s1", "o1", 10), changes("reaction", numberA, "", "s2", "o1", 5),
			},
			[]string{"o1", "m1 n", "s1 s2"}, "o1", "",
		},
		{
			"the next owner reacts twice to their own message",
			[]lateStep{
				writes(numberB, "o1", "theirs", 40), writes(numberA, "m1", "mine", 30),
				changes("reaction", numberA, "", "s1", "o1", 10),
				changes("reaction", numberA, "", "s2", "o1", 5), notices("o2", 15, numberB, numberA),
			},
			[]string{"o1 o2", "m1 n"}, "o1", "reaction",
		},
	} {
		t.Run(story.name, func(t *testing.T) {
			r := roundOn(t, db, i)
			for _, step := range append(story.steps, notices("n", 20, numberA, numberC)) {
				behind := r.on(db.Through(&repeating{answered: map[string][]byte{}}), step.name)
				if err := step.run(r)(t.Context(), behind); err != nil {
					t.Fatal(err)
				}
			}
			r.wants(r.threads(shown...), story.want...)
			if got := r.changeOn(story.of); got != story.on {
				t.Errorf("%q stands on the message", got)
			}
		})
	}
}
