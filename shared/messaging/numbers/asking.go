package numbers

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventAsk is the outbox event that asks Meta about a number, whatever it is about.
const EventAsk = "numbers.ask"

// asked is the payload of the event. It holds no secret and names no person.
type asked struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`
	Kind          model.Name          `json:"kind"`
	Name          model.Name          `json:"name,omitempty"` // of an entry
	AskedAt       model.Time          `json:"askedAt"`
}

// Meta is asked with the access token of a number.
type Meta interface {
	AboutNumber(ctx context.Context, phone string, call whatsapp.NumberCall) (whatsapp.Object, error)
	UploadSample(ctx context.Context, phone string, of whatsapp.Sample) (handle string, err error)
}

// What is stored of a request that Meta has not answered, or was not asked for.
const (
	problemLost  = "Meta has not answered. It may have done it: look at what it has."
	problemPhoto = "The file that was to be the photo is not kept any more."
)

// request is one that Meta is asked, with what it takes.
type request struct {
	meta   Meta
	files  Bucket
	tenant model.TenantID
	at     place
	kind   kind
	it     item
}

// result is what came of a request.
type result struct {
	has     model.Document // what Meta has then; nil if it has not said
	gone    bool           // the entry ends
	problem string
}

// Handler returns the handler of the event. files are those that were uploaded to haatline. asFailure says what the
// outbox does about a refusal.
func (s *Settings) Handler(meta Meta, files Bucket, asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[asked](event)
		if err != nil {
			return "", err
		}
		k, known := kindOf(of.Kind)
		if !known {
			return "", outbox.Unreadable(asking.ErrUnknown)
		}
		at := place{of.PhoneNumberID, of.Kind, of.Name}
		it, err := s.read(ctx, at)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(it, of) {
			return "", nil // it is erased or answered, or something else was asked since
		}
		if err != nil {
			return "", outbox.Unfinished(err, outbox.NotWritten)
		}
		r := request{meta, files, event.EcosystemID, at, k, it}
		got, err := s.carryOut(ctx, r, of)
		if errors.Is(err, ErrNoPhoto) {
			got, err = result{problem: problemPhoto}, nil
		}
		wanted, _ := r.kind.wish(it.State().Asked.Wish)
		if errors.Is(err, asking.ErrUnknown) {
			return "", outbox.Unreadable(err)
		}
		if failure, last := asking.Refused(err, event, asFailure); failure != nil &&
			(last || wanted.once && !wanted.tells) {
			got, err = result{problem: failure.Reason}, nil
		} else if failure != nil {
			return "", failure
		}
		if err == nil {
			err = s.answer(ctx, of, got)
		}
		return "", outbox.Unfinished(err, outbox.NotWritten)
	}}
}

// current reports whether what was asked is what was asked last, and waits for its answer.
func current(it item, of asked) bool {
	a := it.State().Asked
	return a != nil && a.At == of.AskedAt && a.AnsweredAt == ""
}

// isMoved reports whether a number is not the tenant's any more that has asked.
func (s *Settings) isMoved(ctx context.Context, r request) (bool, error) {
	phone, err := s.Number(ctx, r.at.phone)
	return phone.ReleasedAt != "" || phone.TenantID != "" && phone.TenantID != r.tenant, err
}

// carryOut has Meta do what is asked, and reads what it has then.
func (s *Settings) carryOut(ctx context.Context, r request, of asked) (result, error) {
	if moved, err := s.isMoved(ctx, r); moved || err != nil {
		return result{problem: asking.ProblemMoved}, err
	}
	wanted, changes := r.kind.wish(r.it.State().Asked.Wish)
	if !changes {
		if r.it.State().Asked.Wish != Sync {
			return result{}, asking.ErrUnknown
		}
		if r.kind.named != nil {
			return s.list(ctx, r)
		}
		return s.look(ctx, r)
	}
	call, err := s.call(ctx, r, wanted)
	if err != nil {
		return result{}, err
	}
	if wanted.once {
		got, done, err := s.begin(ctx, r, of, wanted)
		if done || err != nil {
			return got, err
		}
	}
	answer, err := r.meta.AboutNumber(ctx, string(r.at.phone), call)
	switch {
	case err != nil && wanted.ends && s.isGone(ctx, r):
		return result{gone: true}, nil
	case err != nil:
		return result{}, err
	case wanted.ends:
		return result{gone: true}, nil
	case wanted.tells:
		return result{has: over(r.it.State().Meta, tidy(answer))}, nil
	case r.kind.named != nil:
		entry, _ := r.it.(*model.NumberSetting)
		return result{has: hasPerson(entry.CustomerID)}, nil
	}
	got, err := s.look(ctx, r)
	var refused *whatsapp.SendError
	if wanted.once && errors.As(err, &refused) {
		return result{}, nil // it is done, whatever Meta has then
	}
	return got, err
}

// begin notes that Meta is asked for what it is asked once. If it was asked before and nobody knows its answer, done is
// true, and the result is what can be found out.
func (s *Settings) begin(ctx context.Context, r request, of asked, wanted wish) (got result, done bool, err error) {
	if r.it.State().Asked.PostedAt != "" {
		if wanted.tells {
			return s.find(ctx, r)
		}
		got, err = s.look(ctx, r)
		got.problem = problemLost
		return got, true, err
	}
	err = s.change(ctx, r.at, func(it item) ([]dynamo.Write, bool, error) {
		if done = !current(it, of); done {
			return nil, false, nil // somebody else has done it
		}
		noted := *it.State().Asked
		noted.PostedAt = model.At(s.Now())
		it.State().Asked = &noted
		return nil, true, nil
	})
	return got, done, err
}

// over returns what Meta had, with what it says now.
func over(before, has model.Document) model.Document {
	all, _ := decoded(before).(map[string]any)
	now, _ := decoded(has).(map[string]any)
	if all == nil {
		return has
	}
	maps.Copy(all, now)
	return model.Document(encoded(all))
}

// call returns the request by which Meta is asked for a wish.
func (s *Settings) call(ctx context.Context, r request, wanted wish) (whatsapp.NumberCall, error) {
	body, err := s.body(ctx, r, wanted)
	call := whatsapp.NumberCall{Method: http.MethodPost, Edge: wanted.edge}
	if wanted.method != "" {
		call.Method = wanted.method
	}
	call.Edge = strings.ReplaceAll(call.Edge, "{code}", url.PathEscape(codeOf(r.it.State().Meta)))
	if body != nil {
		call.Body = body
	}
	return call, err
}

// body returns the body of a request.
func (s *Settings) body(ctx context.Context, r request, wanted wish) (map[string]any, error) {
	var body map[string]any
	if entry, is := r.it.(*model.NumberSetting); is && wanted.body != nil {
		body = wanted.body(*entry)
	} else {
		text := r.it.Want()
		if r.it.State().Asked.Wish != Put {
			text = r.it.State().Asked.Value
		}
		body, _ = decoded(model.Document(renamed(text, snake))).(map[string]any)
		if body == nil {
			body = map[string]any{}
		}
	}
	if err := s.addPhoto(ctx, r, body); err != nil {
		return nil, err
	}
	if wanted.secret != "" {
		if s.Vault == nil {
			return nil, errNoVault
		}
		secret, err := s.Vault.Open(ctx, r.it.State().Asked.Secret, owner(r.tenant, r.at.phone))
		if err != nil {
			return nil, err
		}
		body[wanted.secret] = secret
	}
	if wanted.product {
		body["messaging_product"] = "whatsapp"
	}
	if wanted.wrap != "" {
		body = map[string]any{wanted.wrap: body}
	}
	return body, nil
}

// addPhoto replaces the photo of a profile by Meta's handle of it. One that Meta has already is left out.
func (s *Settings) addPhoto(ctx context.Context, r request, body map[string]any) error {
	photo, is := body["photo"].(string)
	if !is {
		return nil
	}
	delete(body, "photo")
	if photo == photoIn(r.it.State().Meta) {
		return nil
	}
	handle, err := s.upload(ctx, r.meta, r.files, r.at.phone, model.MediaID(photo))
	if err == nil {
		body["profile_picture_handle"] = handle
	}
	return err
}

// look reads what Meta has.
func (s *Settings) look(ctx context.Context, r request) (result, error) {
	answer, err := r.meta.AboutNumber(ctx, string(r.at.phone), r.kind.reading(r.it))
	if err != nil {
		return result{}, err
	}
	has := r.kind.has(answer)
	switch r.kind.name {
	case KindProfile:
		has = withPhoto(has, r.it)
	case KindEncryption:
		has = withKey(has, r.it)
	case KindState:
		o := whatsapp.ObjectOf(json.RawMessage(has))
		if err := s.Checked(ctx, r.at.phone, o.Text("qualityRating"), o.Object("throughput").Text("level"),
			model.At(s.Now())); err != nil {
			return result{}, err
		}
	}
	return result{has: has}, nil
}

// withPhoto notes which photo Meta has: that which it was given last, while it shows one. It does not say which.
func withPhoto(has model.Document, it item) model.Document {
	fields, _ := decoded(has).(map[string]any)
	photo := photoIn(it.State().Meta)
	if it.State().Asked.Wish == Put {
		if wanted := photoIn(it.Want()); wanted != "" {
			photo = wanted
		}
	}
	if shown, _ := fields["profilePictureUrl"].(string); shown == "" || photo == "" {
		return has
	}
	fields["photo"] = photo
	return model.Document(encoded(fields))
}

func photoIn(text model.Document) string {
	return whatsapp.ObjectOf(json.RawMessage(text)).Text("photo")
}

// answer stores what came of a request. The condition is that it is still waited for.
func (s *Settings) answer(ctx context.Context, of asked, got result) error {
	at := place{of.PhoneNumberID, of.Kind, of.Name}
	if got.gone {
		return s.end(ctx, at, of)
	}
	return s.change(ctx, at, func(it item) ([]dynamo.Write, bool, error) {
		if !current(it, of) {
			return nil, false, nil
		}
		st := it.State()
		answered := *st.Asked
		answered.AnsweredAt, answered.Problem, answered.Secret = model.At(s.Now()), got.problem, ""
		st.Asked = &answered
		if got.has != nil {
			st.Meta, st.ReadAt = got.has, answered.AnsweredAt
		}
		settle(it)
		return nil, true, nil
	})
}

// settle sets how far Meta has what is wanted, by what it said last.
func settle(it item) {
	st := it.State()
	st.SyncStatus = model.SettingSynced
	if wanted := it.Want(); len(Differences(wanted, st.Meta)) > 0 || len(wanted) > 0 && len(st.Meta) == 0 {
		st.SyncStatus = model.SettingLocal
	}
}

// end removes an entry that Meta does not have any more. The condition is that it is as it was read.
func (s *Settings) end(ctx context.Context, at place, of asked) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		it, err := s.read(ctx, at)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(it, of) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.remove(ctx, at, it)
	})
}

func (s *Settings) remove(ctx context.Context, at place, it item) error {
	return dynamo.Conflict(s.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.Messages, Key: at.key(), If: "version = :was",
		Values: dynamo.Item{":was": dynamo.N(it.State().Version)}}}))
}
