package campaigns

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/campaigns/filling"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

const (
	// batchSize is how many messages are handed to the outbox before that is stored.
	batchSize = 20
)

// send hands the next batch of a campaign to the outbox, or has the campaign wait.
func (s *Campaigns) send(ctx context.Context, c model.Campaign) error {
	places := placesOf(c)
	if c.Part >= len(places) {
		return s.handed(ctx, c)
	}
	number, err := s.sender(ctx, c)
	if err != nil {
		return err
	}
	if number.TenantID != c.TenantID {
		return s.pause(ctx, c, problemNumber)
	}
	at := places[c.Part]
	index := at.first + int64(c.Position)
	left := at.size - c.Position
	if t := c.Test; t != nil && t.DecidedAt == "" {
		if index >= t.Sample {
			return s.decide(ctx, c, places)
		}
		left = min(left, int(t.Sample-index))
	}
	if c.Position == 0 && c.Part > 1 { // who watches the campaign sees how far it has come
		if _, err := s.tally(ctx, c, places[c.Part-2], nil); err != nil {
			return err
		}
	}
	hinders, err := s.hindered(ctx, c, number)
	if err != nil {
		return err
	}
	allowed, err := s.allowance(ctx, number)
	if err != nil {
		return err
	}
	if hinders.what == "" && allowed == 0 {
		hinders = hindrance{waitsForLimit, s.Now().Add(time.Hour)}
	}
	next := batch{c: c, number: number, at: at, size: left}
	switch {
	case hinders.what == "":
		if waits, err := s.behind(ctx, c, number, places); err != nil || waits {
			return err
		}
		next.size = min(batchSize, left, allowed)
		return s.sendSome(ctx, next)
	case c.SkipsNotNow && hinders.what != waitsForNumber:
		next.skip = hinders.what
		return s.handOver(ctx, next)
	}
	return s.wait(ctx, c, hinders.what, hinders.until)
}

// sender returns the number of a campaign; the zero value for one that is not there any more. It may be another
// tenant's by now.
func (s *Campaigns) sender(ctx context.Context, c model.Campaign) (model.Phone, error) {
	number, err := s.Numbers.Number(ctx, c.PhoneNumberID)
	if errors.Is(err, dynamo.ErrNotFound) {
		return model.Phone{}, nil
	}
	return number, err
}

// sendSome sends as much of a batch as the number's pace allows.
func (s *Campaigns) sendSome(ctx context.Context, b batch) error {
	got, wait, err := s.tokens(ctx, b.number, b.size)
	if err != nil {
		return err
	}
	if got == 0 {
		return s.Sleep(ctx, wait)
	}
	b.size = got
	return s.handOver(ctx, b)
}

// batch is the next recipients of a campaign.
type batch struct {
	c      model.Campaign
	number model.Phone
	at     place
	size   int
	skip   string // why none of them gets a message; "" if they do
}

// The outcomes of a recipient in a batch.
const (
	accepted = ""       // the outbox has the message
	aside    = "\x00"   // it failed in passing, and is tried again at the end
	failed   = "failed" // it kept failing
)

// The reasons for which a recipient is skipped, beside waitsForHours and waitsForLimit.
const (
	skipErased      = "erased"
	skipMissing     = "missing_value"
	skipContent     = "invalid_content"
	skipOptedOut    = "opted_out"
	skipMarketing   = "marketing_stopped"
	skipUnreachable = "unreachable"
	skipNeedsNumber = "needs_number"
	skipSamePerson  = "same_person"
)

// handOver hands a batch to the outbox and stores how far the campaign has come, with what has become of those who get
// no message. The condition is that the campaign is still at the batch: it may have been stopped meanwhile. After a
// crash the same batch is handed over again, and its messages have the same ids.
func (s *Campaigns) handOver(ctx context.Context, b batch) error {
	part, err := s.part(ctx, b.c.CampaignID, b.at)
	if err != nil {
		return err
	}
	positions := make([]int, b.size)
	for i := range positions {
		positions[i] = b.c.Position + i
	}
	became := make([]string, b.size)
	if b.skip != "" {
		became = slices.Repeat([]string{b.skip}, b.size)
	} else if became, err = s.accept(ctx, b, part, positions); err != nil {
		var stops *stopped
		if errors.As(err, &stops) {
			return s.pause(ctx, b.c, problemTemplate+stops.why)
		}
		return err
	}
	_, err = s.change(ctx, b.c.CampaignID, func(c *model.Campaign) ([]dynamo.Write, error) {
		if c.Part != b.c.Part || c.Position != b.c.Position {
			return nil, errSame
		}
		progress, err := s.progress(ctx, c.CampaignID, b.at)
		if err != nil {
			return nil, err
		}
		took := note(c, &progress, positions, became)
		progress.Handed = b.c.Position + b.size
		if c.Position += b.size; c.Position >= b.at.size {
			c.Part, c.Position = c.Part+1, 0
		}
		put, err := dynamo.PutVersion(tables.Messages, &progress)
		if err != nil {
			return nil, err
		}
		used, err := s.useWrites(ctx, b.number, took)
		return append(used, put), err
	})
	return err
}

