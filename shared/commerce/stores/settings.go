package stores

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/wording"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp"
)

// PaymentMethods are how a customer may pay.
var PaymentMethods = []string{"cod", "upi", "card", "credit"}

// Weekdays in the order of time.Weekday, as settings spell them.
var Weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// DefaultTimeZone is the time zone of a store that names none.
const DefaultTimeZone = "Asia/Kolkata"

// Complete gives a store's settings the defaults of what they leave out.
func Complete(s *commercemodel.Settings) {
	if s.TimeZone == "" {
		s.TimeZone = DefaultTimeZone
	}
	if s.Currency == "" {
		s.Currency = "INR"
	}
	if len(s.Languages) == 0 {
		s.Languages = slices.Clone(wording.Standard)
	}
	if len(s.PaymentMethods) == 0 {
		s.PaymentMethods = []string{"cod"}
	}
	if s.Confirmation == "" {
		s.Confirmation = commercemodel.ConfirmByShop
	}
	if s.Credit != nil {
		credit := *s.Credit // the caller's stays as it is
		credit.ReminderFrequency = cmp.Or(credit.ReminderFrequency, "weekly")
		credit.ReminderChannel = cmp.Or(credit.ReminderChannel, "whatsapp")
		credit.ReminderTime = cmp.Or(credit.ReminderTime, DefaultReminderTime)
		s.Credit = &credit
	}
}

// DefaultReminderTime is when customers are reminded of what they owe, where the store says nothing.
const DefaultReminderTime = "10:00"

// checkCredit returns the field of a store's credit settings that is wrong, and what is wrong with it; "" if nothing
// is.
func checkCredit(c commercemodel.Credit) (field, fault string) {
	switch name, bank, ok := strings.Cut(c.VPA, "@"); {
	case c.VPA != "" &&
		(!ok || name == "" || bank == "" ||
			strings.Trim(strings.ToLower(name+bank), "abcdefghijklmnopqrstuvwxyz0123456789.-_") != ""):
		return "vpa", "not a UPI address, such as shop@bank"
	case c.DefaultLimit != nil && (c.DefaultLimit.IsNegative() || !c.DefaultLimit.Equal(c.DefaultLimit.Round(2))):
		return "defaultLimit", "not negative, and with two decimals at most"
	case c.AdjustmentLimit != nil &&
		(c.AdjustmentLimit.IsNegative() || !c.AdjustmentLimit.Equal(c.AdjustmentLimit.Round(2))):
		return "adjustmentLimit", "not negative, and with two decimals at most"
	}
	if _, err := minutes(c.ReminderTime); err != nil {
		return "reminderTime", "a time of day, such as 10:00"
	}
	return "", ""
}

// wrongCharge returns the field of a store's charges and discounts that is wrong; "" for none.
func wrongCharge(s commercemodel.Settings) string {
	wrong := func(a *model.Amount) bool { return a != nil && (a.IsNegative() || !a.Equal(a.Round(2))) }
	switch d := s.Delivery; {
	case d != nil && wrong(&d.Charge):
		return "delivery.charge"
	case d != nil && wrong(d.FreeFrom):
		return "delivery.freeFrom"
	case wrong(s.RoundTo):
		return "roundTo"
	case wrong(s.RefundLimit):
		return "refundLimit"
	}
	for _, d := range s.Discounts {
		if wrong(&d.From) || wrong(d.Amount) || wrong(d.Percent) ||
			d.Percent != nil && d.Percent.GreaterThan(hundred) || (d.Percent == nil) == (d.Amount == nil) {
			return "discounts"
		}
	}
	return ""
}

var hundred = decimal.NewFromInt(100)

