package messagingapi

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// keyed is a send under an idempotency key.
func keyed(by *caller, path, key, body string) request {
	return request{
		By: by, Method: http.MethodPost, Path: path, Headers: map[string]string{"idempotency-key": key}, Body: body}
}

func TestTheSameRequestIsAnsweredTheSameAndSentOnce(t *testing.T) {
	w := open(t)
	first := w.do(keyed(operator(shop), sendPath, "k1", `{"body":"hello"}`))
	first.Want(t, http.StatusAccepted)
	w.now = noon.Add(23 * time.Hour)
	for range 3 {
		again := w.do(keyed(operator(shop), sendPath, "k1", ` { "body" : "hello" } `))
		if diff := cmp.Diff(first, again, cmp.AllowUnexported(answer{})); diff != "" {
			t.Error(diff)
		}
	}
	w.now = noon.Add(24*time.Hour - time.Second) // outside the window by now: what was taken was taken
	if again := w.do(keyed(operator(shop), sendPath, "k1", `{"body":"hello"}`)); again.Body != first.Body {
		t.Error(again.Body)
	}
	if n := len(w.sendings()); n != 1 {
		t.Errorf("%d events", n)
	}
}

func TestAKeyWithAnotherRequestIsRefused(t *testing.T) {
	w := open(t)
	w.receives(number, waba, wt.Contact("918888888888", "Ravi"),
		wt.Text("918888888888", "wamid.RAVI", "hi", minutesAgo(2)))
	w.do(keyed(operator(shop), sendPath, "k1", `{"body":"hello"}`)).Want(t, http.StatusAccepted)
	for _, r := range []request{
		keyed(operator(shop), sendPath, "k1", `{"body":"goodbye"}`),
		keyed(operator(shop), sendPath, "k1", `{"body":"hello","previewUrl":true}`),
		keyed(operator(shop), sendPath, "k1", `{"body":"hello","replyTo":"wamid.ASHA1"}`),
		keyed(operator(shop), "/v1/conversations/"+number+":918888888888/messages/text", "k1", `{"body":"hello"}`),
	} {
		if p := w.do(r).WantProblem(t,
			http.StatusUnprocessableEntity); p.Type != "urn:haatline:problem:idempotency-key-reused" {
			t.Errorf("type %q", p.Type)
		}
	}
	if n := len(w.sendings()); n != 1 {
		t.Errorf("%d events", n)
	}
}

func TestAKeyIsACallersForOneOperationOfOneTenant(t *testing.T) {
	w := open(t)
	w.ours("other", "700000000000001", "800000000000001")
	w.receives("700000000000001", "800000000000001", wt.Contact(asha, "Asha"),
		wt.Text(asha, "wamid.OTHER", "hi", minutesAgo(2)))
	colleague := operator(shop)
	colleague.Subject = "colleague"
	both := operator(shop)
	both.Groups = append(both.Groups, "tenant:other")
	for i, r := range []request{
		keyed(operator(shop), sendPath, "k1", `{"body":"hello"}`),
		keyed(colleague, sendPath, "k1", `{"body":"hello"}`),
		keyed(operator(shop), templating, "k1", `{"name":"hello_world","language":"en_US"}`),
		keyed(both, "/v1/conversations/700000000000001:"+asha+"/messages/text", "k1", `{"body":"hello"}`),
		keyed(operator(shop), sendPath, "k2", `{"body":"hello"}`),
		keyed(operator(shop), sendPath, "", `{"body":"hello"}`),
		keyed(operator(shop), sendPath, "", `{"body":"hello"}`),
	} {
		w.do(r).Want(t, http.StatusAccepted)
		if n := len(w.sendings()); n != i+1 {
			t.Errorf("%d events after %d different requests", n, i+1)
		}
	}
}

func TestAnExpiredKeyCountsAsAbsent(t *testing.T) {
	w := open(t)
	var first, second accepted
	w.do(keyed(operator(shop), templating, "k1", `{"name":"hello_world","language":"en_US"}`)).Want(t,
		http.StatusAccepted, &first)
	w.now = noon.Add(24 * time.Hour)
	w.do(keyed(operator(shop), templating, "k1", `{"name":"another","language":"en_US"}`)).Want(t, http.StatusAccepted,
		&second)
	if first.OutboxEventID == second.OutboxEventID {
		t.Error("the expired record answered")
	}
	w.do(keyed(operator(shop), templating, "k1", `{"name":"hello_world","language":"en_US"}`)).WantProblem(t,
		http.StatusUnprocessableEntity)
}

// A refused request is not remembered. The caller may correct it and try again under the same key.
func TestARefusedRequestLeavesItsKeyFree(t *testing.T) {
	w := open(t)
	w.now = noon.Add(24 * time.Hour)
	w.do(keyed(operator(shop), sendPath, "k1", `{"body":"hello"}`)).WantProblem(t, http.StatusConflict)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.ASHA2", "still there?", w.now))
	w.do(keyed(operator(shop), sendPath, "k1", `{"body":"hello, again"}`)).Want(t, http.StatusAccepted)
}

func TestConcurrentDuplicatesAreSentOnce(t *testing.T) {
	w := open(t)
	const callers = 16
	answers := make([]answer, callers)
	var group sync.WaitGroup
	for i := range callers {
		group.Go(func() {
			var err error
			if answers[i], err = w.try(t.Context(),
				keyed(operator(shop), sendPath, "k1", `{"body":"hello"}`)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, a := range answers {
		if a.Status != http.StatusAccepted || a.Body != answers[0].Body {
			t.Errorf("answered %d: %s", a.Status, a.Body)
		}
	}
	if n := len(w.sendings()); n != 1 {
		t.Errorf("%d events", n)
	}
}

func TestConcurrentMessagesAreAllSentInOneOrder(t *testing.T) {
	w := open(t)
	const callers = 8
	ids := make([]string, callers)
	var group sync.WaitGroup
	for i := range callers {
		group.Go(func() {
			a, err := w.try(t.Context(),
				request{By: operator(shop), Method: http.MethodPost, Path: sendPath, Body: `{"body":"hello"}`})
			if err != nil || a.Status != http.StatusAccepted {
				t.Errorf("answered %d: %s, %v", a.Status, a.Body, err)
				return
			}
			var taken accepted
			a.Want(t, http.StatusAccepted, &taken)
			ids[i] = taken.OutboxEventID
		})
	}
	group.Wait()
	if t.Failed() {
		return
	}
	slices.Sort(ids)
	for i, id := range ids {
		if n := w.event(id).SequenceNumber; n != int64(i+1) {
			t.Errorf("event %d has the number %d", i+1, n)
		}
	}
}
