package communityapi

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/pictures"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/objects/objectstest"
)

const png = "\x89PNG\r\n\x1a\n a picture"

// pictureThings are uploaded pictures: of a person and of a community, that wait to be shown.
type pictureThings struct{ face, sign string }

// paints has a person and a community of theirs show a picture each, and uploads another one for each.
func (w *world) paints(by communitymodel.User, community string) (b pictureThings) {
	w.t.Helper()
	for _, of := range []pictures.Owner{{User: by.ID}, {Community: model.Name(community)}} {
		_, _, err := w.domain.Pictures.Show(w.t.Context(), of, by, communitymodel.Avatar, model.Name(w.painted(of, by)))
		w.must(err)
	}
	b.face = w.painted(pictures.Owner{User: by.ID}, by)
	b.sign = w.painted(pictures.Owner{Community: model.Name(community)}, by)
	return b
}

// painted puts a picture into the bucket, and returns its id.
func (w *world) painted(of pictures.Owner, by communitymodel.User) string {
	w.t.Helper()
	f, _, err := w.domain.Pictures.Begin(w.t.Context(), of, by, "image/png", int64(len(png)), unkeyed)
	w.must(err)
	w.must(objectstest.Bucket(func() time.Time { return w.now }).Put(w.t.Context(), objects.Object{
		Key: files.ObjectKey(by.TenantID, of.User+of.Community, f.ID), ContentType: f.Type,
		Body: strings.NewReader(png), Size: f.Size, SHA256: sha256.Sum256([]byte(png))}))
	return string(f.ID)
}

// pictureReads are the operations that change nothing.
var pictureReads = []string{"get-community-user-picture", "get-community-picture"}

// pictureWays returns, by operation of pictures, the request that is made of it.
func pictureWays() map[string]func(b belongings) request {
	user, mine := part(func(b belongings) string { return b.user }), part(func(b belongings) string { return b.mine })
	shows := func(form string, picture func(b belongings) string, parts ...part) func(b belongings) request {
		return func(b belongings) request {
			return path(form, fmt.Sprintf(`{"pictureId":%q}`, picture(b)), parts...)(b)
		}
	}
	const upload = `{"type":"image/png","size":19}`
	return map[string]func(b belongings) request{
		"upload-my-picture":          keyed(path("/me/pictures", upload)),
		"show-my-picture":            shows("/me/pictures/avatar", func(b belongings) string { return b.face }),
		"remove-my-picture":          path("/me/pictures/avatar", ""),
		"get-community-user-picture": path("/users/%s/pictures/avatar", "", user),
		"upload-community-picture":   keyed(path("/communities/%s/pictures", upload, mine)),
		"show-community-picture": shows("/communities/%s/pictures/avatar",
			func(b belongings) string { return b.sign }, mine),
		"remove-community-picture": path("/communities/%s/pictures/avatar", "", mine),
		"get-community-picture":    path("/communities/%s/pictures/avatar", "", mine),
	}
}

// Whoever sees a person or a community sees their pictures, by a link that ends.
func TestAPictureIsReadByALink(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	me := &caller{Subject: b.user, Session: b.session, Tenant: b.tenant}
	for id, is := range map[string]string{"get-community-user-picture": "face", "get-community-picture": "sign"} {
		r := pictureWays()[id](b)
		r.By, r.Method = me, http.MethodGet
		var picture communityPicture
		w.server.Do(t, r).Want(t, http.StatusOK, &picture)
		if picture.Type != "image/png" || !strings.Contains(picture.URL, picture.PictureID) {
			t.Errorf("%s: %+v", is, picture)
		}
	}
}
