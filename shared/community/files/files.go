// Package files owns the files of messages. A member gets a link to put one file under, and names the file in a message
// of the chat; its members get links to read it. A file is in the bucket as long as its record: what no message has
// after a day, and what a message has no more, is deleted by an event that is planned with the change of the record.
package files

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/community/chats"
	"github.com/haatline/haatline/shared/community/communities"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

// Prefix begins the keys of the objects.
const Prefix = "community/"

// How long a file can be put under its link, how long it can be read under one, and how long it waits for its message.
const (
	PutLasts  = 5 * time.Minute
	ReadLasts = 5 * time.Minute
	waitsFor  = 24 * time.Hour
)

// Files reads and writes the records of files.
type Files struct {
	DB     *dynamo.Client
	Now    func() time.Time
	NewID  func() string
	Outbox *outbox.Outbox
	// Bucket is where the files are. Only the function of the API has one.
	Bucket Bucket
}

// ObjectKey returns where a file of a chat is stored.
func ObjectKey(tenant model.TenantID, chat, file model.Name) string {
	return Prefix + string(tenant) + "/" + string(chat) + "/" + string(file)
}

// Ref refers to the record of a file.
func Ref(ref communitymodel.ChatRef, file model.Name) dynamo.Ref {
	return dynamo.Ref{Table: ref.Table(), Key: keys.ChatFile(ref.Key(), file)}
}

// In returns a file that a batch has read, of whoever has uploaded it, and that no message has yet. It reports false
// for any other: nobody learns what others have uploaded.
func In(found dynamo.Found, ref communitymodel.ChatRef, file, by model.Name) (f communitymodel.File, is bool,
	err error) {
	if err := dynamo.Unmarshal(Ref(ref, file).Found(found), &f); err != nil {
		return f, false, err
	}
	return f, f.Author == by && f.MessageID == "", nil
}

// made is what the record of a request says.
type made struct {
	ID model.Name `json:"id"`
}

// errOver is for a repeated request whose link is of no use any more.
var errOver = communitymodel.Breaks("upload-over", "Upload over",
	"The link of this request has ended, or a message has the file. Ask for another one with another key.")

// Begin records a file that a member is about to upload for a chat, and returns the link to put it under. The
// conditions are that the person takes part in the chat, and that there is no file with the id. A repeated request gets
// the first one's file, and a link that ends when the first one does. It returns a *problem.Error for a file that is
// not taken, and the errors of chats.SeeAsMember.
func (s *Files) Begin(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, n New,
	request idempotency.Request) (f communitymodel.File, link string, err error) {
	if err := n.check(); err != nil {
		return f, "", err
	}
	id := model.Name(s.NewID())
	err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		f, err = s.begin(ctx, ref, by, n, id, request)
		return err
	})
	if err != nil {
		return f, "", err
	}
	lasts := f.CreatedAt.Go().Add(PutLasts).Sub(s.Now())
	if lasts < time.Second || f.MessageID != "" {
		return f, "", errOver
	}
	link, err = s.Bucket.LinkToPutOnce(ctx, ObjectKey(by.TenantID, ref.ID, f.ID), f.Type, f.Size, lasts)
	return f, link, err
}

// begin records the file, or returns the one of the first request.
func (s *Files) begin(ctx context.Context, ref communitymodel.ChatRef, by communitymodel.User, n New, id model.Name,
	request idempotency.Request) (f communitymodel.File, err error) {
	found, err := s.DB.BatchGet(ctx, append(request.Refs(), chats.Refs(ref, by.ID)...))
	if err != nil {
		return f, err
	}
	seen, err := chats.InAsMember(found, ref, by)
	if err != nil {
		return f, err
	}
	var earlier made
	if done, err := request.Earlier(found, s.Now(), &earlier); err != nil || done {
		if err == nil {
			err = s.DB.Get(ctx, ref.Table(), keys.ChatFile(ref.Key(), earlier.ID), &f)
		}
		return f, err
	}
	f = n.file(ref, id, by.ID, model.At(s.Now()))
	writes, err := s.beginning(ref, seen, f)
	if err != nil {
		return f, err
	}
	remember, err := request.Writes(s.Now(), made{id})
	if err != nil {
		return f, err
	}
	return f, dynamo.Conflict(s.DB.Transact(ctx, append(writes, remember...)))
}

