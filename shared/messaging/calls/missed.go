package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// KindMissed is the kind of the setting that says how missed calls are answered. Meta does not have it.
const KindMissed model.Name = "missed_call"

// sentBy is who sends the answers.
const sentBy = "messaging"

// maxMissed is how many characters the text may have.
const maxMissed = 1000

// ErrText means that a text cannot answer missed calls.
var ErrText = problem.New("the text is empty or too long", problem.Error{
	Class: problem.Invalid, Field: "body.text",
	Detail: fmt.Sprintf("must be a text of 1 to %d characters", maxMissed),
})

// Missed says how calls that nobody takes are answered.
type Missed struct {
	Text     string         `json:"text"`
	TenantID model.TenantID `json:"tenantId"` // whose text it is: it goes to nobody if the number passes on
	Since    model.Time     `json:"since"`    // calls that ended before are not answered
	By       string         `json:"by"`
}

func missedRef(phone model.PhoneNumberID) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.NumberSetting(phone, KindMissed)}
}

// Missed returns how the missed calls of a tenant's number are answered; a Missed without a text for not at all.
func (s *Calls) Missed(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID) (Missed, error) {
	var setting model.NumberSetting
	err := s.DB.Get(ctx, tables.Messages, missedRef(phone).Key, &setting)
	if errors.Is(err, dynamo.ErrNotFound) {
		return Missed{}, nil
	}
	return missedOf(setting, tenant), err
}

func missedOf(setting model.NumberSetting, tenant model.TenantID) (m Missed) {
	if json.Unmarshal(setting.Wanted, &m) != nil || m.TenantID != tenant {
		return Missed{}
	}
	return m
}

// AnswerMissed has the missed calls of a tenant's number answered by a text; by nothing if it is "". It returns
// ErrText. The condition is that the setting is as it was read.
func (s *Calls) AnswerMissed(ctx context.Context, number model.Phone, text, by string) (after Missed, err error) {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > maxMissed {
		return after, ErrText
	}
	phone := number.PhoneNumberID
	err = dynamo.Change(ctx, s.DB, tables.Messages, missedRef(phone).Key,
		func(n *model.NumberSetting) ([]dynamo.Write, bool, error) {
			if after = missedOf(*n, number.TenantID); n.Version > 0 && after.Text == text {
				return nil, false, nil
			}
			after = Missed{text, number.TenantID, model.At(s.Now()), by}
			wanted, err := json.Marshal(after)
			n.PK, n.ItemType, n.PhoneNumberID, n.Kind = missedRef(phone).Key.Partition, model.ItemNumberSetting, phone,
				KindMissed
			n.Wanted = wanted
			return nil, true, err
		})
	return after, err
}

// isMissed reports whether a customer has called and nobody has taken the call.
func isMissed(c model.Call) bool {
	return c.CalledBy == byCustomer && c.Status == model.CallFailed && !c.Taken
}

// answer answers a call that nobody has taken by the text of the number, if it has one. The call has opened the
// customer service window; where that is over, and to somebody who has opted out, nothing is sent. The call notes its
// answer in the transaction that sends it, so there is one, whatever Meta tells how often.
func (s *Calls) answer(ctx context.Context, phone model.PhoneNumberID, id model.Name) error {
	number, err := s.Numbers.Number(ctx, phone)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && number.TenantID == "" {
		return nil
	}
	if err != nil {
		return err
	}
	by, err := s.Missed(ctx, number.TenantID, phone)
	if err != nil || by.Text == "" {
		return err
	}
	return s.change(ctx, id, func(c *model.Call) ([]dynamo.Write, bool, error) {
		if !isMissed(*c) || c.MissedAnswer != "" || c.EndedAt < by.Since || c.PhoneNumberID != phone {
			return nil, false, nil
		}
		out := sending.Outgoing{
			Tenant: number.TenantID, Phone: phone, Customer: c.CustomerID, SentBy: sentBy, Quiet: true,
			Content: content.Text{Body: by.Text}, ID: model.MessageID(idempotency.Hash("missed call", c.CallID)),
		}
		found, err := s.DB.BatchGet(ctx, s.Sender.Refs(out))
		if err != nil {
			return nil, false, err
		}
		prepared, err := s.Sender.Prepare(ctx, out, found)
		var stands *problem.Error
		if errors.As(err, &stands) {
			return nil, false, nil // the window is closed, or they have opted out
		}
		c.MissedAnswer = prepared.MessageID
		return prepared.Writes, err == nil, err
	})
}
