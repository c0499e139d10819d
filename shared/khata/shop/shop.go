// Package shop defines what the credit ledger knows of a store: its terms, its zone and its hours.
package shop

import (
	"context"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
)

// Shop is a store as the ledger sees it.
type Shop struct {
	ID        model.Name
	Tenant    model.TenantID
	Name      string
	Currency  string // ISO 4217
	Zone      *time.Location
	Languages []string              // en, hi, hi-Latn; the first is for a customer whose language is unknown
	Phones    []model.PhoneNumberID // the store's numbers; the first sends what nobody has asked for
	Country   string                // ISO 3166: numbers without a country code are its; "" for none
	Owner     model.CustomerID      // the WhatsApp number that the shop is told things on; "" for none
	// OwnerSince is when the shop named that number, or confirmed it. Somebody who gets the number later has no
	// authority.
	OwnerSince model.Time
	Answers    bool // whether customers are answered in the chat
	Subscribed bool // whether somebody outside is told of entries
	Terms      Terms
	// Opens returns the instant itself while the store is open, else when it opens next; the zero time for never.
	Opens func(at time.Time) time.Time
}

// Shops finds stores.
type Shops interface {
	// Shop returns a store, or dynamo.ErrNotFound.
	Shop(ctx context.Context, id model.Name) (Shop, error)
	// Ref refers to the item that Shop reads, so that the caller reads it together with its own.
	Ref(id model.Name) dynamo.Ref
}

// Terms are the rules by which a store gives credit.
type Terms struct {
	DefaultLimit *model.Amount // of a customer without a limit of their own; nil for no limit
	// AdjustmentLimit is the most by which one person adjusts a balance; nil for no limit, and in a store in which
	// nobody else could be asked.
	AdjustmentLimit *model.Amount
	Overpayment     bool   // whether a customer may pay more than they owe, and have it credited
	Quiet           bool   // whether customers are not told of entries
	Commands        bool   // whether the owner's number may write entries in the chat
	VPA             string // the store's UPI address; "" for none
	// PaymentConfiguration is by which configuration of Meta's the store is paid on WhatsApp; "" for none.
	PaymentConfiguration string
	Reminders            Reminders
}

// Reminders are how the customers of a store are reminded who have no settings of their own.
type Reminders struct {
	Enabled   bool
	Frequency khatamodel.Frequency
	Channel   khatamodel.Channel
	At        int // minutes after midnight
	// Code says whether a reminder on WhatsApp shows the link to pay as a QR code as well.
	Code bool
}

// Date returns the day in the store's zone on which an instant lies.
func (s Shop) Date(at time.Time) string { return at.In(s.Zone).Format(DateLayout) }

// DateLayout is the form of a day.
const DateLayout = "2006-01-02"

// Limit returns the limit that holds for a customer; nil for none.
func (s Shop) Limit(b khatamodel.Balance) *model.Amount {
	if b.CreditLimit != nil {
		return b.CreditLimit
	}
	return s.Terms.DefaultLimit
}

// NextReminder returns when a customer is reminded next: one period after an instant's day, at the store's time of day
// by its clock.
func (s Shop) NextReminder(f khatamodel.Frequency, after time.Time) time.Time {
	day := after.In(s.Zone)
	year, month, date := day.Date()
	switch f {
	case khatamodel.Daily:
		date++
	case khatamodel.Monthly:
		last := time.Date(year, month+2, 0, 0, 0, 0, 0, s.Zone).Day() // of the next month
		month, date = month+1, min(date, last)
	default:
		date += 7
	}
	at := time.Date(year, month, date, 0, s.Terms.Reminders.At, 0, 0, s.Zone)
	if at.Day() != time.Date(year, month, date, 12, 0, 0, 0, s.Zone).Day() {
		at = at.Add(time.Hour) // the clocks change at midnight, and the time would lie on the day before
	}
	return at
}

// Period returns the first day of the period of a frequency in which an instant lies by the store's clock: the day
// itself, the Monday of the week, or the first of the month.
func (s Shop) Period(f khatamodel.Frequency, at time.Time) time.Time {
	year, month, date := at.In(s.Zone).Date()
	day := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	switch f {
	case khatamodel.Daily, khatamodel.Once:
		return day
	case khatamodel.Monthly:
		return day.AddDate(0, 0, 1-date)
	}
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}
