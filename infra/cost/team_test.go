package cost

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/media/fetching"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects/objectstest"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// photographed is Meta with one photo.
type photographed struct{ photo []byte }

func (p photographed) File(context.Context, string, string) (whatsapp.HeldFile, error) {
	return whatsapp.HeldFile{URL: "https://lookaside.fbsbx.com/photo", MimeType: "image/png",
		Size: int64(len(p.photo))}, nil
}

func (p photographed) Download(_ context.Context, _, _ string, w io.Writer) error {
	_, err := w.Write(p.photo)
	return err
}

func (photographed) Upload(context.Context, whatsapp.Upload) (string, error) {
	return "", http.ErrNotSupported
}

// sendsPhoto has the customer send a photo, which is not fetched yet.
func (s *system) sendsPhoto() {
	s.known()
	s.db.Seed(s.t, tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA})
	s.post(wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Asha Rao")},
		wt.Message(customer, wamid(2), "image", s.now, wt.Object{
			"image": wt.Object{"id": "1166846181421424", "mime_type": "image/png", "sha256": ""}}))))
	s.consume()
}

// fetchesPhoto has the slow lane fetch the photo, and checks that it has got a thumbnail.
func (s *system) fetchesPhoto() {
	var photo bytes.Buffer
	s.must(png.Encode(&photo, image.NewGray(image.Rect(0, 0, 800, 600))))
	rooms := s.rooms()
	s.relays(fetching.New(rooms.Files, photographed{photo.Bytes()}, objectstest.Bucket(rooms.Now)).Handlers())
	m, err := rooms.Message(s.flow(), model.MessageID(wamid(2)))
	if s.must(err); m.Look == nil || m.Look.Thumbnail == "" {
		s.t.Errorf("the photo has no thumbnail: %+v", m.Look)
	}
}

// asha is whom the team works for.
func asha() contacts.Customer { return contacts.KnownByKey(wt.Phone, customer) }

// notes has a colleague write a note that names others.
func (s *system) notes(mentions ...string) {
	_, err := s.rooms().Teamwork.PutNote(s.flow(), asha(), "note-1",
		teamwork.NoteFacts{Text: forty, Mentions: mentions}, "meena")
	s.must(err)
}

// drafts has a colleague write the draft of an answer, from its version on.
func (s *system) drafts(version int64) int64 {
	d, err := s.rooms().Teamwork.PutDraft(s.flow(), asha(), strings.Repeat(forty, int(1+min(version, 1))), "meena",
		version)
	s.must(err)
	return d.Version
}

// teamFlows returns what it costs that a team works together, and that it sees files.
func teamFlows() []flow {
	known := func(s *system) { s.known() }
	named := []string{"ravi", "sunita"}
	var version int64
	return []flow{
		{name: "a customer's photo that is fetched, with its thumbnail", max: 24, before: (*system).sendsPhoto,
			run: (*system).fetchesPhoto},
		{name: "a note that names nobody", max: 12, before: known, run: func(s *system) { s.notes() }},
		{name: "a note that names two colleagues", max: 24, before: known,
			run: func(s *system) { s.notes(named...) }},
		{name: "asking who has named a colleague", before: func(s *system) {
			s.known()
			s.notes(named...)
		}, run: func(s *system) {
			customers, err := s.rooms().Teamwork.Mentioning(s.flow(), wt.Phone, "ravi")
			if s.must(err); len(customers) != 1 {
				s.t.Errorf("named of %v", customers)
			}
		}},
		{name: "a colleague who looks at the note that names them", max: 4, before: func(s *system) {
			s.known()
			s.notes(named...)
		}, run: func(s *system) { s.must(s.rooms().Teamwork.Seen(s.flow(), asha(), "ravi")) }},
		{name: "the beginning of a draft", max: 4, before: known, run: func(s *system) { s.drafts(0) }},
		{name: "a draft that goes on", max: 4, before: func(s *system) {
			s.known()
			version = s.drafts(0)
			s.now = s.now.Add(1)
		}, run: func(s *system) { s.drafts(version) }},
		{name: "reading a draft", before: func(s *system) {
			s.known()
			s.drafts(0)
		}, run: func(s *system) {
			_, err := s.rooms().Teamwork.Draft(s.flow(), asha())
			s.must(err)
		}},
		{name: "accepting an answer whose draft goes with it", max: 30, before: func(s *system) {
			s.known()
			version = s.drafts(0)
		}, run: func(s *system) {
			_, err := s.rooms().Accept(s.flow(), sending.Outgoing{
				Tenant: "demo", Phone: wt.Phone, Customer: customer, SentBy: "meena",
				Content: content.Text{Body: forty},
				With: func(ctx context.Context) ([]dynamo.Write, error) {
					return s.rooms().Teamwork.Sent(ctx, asha(), version)
				},
			}, idempotency.Request{})
			s.must(err)
		}},
	}
}
