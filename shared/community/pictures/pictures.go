// Package pictures owns the uploaded pictures of people and of communities: an avatar and a cover each. A link takes
// one picture once, as one of a chat's files does. The record of a picture is with its owner. A picture is in the
// bucket as long as its record: what is not shown after a day, and what is shown no more, goes by a planned event.
package pictures

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/files"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// MaxSize is the largest size of a picture, in bytes.
const MaxSize = 5 << 20

// waitsFor is how long a picture waits to be shown.
const waitsFor = 24 * time.Hour

// Pictures reads and writes pictures.
type Pictures struct {
	DB          *dynamo.Client
	Now         func() time.Time
	NewID       func() string
	Outbox      *outbox.Outbox
	Communities *communities.Communities
	Files       *files.Files // whose bucket has the pictures
}

// The problems of pictures that are not taken.
var (
	errType = problem.New("not a picture", problem.Error{
		Class: problem.Unsupported, Code: "file-type", Title: "File type not taken",
		Detail: "A picture is a JPEG, PNG, GIF or WebP file."})
	errSize = problem.New("too large a picture", problem.Error{
		Class: problem.TooLarge, Code: "file-too-large", Title: "File too large",
		Detail: "A picture has up to 5 MB."})
	errOver = communitymodel.Breaks("upload-over", "Upload over",
		"The link of this request has ended, or the picture is shown. Ask for another one with another key.")
	errNone = communitymodel.Wrong("body.pictureId",
		"no picture that was uploaded for this, is what was said of it, and was not shown before")
)

// Owner is whose a picture is: a person, or a community. The other one is "".
type Owner struct{ User, Community model.Name }

func (o Owner) id() model.Name { return o.User + o.Community }

// ref refers to the record of a picture.
func (o Owner) ref(picture model.Name) dynamo.Ref {
	if o.Community != "" {
		return dynamo.Ref{Table: tables.Communities, Key: keys.PictureOfCommunity(o.Community, picture)}
	}
	return dynamo.Ref{Table: tables.CommunityNotifications, Key: keys.PictureOfUser(o.User, picture)}
}

// partition returns where the records of an owner's pictures are.
func (o Owner) partition() (tables.Table, string) {
	if o.Community != "" {
		return tables.Communities, keys.Community(o.Community).Partition
	}
	return tables.CommunityNotifications, keys.CommunityUser(o.User).Partition
}

// may returns the condition that somebody may upload pictures for the owner: an erasure begins by disabling the person.
func (o Owner) may(by model.Name) dynamo.Write {
	if o.Community != "" {
		return communities.IsMember(o.Community, by)
	}
	return dynamo.Check{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(by),
		If: "attribute_exists(pk) AND attribute_not_exists(DisabledAt) AND attribute_not_exists(ErasedAt)",
	}
}

// object returns where a picture is stored.
func (o Owner) object(tenant model.TenantID, picture model.Name) string {
	return files.ObjectKey(tenant, o.id(), picture)
}

// made is what the record of a request says.
type made struct {
	ID model.Name `json:"id"`
}

// Begin records a picture that is about to be uploaded, and returns the link to put it under. The condition is that its
// owner may have pictures. A repeated request gets the first one's picture, and a link that ends when the first one
// does.
func (s *Pictures) Begin(ctx context.Context, of Owner, by communitymodel.User, contentType string, size int64,
	request idempotency.Request) (f communitymodel.PictureFile, link string, err error) {
	switch {
	case !files.IsPicture(contentType):
		return f, "", errType
	case size > MaxSize:
		return f, "", errSize
	}
	id := model.Name(s.NewID())
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		f = communitymodel.PictureFile{ID: id, Type: contentType, Size: size, CreatedAt: model.At(s.Now())}
		return s.begin(ctx, of, by, &f, request)
	})
	if err != nil {
		return f, "", err
	}
	lasts := f.CreatedAt.Go().Add(files.PutLasts).Sub(s.Now())
	if lasts < time.Second || f.ShownAs != "" {
		return f, "", errOver
	}
	link, err = s.Files.Bucket.LinkToPutOnce(ctx, of.object(by.TenantID, f.ID), f.Type, f.Size, lasts)
	return f, link, err
}