// Check returns an error of ErrSettings for what an API's schema cannot check.
func Check(s commercemodel.Store) error {
	wrong := func(field, detail string, values ...any) error {
		return problem.Wrong(ErrSettings, "body."+field, detail, values...)
	}
	if strings.TrimSpace(s.Name) == "" {
		return wrong("name", "it is empty")
	}
	if _, err := time.LoadLocation(s.Settings.TimeZone); err != nil || s.Settings.TimeZone == "Local" {
		return wrong("settings.timeZone", "not the name of a time zone, such as Asia/Kolkata")
	}
	if !phonenumber.IsCountry(s.Settings.Country) && s.Settings.Country != "" {
		return wrong("settings.country", "not a country by ISO 3166, such as IN")
	}
	if slices.ContainsFunc(s.Settings.Languages,
		func(l string) bool { return !slices.Contains(wording.Languages, l) }) {
		return wrong("settings.languages", "the assistant speaks %s", strings.Join(wording.Languages, ", "))
	}
	if slices.ContainsFunc(s.Settings.PaymentMethods,
		func(m string) bool { return !slices.Contains(PaymentMethods, m) }) {
		return wrong("settings.paymentMethods", "one of %s", strings.Join(PaymentMethods, ", "))
	}
	for key, own := range s.Settings.Texts {
		for language, text := range own {
			if fault := wording.Check(key, language, text); fault != "" {
				return wrong("settings.texts."+key+"."+language, "%s", fault)
			}
		}
	}
	if field, fault := wrongHours(s.Settings.BusinessHours); fault != "" {
		return wrong("settings.businessHours"+field, "%s", fault)
	}
	if field, fault := wrongSlot(s.Settings.Slots); field != "" {
		return wrong("settings.slots"+field, "%s", fault)
	}
	for field, phone := range map[string]string{
		"contactInfo.phone": s.ContactInfo.Phone, "contactInfo.whatsapp": s.ContactInfo.WhatsApp} {
		if phone != "" && !whatsapp.Reachable(whatsapp.Digits(phone)) {
			return wrong(field, "not a phone number with its country code")
		}
	}
	if owner := s.ContactInfo.WhatsApp; owner != "" && owner != "+"+whatsapp.Digits(owner) {
		return wrong("contactInfo.whatsapp", "not a number in E.164: a plus sign, the country code, and digits only")
	}
	if len(s.PhoneNumberIDs) > MaxNumbers {
		return wrong("phoneNumberIds", "%d at most", MaxNumbers)
	}
	if s.Settings.Credit != nil {
		if field, fault := checkCredit(*s.Settings.Credit); fault != "" {
			return wrong("settings.credit."+field, "%s", fault)
		}
	}
	if field := wrongCharge(s.Settings); field != "" {
		return wrong("settings."+field, "not negative, and with two decimals at most; a percentage is 100 at most")
	}
	if s.Settings.Tax != nil && s.GSTIN != "" && !IsGSTIN(s.GSTIN) {
		return wrong("gstin", "not a GSTIN: 15 capital letters and digits, of which the last checks the others")
	}
	if field := wrongMember(s); field != "" {
		return wrong("settings.team"+field, "a number in E.164 that nobody else of the team has, and a role: owner, "+
			"manager or helper")
	}
	if m := s.Settings.MinOrderAmount; m != nil && m.IsNegative() {
		return wrong("settings.minOrderAmount", "it is negative")
	}
	return nil
}

// wrongMember returns the place of the member of a store's team who is wrong, such as [0]; "" for none.
func wrongMember(s commercemodel.Store) string {
	known := map[string]bool{s.ContactInfo.WhatsApp: true}
	for i, m := range s.Settings.Team {
		digits := whatsapp.Digits(m.WhatsApp)
		if m.WhatsApp != "+"+digits || !whatsapp.Reachable(digits) || known[m.WhatsApp] ||
			m.Role != commercemodel.RoleOwner && m.Role != commercemodel.RoleManager &&
				m.Role != commercemodel.RoleHelper {
			return fmt.Sprintf("[%d]", i)
		}
		known[m.WhatsApp] = true
	}
	return ""
}

// Minutes returns a time of day that Check has passed, HH:MM, in minutes after midnight.
func Minutes(text string) int {
	m, _ := minutes(text)
	return m
}

// minutes returns a time of day, HH:MM, in minutes after midnight. 24:00 is the end of the day.
func minutes(text string) (int, error) {
	if text == "24:00" {
		return 24 * 60, nil
	}
	at, err := time.Parse("15:04", text)
	if err != nil {
		return 0, fmt.Errorf("time of day: %w", err)
	}
	return at.Hour()*60 + at.Minute(), nil
}
