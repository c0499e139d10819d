// Package numbers keeps what Meta lets a business set of its numbers: the profile, what customers see in the chat,
// calling, the registration, QR codes, and who is blocked. Meta has all of it, too, and is asked about each change.
// What somebody changes at Meta is shown beside what is wanted here, and never overwritten by itself.
package numbers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/sealing"
	"github.com/haatline/haatline/shared/tables"
)

// maxPhoto bounds a photo of a profile.
const maxPhoto = 5 << 20

// The refusals.
var (
	ErrWaits = problem.New("another request waits for Meta's answer", problem.Error{
		Class: problem.Conflict, Code: "number-setting-waits", Title: "Another request is under way",
		Detail: "Meta is being asked for another change of the same. Try again when that is answered.",
	})
	ErrNoPhoto = problem.New("the file cannot be a photo", problem.Error{
		Class: problem.Invalid, Field: "body.photo",
		Detail: "must name a JPEG or PNG of at most 5 MB that you have uploaded, and that get-media shows",
	})
	ErrNotWritten = problem.New("the person has not written lately", problem.Error{
		Class: problem.Conflict, Code: "not-written-lately", Title: "The person has not written lately",
		Detail: "WhatsApp lets a business block only people who have written to it within 24 hours.",
	})
	ErrGroup = problem.New("a group cannot be blocked", problem.Error{
		Class: problem.Conflict, Code: "group-not-blockable", Title: "It is a group",
		Detail: "WhatsApp lets a business block people, not groups.",
	})
	errNoVault = errors.New("no vault for PINs and codes")
)

// Settings keeps the settings of numbers.
type Settings struct {
	DB     *dynamo.Client
	Now    func() time.Time
	Outbox *outbox.Outbox
	Vault  sealing.Vault // nil in functions that neither take nor use a PIN or a code
	// Number reads a number.
	Number func(context.Context, model.PhoneNumberID) (model.Phone, error)
	// Conversation reads the conversation with a person.
	Conversation func(context.Context, model.PhoneNumberID, model.CustomerID) (model.Conversation, error)
	// Checked is told the quality and the throughput of a number that Meta says when it is asked.
	Checked func(ctx context.Context, phone model.PhoneNumberID, rating, throughput string, at model.Time) error
}

// Of says for which number something is asked, and who asks for it.
type Of struct {
	Phone model.Phone
	By    string
}

// place is where a setting is stored.
type place struct {
	phone model.PhoneNumberID
	kind  model.Name
	name  model.Name // of an entry; "" for the setting of the kind, or the list of its entries
}

func (p place) key() keys.Key {
	switch {
	case p.kind == KindProfile:
		return keys.Profile(p.phone)
	case p.name != "":
		return keys.NumberEntry(p.phone, p.kind, p.name)
	}
	return keys.NumberSetting(p.phone, p.kind)
}

// item is a setting as it is stored.
type item interface {
	State() *model.SettingState
	Want() model.Document
	SetWant(wanted model.Document) error
}

// Setting is what is wanted of a setting and what Meta has.
type Setting struct {
	Name       model.Name // of an entry
	CustomerID model.CustomerID
	Wanted     model.Document // nil if nothing is wanted here
	model.SettingState
}

func settingOf(it item) Setting {
	shown := Setting{Wanted: it.Want(), SettingState: *it.State()}
	if entry, is := it.(*model.NumberSetting); is {
		shown.Name, shown.CustomerID = entry.Name, entry.CustomerID
	}
	return shown
}

// read reads a setting. It returns dynamo.ErrNotFound.
func (s *Settings) read(ctx context.Context, at place) (item, error) {
	it := blank(at.kind)
	return it, s.DB.Get(ctx, tables.Messages, at.key(), it)
}

// blank returns a setting of a kind that is not stored yet.
func blank(kind model.Name) item {
	if kind == KindProfile {
		return &model.Profile{}
	}
	return &model.NumberSetting{}
}

