// Package collecting takes emails that have come in: it reads what SES has put into the bucket, keeps its files, and
// has it kept and logged. It weighs much, so that only the function of the slow lane holds it. The function inbound
// reads the log.
package collecting

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/mail/received"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/webhooklog"
)

// MaxRaw is how large an email is at most, in bytes: SES takes no larger one.
const MaxRaw = 40 << 20

// Mailboxes knows whose email addresses are: companies.Companies.
type Mailboxes interface {
	// MailboxOf returns the tenant whose company an address is; "" for an address of nobody.
	MailboxOf(ctx context.Context, address string) (model.TenantID, error)
}

// Bucket keeps emails and their files: objects.Bucket.
type Bucket interface {
	Name() string
	Get(ctx context.Context, key string, w io.Writer, most int64) error
	Put(ctx context.Context, o objects.Object) error
	Delete(ctx context.Context, key string) error
}

// Collecting takes emails.
type Collecting struct {
	Arrivals  *arrivals.Arrivals
	Log       webhooklog.Appender
	Mailboxes Mailboxes
	Bucket    Bucket
}

// Why an email is logged as one that nobody has read.
const (
	ownerless   = "no company has the address that the email came to"
	elsewhere   = "the email lies where no email is read from"
	unaddressed = "the notice of the email names no address of its recipient"
	gone        = "the email is not in the bucket any more"
	tooLarge    = "the email is larger than 40 MB"
	unreadable  = "the email cannot be read"
	senderless  = "the email names no sender"
)

// unread says why an email cannot be read.
type unread string

func (u unread) Error() string { return string(u) }

// arrival is an email at one of its recipients.
type arrival struct {
	id      model.EventID
	tenant  model.TenantID
	address string
}

// Email takes an email of which SES tells. Each company that it came to gets it as a message of its own. The raw email
// goes from the bucket when everything that it says is kept. What nobody can read, or what came to an address of
// nobody, is logged as that, and the raw email stays. Spam and viruses for an address of nobody are dropped: anybody
// can guess addresses. A failure at one recipient does not hold up the others. Email may be called again with the same
// notice.
func (c *Collecting) Email(ctx context.Context, n notices.Notice) error {
	if n.Bucket != c.Bucket.Name() || !strings.HasPrefix(n.Key, media.RawMail) {
		return c.unread(ctx, arrival{id: arrivals.ID(model.ChannelEmail, "", n.ID)}, "", elsewhere)
	}
	to := slices.Compact(slices.Sorted(slices.Values(n.To)))
	if len(to) == 0 {
		return c.unread(ctx, arrival{id: arrivals.ID(model.ChannelEmail, "", n.ID)}, n.Key, unaddressed)
	}
	var ours []arrival
	var failed error
	whole := true // nothing is left in the raw email that is not kept
	for _, address := range to {
		of, done, err := c.at(ctx, n, address)
		if failed = errors.Join(failed, err); err == nil && of != nil {
			ours = append(ours, *of)
		}
		whole = whole && done
	}
	if len(ours) > 0 {
		kept, err := c.take(ctx, n, to, ours)
		failed, whole = errors.Join(failed, err), whole && kept
	}
	if failed != nil || !whole {
		return failed
	}
	if err := c.Bucket.Delete(ctx, n.Key); err != nil {
		return fmt.Errorf("delete a raw email: %w", err)
	}
	return nil
}

// at returns what is to be taken of an email at one recipient; nil for nothing. It reports whether the raw email may go
// as far as this recipient is concerned.
func (c *Collecting) at(ctx context.Context, n notices.Notice, address string) (of *arrival, done bool, err error) {
	a := arrival{id: arrivals.ID(model.ChannelEmail, address, n.ID), address: address}
	if a.tenant, err = c.Mailboxes.MailboxOf(ctx, address); err != nil {
		return nil, false, err
	}
	entry, err := c.Arrivals.Log.Entry(ctx, a.id)
	switch {
	case err == nil && entry.ProcessingError != "":
		return nil, false, nil
	case err == nil:
		return nil, true, c.withoutErased(ctx, a)
	case !errors.Is(err, dynamo.ErrNotFound):
		return nil, false, err
	case a.tenant != "":
		return &a, true, nil
	case n.Infected || n.Spam:
		return nil, true, nil
	}
	return nil, false, c.unread(ctx, a, n.Key, ownerless)
}