// note notes what has become of recipients, and returns how many messages the outbox has got.
func note(c *model.Campaign, p *model.CampaignProgress, positions []int, became []string) (took int64) {
	for i, position := range positions {
		switch became[i] {
		case accepted:
			took++
		case aside:
			p.Aside = append(p.Aside, position)
			c.Aside++
		default:
			if p.Skipped == nil {
				p.Skipped = map[string]string{}
			}
			if c.Skipped == nil {
				c.Skipped = map[string]int64{}
			}
			p.Skipped[strconv.Itoa(position)] = became[i]
			c.Skipped[became[i]]++
		}
	}
	if len(p.Counts) == 0 {
		p.Counts = make([]model.CampaignCounts, 1)
	}
	p.Counts[0].Queued += took // the next count says of which variant they are
	c.Queued += took
	p.Final = false
	return took
}

// stopped is the error of a recipient that every other recipient would have, too.
type stopped struct{ why string }

func (e *stopped) Error() string { return e.why }

// accept hands messages to some recipients of a part to the outbox, and returns what became of each. It returns an
// error if DynamoDB serves nobody, and a *stopped if nobody can get the message. Any other failure is the recipient's
// own, and holds up nobody else.
func (s *Campaigns) accept(ctx context.Context, b batch, part model.CampaignPart, positions []int) ([]string, error) {
	became := make([]string, len(positions))
	jobs := make([]func() error, len(positions))
	for i, position := range positions {
		jobs[i] = func() (err error) {
			became[i], err = s.acceptOne(ctx, b, part, position)
			return err
		}
	}
	for i, err := range lanes.Concurrently(abreast, jobs...) {
		var stops *stopped
		switch {
		case errors.As(err, &stops), dynamo.Unavailable(err):
			return nil, err
		case err != nil:
			became[i] = aside
		}
	}
	return became, nil
}

// messageID returns the id of a campaign's message to a recipient until Meta names it.
func messageID(c model.Campaign, to model.CustomerID) model.MessageID {
	return model.MessageID(idempotency.Hash("campaign", string(c.CampaignID), string(to)))
}

// messageRef is the place of a campaign's message to a recipient, or of what has become of it.
func messageRef(c model.Campaign, to model.CustomerID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.Message(messageID(c, to))}
}

// acceptOne hands the message to one recipient to the outbox. It returns why the recipient is skipped; "" if not.
func (s *Campaigns) acceptOne(ctx context.Context, b batch, part model.CampaignPart, position int) (string, error) {
	if position >= len(part.Recipients) || part.Recipients[position].To == "" {
		return skipErased, nil
	}
	to := part.Recipients[position]
	template, missing, err := filling.Fill(b.c.Variants[variantOf(b.c, b.at.first+int64(position))], part.Columns,
		to.Values)
	switch {
	case missing != "":
		return skipMissing, nil
	case err != nil:
		return skipContent, nil
	}
	customer := to.To
	if b.at.addresses {
		customer, err = s.Sender.Contacts.WhoHad(ctx, b.number.PhoneNumberID, to.To, b.at.addedAt)
		if err != nil {
			return "", err
		}
	}
	return skipFor(s.queueMessage(ctx, b.c, to.To, sending.Outgoing{
		Tenant: b.c.TenantID, Phone: b.number.PhoneNumberID, Customer: customer, NamedAt: b.at.addedAt,
		SentBy: b.c.CreatedBy, Line: sending.LineOf(b.number), Content: template, ID: messageID(b.c, to.To),
		Campaign: b.c.CampaignID, Quiet: true,
	}))
}

