// Package export reads what is kept of one person: the answer to a request for one's data. Each domain provides an
// exporter beside its eraser. Both get the person as package erasure finds them, so an export holds what an erasure
// would reach, and what it would keep.
package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Exporter reads one domain's data of a person.
type Exporter struct {
	Domain  string
	Lists   []List    // in the order of the export
	LeftOut []LeftOut // what the domain keeps of a person and does not export
}

// List is one kind of what a domain keeps of a person.
type List struct {
	Kind string
	// PerNumber is set if what the list holds belongs to one of the business's numbers. Then Read gets the person as
	// they are known there. Otherwise it gets their keys and identifiers of all numbers.
	PerNumber bool
	// Read returns up to limit rows behind a place. The places are the list's own; "" is the beginning. It may return
	// fewer rows than there are, or none, with the place behind them.
	Read func(ctx context.Context, of erasure.Subject, after string, limit int) (Rows, error)
}

// Rows are rows of a list, in its order.
type Rows struct {
	Rows []Row
	Next string // the place behind which the next rows are; "" at the end
}

// Row is a stored item.
type Row struct {
	At   string // its place in the list
	Item dynamo.Item
}

// LeftOut is something that is kept of a person and not exported, and why.
type LeftOut struct {
	What, Why string
	Table     tables.Table
	// Begins is how the partition keys of the items begin; "" for all of the table.
	Begins string
	// Attributes are the attributes of these items that are left out; nil for whole items.
	Attributes []string
}

// Covers reports whether an attribute of an item is left out.
func (l LeftOut) Covers(table tables.Table, item dynamo.Item, attribute string) bool {
	key := dynamo.Text(item, table.Partition.Name)
	return l.Table.ID == table.ID && len(key) >= len(l.Begins) && key[:len(l.Begins)] == l.Begins &&
		(l.Attributes == nil || slices.Contains(l.Attributes, attribute))
}

// Record is one thing that is kept of a person.
type Record struct {
	Domain, Kind  string
	PhoneNumberID model.PhoneNumberID // of the number that it belongs to; "" if it belongs to none
	Data          json.RawMessage     // an object with the names of the stored attributes
}

// Person is whose data is exported: the keys or identifiers that name them at numbers of a tenant.
type Person struct {
	Tenant model.TenantID
	At     []Named
}

// Named is a person at a number.
type Named struct {
	Phone    model.PhoneNumberID
	Customer model.CustomerID
}

// Reader reads exports.
type Reader struct {
	Contacts  *contacts.Contacts
	Exporters []Exporter // of all domains, in the order of the export
}

const (
	// maxPage is after how many bytes a page ends. An answer of the API has 6 MB at most.
	maxPage = 2 << 20
	// batch is how many rows are read at once.
	batch = 25
)

// ErrPlace means that a text is no place in an export.
var ErrPlace = errors.New("not a place in this export")

// place is how far an export has come. Domains, lists and numbers are named, so that an export goes on in the same list
// after a deployment has added others.
type place struct {
	Domain string              `json:"d"`
	Kind   string              `json:"k"`
	Phone  model.PhoneNumberID `json:"p,omitempty"`
	After  string              `json:"a,omitempty"`
}

// part is one list of an export, at one number if it belongs to numbers.
type part struct {
	domain string
	list   List
	named  Named // the zero Named for a list of all numbers
}

func (p part) is(at place) bool {
	return p.domain == at.Domain && p.list.Kind == at.Kind && p.named.Phone == at.Phone
}

// parts returns the parts of a person's export, in order.
func (r *Reader) parts(of Person) []part {
	var all []part
	for _, exporter := range r.Exporters {
		for _, list := range exporter.Lists {
			if !list.PerNumber {
				all = append(all, part{exporter.Domain, list, Named{}})
				continue
			}
			for _, named := range of.At {
				all = append(all, part{exporter.Domain, list, named})
			}
		}
	}
	return all
}

// LeftOut returns what no export holds, and why.
func (r *Reader) LeftOut() []LeftOut {
	var all []LeftOut
	for _, exporter := range r.Exporters {
		all = append(all, exporter.LeftOut...)
	}
	return all
}