// take reads an email, and keeps it for each of its recipients. It reports false if that is not possible. It goes on
// with the others if it fails at one.
func (c *Collecting) take(ctx context.Context, n notices.Notice, own []string, all []arrival) (kept bool, err error) {
	email, err := c.read(ctx, n.Key, own)
	if err == nil && email.From.Address == "" {
		err = unread(senderless)
	}
	var why unread
	if err != nil && !errors.As(err, &why) {
		return false, err
	}
	var failed error
	for _, a := range all {
		if err != nil {
			failed = errors.Join(failed, c.unread(ctx, a, n.Key, string(why)))
		} else {
			failed = errors.Join(failed, c.keep(ctx, a, n, email))
		}
	}
	return err == nil && failed == nil, failed
}

// read reads a raw email. It lies in a file meanwhile, because it may be larger than what the function should hold. It
// returns an unread for one that cannot be read.
func (c *Collecting) read(ctx context.Context, key string, own []string) (email received.Email, err error) {
	file, err := os.CreateTemp("", "email")
	if err != nil {
		return email, fmt.Errorf("read an email: %w", err)
	}
	defer func() { _ = errors.Join(file.Close(), os.Remove(file.Name())) }() // the function ends with it
	err = c.Bucket.Get(ctx, key, file, MaxRaw+1)
	if errors.Is(err, objects.ErrNone) {
		return email, unread(gone)
	}
	if err != nil {
		return email, fmt.Errorf("read an email: %w", err)
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return email, fmt.Errorf("read an email: %w", err)
	}
	if size > MaxRaw {
		return email, unread(tooLarge)
	}
	if email, err = received.Read(file, own); errors.Is(err, received.ErrUnreadable) {
		return email, unread(unreadable)
	}
	return email, err
}

// keep keeps an email that came to a company: its files first, so that nobody finds a message without them.
func (c *Collecting) keep(ctx context.Context, a arrival, n notices.Notice, email received.Email) error {
	m := message(a, n, email)
	for i, file := range email.Files {
		if n.Infected {
			m.LeftOut = append(m.LeftOut, model.LeftOut{Name: file.Name, Reason: infected})
			continue
		}
		of := model.Attached{Name: file.Name, Type: file.Type, Size: len(file.Data), Key: fileKey(a, i)}
		err := c.Bucket.Put(ctx, objects.Object{
			Key: of.Key, ContentType: of.Type, Body: bytes.NewReader(file.Data), Size: int64(of.Size),
			SHA256: sha256.Sum256(file.Data)})
		if err != nil {
			return fmt.Errorf("keep a file of an email: %w", err)
		}
		m.Files = append(m.Files, of)
	}
	err := c.Arrivals.Keep(ctx, a.id, m)
	if errors.Is(err, arrivals.ErrKnown) {
		return c.withoutErased(ctx, a)
	}
	if err != nil {
		return err
	}
	return c.Arrivals.Append(ctx, c.Log, a.id, m)
}

// withoutErased deletes the files of an email that was erased: a notice that came again may have put them back.
func (c *Collecting) withoutErased(ctx context.Context, a arrival) error {
	_, err := c.Arrivals.Get(ctx, a.id)
	if !errors.Is(err, dynamo.ErrNotFound) {
		return err
	}
	for i := range received.MaxAttachments {
		if err := c.Bucket.Delete(ctx, fileKey(a, i)); err != nil {
			return fmt.Errorf("delete a file of an erased email: %w", err)
		}
	}
	return nil
}

// unread logs that an email has come that was not read. key is where it lies.
func (c *Collecting) unread(ctx context.Context, a arrival, key, why string) error {
	return c.Arrivals.AppendUnread(ctx, c.Log, arrivals.Unread{
		ID: a.id, Channel: model.ChannelEmail, Tenant: a.tenant, Key: key, Why: why})
}

// fileKey returns where a file of an email is kept.
func fileKey(a arrival, n int) string {
	return fmt.Sprintf("%s%s/email/%s/%d", media.Kept, a.tenant, a.id, n)
}
