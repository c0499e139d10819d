package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/infra/local/files"
	"github.com/haatline/haatline/shared/dispatch"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/mail/ses"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/awsclient"
	"github.com/haatline/haatline/shared/messaging/metaclient"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/recorded"
	"github.com/haatline/haatline/shared/sms"
	"github.com/haatline/haatline/shared/tables"
)

const (
	phone    = model.PhoneNumberID("106540352242922")
	fileID   = model.MediaID("1166846181421424")
	shown    = model.MessageID("wamid.HBgMOTE5ODc2NTQzMjEwFQIAEhgUM0E4RjdCMTJDNEQ1RTZGNzA4MTkB")
	shownToo = model.MessageID("wamid.2")
	key      = "files/demo/106540352242922/1166846181421424"
)

var (
	noon     = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	together = []tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}
	picture  = photo(400, 300)
)

// photo returns a picture, as the text of a PNG.
func photo(width, height int) string {
	var text strings.Builder
	if err := png.Encode(&text, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return text.String()
}

// meta answers for Meta: it tells where a file is, and serves it. Its fields say what goes wrong.
type meta struct {
	url string

	mu      sync.Mutex
	asked   int
	unknown bool   // Meta has forgotten the id
	expired int    // so many addresses have expired
	cut     int    // so many downloads end half-way
	hash    string // what Meta says of the content; "" for the truth
	host    string // where the file is; "" for here
	to      string // where the file's address redirects to
	during  func() // happens during the download
	refuse  string // what Meta says to uploads; "" for an id
	taken   recorded.List[string]
	serves  string // what the file is; "" for the picture
	says    string // its type, as Meta says it; "" for image/png
}

// file returns what Meta has.
func (m *meta) file() (content, contentType string) {
	return cmp.Or(m.serves, picture), cmp.Or(m.says, "image/png")
}

func (m *meta) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer token" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch {
	case r.URL.Path == "/v23.0/"+string(fileID):
		m.describe(w, r)
	case r.URL.Path == "/v23.0/"+string(phone)+"/media":
		m.take(w, r)
	case r.URL.Path != "/file":
		w.WriteHeader(http.StatusNotFound)
	case m.to != "":
		http.Redirect(w, r, m.to, http.StatusFound)
	case m.expired > 0:
		m.expired--
		w.WriteHeader(http.StatusNotFound)
	case m.cut > 0:
		m.cut--
		w.Header().Set("Content-Length", fmt.Sprint(len(picture)))
		_, _ = io.WriteString(w, picture[:len(picture)/2])
	default:
		if m.during != nil {
			m.during()
		}
		content, _ := m.file()
		_, _ = io.WriteString(w, content)
	}
}

// take takes an upload.
func (m *meta) take(w http.ResponseWriter, r *http.Request) {
	given, header, err := r.FormFile("file")
	if m.refuse != "" || err != nil || r.FormValue("messaging_product") != "whatsapp" || r.ContentLength <= 0 {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, m.refuse)
		return
	}
	content, _ := io.ReadAll(given)
	n := m.taken.Add(header.Header.Get("Content-Type") + " " + string(content))
	_, _ = fmt.Fprintf(w, `{"id":"%d"}`, 900+n)
}