// begin stores the record of a picture, or reads that of the first request.
func (s *Pictures) begin(ctx context.Context, of Owner, by communitymodel.User, f *communitymodel.PictureFile,
	request idempotency.Request) error {
	if _, err := s.read(ctx, of, by); err != nil {
		return err
	}
	found, err := s.DB.BatchGet(ctx, request.Refs())
	if err != nil {
		return err
	}
	var earlier made
	if done, err := request.Earlier(found, s.Now(), &earlier); err != nil || done {
		if err == nil {
			ref := of.ref(earlier.ID)
			err = s.DB.Get(ctx, ref.Table, ref.Key, f)
		}
		return err
	}
	ref := of.ref(f.ID)
	f.PK, f.SK = ref.Key.Partition, ref.Key.Sort
	item, err := dynamo.Marshal(*f)
	if err != nil {
		return err
	}
	goes, err := s.goes(by.TenantID, of, f.ID, model.At(f.CreatedAt.Go().Add(waitsFor)))
	if err != nil {
		return err
	}
	remember, err := request.Writes(s.Now(), made{f.ID})
	if err != nil {
		return err
	}
	return dynamo.Conflict(s.DB.Transact(ctx, append([]dynamo.Write{
		dynamo.Put{Table: ref.Table, Item: item, If: dynamo.IfAbsent}, goes, of.may(by.ID)}, remember...)))
}

// owned is an owner as they were read: what puts them back, and their pictures.
type owned struct {
	shown *communitymodel.Pictures
	put   func() (dynamo.Put, error)
	who   communitymodel.User
	what  communitymodel.Community
}

// read reads an owner, for somebody who may change their pictures.
func (s *Pictures) read(ctx context.Context, of Owner, by communitymodel.User) (*owned, error) {
	o := &owned{}
	if of.Community != "" {
		seen, err := s.Communities.SeeAsModerator(ctx, of.Community, by)
		o.what, o.shown = seen.Community, &o.what.Pictures
		o.put = func() (dynamo.Put, error) { return dynamo.PutVersion(tables.Communities, &o.what) }
		return o, err
	}
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{users.Ref(of.User)})
	if err != nil {
		return o, err
	}
	o.who, err = users.In(found, of.User)
	if err == nil && !o.who.Active() {
		err = dynamo.ErrNotFound
	}
	o.shown = &o.who.Pictures
	o.put = func() (dynamo.Put, error) { return dynamo.PutVersion(tables.CommunityUsers, &o.who) }
	return o, err
}

// Show shows a picture at a place, and has the one before go; "" for no picture. The conditions are that the owner is
// as they were read, and that the picture was uploaded for them and not shown before. A repeated request changes
// nothing.
func (s *Pictures) Show(ctx context.Context, of Owner, by communitymodel.User, place communitymodel.PicturePlace,
	picture model.Name) (communitymodel.User, communitymodel.Community, error) {
	looked := false
	var o *owned
	err := dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() (err error) {
		if o, err = s.read(ctx, of, by); err != nil {
			return err
		}
		slot := o.shown.At(place)
		was := *slot
		if was == nil && picture == "" || was != nil && was.ID == picture {
			return nil
		}
		var writes []dynamo.Write
		*slot = nil
		if picture != "" {
			if *slot, err = s.uploaded(ctx, by.TenantID, of, picture, &looked); err != nil {
				return err
			}
			writes = append(writes, shown(of, picture, place))
		}
		if was != nil {
			dropped, err := s.dropped(by.TenantID, of, was.ID, was.UploadedAt)
			if err != nil {
				return err
			}
			writes = append(writes, dropped...)
		}
		put, err := o.put()
		if err != nil {
			return err
		}
		return dynamo.Conflict(s.DB.Transact(ctx, append(writes, put)))
	})
	if err != nil {
		return communitymodel.User{}, communitymodel.Community{}, err
	}
	return o.who, o.what, nil
}

// uploaded returns a picture that was uploaded for an owner and not shown before. It is looked at once.
func (s *Pictures) uploaded(ctx context.Context, tenant model.TenantID, of Owner, picture model.Name, looked *bool) (
	*communitymodel.Picture, error) {
	var f communitymodel.PictureFile
	ref := of.ref(picture)
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	if err != nil {
		return nil, err
	}
	if err := dynamo.Unmarshal(ref.Found(found), &f); err != nil {
		return nil, err
	}
	if f.ID == "" || f.ShownAs != "" {
		return nil, errNone
	}
	if !*looked {
		is, err := s.Files.Looks(ctx, of.object(tenant, picture), f.Type, f.Size)
		if err != nil {
			return nil, err
		}
		if !is {
			return nil, errNone
		}
		*looked = true
	}
	return f.Picture(), nil
}

// shown returns the write by which a picture is shown. Its condition is that it was not shown before.
func shown(of Owner, picture model.Name, place communitymodel.PicturePlace) dynamo.Update {
	ref := of.ref(picture)
	return dynamo.Update{
		Table: ref.Table, Key: ref.Key, Do: "SET ShownAs = :place",
		If:     "attribute_exists(pk) AND attribute_not_exists(ShownAs)",
		Values: dynamo.Item{":place": dynamo.S(place)},
	}
}

// Link returns an address under which a picture can be read for some time.
func (s *Pictures) Link(ctx context.Context, tenant model.TenantID, of Owner, p communitymodel.Picture) (string,
	error) {
	return s.Files.LinkTo(ctx, of.object(tenant, p.ID), communitymodel.Attachment{Name: string(p.ID), Type: p.Type})
}
