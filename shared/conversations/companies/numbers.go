package companies

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// The fields of a request that name a company's numbers.
const (
	numberField = "body.channelConfig.company_whatsapp_number"
	senderField = "body.channelConfig.company_sms_number"
)

// claim is the write by which a company gets a number that a field names, or by which it gives one up ("").
type claim struct {
	dynamo.Update
	field string
}

// line is a number of a company: its key, and the write by which the company gets it or gives it up.
type line struct {
	key   keys.Key
	write func(has bool) dynamo.Update
}

// lines returns the numbers of a company by the fields that name them.
func (s *Companies) lines(c conversationsmodel.Company) map[string]line {
	all := map[string]line{}
	if c.PhoneNumberID != "" {
		all[numberField] = line{keys.Phone(c.PhoneNumberID),
			func(has bool) dynamo.Update {
				return s.Numbers.CompanyWrite(c.PhoneNumberID, c.TenantID, c.Company, has)
			}}
	}
	if sender := model.Name(c.Addresses().SMS); sender != "" {
		all[senderField] = line{keys.Sender(sender),
			func(has bool) dynamo.Update { return tenancy.SenderWrite(sender, c.TenantID, c.Company, has) }}
	}
	return all
}

// claims returns the writes by which a company gets its numbers and gives up those that it had. A number that has
// moved to another tenant meanwhile, or serves somebody else, stays as it is: the company keeps it in its settings, and
// writes nothing from it.
func (s *Companies) claims(ctx context.Context, was, next conversationsmodel.Company) (all []claim, err error) {
	had, has := s.lines(was), s.lines(next)
	refs := map[keys.Key]dynamo.Ref{}
	for _, lines := range []map[string]line{had, has} {
		for _, l := range lines {
			refs[l.key] = dynamo.Ref{Table: tables.Messages, Key: l.key}
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	found, err := s.DB.BatchGet(ctx, slices.Collect(maps.Values(refs)))
	if err != nil {
		return nil, err
	}
	for _, field := range []string{numberField, senderField} {
		before, hadOne := had[field]
		now, hasOne := has[field]
		same := hadOne && hasOne && before.key == now.key
		if hasOne && (!same || free(refs[now.key].Found(found), next)) {
			all = append(all, claim{now.write(true), field})
		}
		if hadOne && !same && serves(refs[before.key].Found(found), next.Company) {
			all = append(all, claim{before.write(false), ""})
		}
	}
	return all, nil
}

// serves reports whether a number's item says that it serves a company.
func serves(item dynamo.Item, company model.Name) bool {
	return dynamo.Text(item, "companyId") == string(company)
}

// free reports whether a company may have a number, or has it.
func free(item dynamo.Item, c conversationsmodel.Company) bool {
	return dynamo.Text(item, "tenantId") == string(c.TenantID) && dynamo.Text(item, "storeId") == "" &&
		(dynamo.Text(item, "companyId") == "" || serves(item, c.Company))
}

// taken says what a number serves that a company cannot have.
func taken(field string, item dynamo.Item) error {
	switch {
	case dynamo.Text(item, "storeId") != "":
		return problem.Wrong(ErrNumber, field, "it serves a store, and a number serves a store or a company")
	case dynamo.Text(item, "companyId") != "":
		return problem.Wrong(ErrNumber, field, "it serves another company")
	}
	return problem.Wrong(ErrNumber, field, "not a number of the tenant")
}

// complete checks a company and finds Meta's id of its WhatsApp number: by what Meta shows for the numbers of the
// tenant, or by the id that the company names for a number of which nothing is shown yet. A number of the phone that
// was shown before stays known: conversations were begun from it.
func (s *Companies) complete(ctx context.Context, was conversationsmodel.Company,
	next *conversationsmodel.Company) error {
	if err := Check(*next); err != nil {
		return err
	}
	number := model.Name(next.Addresses().WhatsApp)
	if number == "" {
		next.PhoneNumberID, next.FormerNumbers = "", nil
		return nil
	}
	phones, err := s.Numbers.Phones(ctx, next.TenantID)
	if err != nil {
		return err
	}
	before := model.Name(was.Addresses().WhatsApp)
	if next.PhoneNumberID == "" && before == number {
		next.PhoneNumberID = was.PhoneNumberID
	}
	at := slices.IndexFunc(phones, func(p model.Phone) bool {
		shown, err := conversationsmodel.ParseNumber(plus(p.DisplayPhoneNumber))
		if p.DisplayPhoneNumber == "" {
			return p.PhoneNumberID == next.PhoneNumberID
		}
		return err == nil && shown == number
	})
	switch {
	case at >= 0 && (next.PhoneNumberID == "" || next.PhoneNumberID == phones[at].PhoneNumberID):
		next.PhoneNumberID = phones[at].PhoneNumberID
	case next.PhoneNumberID != "" && next.PhoneNumberID == was.PhoneNumberID && before == number:
	default:
		return problem.Wrong(ErrNumber, numberField, "no number of the tenant is shown so")
	}
	if next.PhoneNumberID != was.PhoneNumberID {
		next.FormerNumbers = nil
	} else if before != "" && before != number && !slices.Contains(next.FormerNumbers, before) {
		next.FormerNumbers = append(slices.Clone(next.FormerNumbers), before)
	}
	return nil
}

// plus returns a display number in its international form: Meta writes it with a plus or without.
func plus(display string) string {
	if display == "" || strings.HasPrefix(display, "+") {
		return display
	}
	return "+" + display
}

// NumbersOf returns the WhatsApp numbers under which a company's conversations are found, the present one first.
func NumbersOf(c conversationsmodel.Company) []model.Name {
	return append([]model.Name{model.Name(c.Addresses().WhatsApp)}, c.FormerNumbers...)
}