// All returns the settings of a number by their kinds, without entries. One that nobody has asked about is empty.
func (s *Settings) All(ctx context.Context, phone model.PhoneNumberID) (map[model.Name]Setting, error) {
	var refs []dynamo.Ref
	for _, k := range kinds {
		refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: place{phone: phone, kind: k.name}.key()})
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read settings of a number: %w", err)
	}
	all := map[model.Name]Setting{}
	for i, k := range kinds {
		it := blank(k.name)
		if err := dynamo.Unmarshal(refs[i].Found(found), it); err != nil {
			return nil, err
		}
		all[k.name] = settingOf(it)
	}
	return all, nil
}

// change changes a setting, or makes one. Its condition is that the setting is as it was read.
func (s *Settings) change(ctx context.Context, at place,
	decide func(it item) (with []dynamo.Write, changed bool, err error)) error {
	if at.kind == KindProfile {
		return dynamo.Change(ctx, s.DB, tables.Messages, at.key(),
			func(p *model.Profile) ([]dynamo.Write, bool, error) {
				p.PK, p.ItemType, p.PhoneNumberID = at.key().Partition, model.ItemProfile, at.phone
				return decide(p)
			})
	}
	return dynamo.Change(ctx, s.DB, tables.Messages, at.key(),
		func(n *model.NumberSetting) ([]dynamo.Write, bool, error) {
			if n.Version == 0 {
				n.PK, n.ItemType = at.key().Partition, model.ItemNumberSetting
				n.PhoneNumberID, n.Kind, n.Name = at.phone, at.kind, at.name
				if at.name != "" {
					n.FromPK, n.ReceivedAt = keys.NumberEntriesOf(at.phone, at.kind), model.At(s.Now())
				}
			}
			return decide(n)
		})
}

// Put wants something of a setting, and has Meta asked for it. What Meta has already is not asked for again. It returns
// a problem that names every fault, and ErrNoPhoto. Its condition is that the setting is as it was read.
func (s *Settings) Put(ctx context.Context, of Of, name model.Name, value any) (Setting, error) {
	wanted, err := wantedOf(value)
	if err != nil {
		return Setting{}, err
	}
	if err := s.check(ctx, name, wanted); err != nil {
		return Setting{}, err
	}
	if k, _ := kindOf(name); k.also != "" {
		wanted = over(wanted, model.Document(k.also))
	}
	return s.want(ctx, of, place{phone: of.Phone.PhoneNumberID, kind: name}, wanted, nil)
}

// check returns a problem with every fault of what is wanted; nil if it is right.
func (s *Settings) check(ctx context.Context, name model.Name, wanted model.Document) error {
	k, _ := kindOf(name)
	if k.check == nil {
		return nil
	}
	wrong := k.check(wanted)
	for i := range wrong {
		wrong[i].Path = "body." + wrong[i].Path
	}
	if len(wrong) > 0 {
		return problem.New("the setting is not right", problem.Error{Class: problem.Invalid, Fields: wrong})
	}
	var p Profile
	if name != KindProfile || json.Unmarshal(wanted, &p) != nil || p.Photo == "" {
		return nil
	}
	_, err := s.photo(ctx, model.MediaID(p.Photo))
	return err
}

// want stores what is wanted and has Meta asked for it. about says who a new entry is about; nil for nobody.
func (s *Settings) want(ctx context.Context, of Of, at place, wanted model.Document,
	about func(n *model.NumberSetting)) (after Setting, err error) {
	err = s.change(ctx, at, func(it item) ([]dynamo.Write, bool, error) {
		st := it.State()
		same := len(it.Want()) > 0 && len(Differences(it.Want(), wanted))+len(Differences(wanted, it.Want())) == 0
		if same && (st.SyncStatus == model.SettingSynced || s.waits(st, Put)) {
			after = settingOf(it)
			return nil, false, nil
		}
		if err := it.SetWant(wanted); err != nil {
			return nil, false, err
		}
		switch it := it.(type) {
		case *model.Profile:
			it.UpdatedAt, it.WABAMetaID = model.At(s.Now()), of.Phone.WABAMetaID
			it.BusinessName = of.Phone.VerifiedName
		case *model.NumberSetting:
			if about != nil {
				about(it)
			}
		}
		writes, err := s.asks(ctx, it, of, at, model.SettingAsked{Wish: Put})
		after = settingOf(it)
		return writes, true, err
	})
	return after, err
}

