// Package addressform answers the screen on which customers of a store say where they want their goods.
package addressform

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/inbound"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/messaging/forms"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Name is the name of the form. template-samples/flows/address.json is what WhatsApp shows of it.
const Name = "commerce.address"

// screen is the only one of the form.
const screen = "ADDRESS"

// Addresses knows the default address of a customer: messaging.Domain.
type Addresses interface {
	DefaultAddress(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (model.Address, error)
}

// Stores knows the stores: stores.Stores.
type Stores interface {
	Get(ctx context.Context, id model.Name) (commercemodel.Store, error)
}

// New returns the form.
func New(addresses Addresses, shops Stores) forms.Form {
	return func(ctx context.Context, of model.OpenForm, ask forms.Ask) (forms.Screen, error) {
		store, err := shops.Get(ctx, of.About)
		if errors.Is(err, dynamo.ErrNotFound) { // it was deleted since
			return forms.Screen{}, forms.ErrUnknown
		}
		if err != nil {
			return forms.Screen{}, err
		}
		p := page{store, of.Language}
		if ask.Action == forms.Exchange && ask.Screen == screen {
			return p.taken(ask.Data), nil
		}
		a, err := addresses.DefaultAddress(ctx, of.PhoneNumberID, of.Customer)
		if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
			return forms.Screen{}, err
		}
		return p.shown(map[string]any{
			"name": a.Name, "phone_number": a.PhoneNumber, "address": a.Address, "city": a.City, "state": a.State,
			"postal_code": a.PostalCode}, nil), nil
	}
}

// page is the screen for a customer of a store, in the language in which the store writes to them.
type page struct {
	store    commercemodel.Store
	language string
}

// text returns a text of the form, or the store's own in place of it.
func (p page) text(key string) string {
	return wording.Text(p.store.Settings, "form."+key, p.language, nil)
}

// field is one that a customer fills in.
type field struct {
	name     string
	required bool
	most     int // characters
}

var fields = []field{
	{"name", false, 80}, {"phone_number", false, 20}, {"house_number", false, 80}, {"address", true, 200},
	{"landmark_area", false, 120}, {"city", true, 80}, {"state", false, 80}, {"postal_code", false, 12},
}

// shown returns the screen with its texts, what stands in its fields, and what is wrong with them.
func (p page) shown(values map[string]any, wrong map[string]any) forms.Screen {
	data := map[string]any{
		"values": values, "error_messages": wrong,
		"heading": p.text("heading"), "label_default": p.text("default"), "label_send": p.text("send")}
	for _, f := range fields {
		if values[f.name] == nil {
			values[f.name] = ""
		}
		data["label_"+f.name] = p.text("label." + f.name)
	}
	if wrong == nil {
		data["error_messages"] = map[string]any{}
	}
	return forms.Screen{Name: screen, Data: data}
}

// indianCode is a postal code of India.
var indianCode = lazy.Regexp(`^[1-9][0-9]{5}$`)

// taken returns the end of the form, with the address, or the screen again with what is wrong.
func (p page) taken(said whatsapp.Object) forms.Screen {
	values, wrong := map[string]any{}, map[string]any{}
	for _, f := range fields {
		text := strings.Join(strings.Fields(model.Shown(said.Text(f.name))), " ")
		values[f.name] = text
		switch {
		case f.required && utf8.RuneCountInString(text) < 2:
			wrong[f.name] = p.text("wrong.missing")
		case utf8.RuneCountInString(text) > f.most:
			wrong[f.name] = p.text("wrong.long")
		}
	}
	country := cmp.Or(stores.Country(p.store), "IN")
	code, _ := values["postal_code"].(string)
	code = strings.ReplaceAll(code, " ", "")
	if country == "IN" && !indianCode.Get().MatchString(code) {
		wrong["postal_code"] = p.text("wrong.postal_code")
	}
	if number, _ := values["phone_number"].(string); number != "" {
		if _, err := phonenumber.Parse(number, country); err != nil {
			wrong["phone_number"] = p.text("wrong.phone_number")
		}
	}
	if len(wrong) > 0 {
		return p.shown(values, wrong)
	}
	if country == "IN" {
		values["postal_code"] = code
	}
	for name, value := range values {
		if value == "" {
			delete(values, name)
		}
	}
	values[inbound.FieldForm] = inbound.AddressForm
	if said.Bool("default") {
		values["default"] = "true"
	}
	return forms.Screen{Done: true, Data: values}
}
