// Package mailing sends a customer's statement on WhatsApp: as a document while free-form messages may be sent, else in
// a template. The message, the record of the file and what has WhatsApp get the file commit together, once for each
// request.
package mailing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/messaging/media"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Files records files that are sent. media.Files implements it.
type Files interface {
	Orders(ctx context.Context, phone model.PhoneNumberID, ids []model.MediaID) (media.Orders, error)
	Attach(ctx context.Context, orders media.Orders, record model.Media, shownBy model.MessageID) ([]dynamo.Write,
		error)
}

// Bucket keeps files. objects.Bucket implements it.
type Bucket interface {
	Put(ctx context.Context, o objects.Object) error
}

// Mailing sends statements.
type Mailing struct {
	DB      *dynamo.Client
	Now     func() time.Time
	NewID   func() string
	Sender  sending.Preparer
	Numbers tenancy.StoreFinder
	Files   Files
	Bucket  Bucket
}

// ErrNoNumber means that a store has no number to send from.
var ErrNoNumber = problem.New("the store has no number", problem.Error{
	Class: problem.Conflict, Code: "no-number", Title: "No WhatsApp number",
	Detail: "The store has no WhatsApp number of its own to send from. Give it one with phoneNumberIds of the store.",
})

// Templates are what customers get who have not written for a day.
var Templates = []whatsapp.OwnTemplate{{Name: khataStatement, Languages: []string{"en", "hi"}, Document: true, Body: 3}}

const (
	khataStatement = "khata_statement"
	pdfType        = "application/pdf"
	// recordLasts is how long the record of a file is kept that does not get into the bucket.
	recordLasts = 30 * 24 * time.Hour
)

// captions are what a document says below itself, by language.
var captions = map[string]string{
	"en":      "{store}: your account for {period}. The balance now is {balance}.",
	"hi":      "{store}: {period} का आपके खाते का हिसाब। अब बाकी {balance} है।",
	"hi-Latn": "{store}: {period} ka aapke khate ka hisaab. Ab baaki {balance} hai.",
}

// Sent is a statement that is on its way.
type Sent struct {
	MessageID      model.MessageID `json:"messageId"`
	MediaID        model.MediaID   `json:"mediaId"`
	ConversationPK string          `json:"conversationPk"`
	Template       bool            `json:"template"`
	AcceptedAt     model.Time      `json:"acceptedAt"`
}

// letter is one statement to be sent.
type letter struct {
	statement.Statement
	language, by string
	phone        model.PhoneNumberID
	file         model.Media
}

// Send sends a statement in a language. paper makes the file, once. A repeated request gets the first one's answer and
// sends nothing. It returns ErrNoNumber, the errors of sending.Sender.Prepare, and idempotency.ErrKeyReused.
func (m *Mailing) Send(ctx context.Context, s statement.Statement, language, by string, paper func() ([]byte, error),
	request idempotency.Request) (sent Sent, err error) {
	phone, err := m.number(ctx, s.Shop)
	if err != nil {
		return sent, err
	}
	id := model.MediaID(m.NewID())
	one := &letter{Statement: s, language: language, by: by, phone: phone, file: model.Media{
		PK: keys.Media(id).Partition, ItemType: model.ItemMedia, MediaID: id, PhoneNumberID: phone,
		ContentType: pdfType, Filename: filename(s),
		UploadedBy: by, TTL: m.Now().Add(recordLasts).Unix(),
	}}
	return sent, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		sent, err = m.send(ctx, one, paper, request)
		return err
	})
}

// number returns the first number of a store, if it leads to the store.
func (m *Mailing) number(ctx context.Context, s shop.Shop) (model.PhoneNumberID, error) {
	if len(s.Phones) == 0 {
		return "", ErrNoNumber
	}
	store, tenant, err := m.Numbers.StoreOf(ctx, s.Phones[0])
	if err == nil && (store != s.ID || tenant != s.Tenant) {
		err = ErrNoNumber
	}
	return s.Phones[0], err
}

