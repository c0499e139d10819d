package main

import (
	"errors"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/infra/local/files"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// lookOn returns what is known of the file of a message.
func lookOn(t testing.TB, db *dynamotest.DB, id model.MessageID) *model.Look {
	t.Helper()
	var m model.Message
	if err := db.Get(t.Context(), tables.Messages, keys.Message(id), &m); err != nil {
		t.Fatal(err)
	}
	return m.Look
}

func TestAFileSaysHowItLooksBeforeItIsLoaded(t *testing.T) {
	sample := func(room, name string) string {
		file, err := os.ReadFile(filepath.Join("../../shared", room, "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(file)
	}
	bomb := photo(8, 8)
	bomb = bomb[:16] + "\x00\x00\xff\xff\x00\x00\xff\xff" + bomb[24:]
	db := dynamotest.Start(t, together...)
	for name, c := range map[string]struct {
		file, says string
		want       *model.Look
	}{
		"a photo": {picture, "", &model.Look{Width: 400, Height: 300, Thumbnail: "image/jpeg"}},
		"a photo sent as a document": {
			picture, "application/pdf", &model.Look{Width: 400, Height: 300, Thumbnail: "image/jpeg"}},
		"a sticker": {
			sample("thumbnail", "sticker.webp"), "image/webp",
			&model.Look{Width: 400, Height: 300, Thumbnail: "image/png"}},
		"a voice": {sample("recording", "voice.ogg"), "audio/ogg; codecs=opus", &model.Look{Millis: 2500}},
		"a sound": {sample("recording", "note.aac"), "audio/aac", &model.Look{Millis: 2624}},
		"a song":  {sample("recording", "song.mp3"), "audio/mpeg", &model.Look{Millis: 2628}},
		"m4a":     {sample("recording", "note.m4a"), "audio/mp4", &model.Look{Millis: 2500}},
		"a video": {sample("recording", "clip.mp4"), "video/mp4", &model.Look{Width: 64, Height: 36, Millis: 2000}},
		"3GP": {
			sample("recording", "clip.3gp"), "video/3gpp",
			&model.Look{Width: 170, Height: 96, Millis: 2000}},
		"a document": {"%PDF-1.7 a bill", "application/pdf", nil},
		"a photo that is cut off": {
			picture[:len(picture)/2], "", &model.Look{Width: 400, Height: 300}},
		"a sound that is cut off": {sample("recording", "voice.ogg")[:80], "audio/ogg; codecs=opus", nil},
		"a photo without a size":  {"\x89PNG\r\n\x1a\n" + strings.Repeat("a picture ", 10), "", nil},
		"a photo that is huge":    {bomb, "", nil},
		"a text as a video":       {"2 kg rice", "video/mp4", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			restore(t, db)
			w.serves, w.says = c.file, c.says
			w.sweep(t, db, noon.Add(time.Minute))
			r := record(t, db)
			if w.stored(t, key) != c.file || r.S3Key != key || keyOn(t, db, shown) != key ||
				r.ContentLength != int64(len(c.file)) {
				t.Fatalf("%+v", r)
			}
			for _, got := range []*model.Look{r.Look, lookOn(t, db, shown), lookOn(t, db, shownToo)} {
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Error(diff)
				}
			}
			small := w.stored(t, key+".thumbnail")
			if has := c.want != nil && c.want.Thumbnail != ""; has != (small != "") {
				t.Errorf("a thumbnail of %d bytes", len(small))
			} else if has {
				shown, _, err := image.Decode(strings.NewReader(small))
				if err != nil || shown.Bounds().Dx() != 320 {
					t.Errorf("%v", err)
				}
			}
		})
	}
}

// A bucket that takes the file and not its thumbnail does not hold up the message.
func TestAMessageShowsItsFileWithoutAThumbnailThatFails(t *testing.T) {
	w, db := newWorld(t), dynamotest.Start(t, together...)
	waiting(t, db)
	bucket, err := files.Handler(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".thumbnail") {
			http.Error(response, errors.ErrUnsupported.Error(), http.StatusInternalServerError)
			return
		}
		bucket.ServeHTTP(response, r)
	}))
	t.Cleanup(server.Close)
	w.bucket = server.URL
	w.sweep(t, db, noon.Add(time.Minute))
	if look := lookOn(t, db, shown); keyOn(t, db, shown) != key || look == nil || look.Thumbnail != "" ||
		look.Width != 400 {
		t.Errorf("%+v", look)
	}
}
