package community_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/pictures"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// paints has somebody put a picture into the bucket for an owner, and returns its id.
func (h *house) paints(of pictures.Owner, by communitymodel.User) model.Name {
	h.t.Helper()
	f, _, err := h.Pictures.Begin(h.ctx(), of, by, "image/png", int64(len(png)), none)
	h.must(err)
	h.bucket.put(pictureKey(of, f.ID), png)
	return f.ID
}

func pictureKey(of pictures.Owner, picture model.Name) string {
	return files.ObjectKey("demo", of.User+of.Community, picture)
}

// gallery is a house of registered people with a community of Asha's and Ravi's.
func gallery(t *testing.T) (h *house, me, community pictures.Owner) {
	h = newHouse(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	h.registers(asha, ravi)
	return h, pictures.Owner{User: "asha"}, pictures.Owner{Community: h.founds(asha, ravi).ID}
}

// A picture is shown until the next one is; then it goes, and the next one stays.
func TestAPictureIsShownUntilTheNextOne(t *testing.T) {
	h, me, community := gallery(t)
	asha := h.person("asha")
	for _, of := range []pictures.Owner{me, community} {
		first, second, unused := h.paints(of, asha), h.paints(of, asha), h.paints(of, asha)
		show := func(place communitymodel.PicturePlace, picture, want model.Name) {
			t.Helper()
			user, c, err := h.Pictures.Show(h.ctx(), of, asha, place, picture)
			h.must(err)
			shown := user.Pictures
			if of.Community != "" {
				shown = c.Pictures
			}
			is := *shown.At(place)
			if want == "" != (is == nil) || is != nil && is.ID != want {
				t.Errorf("%+v is shown at %s, want %s", is, place, want)
			}
		}
		show(communitymodel.Avatar, first, first)
		show(communitymodel.Avatar, first, first) // a repeated request
		if _, _, err := h.Pictures.Show(h.ctx(), of, asha, communitymodel.Cover, first); !errors.Is(err,
			communitymodel.ErrField) {
			t.Errorf("one picture at two places: %v", err)
		}
		show(communitymodel.Avatar, second, second)
		if _, _, err := h.Pictures.Show(h.ctx(), of, asha, communitymodel.Avatar, first); err == nil {
			t.Error("the former one is shown again")
		}
		was := h.now
		h.now = h.now.Add(6 * time.Minute)
		h.goes()
		if got := strings.Join(h.bucket.keys(), " "); strings.Contains(got, pictureKey(of, first)) ||
			!strings.Contains(got, pictureKey(of, second)) || !strings.Contains(got, pictureKey(of, unused)) {
			t.Errorf("in the bucket: %s", got)
		}
		h.now = h.now.Add(24 * time.Hour)
		h.goes()
		if got := strings.Join(h.bucket.keys(), " "); strings.Contains(got, pictureKey(of, unused)) ||
			!strings.Contains(got, pictureKey(of, second)) {
			t.Errorf("in the bucket a day later: %s", got)
		}
		show(communitymodel.Avatar, "", "")
		show(communitymodel.Avatar, "", "")
		h.now = was
	}
	h.now = noon.Add(48 * time.Hour)
	h.goes()
	if left := h.bucket.keys(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestWhichPicturesAreTaken(t *testing.T) {
	h, me, community := gallery(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	for kind, class := range map[string]problem.Class{
		"image/svg+xml": problem.Unsupported, "application/pdf": problem.Unsupported, "image/png": problem.TooLarge} {
		_, _, err := h.Pictures.Begin(h.ctx(), me, asha, kind, pictures.MaxSize+1, none)
		var is *problem.Error
		if !errors.As(err, &is) || is.Class != class {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, _, err := h.Pictures.Begin(h.ctx(), community, ravi, "image/png", 9, none); !errors.Is(err,
		communitymodel.ErrNoModerator) {
		t.Errorf("a plain member: %v", err)
	}
	missing, _, err := h.Pictures.Begin(h.ctx(), me, asha, "image/png", int64(len(png)), none)
	h.must(err)
	fake, _, err := h.Pictures.Begin(h.ctx(), me, asha, "image/png", int64(len(png)), none)
	h.must(err)
	h.bucket.put(pictureKey(me, fake.ID), "<script>"+strings.Repeat(" ", len(png)-8))
	theirs := h.paints(pictures.Owner{User: "ravi"}, ravi)
	for name, picture := range map[string]model.Name{
		"missing": missing.ID, "no picture": fake.ID, "another's": theirs, "none": "none",
		"the community's": h.paints(community, asha)} {
		if _, _, err := h.Pictures.Show(h.ctx(), me, asha, communitymodel.Avatar, picture); !errors.Is(err,
			communitymodel.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
	key := h.request("picture")
	first, _, err := h.Pictures.Begin(h.ctx(), me, asha, "image/png", 9, key)
	h.must(err)
	if again, _, err := h.Pictures.Begin(h.ctx(), me, asha, "image/png", 9, key); err != nil || again.ID != first.ID {
		t.Errorf("a repeated request: %+v, %v", again, err)
	}
	h.now = noon.Add(files.PutLasts)
	if _, _, err := h.Pictures.Begin(h.ctx(), me, asha, "image/png", 9, key); !errors.Is(err, communitymodel.ErrRule) {
		t.Errorf("a link that has ended: %v", err)
	}
}

// An erasure takes a person's pictures, shown or not, and the end of a community takes its own.
func TestPicturesGoWithTheirOwner(t *testing.T) {
	h, me, community := gallery(t)
	asha := h.person("asha")
	for _, of := range []pictures.Owner{me, community} {
		_, _, err := h.Pictures.Show(h.ctx(), of, asha, communitymodel.Avatar, h.paints(of, asha))
		h.must(err)
		h.paints(of, asha)
	}
	h.must(h.Closing.Community(h.ctx(), community.Community, asha, actor))
	h.sends()
	h.must(h.erases("asha@example.com"))
	if _, _, err := h.Pictures.Begin(h.ctx(), me, asha, "image/png", 9, none); err == nil {
		t.Error("somebody who was erased uploads")
	}
	h.now = noon.Add(files.PutLasts)
	h.goes()
	if left := h.bucket.keys(); len(left) != 0 || strings.Contains(h.stored(), "PICTURE#") {
		t.Errorf("left: %v", left)
	}
}

// Who moderates no more changes no picture, whatever they have uploaded before.
func TestAFormerModeratorShowsNoPicture(t *testing.T) {
	h, _, community := gallery(t)
	asha, ravi := h.person("asha"), h.person("ravi")
	_, err := h.Communities.SetRole(h.ctx(), community.Community, asha, "ravi", communitymodel.Moderator, actor)
	h.must(err)
	picture := h.paints(community, ravi)
	h.must(h.Communities.Ban(h.ctx(), community.Community, asha, communities.Ban{User: "ravi"}, actor))
	if _, _, err := h.Pictures.Show(h.ctx(), community, ravi, communitymodel.Avatar, picture); !errors.Is(err,
		dynamo.ErrNotFound) {
		t.Error(err)
	}
}

func TestPicturesSurviveEveryCrashPoint(t *testing.T) {
	var of pictures.Owner
	var picture model.Name
	for name, operation := range map[string]func(ctx context.Context, h *house) error{
		"upload": func(ctx context.Context, h *house) error {
			_, _, err := h.Pictures.Begin(ctx, of, h.person("asha"), "image/png", 9, h.request("picture"))
			return err
		},
		"show": func(ctx context.Context, h *house) error {
			_, _, err := h.Pictures.Show(ctx, of, h.person("asha"), communitymodel.Avatar, picture)
			return err
		},
		"remove": func(ctx context.Context, h *house) error {
			_, _, err := h.Pictures.Show(ctx, of, h.person("asha"), communitymodel.Avatar, "")
			return err
		},
		"go": func(ctx context.Context, h *house) error {
			for _, event := range h.events() {
				if event.EventType == pictures.GoingType {
					if _, err := h.SlowHandlers(h.bucket)[pictures.GoingType].Send(ctx, event); err != nil {
						return err
					}
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			var seeded *dynamotest.DB
			dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: allTables,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					seeded = db
					h := on(t, db, db.Client)
					asha := h.person("asha")
					h.registers(asha)
					of = pictures.Owner{Community: h.founds(asha).ID}
					_, _, err := h.Pictures.Show(h.ctx(), of, asha, communitymodel.Avatar, h.paints(of, asha))
					h.must(err)
					picture = h.paints(of, asha)
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					h := on(t, seeded, client)
					h.now, h.sameID = noon.Add(time.Minute), "new"
					return operation(ctx, h)
				},
			})
		})
	}
}
