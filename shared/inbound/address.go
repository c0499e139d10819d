package inbound

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp"
)

// AddressForm is the name of the form by which WhatsApp asks for an address. A form of a domain that asks for one says
// so in its answers: FieldForm is AddressForm.
const (
	AddressForm = "address_message"
	FieldForm   = "form"
)

const maxAddressField = 1024 // bytes

// Address is an address that a customer has sent by a form.
type Address struct {
	Name, PhoneNumber                string // who is there, and the number to call
	Street                           string // the house, the street, and what is near
	City, State, PostalCode, Country string
	Default                          bool // the customer wants it to be used from now on
}

// Identifier returns the number that the message shows of the customer, or another identifier if it shows none.
func (m Message) Identifier() model.CustomerID {
	for _, id := range m.Customers {
		if identity.IsNumber(id) {
			return id
		}
	}
	return identity.IdentifierIn(m.Customer)
}

// OneLine returns the address in one line, without who is there.
func (a Address) OneLine() string {
	parts := []string{a.Street, a.City, strings.TrimSpace(a.State + " " + a.PostalCode), a.Country}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// Address returns the address that the customer has sent by a form; nil for none. Countries name its parts differently:
// what is finer than the street goes before it.
func (m Message) Address() *Address {
	if m.Choice == nil || m.Choice.Kind != ChoiceFlow {
		return nil
	}
	answers := whatsapp.Text(m.Choice.Answers).Object()
	if m.Choice.ID != AddressForm && answers.Text(FieldForm) != AddressForm {
		return nil
	}
	values := answers.Object("values")
	if values == nil {
		values = answers
	}
	text := func(names ...string) string {
		for _, name := range names {
			if value := values.Text(name); value != "" {
				return model.Truncate(value, maxAddressField)
			}
		}
		return ""
	}
	var lines []string
	for _, name := range []string{
		"house_number", "floor_number", "tower_number", "building_name", "address", "landmark_area"} {
		if line := text(name); line != "" {
			lines = append(lines, line)
		}
	}
	return &Address{
		Name: text("name"), PhoneNumber: text("phone_number"), Street: strings.Join(lines, ", "),
		City: text("city"), State: text("state"),
		PostalCode: text("in_pin_code", "sg_post_code", "postal_code", "pin_code", "zip_code"),
		Country:    text("country"), Default: values.Text("default") == "true",
	}
}