// beginning returns the writes of a new file: its record, and the event by which it goes if no message has it.
func (s *Files) beginning(ref communitymodel.ChatRef, seen chats.Seen, f communitymodel.File) ([]dynamo.Write, error) {
	item, err := dynamo.Marshal(f)
	if err != nil {
		return nil, err
	}
	goes, err := s.goes(seen.TenantID, ref, f.ID, model.At(f.CreatedAt.Go().Add(waitsFor)))
	writes := []dynamo.Write{
		dynamo.Put{Table: ref.Table(), Item: item, If: dynamo.IfAbsent}, goes, chats.IsIn(ref, f.Author)}
	if ref.Kind == communitymodel.Group {
		writes = append(writes, communities.IsMember(seen.CommunityID, f.Author))
	}
	return writes, err
}

// Taken returns the write by which a message has a file. Its condition is that the file is its author's, and that no
// message has it.
func Taken(ref communitymodel.ChatRef, file, author, message model.Name) dynamo.Update {
	return dynamo.Update{
		Table: ref.Table(), Key: keys.ChatFile(ref.Key(), file), Do: "SET MessageId = :message",
		If:     "Author = :author AND attribute_not_exists(MessageId)",
		Values: dynamo.Item{":message": dynamo.S(message), ":author": dynamo.S(author)},
	}
}

// Drop deletes the records of files that a message has no more, or never gets, and has the files go. The files go when
// the links to put them, made before an instant, have ended: else one could come after that. It may run again.
func (s *Files) Drop(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef, made model.Time,
	files ...model.Name) error {
	at := max(model.At(s.Now()), model.At(made.Go().Add(PutLasts)))
	var writes []dynamo.Write
	for _, file := range files {
		goes, err := s.goes(tenant, ref, file, at)
		if err != nil {
			return err
		}
		writes = append(writes, goes, dynamo.Delete{ // it may be gone already
			Table: ref.Table(), Key: keys.ChatFile(ref.Key(), file), If: dynamo.Unconditional})
	}
	if len(writes) == 0 {
		return nil
	}
	return dynamo.Conflict(s.DB.Transact(ctx, writes))
}

// By returns the query for the records of the files that a person has uploaded for a chat.
func By(ref communitymodel.ChatRef, user model.Name) dynamo.Query {
	return dynamo.Query{
		Table: ref.Table(), Where: "pk = :chat AND begins_with(sk, :files)", Filter: "Author = :user",
		Values: dynamo.Item{
			":chat": dynamo.S(ref.Key().Partition), ":files": dynamo.S(keys.ChatFiles), ":user": dynamo.S(user)},
	}
}

// DropAll has all files of a chat go. It may run again after any failure.
func (s *Files) DropAll(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef) error {
	q := By(ref, "")
	q.Filter = ""
	delete(q.Values, ":user")
	return s.dropFound(ctx, tenant, ref, q)
}

// Erase has all files of a person in a chat go. It may run again after any failure.
func (s *Files) Erase(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef, user model.Name) error {
	return s.dropFound(ctx, tenant, ref, By(ref, user))
}

// dropFound has the files go that a query finds. One that cannot go now holds up no other.
func (s *Files) dropFound(ctx context.Context, tenant model.TenantID, ref communitymodel.ChatRef,
	q dynamo.Query) error {
	rows, err := s.DB.Rows(ctx, q)
	if err != nil {
		return err
	}
	all, err := dynamo.Entities[communitymodel.File](rows)
	for _, f := range all {
		err = errors.Join(err, s.Drop(ctx, tenant, ref, f.CreatedAt, f.ID))
	}
	return err
}