// send makes one attempt.
func (m *Mailing) send(ctx context.Context, one *letter, paper func() ([]byte, error),
	request idempotency.Request) (sent Sent, err error) {
	found, err := m.DB.BatchGet(ctx, request.Refs())
	if err != nil {
		return sent, err
	}
	if repeated, err := request.Earlier(found, m.Now(), &sent); repeated || err != nil {
		return sent, err
	}
	orders, err := m.Files.Orders(ctx, one.phone, []model.MediaID{one.file.MediaID})
	if err != nil {
		return sent, err
	}
	prepared, template, err := m.prepare(ctx, one)
	if err != nil {
		return sent, err
	}
	if err := m.store(ctx, one, paper); err != nil {
		return sent, err
	}
	attached, err := m.Files.Attach(ctx, orders, one.file, prepared.MessageID)
	if err != nil {
		return sent, err
	}
	sent = Sent{prepared.MessageID, one.file.MediaID, prepared.ConversationPK, template, prepared.AcceptedAt}
	remember, err := request.Writes(m.Now(), sent)
	if err != nil {
		return sent, err
	}
	return sent, dynamo.Conflict(m.DB.Transact(ctx, append(append(prepared.Writes, attached...), remember...)))
}

// prepare returns the message: free-form if it may be, else a template.
func (m *Mailing) prepare(ctx context.Context, one *letter) (prepared sending.Prepared, template bool, err error) {
	customer, err := model.ParseCustomer(string(one.Customer))
	if err != nil {
		return prepared, false, err
	}
	either := sending.Either(sending.Outgoing{
		Tenant: one.Shop.Tenant, Phone: one.phone, Customer: customer, SentBy: one.by,
		Attached: []model.Media{one.file}}, one.document(), one.template())
	found, err := m.DB.BatchGet(ctx, either.Refs(m.Sender))
	if err != nil {
		return prepared, false, err
	}
	prepared, chosen, err := either.Prepare(ctx, m.Sender, found)
	return prepared, chosen > 0, err
}

// store puts the file under its incoming key, where it lasts for a day. The upload to WhatsApp keeps it.
func (m *Mailing) store(ctx context.Context, one *letter, paper func() ([]byte, error)) error {
	if one.file.ContentLength > 0 {
		return nil // an attempt before this one has
	}
	file, err := paper()
	if err != nil {
		return err
	}
	one.file.ContentLength, one.file.DetectedType = int64(len(file)), pdfType
	place := media.Payload{PhoneNumberID: one.phone, MediaID: one.file.MediaID}
	return m.Bucket.Put(ctx, objects.Object{
		Key: place.IncomingKey(one.Shop.Tenant), ContentType: pdfType, Body: bytes.NewReader(file),
		Size: int64(len(file)), SHA256: sha256.Sum256(file),
	})
}

func filename(s statement.Statement) string {
	first, last := s.Days()
	return "statement-" + first.Format(shop.DateLayout) + "-" + last.Format(shop.DateLayout) + ".pdf"
}

func (l letter) document() content.Content {
	fill := strings.NewReplacer("{store}", l.Shop.Name, "{period}", l.Period(l.language), "{balance}",
		l.Shop.Money(l.Balance))
	return content.Document{
		File: content.File{MediaID: string(l.file.MediaID)}, Caption: fill.Replace(captions[l.language]),
		Filename: l.file.Filename}
}

// template returns the template. A customer who reads Hindi in Latin letters may not read Devanagari.
func (l letter) template() content.Content {
	language := "en"
	if l.language == "hi" {
		language = "hi"
	}
	const longest = 300
	name := model.Truncate(strings.Join(strings.Fields(l.Shop.Name), " "), longest)
	return content.Template{
		Name: khataStatement, Language: language,
		Header: &content.TemplateHeader{Type: "document", MediaID: string(l.file.MediaID), Filename: l.file.Filename},
		Body:   []content.TemplateParameter{{Text: name}, {Text: l.Period(language)}, {Text: l.Shop.Money(l.Balance)}},
	}
}