// Sync has Meta asked what it has of a setting, or of a list. It returns ErrWaits. Its condition is that the setting is
// as it was read.
func (s *Settings) Sync(ctx context.Context, of Of, name model.Name) (after Setting, err error) {
	at := place{phone: of.Phone.PhoneNumberID, kind: name}
	err = s.change(ctx, at, func(it item) ([]dynamo.Write, bool, error) {
		if after = settingOf(it); s.underWay(it.State()) {
			return nil, false, nil // it is read after any other change
		}
		writes, err := s.asks(ctx, it, of, at, model.SettingAsked{Wish: Sync})
		after = settingOf(it)
		return writes, true, err
	})
	return after, err
}

// Act has Meta asked for something that is done once, such as a registration. A PIN or a code is the secret; it is
// sealed, and goes with the answer. The same that is under way is not asked for again. It returns ErrWaits. Its
// condition is that nothing else is under way.
func (s *Settings) Act(ctx context.Context, of Of, wish, secret string, value any) (after Setting, err error) {
	wanted := model.SettingAsked{Wish: wish}
	if value != nil {
		if wanted.Value, err = json.Marshal(value); err != nil {
			return after, err
		}
	}
	at := place{phone: of.Phone.PhoneNumberID, kind: KindState}
	err = s.change(ctx, at, func(it item) ([]dynamo.Write, bool, error) {
		was := ""
		if s.waits(it.State(), wish) {
			was = it.State().Asked.Secret
		}
		if wanted.Secret, err = s.sealed(ctx, of, secret, was); err != nil {
			return nil, false, err
		}
		if after = settingOf(it); s.waits(it.State(), wish) && was == wanted.Secret &&
			string(it.State().Asked.Value) == string(wanted.Value) {
			return nil, false, nil
		}
		writes, err := s.asks(ctx, it, of, at, wanted)
		after = settingOf(it)
		return writes, true, err
	})
	return after, err
}

// sealed returns a secret as it is stored: was, if that holds the same.
func (s *Settings) sealed(ctx context.Context, of Of, secret, was string) (string, error) {
	if secret == "" {
		return "", nil
	}
	if s.Vault == nil {
		return "", errNoVault
	}
	sealed, err := s.Vault.Seal(ctx, secret, was, owner(of.Phone.TenantID, of.Phone.PhoneNumberID))
	if err != nil {
		return "", fmt.Errorf("the secret of a number: %w", err)
	}
	return sealed, nil
}

// owner returns the names of the owner of a number's secret.
func owner(tenant model.TenantID, phone model.PhoneNumberID) map[string]string {
	return map[string]string{"tenant": string(tenant), "number": string(phone), "use": "registration"}
}

// underWay reports whether Meta is being asked.
func (s *Settings) underWay(st *model.SettingState) bool {
	return st.Asked != nil && asking.Waits(st.Asked.At, st.Asked.AnsweredAt, s.Now())
}

// waits reports whether Meta is being asked for a wish.
func (s *Settings) waits(st *model.SettingState, wish string) bool {
	return s.underWay(st) && st.Asked.Wish == wish
}

// asks notes what Meta is asked, and returns the writes by which it is. It returns ErrWaits if something is under way
// that is done once.
func (s *Settings) asks(ctx context.Context, it item, of Of, at place,
	wanted model.SettingAsked) ([]dynamo.Write, error) {
	k, _ := kindOf(at.kind)
	st := it.State()
	if s.underWay(st) {
		if before, _ := k.wish(st.Asked.Wish); before.once {
			return nil, ErrWaits
		}
	}
	wanted.At, wanted.By = model.At(s.Now()), of.By
	if st.Asked = &wanted; wanted.Wish != Sync {
		st.SyncStatus = model.SettingPending
	}
	return s.Outbox.Queue(ctx,
		outbox.Entity{Tenant: of.Phone.TenantID, Type: keys.EntityNumber, ID: string(at.phone)}, EventAsk,
		asked{at.phone, at.kind, at.name, wanted.At})
}
