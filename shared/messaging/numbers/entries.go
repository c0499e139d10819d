package numbers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	perPage = 100    // entries that Meta lists at once
	most    = 10_000 // entries that are read of a list
)

// List returns up to limit entries of a number from after a place ("" for the first page), the latest first, and the
// place of the next page; "" for none. It may take a moment until a new one shows.
func (s *Settings) List(ctx context.Context, phone model.PhoneNumberID, kind model.Name, limit int, after string) (
	all []Setting, next string, err error) {
	rows, next, err := s.DB.Some(ctx, entriesQuery(phone, kind), limit, after)
	if err != nil {
		return nil, "", fmt.Errorf("list settings of a number: %w", err)
	}
	stored, err := dynamo.Whole[model.NumberSetting](ctx, s.DB, tables.Messages, rows)
	for i := range stored {
		all = append(all, settingOf(&stored[i]))
	}
	return all, next, err
}

func entriesQuery(phone model.PhoneNumberID, kind model.Name) dynamo.Query {
	return dynamo.Query{
		Table: tables.Messages, Index: tables.IndexFrom, Where: "fromPk = :entries", Backwards: true,
		Values: dynamo.Item{":entries": dynamo.S(keys.NumberEntriesOf(phone, kind))},
	}
}

// Entry returns an entry of a number, or dynamo.ErrNotFound.
func (s *Settings) Entry(ctx context.Context, phone model.PhoneNumberID, kind, name model.Name) (Setting, error) {
	if _, err := model.Parse[model.Name](string(name)); err != nil || name == "" {
		return Setting{}, dynamo.ErrNotFound
	}
	it, err := s.read(ctx, place{phone, kind, name})
	if err != nil {
		return Setting{}, err
	}
	return settingOf(it), nil
}

// Create has Meta asked for a QR code. A repeated request gets the code that the first one has made, whose name is the
// request's. It returns a problem that names every fault, and idempotency.ErrKeyReused. Its condition is that there is
// no such code.
func (s *Settings) Create(ctx context.Context, of Of, code QRCode, request idempotency.Request) (Setting, error) {
	wanted, err := json.Marshal(code)
	if err == nil {
		err = s.check(ctx, KindQRCodes, wanted)
	}
	if err != nil {
		return Setting{}, err
	}
	name := model.Name(request.ID())
	before, err := s.Entry(ctx, of.Phone.PhoneNumberID, KindQRCodes, name)
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return s.want(ctx, of, place{of.Phone.PhoneNumberID, KindQRCodes, name}, wanted, nil)
	case err == nil && len(Differences(before.Wanted, wanted)) > 0:
		err = idempotency.ErrKeyReused
	}
	return before, err
}

// Change has Meta asked for another message of a QR code. It returns a problem that names every fault,
// dynamo.ErrNotFound and ErrWaits. Its condition is that the code is as it was read.
func (s *Settings) Change(ctx context.Context, of Of, name model.Name, code QRCode) (Setting, error) {
	wanted, err := json.Marshal(code)
	if err == nil {
		err = s.check(ctx, KindQRCodes, wanted)
	}
	if err != nil {
		return Setting{}, err
	}
	if _, err := s.Entry(ctx, of.Phone.PhoneNumberID, KindQRCodes, name); err != nil {
		return Setting{}, err
	}
	return s.want(ctx, of, place{of.Phone.PhoneNumberID, KindQRCodes, name}, wanted, nil)
}

// Block has Meta asked to block a person. It returns ErrNotWritten and ErrGroup. Its condition is that the entry is as
// it was read.
func (s *Settings) Block(ctx context.Context, of Of, customer model.CustomerID) (Setting, error) {
	c, err := s.Conversation(ctx, of.Phone.PhoneNumberID, customer)
	if err != nil {
		return Setting{}, err
	}
	if c.GroupID != "" {
		return Setting{}, ErrGroup
	}
	if c.WindowExpiresAt <= model.At(s.Now()) {
		return Setting{}, ErrNotWritten
	}
	at := place{of.Phone.PhoneNumberID, KindBlocked, keys.Blocked(of.Phone.PhoneNumberID, customer)}
	return s.want(ctx, of, at, model.Document(`{"blocked":true}`),
		func(n *model.NumberSetting) { n.CustomerID = customer })
}

// Delete has Meta asked to delete a QR code, or to unblock a person, and shows it until Meta has. What Meta does not
// have ends at once. It returns dynamo.ErrNotFound and ErrWaits. Its condition is that the entry is as it was read.
func (s *Settings) Delete(ctx context.Context, of Of, kind, name model.Name) error {
	at := place{of.Phone.PhoneNumberID, kind, name}
	before, err := s.Entry(ctx, of.Phone.PhoneNumberID, kind, name)
	if err != nil {
		return err
	}
	if len(before.Meta) == 0 && !s.underWay(&before.SettingState) {
		return s.remove(ctx, at, &model.NumberSetting{SettingState: before.SettingState})
	}
	return s.change(ctx, at, func(it item) ([]dynamo.Write, bool, error) {
		if it.State().Version == 0 {
			return nil, false, dynamo.ErrNotFound
		}
		if s.waits(it.State(), Delete) {
			return nil, false, nil
		}
		writes, err := s.asks(ctx, it, of, at, model.SettingAsked{Wish: Delete})
		return writes, true, err
	})
}