func (m *meta) describe(w http.ResponseWriter, r *http.Request) {
	m.asked++
	if m.unknown || r.URL.Query().Get("phone_number_id") != string(phone) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"code":100,"error_subcode":33,"message":"Unsupported get request"}}`)
		return
	}
	content, contentType := m.file()
	sum := sha256.Sum256([]byte(content))
	hash, host := hex.EncodeToString(sum[:]), m.url
	if m.hash != "" {
		hash = m.hash
	}
	if m.host != "" {
		host = m.host
	}
	_ = json.NewEncoder(w).
		Encode(map[string]any{
			"url": host + "/file", "mime_type": contentType, "sha256": hash, "file_size": len(content), "id": fileID})
}

// sumOfPicture returns the hash of the picture.
func sumOfPicture() []byte {
	sum := sha256.Sum256([]byte(picture))
	return sum[:]
}

// world is the outside: Meta and the bucket.
type world struct {
	*meta
	bucket string // its address
	aws    string // that of AWS End User Messaging, where a test has it
}

func newWorld(t testing.TB) *world {
	t.Helper()
	m := &meta{}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL
	handler, err := files.Handler(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bucket := httptest.NewServer(handler)
	t.Cleanup(bucket.Close)
	return &world{meta: m, bucket: bucket.URL}
}

// stored returns what the bucket has under a key; "" for nothing.
func (w *world) stored(t testing.TB, key string) string {
	t.Helper()
	response, err := http.Get(w.bucket + "/" + files.Bucket + "/" + key)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return ""
	}
	return string(text)
}

// roomsAt returns the domain on a client, at a time.
func roomsAt(client *dynamo.Client, now time.Time) *messaging.Domain {
	return messaging.New(messaging.Config{
		DB: client, Now: func() time.Time { return now }, NewToken: func() string { return "token" }})
}

// getenv is the function's environment.
func (w *world) getenv(name string) string {
	return map[string]string{
		"MEDIA_BUCKET": files.Bucket, "S3_ENDPOINT": w.bucket, "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "id",
		"AWS_SECRET_ACCESS_KEY":            "secret",
		"AWS_ENDPOINT_URL_SOCIALMESSAGING": w.aws,
		"WHATSAPP_ACCESS_TOKEN":            "token", "WHATSAPP_GRAPH_URL": w.url + "/v23.0",
	}[name]
}

// all returns what gets and takes the files of all numbers, and has the templates of all accounts.
func (w *world) all(rooms *messaging.Domain, meta source) carried {
	return carried{meta, &awsclient.Files{
		Numbers: awsclient.Open(w.getenv, &http.Client{}, rooms.AWSPhoneNumberID, time.Now),
		Bucket:  objects.Open(w.getenv, &http.Client{})}}
}

// relay is one process of the function, at a time.
func (w *world) relay(client *dynamo.Client, now time.Time) dispatch.Handler {
	rooms := roomsAt(client, now)
	log := slog.New(slog.DiscardHandler)
	from := source{metaclient.Open(w.getenv, &http.Client{}, log, rooms.AccessTokenRef)}
	handler := newHandler(rooms, clients{
		meta: from, all: w.all(rooms, from),
		bucket: objects.Open(w.getenv, &http.Client{}), texts: sms.New(w.getenv, &http.Client{}),
		emails: ses.Open(w.getenv, &http.Client{}),
	}, log)
	handler.Relay.Sleep = func(context.Context, time.Duration) error { return nil }
	return handler
}

// sweep runs a sweep at a time.
func (w *world) sweep(t testing.TB, db *dynamotest.DB, at time.Time) {
	t.Helper()
	if _, err := w.relay(db.Client, at).Handle(t.Context(),
		json.RawMessage(`{"detail-type":"slow-lane-sweep"}`)); err != nil {
		t.Fatal(err)
	}
}

// waiting stores two messages that show a file, and asks for it once for both. It returns the event.
func waiting(t testing.TB, db *dynamotest.DB) []dynamo.Item {
	t.Helper()
	db.Seed(t, tables.Messages,
		model.Phone{PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo"})
	var messages []model.Message
	for _, id := range []model.MessageID{shown, shownToo} {
		m := model.Message{
			PK: keys.Message(id).Partition, ItemType: model.ItemMessage, Direction: model.Inbound, MediaID: fileID,
			Type: "image"}
		db.Seed(t, tables.Messages, m)
		messages = append(messages, m)
	}
	of := roomsAt(db.Client, noon).Files
	err := of.Store(t.Context(), model.Media{
		PK: keys.Media(fileID).Partition, ItemType: model.ItemMedia, MediaID: fileID, PhoneNumberID: phone,
		ContentType: "image/png", TTL: noon.Add(7 * 24 * time.Hour).Unix(),
	})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, db, of.Ask, messages...)
	return db.Items(t, tables.Outbox)
}

// survives has the function handle the records that seed returns, and die at every point. A sweep follows.
func (w *world) survives(
	t *testing.T, ignore []string, seed func(t testing.TB, db *dynamotest.DB) []dynamo.Item,
) {
	t.Helper()
	var images []dynamo.Item
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: together, Ignore: ignore,
		Seed: func(t testing.TB, db *dynamotest.DB) { images = seed(t, db) },
		Run: func(ctx context.Context, client *dynamo.Client, run int) error {
			event := json.RawMessage(`{"detail-type":"slow-lane-sweep"}`)
			if run == 0 {
				var err error
				if event, err = json.Marshal(events.DynamoDBEvent{Records: dynamotest.Records(t, images)}); err != nil {
					return err
				}
			}
			return dynamotest.Reported(
				w.relay(client, noon.Add(time.Minute+time.Duration(run)*3*time.Minute)).Handle(ctx, event))
		},
	})
	t.Logf("%d crash points", points)
}
