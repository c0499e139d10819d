package assistant

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Meaning says what follows from a failure.
type Meaning int

const (
	Later    Meaning = iota + 1 // the same turn may be asked again, after a wait
	Never                       // every turn would fail: somebody has to mend the settings
	ToPerson                    // the turn goes to a person
)

// Failure is why there is no answer. It holds no text of the conversation, of the model or of the service, because
// errors are logged.
type Failure struct {
	Meaning Meaning
	After   time.Duration // how long to wait at least, if the service has said so
	Reason  Reason        // why a person takes over, of ToPerson
	HTTP    int           // the status of the answer, 0 if there was none
	Code    string        // the service's name of the error; "" for none
	Usage   Usage         // what was paid for all the same
}

func (f *Failure) Error() string {
	what := map[Meaning]string{Later: "later", Never: "never", ToPerson: "to a person"}[f.Meaning]
	return fmt.Sprintf("the assistant has no answer (%s): HTTP %d %s %s", what, f.HTTP, f.Code, f.Reason)
}

// longestWait bounds what a service may ask to wait.
const longestWait = time.Hour

// Wait returns how long a service asks to wait by a Retry-After: seconds, or a time. It returns 0 for another text.
func Wait(retryAfter string, now time.Time) time.Duration {
	wait := time.Duration(0)
	if seconds, err := strconv.Atoi(retryAfter); err == nil {
		wait = time.Duration(min(seconds, int(longestWait/time.Second))) * time.Second
	} else if at, err := http.ParseTime(retryAfter); err == nil {
		wait = at.Sub(now)
	}
	return max(0, min(wait, longestWait))
}

// codeBytes bounds the name of an error.
const codeBytes = 64

// CodeOf returns a service's name of an error if it is one: an identifier. Other texts may hold what was sent, so they
// are left out.
func CodeOf(text string) string {
	for _, r := range text {
		if r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return ""
		}
	}
	if len(text) > codeBytes {
		return ""
	}
	return text
}
