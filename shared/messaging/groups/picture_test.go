package groups_test

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/groups"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// photo is a file that somebody of the shop has uploaded.
var photo = model.Media{
	PK: keys.Media("photo").Partition, ItemType: model.ItemMedia, MediaID: "photo", S3Bucket: "b", S3Key: "files/photo",
	ContentType: "image/jpeg", ContentLength: 7, UploadedBy: "user-1", PhoneNumberID: wt.Phone}

// picture returns a JPEG.
func picture(t testing.TB, width, height int) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, width, height)), nil); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestAGroupGetsAPicture(t *testing.T) {
	s := opened(t)
	request := s.wants("Rice", "auto_approve")
	s.settles()
	s.hears(1)
	made, err := s.rooms.Groups.Get(t.Context(), request)
	s.Must(err)
	id := made.BecameID
	set := func(file []byte) model.Group {
		t.Helper()
		s.files.Lay(photo.S3Key, string(file))
		_, err := s.rooms.Groups.SetPicture(t.Context(), "demo", id, "photo", "user-1")
		s.Must(err)
		s.sweeps()
		g, err := s.rooms.Groups.Get(t.Context(), id)
		s.Must(err)
		return g
	}
	s.db.Seed(t, tables.Messages, photo)
	if g := set(picture(t, 640, 640)); g.Asked.AnsweredAt == "" || g.Asked.Problem != "" || g.PictureHash != "" {
		t.Fatalf("%+v", g.Asked)
	}
	s.hears(1)
	g, err := s.rooms.Groups.Get(t.Context(), id)
	if err != nil || g.PictureHash == "" {
		t.Errorf("%+v, %v", g, err)
	}
	asked := len(s.meta.asked.All())
	var other bytes.Buffer
	s.Must(png.Encode(&other, image.NewGray(image.Rect(0, 0, 300, 300))))
	for name, file := range map[string][]byte{
		"not square": picture(t, 640, 480), "too small": picture(t, 191, 191), "no JPEG": other.Bytes(),
		"nothing": nil} {
		if g := set(file); !strings.Contains(g.Asked.Problem, "square") {
			t.Errorf("%s: %+v", name, g.Asked)
		}
	}
	if len(s.meta.asked.All()) != asked {
		t.Error("Meta was asked:", s.meta.asked.All()[asked:])
	}
}

func TestAFileThatCannotBeAPictureIsRefused(t *testing.T) {
	s := opened(t)
	theirs, large, erased, other := photo, photo, photo, photo
	theirs.PK, theirs.UploadedBy = keys.Media("theirs").Partition, "" // a customer has sent it
	large.PK, large.ContentLength = keys.Media("large").Partition, 5<<20+1
	erased.PK, erased.ErasedAt = keys.Media("erased").Partition, model.At(noon)
	other.PK, other.ContentType = keys.Media("other").Partition, "image/png"
	s.db.Seed(t, tables.Messages, theirs, large, erased, other)
	for _, id := range []model.MediaID{"theirs", "large", "erased", "other", "none", "a#b", ""} {
		if _, err := s.rooms.Groups.SetPicture(t.Context(), "demo", "g1", id, "user-1"); !errors.Is(err,
			groups.ErrNoPicture) {
			t.Errorf("%s: %v", id, err)
		}
	}
}
