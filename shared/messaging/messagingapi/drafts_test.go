package messagingapi

import (
	"net/http"
	"strconv"
	"testing"
)

// A message that is sent with the version of a draft deletes it. A draft that somebody has changed since then stays.
func TestAMessageTakesItsDraftAlong(t *testing.T) {
	w := open(t)
	stored := func() draftShown {
		t.Helper()
		var d draftShown
		w.get(operator(shop), toAsha+"/draft", nil).Want(t, http.StatusOK, &d)
		return d
	}
	put := func(text string, version int64) (d draftShown) {
		t.Helper()
		w.do(request{By: operator(shop), Method: http.MethodPut, Path: toAsha + "/draft",
			Body: `{"text":"` + text + `","version":` + strconv.FormatInt(version, 10) + `}`}).Want(t, http.StatusOK, &d)
		return d
	}
	sends := func(key string, version int64) {
		t.Helper()
		var sent accepted
		w.do(request{By: operator(shop), Method: http.MethodPost, Path: toAsha + "/messages/text",
			Headers: map[string]string{"idempotency-key": key},
			Body:    `{"body":"Your rice is ready","draftVersion":` + strconv.FormatInt(version, 10) + `}`}).
			Want(t, http.StatusAccepted, &sent)
	}
	if d := stored(); d != (draftShown{}) {
		t.Errorf("%+v", d)
	}
	first := put("Your rice", 0)
	second := put("Your rice is", first.Version)
	sends("k1", first.Version)
	if d := stored(); d.Text != second.Text || d.WrittenBy == "" || d.ChangedAt == "" {
		t.Errorf("%+v", d)
	}
	sends("k2", second.Version)
	sends("k2", second.Version)
	if d := stored(); d != (draftShown{}) {
		t.Errorf("%+v", d)
	}
	stale := w.do(request{By: operator(shop), Method: http.MethodPut, Path: toAsha + "/draft",
		Body: `{"text":"late","version":` + strconv.FormatInt(second.Version, 10) + `}`})
	if stale.Status != http.StatusConflict {
		t.Errorf("%+v", stale)
	}
}
