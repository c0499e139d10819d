package communityapi

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community"
	"github.com/haatline/haatline/shared/ratelimit"
)

// keyed makes a request with an idempotency key and a body.
func (w *world) keyed(by *caller, path, key, body string) answer {
	w.t.Helper()
	return w.server.Do(w.t, request{By: by, Method: http.MethodPost, Path: path, Body: body,
		Headers: map[string]string{"Idempotency-Key": key}})
}

// The link to put a file signs its size, its type, and that nothing is there yet.
func TestAFileGoesUnderItsLinkAndIsReadByMembers(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	asha := &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
	path := base + "/chats/group/" + b.chat
	content := "\x89PNG\r\n\x1a\n of " + t.Name()
	var link chatUpload
	w.keyed(asha, path+"/files", "f1", fmt.Sprintf(`{"name":"/tmp/rice.png","type":"image/png","size":%d}`,
		len(content))).Want(t, http.StatusCreated, &link)
	address, err := url.Parse(link.URL)
	w.must(err)
	signed := address.Query().Get("X-Amz-SignedHeaders")
	if signed != "content-length;content-type;host;if-none-match" || address.Query().Get("X-Amz-Expires") != "300" ||
		link.Name != "rice.png" || link.Headers["If-None-Match"] != "*" ||
		!strings.Contains(address.Path, "/community/"+b.tenant+"/") {
		t.Errorf("signed %s: %+v", signed, link)
	}
	message := fmt.Sprintf(`{"content":"see","attachments":[{"fileId":%q},`+
		`{"url":"https://rice.example/","name":"Rice","type":"text/html"}]}`, link.FileID)
	w.keyed(asha, path+"/messages", "m1", message).WantProblem(t, http.StatusUnprocessableEntity)
	put, err := http.NewRequestWithContext(t.Context(), http.MethodPut, link.URL, strings.NewReader(content))
	w.must(err)
	for name, value := range link.Headers {
		put.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(put)
	w.must(err)
	response.Body.Close()
	var made chatMessage
	w.keyed(asha, path+"/messages", "m1", message).Want(t, http.StatusCreated, &made)
	if len(made.Attachments) != 2 || made.Attachments[0] != (chatAttachment{
		Kind: "file", FileID: link.FileID, Name: "rice.png", Type: "image/png", Size: int64(len(content))}) ||
		made.Attachments[1] != (chatAttachment{
			Kind: "link", URL: "https://rice.example/", Name: "Rice", Type: "text/html"}) {
		t.Errorf("%+v", made.Attachments)
	}
	var file chatFile
	w.asks(asha, http.MethodGet, path+"/messages/"+made.ID+"/files/"+link.FileID, "").Want(t, http.StatusOK, &file)
	response, err = http.Get(file.URL)
	w.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	w.must(err)
	if string(text) != content || !strings.Contains(file.URL, "response-content-disposition=inline") {
		t.Errorf("%q under %s", text, file.URL)
	}
	w.asks(asha, http.MethodDelete, path+"/messages/"+made.ID, "").Want(t, http.StatusNoContent)
	w.asks(asha, http.MethodGet, path+"/messages/"+made.ID+"/files/"+link.FileID, "").
		WantProblem(t, http.StatusNotFound)
	if said := w.log.String(); strings.Contains(said, "rice") || strings.Contains(said, link.FileID) {
		t.Errorf("the log names the file:\n%s", said)
	}
}

func TestWhatIsNoAttachment(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	asha := &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
	path := base + "/chats/group/" + b.chat
	for i, attachment := range []string{
		`{}`, `{"type":"image/png"}`, `{"url":"https://rice.example/"}`, `{"url":"http://rice.example/","type":"text/html"}`,
		fmt.Sprintf(`{"fileId":%q,"url":"https://rice.example/","type":"text/html"}`, b.upload),
		fmt.Sprintf(`{"fileId":%q,"name":"another"}`, b.upload), `{"fileId":"none"}`, `{"fileId":"a#b"}`,
		fmt.Sprintf(`{"fileId":%q}`, b.file),
	} {
		w.keyed(asha, path+"/messages", fmt.Sprint("m", i), `{"attachments":[`+attachment+`]}`).
			WantProblem(t, http.StatusUnprocessableEntity)
	}
	for i, c := range []struct {
		kind   string
		size   int
		status int
	}{
		{"text/html", 1, http.StatusUnsupportedMediaType}, {"image/png", 1 << 30, http.StatusRequestEntityTooLarge},
		{"image/png", 0, http.StatusUnprocessableEntity},
	} {
		w.keyed(asha, path+"/files", fmt.Sprint("f", i), fmt.Sprintf(`{"type":%q,"size":%d}`, c.kind, c.size)).
			WantProblem(t, c.status)
	}
}

// Nobody fills the bucket: what a person uploads has a limit of its own.
func TestWhatAPersonUploadsIsLimited(t *testing.T) {
	w := newWorld(t)
	w.domain.Uploads = ratelimit.Limit{Kind: community.Uploads.Kind, PerMinute: 3}
	b := w.furnish("1")
	w.now = w.now.Add(time.Minute)
	asha := &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
	for i := range 4 {
		got := w.keyed(asha, base+"/chats/group/"+b.chat+"/files", fmt.Sprint("f", i), `{"type":"image/png","size":9}`)
		want := http.StatusCreated
		if i == 3 {
			want = http.StatusTooManyRequests
		}
		if got.Status != want {
			t.Errorf("the %d. link: %d %s", i+1, got.Status, got.Body)
		}
	}
}
