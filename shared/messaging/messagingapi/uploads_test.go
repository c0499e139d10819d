package messagingapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	files "github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const png = "\x89PNG\r\n\x1a\n a menu"

// puts puts a file of the shop where its link leads.
func (w *world) puts(id model.MediaID, contentType, content string) {
	w.t.Helper()
	key := files.Payload{PhoneNumberID: number, MediaID: id}.IncomingKey(shop)
	err := w.bucket.Put(w.t.Context(), objects.Object{
		Key: key, ContentType: contentType, Body: strings.NewReader(content), Size: int64(len(content)),
		SHA256: sha256.Sum256([]byte(content)),
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) put(by *caller, path, body string) answer {
	w.t.Helper()
	return w.do(request{By: by, Method: http.MethodPut, Path: path, Body: body})
}

// askedUploads are the uploads that the outbox holds, as number and file.
func (w *world) askedUploads() []string {
	w.t.Helper()
	var all []string
	for _, item := range w.db.Items(w.t, tables.Outbox) {
		event := w.event(dynamo.Text(item, "eventId"))
		var of files.Payload
		if event.EventType != files.EventUpload || json.Unmarshal(event.Payload, &of) != nil {
			continue
		}
		all = append(all, string(of.PhoneNumberID)+" "+string(of.MediaID))
	}
	slices.Sort(all)
	return all
}

func TestAFileIsPutUnderItsLinkAndUploaded(t *testing.T) {
	w := open(t)
	var begun uploadLink
	w.post(operator(shop), "/v1/numbers/"+number+"/media",
		wt.Object{"contentType": "image/png", "size": len(png)}).Want(t, http.StatusCreated, &begun)
	link, err := url.Parse(begun.URL)
	if err != nil {
		t.Fatal(err)
	}
	signed := link.Query()
	if got := signed.Get("X-Amz-SignedHeaders"); got != "content-length;content-type;host" ||
		signed.Get("X-Amz-Expires") != "300" || !strings.HasSuffix(link.Path, "/"+number+"/"+begun.ID) {
		t.Errorf("the link signs %s: %s", got, begun.URL)
	}
	path := "/v1/numbers/" + number + "/media/" + begun.ID
	w.put(operator(shop), path, "{}").WantProblem(t, http.StatusNotFound)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, begun.URL, bytes.NewReader([]byte(png)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", begun.Headers["Content-Type"])
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	var taken upload
	for range 2 { // the second time changes nothing
		w.put(operator(shop), path, `{"filename":"menu.png"}`).Want(t, http.StatusAccepted, &taken)
	}
	if taken.ContentType != "image/png" || taken.Size != int64(len(png)) || taken.Filename != "menu.png" ||
		len(taken.Sendable.Sendable) != 0 {
		t.Errorf("%+v", taken)
	}
	if got := w.askedUploads(); !slices.Equal(got, []string{number + " " + begun.ID}) {
		t.Errorf("asked for %v", got)
	}
	if stored, err := w.rooms.Files.Record(t.Context(), model.MediaID(begun.ID)); err != nil ||
		stored.WABAMetaID != waba {
		t.Errorf("the account's files: %+v, %v", stored, err)
	}
	if p := w.get(operator(shop), "/v1/media/"+begun.ID, nil).WantProblem(t,
		http.StatusConflict); !strings.Contains(p.Detail, "about to be uploaded") {
		t.Error(p.Detail)
	}
}

func TestWhatWhatsAppDoesNotTakeIsNotUploaded(t *testing.T) {
	w := open(t)
	begin := func(contentType string, size int64, status int) {
		t.Helper()
		w.post(operator(shop), "/v1/numbers/"+number+"/media",
			wt.Object{"contentType": contentType, "size": size}).WantProblem(t, status)
	}
	begin("image/png", 5<<20+1, http.StatusRequestEntityTooLarge)
	begin("image/gif", 7, http.StatusUnsupportedMediaType)
	for id, c := range map[model.MediaID]struct {
		contentType, content string
		status               int
	}{
		"page": {"image/png", "<!DOCTYPE html><script>alert(1)</script>", http.StatusUnsupportedMediaType},
		"huge": {"image/webp", webp(0) + strings.Repeat("x", 100<<10), http.StatusRequestEntityTooLarge},
	} {
		w.puts(id, c.contentType, c.content)
		w.put(operator(shop), "/v1/numbers/"+number+"/media/"+string(id), "{}").WantProblem(t, c.status)
		w.get(operator(shop), "/v1/media/"+string(id), nil).WantProblem(t, http.StatusNotFound)
	}
	w.db.Seed(t, tables.Messages, model.MediaTypes{
		PK: keys.MediaTypes().Partition, ItemType: model.ItemConfig, SupportedTypes: map[string]int64{"image/gif": 6},
	})
	begin("image/png", 7, http.StatusUnsupportedMediaType)
	begin("image/gif", 7, http.StatusRequestEntityTooLarge)
	if got := w.askedUploads(); len(got) > 0 {
		t.Errorf("asked for %v", got)
	}
}

// webp is the beginning of a sticker.
func webp(flags byte) string {
	return "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00" + string([]byte{flags})
}

func TestAFileIsUploadedForTheNumberThatSendsIt(t *testing.T) {
	w := open(t)
	const second, theirs = "106540352242923", "106540352242924"
	w.ours(shop, second, waba)
	w.ours("other", theirs, "999")
	w.hasFile("photo", number, "photo.png")
	w.hasFile("unfetched", number, "")
	w.hasFile("secret", theirs, "secret.png")
	upload := func(by, phone, id string) answer { return w.put(operator(by), "/v1/numbers/"+phone+"/media/"+id, "{}") }
	upload(shop, second, "photo").Want(t, http.StatusAccepted)
	upload(shop, number, "unfetched").WantProblem(t, http.StatusConflict)
	upload(shop, number, "secret").WantProblem(t, http.StatusNotFound)
	upload("other", theirs, "photo").WantProblem(t, http.StatusNotFound)
	if got := w.askedUploads(); !slices.Equal(got, []string{second + " photo"}) {
		t.Errorf("asked for %v", got)
	}
	image := func(id string) answer {
		return w.post(operator(shop), toAsha+"/messages/image", wt.Object{"mediaId": id, "caption": "Look"})
	}
	for id, until := range map[model.MediaID]time.Duration{"fresh": 48 * time.Hour, "stale": time.Hour} {
		w.db.Seed(t, tables.Messages, model.Media{
			PK: keys.Media(id).Partition, ItemType: model.ItemMedia, MediaID: id, PhoneNumberID: second, S3Key: "k",
			ContentType: "image/png",
			Uploads: map[model.PhoneNumberID]model.Upload{
				number: {ID: "meta-" + string(id), ExpiresAt: model.At(noon.Add(until))}},
		})
	}
	if p := image("stale").WantProblem(t, http.StatusConflict); !strings.Contains(p.Detail, "upload-media") {
		t.Error(p.Detail)
	}
	image("photo").WantProblem(t, http.StatusConflict)
	for _, id := range []string{"secret", "nothing", "a#b"} {
		if got := locations(t, image(id), http.StatusUnprocessableEntity); !slices.Equal(got,
			[]string{"body.mediaId"}) {
			t.Errorf("%s: %v", id, got)
		}
	}
	var taken accepted
	image("fresh").Want(t, http.StatusAccepted, &taken)
	if body := string(w.sendings()[taken.OutboxEventID]); !strings.Contains(body,
		`"image":{"caption":"Look","id":"meta-fresh"}`) {
		t.Error(body)
	}
	var shown message
	w.get(operator(shop), "/v1/messages/"+taken.ID, nil).Want(t, http.StatusOK, &shown)
	if shown.Media == nil || shown.Media.ID != "fresh" || !shown.Media.Fetched {
		t.Errorf("%+v", shown.Media)
	}
}
