package content

// Contacts is a message with contacts.
type Contacts struct {
	Contacts []Contact `json:"contacts" minItems:"1" maxItems:"257" doc:"The contacts."`
}

func (c Contacts) graph() any {
	return listOf(c.Contacts, func(_ int, contact Contact) any { return plain(contact) })
}

// Contact is a person or a business.
type Contact struct {
	Name      ContactName      `json:"name" doc:"What the contact is called."`
	Phones    []ContactPhone   `json:"phones,omitempty" maxItems:"100" doc:"Phone numbers."`
	Emails    []ContactEmail   `json:"emails,omitempty" maxItems:"100" doc:"E-mail addresses."`
	URLs      []ContactURL     `json:"urls,omitempty" maxItems:"100" doc:"Web pages."`
	Addresses []ContactAddress `json:"addresses,omitempty" maxItems:"100" doc:"Postal addresses."`
	Org       *ContactOrg      `json:"org,omitempty" doc:"Where the contact works."`
	Birthday  string           `json:"birthday,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" doc:"The birthday, as YYYY-MM-DD."`
}

// ContactName is the name of a contact: the whole, and at least one of its parts.
type ContactName struct {
	FormattedName string `json:"formattedName" minLength:"1" maxLength:"1000" doc:"The whole name."`
	FirstName     string `json:"firstName,omitempty" maxLength:"1000" doc:"The first name."`
	LastName      string `json:"lastName,omitempty" maxLength:"1000" doc:"The last name."`
	MiddleName    string `json:"middleName,omitempty" maxLength:"1000" doc:"The middle name."`
	Prefix        string `json:"prefix,omitempty" maxLength:"1000" doc:"What stands before the name."`
	Suffix        string `json:"suffix,omitempty" maxLength:"1000" doc:"What stands after the name."`
}

func (n ContactName) rules() (found Faults) {
	found.unless(n.FirstName+n.LastName+n.MiddleName+n.Prefix+n.Suffix != "", "firstName",
		"a part of the name is required beside the whole one")
	return found
}

// ContactPhone is a phone number of a contact.
type ContactPhone struct {
	Phone string `json:"phone,omitempty" maxLength:"100" doc:"The number."`
	Type  string `json:"type,omitempty" maxLength:"100" doc:"What it is for, such as HOME, WORK or CELL."`
	WaID  string `json:"waId,omitempty" maxLength:"100" doc:"The number's digits at WhatsApp, by which the customer can write to it."`
}

// ContactEmail is an e-mail address of a contact.
type ContactEmail struct {
	Email string `json:"email" minLength:"1" maxLength:"1000" doc:"The address."`
	Type  string `json:"type,omitempty" maxLength:"100" doc:"What it is for, such as HOME or WORK."`
}

// ContactURL is a web page of a contact.
type ContactURL struct {
	URL  string `json:"url" minLength:"1" maxLength:"2000" doc:"The page's address."`
	Type string `json:"type,omitempty" maxLength:"100" doc:"What it is for, such as HOME or WORK."`
}

// ContactAddress is a postal address of a contact.
type ContactAddress struct {
	Street      string `json:"street,omitempty" maxLength:"1000" doc:"The street and number."`
	City        string `json:"city,omitempty" maxLength:"1000" doc:"The city."`
	State       string `json:"state,omitempty" maxLength:"1000" doc:"The state."`
	Zip         string `json:"zip,omitempty" maxLength:"100" doc:"The postal code."`
	Country     string `json:"country,omitempty" maxLength:"1000" doc:"The country."`
	CountryCode string `json:"countryCode,omitempty" maxLength:"2" doc:"The country's code of two letters."`
	Type        string `json:"type,omitempty" maxLength:"100" doc:"What it is for, such as HOME or WORK."`
}

// ContactOrg is where a contact works.
type ContactOrg struct {
	Company    string `json:"company,omitempty" maxLength:"1000" doc:"The company."`
	Department string `json:"department,omitempty" maxLength:"1000" doc:"The department."`
	Title      string `json:"title,omitempty" maxLength:"1000" doc:"The position."`
}
