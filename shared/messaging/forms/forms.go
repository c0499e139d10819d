// Package forms keeps which forms customers were sent whose screens a domain answers: WhatsApp Flows with data
// exchange. A form is opened by its token, which only the customer's WhatsApp has.
package forms

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Lifetime is how long a customer can open a form.
const Lifetime = 72 * time.Hour

// ErrUnknown means that a token was not made here, or that its form cannot be opened any more.
var ErrUnknown = errors.New("the form cannot be opened any more")

// The actions of a customer's WhatsApp.
const (
	Init     = "INIT"          // opens the form: the first screen is asked for
	Exchange = "data_exchange" // sends a screen: the next one is asked for
	Back     = "BACK"          // goes back to a screen
)

// Ask is what a customer's WhatsApp asks for.
type Ask struct {
	Action string
	Screen string          // which one is shown; "" for none yet
	Data   whatsapp.Object // what the customer has filled in
}

// Screen is the answer: the screen to show, with its data; or that the form is done, with what comes back as a message.
type Screen struct {
	Name string
	Data map[string]any
	Done bool
}

// Form answers the screens of a form. It may be asked the same again, and changes nothing: what the customer has filled
// in comes as a message.
type Form func(ctx context.Context, of model.OpenForm, ask Ask) (Screen, error)

// Forms keeps which forms customers were sent.
type Forms struct {
	DB       *dynamo.Client
	Now      func() time.Time
	NewToken func() string // nil takes it from crypto/rand
}

// Open returns the token of a form for a customer, and the write that makes it good, for the transaction of the message
// that has the token. The fields that say whose form it is, and what it is about, are the caller's.
func (s *Forms) Open(form model.OpenForm) (token string, write dynamo.Write, err error) {
	token = rand.Text()
	if s.NewToken != nil {
		token = s.NewToken()
	}
	now := s.Now()
	form.PK, form.ItemType = keys.OpenForm(token).Partition, model.ItemOpenForm
	form.CreatedAt, form.TTL = model.At(now), now.Add(Lifetime).Unix()
	item, err := dynamo.Marshal(form)
	return token, dynamo.Put{Table: tables.Messages, Item: item}, err
}

// Find returns the form that a token opens. It returns ErrUnknown.
func (s *Forms) Find(ctx context.Context, token string) (model.OpenForm, error) {
	var form model.OpenForm
	if token == "" {
		return form, ErrUnknown
	}
	err := s.DB.Get(ctx, tables.Messages, keys.OpenForm(token), &form)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && form.TTL <= s.Now().Unix() {
		return form, ErrUnknown
	}
	return form, err
}
