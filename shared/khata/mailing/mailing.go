// Package mailing sends a customer's statement on WhatsApp: as a document while free-form messages may be sent, else in
// a template. The message, the record of the file and what has WhatsApp get the file commit together, once for each
// request.
package mailing

import (
	"context"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/khata/statement"
	"github.com/haatline/haatline/shared/messaging/papers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// Mailing sends statements.
type Mailing struct {
	papers.Post
	NewID   func() string
	Numbers shop.Finder
}

// Templates are what customers get who have not written for a day.
var Templates = []whatsapp.OwnTemplate{{Name: khataStatement, Languages: []string{"en", "hi"}, Document: true, Body: 3}}

const khataStatement = "khata_statement"

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

// letter returns a statement as a paper, in a language. pdf makes the file.
func letter(s statement.Statement, language string, pdf func() ([]byte, error)) papers.Paper {
	return papers.Paper{
		Filename: filename(s), File: pdf,
		Contents: func(file model.Media) []content.Content {
			return []content.Content{document(s, language, file), template(s, language, file)}
		}}
}

// Send sends a statement in a language. paper makes the file, once. A repeated request gets the first one's answer and
// sends nothing. It returns shop.ErrNoNumber, the errors of sending.Sender.Prepare, and idempotency.ErrKeyReused.
func (m *Mailing) Send(ctx context.Context, s statement.Statement, language, by string, paper func() ([]byte, error),
	request idempotency.Request) (sent Sent, err error) {
	phone, err := s.Shop.Number(ctx, m.Numbers)
	if err != nil {
		return sent, err
	}
	one := &papers.Letter{
		Paper: letter(s, language, paper), Tenant: s.Shop.Tenant, Phone: phone, By: by,
		MediaID: model.MediaID(m.NewID())}
	if one.Customer, err = model.ParseCustomer(string(s.Customer)); err != nil {
		return sent, err
	}
	return sent, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		sent, err = m.send(ctx, one, request)
		return err
	})
}

// send makes one attempt.
func (m *Mailing) send(ctx context.Context, one *papers.Letter, request idempotency.Request) (sent Sent, err error) {
	found, err := m.DB.BatchGet(ctx, request.Refs())
	if err != nil {
		return sent, err
	}
	if repeated, err := request.Earlier(found, m.Now(), &sent); repeated || err != nil {
		return sent, err
	}
	prepared, chosen, err := m.Prepare(ctx, one)
	if err != nil {
		return sent, err
	}
	sent = Sent{prepared.MessageID, one.MediaID, prepared.ConversationPK, chosen > 0, prepared.AcceptedAt}
	remember, err := request.Writes(m.Now(), sent)
	if err != nil {
		return sent, err
	}
	return sent, dynamo.Conflict(m.DB.Transact(ctx, append(prepared.Writes, remember...)))
}

func filename(s statement.Statement) string {
	first, last := s.Days()
	return "statement-" + first.Format(shop.DateLayout) + "-" + last.Format(shop.DateLayout) + ".pdf"
}

func document(s statement.Statement, language string, file model.Media) content.Content {
	fill := strings.NewReplacer("{store}", s.Shop.Name, "{period}", s.Period(language), "{balance}",
		s.Shop.Money(s.Balance))
	return content.Document{
		File: content.File{MediaID: string(file.MediaID)}, Caption: fill.Replace(captions[language]),
		Filename: file.Filename}
}

// template returns the template. A customer who reads Hindi in Latin letters may not read Devanagari.
func template(s statement.Statement, reads string, file model.Media) content.Content {
	language := "en"
	if reads == "hi" {
		language = "hi"
	}
	const longest = 300
	name := model.Truncate(strings.Join(strings.Fields(s.Shop.Name), " "), longest)
	return content.Template{
		Name: khataStatement, Language: language,
		Header: &content.TemplateHeader{Type: "document", MediaID: string(file.MediaID), Filename: file.Filename},
		Body:   []content.TemplateParameter{{Text: name}, {Text: s.Period(language)}, {Text: s.Shop.Money(s.Balance)}},
	}
}