// errSamePerson means that a recipient got the campaign's message by another name.
var errSamePerson = errors.New("the person has the message")

// queueMessage hands a message to the outbox, unless it is there already. name is how the campaign names the recipient.
// Its condition is that there is none with its id. It returns errSamePerson if the person has the campaign's message by
// another name, such as their user id beside their number. The two cannot be written at the same moment, because one
// person's events have one sequence.
func (s *Campaigns) queueMessage(ctx context.Context, c model.Campaign, name model.CustomerID,
	out sending.Outgoing) error {
	own := messageRef(c, name)
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		found, err := s.DB.BatchGet(ctx, append(s.Sender.Refs(out), own))
		if err != nil || own.Found(found) != nil {
			return err
		}
		prepared, err := s.Sender.Prepare(ctx, out, found)
		if err != nil {
			return err
		}
		if before, err := s.hasMessage(ctx, c, prepared.To, name); err != nil || before {
			return cmp.Or(err, errSamePerson)
		}
		return dynamo.Conflict(s.DB.Transact(ctx, prepared.Writes))
	})
}

// hasMessage reports whether a person has a campaign's message by a name other than the one given.
func (s *Campaigns) hasMessage(ctx context.Context, c model.Campaign, person contacts.Addressee,
	but model.CustomerID) (bool, error) {
	var others []dynamo.Ref
	for _, name := range person.Names() {
		if name != but {
			others = append(others, messageRef(c, name))
		}
	}
	messages, err := s.messages(ctx, others)
	if err != nil {
		return false, fmt.Errorf("read messages of a campaign: %w", err)
	}
	for _, m := range messages {
		if person.Holds(m.ConversationPK) {
			return true, nil // it did not go to the next owner of a number
		}
	}
	return false, nil
}

// skipFor returns why a recipient is skipped whose message was refused with an error; "" for no error. It returns the
// error if it may pass, and a *stopped if everybody's message would be refused.
func skipFor(err error) (string, error) {
	var faults content.Faults
	var rule *problem.Error
	switch {
	case err == nil:
		return accepted, nil
	case errors.Is(err, sending.ErrOptedOut):
		return skipOptedOut, nil
	case errors.Is(err, sending.ErrMarketingStopped):
		return skipMarketing, nil
	case errors.Is(err, sending.ErrUnreachable):
		return skipUnreachable, nil
	case errors.Is(err, sending.ErrNeedsNumber):
		return skipNeedsNumber, nil
	case errors.Is(err, errSamePerson):
		return skipSamePerson, nil
	case errors.Is(err, templates.ErrUnknown), errors.Is(err, templates.ErrRestricted):
		return "", &stopped{err.Error()}
	case errors.As(err, &faults), dynamo.Permanent(err), errors.Is(err, dynamo.ErrUndecodable):
		return skipContent, nil
	case errors.As(err, &rule) && rule.Code == "template-not-sendable":
		return "", &stopped{err.Error()}
	case errors.As(err, &rule) && (rule.Class == problem.Invalid || rule.Class == problem.Unprocessable):
		return skipContent, nil
	}
	return "", err
}

// handed notes that every recipient was dealt with. From now on the outcomes are counted.
func (s *Campaigns) handed(ctx context.Context, c model.Campaign) error {
	return s.changeRun(ctx, c, func(c *model.Campaign) ([]dynamo.Write, error) {
		c.HandedAt, c.Counting = model.At(s.Now()), &model.CampaignCounting{}
		return nil, nil
	})
}

// progress returns what has become of a part's recipients; a new one if that is not stored yet.
func (s *Campaigns) progress(ctx context.Context, id model.Name, at place) (p model.CampaignProgress, err error) {
	ref := dynamo.Ref{Table: tables.Messages, Key: keys.CampaignProgress(id, at.list, at.number)}
	err = s.read(ctx, ref, &p)
	if p.Version == 0 {
		p.PK, p.ItemType = ref.Key.Partition, model.ItemCampaignProgress
		p.TTL = s.Now().Add(keptFor).Unix()
	}
	return p, err
}

// Variant returns a template as a campaign keeps it: with its fields in the order in which DynamoDB gives them back.
func Variant(t content.Template) model.Document {
	var fields any
	document, _ := json.Marshal(t) // texts and numbers can always be encoded
	_ = json.Unmarshal(document, &fields)
	document, _ = json.Marshal(fields)
	return document
}