// hasPerson is what Meta has of a person whom it has blocked.
func hasPerson(id model.CustomerID) model.Document {
	text, _ := json.Marshal(map[string]any{"blocked": true, "waId": id}) // a text can be encoded
	return text
}

// found is an entry that Meta lists.
type found struct {
	name model.Name
	has  model.Document
}

// listed returns what Meta lists of a kind, up to most entries.
func (s *Settings) listed(ctx context.Context, r request) (all []found, err error) {
	call := r.kind.reading(r.it)
	if call.Query == nil {
		call.Query = url.Values{}
	}
	call.Query.Set("limit", strconv.Itoa(perPage))
	for len(all) < most {
		answer, err := r.meta.AboutNumber(ctx, string(r.at.phone), call)
		if err != nil {
			return nil, err
		}
		for _, o := range answer.List(r.kind.inside).Objects() {
			has := tidy(o)
			if r.kind.name == KindBlocked {
				has = hasPerson(personIn(whatsapp.ObjectOf(json.RawMessage(has))))
			}
			name := r.kind.named(r.at.phone, whatsapp.ObjectOf(json.RawMessage(has)))
			if _, err := model.Parse[model.Name](string(name)); err == nil && name != "" {
				all = append(all, found{name, has})
			}
		}
		paging := answer.Object("paging")
		after := paging.Object("cursors").Text("after")
		if paging.Text("next") == "" || after == "" {
			break
		}
		call.Query.Set("after", after)
	}
	return all, nil
}

// stored returns the entries of a number that are known, by Meta's ids, or by their names if Meta has no id of them.
func (s *Settings) stored(ctx context.Context, at place) (map[model.Name]model.NumberSetting, error) {
	rows, err := s.DB.Rows(ctx, entriesQuery(at.phone, at.kind))
	if err != nil {
		return nil, err
	}
	entries, err := dynamo.Whole[model.NumberSetting](ctx, s.DB, tables.Messages, rows)
	if err != nil {
		return nil, err
	}
	all := map[model.Name]model.NumberSetting{}
	for _, entry := range entries {
		name := entry.Name
		if code := codeOf(entry.Meta); code != "" {
			name = model.Name(code)
		}
		all[name] = entry
	}
	return all, nil
}

// list reads a list at Meta, and keeps what it has. It may be repeated. What is wanted here and Meta does not have any
// more stays, and shows that.
func (s *Settings) list(ctx context.Context, r request) (result, error) {
	at := r.at
	has, err := s.listed(ctx, r)
	if err != nil {
		return result{}, err
	}
	known, err := s.stored(ctx, at)
	if err != nil {
		return result{}, err
	}
	for _, f := range has {
		entry, is := known[f.name]
		delete(known, f.name)
		if at.name = f.name; is {
			at.name = entry.Name
		}
		if is && string(entry.Meta) == string(f.has) {
			continue
		}
		if err := s.keep(ctx, at, f.has); err != nil {
			return result{}, err
		}
	}
	if len(has) >= most {
		clear(known) // what Meta lists beyond that is not known to be gone
	}
	for _, entry := range known {
		if at.name = entry.Name; len(entry.Meta) == 0 || s.underWay(&entry.SettingState) {
			continue
		}
		if len(entry.Wanted) > 0 {
			err = s.keep(ctx, at, nil)
		} else {
			err = s.remove(ctx, at, &entry)
		}
		if err != nil {
			return result{}, err
		}
	}
	return result{has: model.Document(fmt.Sprintf(`{"count":%d}`, len(has)))}, nil
}

// keep keeps what Meta has of an entry; nil for nothing.
func (s *Settings) keep(ctx context.Context, at place, has model.Document) error {
	return s.change(ctx, at, func(it item) ([]dynamo.Write, bool, error) {
		st := it.State()
		st.Meta, st.ReadAt = has, model.At(s.Now())
		if entry, is := it.(*model.NumberSetting); is && at.kind == KindBlocked && has != nil {
			entry.CustomerID = personIn(whatsapp.ObjectOf(json.RawMessage(has)))
		}
		if !s.underWay(st) {
			settle(it)
		}
		return nil, true, nil
	})
}

// find looks for a code that an attempt without an answer has made: one with its message that is no other entry's.
func (s *Settings) find(ctx context.Context, r request) (result, bool, error) {
	if codeOf(r.it.State().Meta) != "" {
		return result{}, false, nil // it has a code, and its message may be changed again
	}
	has, err := s.listed(ctx, r)
	if err != nil {
		return result{}, false, err
	}
	known, err := s.stored(ctx, r.at)
	if err != nil {
		return result{}, false, err
	}
	for _, f := range has {
		if _, is := known[f.name]; !is && len(Differences(r.it.Want(), f.has)) == 0 {
			return result{has: f.has}, true, nil
		}
	}
	return result{}, false, nil
}

// isGone reports whether Meta does not list an entry any more: somebody else, or an attempt without an answer, has
// ended it.
func (s *Settings) isGone(ctx context.Context, r request) bool {
	has, err := s.listed(ctx, r)
	if err != nil || len(has) >= most {
		return false
	}
	name := r.at.name
	if code := codeOf(r.it.State().Meta); code != "" {
		name = model.Name(code)
	}
	return !slices.ContainsFunc(has, func(f found) bool { return f.name == name })
}