// Page reads up to limit records of a person's export from behind a place, and returns the place behind which the next
// page begins; "" at the end. A page may be short. hasTime reports whether there is time to read on. Page returns
// ErrPlace for a place that it has not returned.
func (r *Reader) Page(
	ctx context.Context, of Person, after string, limit int, hasTime func() bool,
) (records []Record, next string, err error) {
	parts, from, err := r.from(of, after)
	if err != nil {
		return nil, "", err
	}
	people := &finding{Reader: r, of: of, subjects: map[model.PhoneNumberID]erasure.Subject{}}
	size, full := 0, false
	for read := 0; len(parts) > 0; read++ {
		p := parts[0]
		if full || len(records) == limit || read > 0 && !hasTime() {
			return records, placeText(p, from), nil
		}
		subject, err := people.subject(ctx, p)
		if err != nil {
			return nil, "", err
		}
		rows, err := p.list.Read(ctx, subject, from, min(limit-len(records), batch))
		if err != nil {
			return nil, "", fmt.Errorf("export %s of %s: %w", p.list.Kind, p.domain, err)
		}
		for _, row := range rows.Rows {
			record, err := r.record(p, row)
			if err != nil {
				return nil, "", err
			}
			if size += len(record.Data); size > maxPage && len(records) > 0 {
				full = true // from is behind the last row that the page has room for
				break
			}
			records, from = append(records, record), row.At
		}
		if full {
			continue
		}
		if from = rows.Next; from == "" {
			parts = parts[1:]
		}
	}
	return records, "", nil
}

// from returns the parts from the one that a place is in, and the place in that one's list.
func (r *Reader) from(of Person, after string) (parts []part, from string, err error) {
	parts = r.parts(of)
	if after == "" {
		return parts, "", nil
	}
	var at place
	if json.Unmarshal([]byte(after), &at) != nil {
		return nil, "", ErrPlace
	}
	i := slices.IndexFunc(parts, func(p part) bool { return p.is(at) })
	if i < 0 {
		return nil, "", ErrPlace
	}
	return parts[i:], at.After, nil
}

func placeText(p part, from string) string {
	text, _ := json.Marshal(place{p.domain, p.list.Kind, p.named.Phone, from}) // texts can always be encoded
	return string(text)
}

// record returns the record of a row.
func (r *Reader) record(p part, row Row) (Record, error) {
	data, err := objectOf(row.Item)
	if err != nil {
		return Record{}, fmt.Errorf("export %s of %s: %w", p.list.Kind, p.domain, err)
	}
	return Record{p.domain, p.list.Kind, p.named.Phone, data}, nil
}

// finding finds a person, at each number once.
type finding struct {
	*Reader
	of       Person
	subjects map[model.PhoneNumberID]erasure.Subject
}

// subject returns the person as a part has to know them.
func (f *finding) subject(ctx context.Context, p part) (erasure.Subject, error) {
	if p.list.PerNumber {
		return f.at(ctx, p.named)
	}
	if all, known := f.subjects[""]; known {
		return all, nil
	}
	all := erasure.Subject{Tenant: f.of.Tenant}
	for _, named := range f.of.At {
		one, err := f.at(ctx, named)
		if err != nil {
			return all, err
		}
		all.Accounts = append(all.Accounts, one.Accounts...)
		all.Identifiers = append(all.Identifiers, one.Identifiers...)
	}
	for _, list := range []*[]model.CustomerID{&all.Accounts, &all.Identifiers} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	f.subjects[""] = all
	return all, nil
}

// at returns the person as they are known at a number.
func (f *finding) at(ctx context.Context, named Named) (erasure.Subject, error) {
	if one, known := f.subjects[named.Phone]; known {
		return one, nil
	}
	customer, err := f.Contacts.FindCustomer(ctx, named.Phone, named.Customer)
	if err != nil {
		return erasure.Subject{}, err
	}
	f.subjects[named.Phone] = erasure.SubjectOf(f.of.Tenant, customer)
	return f.subjects[named.Phone], nil
}
