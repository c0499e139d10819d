package replies

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/identity"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/sorting"
)

// find returns the conversation to which the message belongs: that of the quoted message or of the email that it
// answers, else the newest that waits for a reply, else the newest open one, else one that has expired, else one that
// the routing rules open.
func (a arrived) find(ctx context.Context) (c conversationsmodel.Conversation, is bool, err error) {
	about, quotes, err := a.Asked(ctx, a.Domain)
	if err != nil {
		return c, false, err
	}
	person, numbers, err := a.person(ctx)
	if err != nil {
		return c, false, err
	}
	if quotes {
		key, _ := conversationsmodel.KeyOf(about)
		c, err = a.Talks.Get(ctx, key)
		if errors.Is(err, dynamo.ErrNotFound) {
			return c, false, nil
		}
		if err == nil {
			is, err = a.theirs(ctx, c, person)
		}
		// what comes after the end of a conversation stays in the inbox
		return c, is && c.Status.MayGoOn(), err
	}
	var all []conversationsmodel.Conversation
	for _, number := range numbers {
		for _, own := range a.ownNumbers() {
			some, err := a.Talks.Found(ctx, a.company.Company, a.Channel, own, number)
			if err != nil {
				return c, false, err
			}
			all = append(all, some...)
		}
	}
	if answered := a.answers(all); answered != nil {
		all = []conversationsmodel.Conversation{*answered}
	}
	sorting.Func(all, func(x, y conversationsmodel.Conversation) int {
		return cmp.Or(cmp.Compare(rank(y), rank(x)), cmp.Compare(y.CreatedAt, x.CreatedAt))
	})
	for _, candidate := range all {
		if is, err = a.takes(ctx, candidate, person); err != nil || !is {
			if err != nil {
				return c, false, err
			}
			continue
		}
		c, err = a.Talks.Get(ctx, candidate.Key()) // the index may be behind
		switch {
		case errors.Is(err, dynamo.ErrNotFound) || err == nil && !c.Status.Open():
			continue
		default:
			return c, err == nil, err
		}
	}
	if a.answers(all) != nil { // what comes after the end of a conversation stays in the log
		return a.expired(ctx, all, person)
	}
	if c, is, err = a.openUnder(ctx, numbers, person); err != nil || is {
		return c, is, err
	}
	if c, is, err = a.expired(ctx, all, person); err != nil || is {
		return c, is, err
	}
	return a.opened(ctx, person)
}

// answers returns the conversation whose first email the message names; nil for none. Every later email names the first
// one as well, and so does what answers it.
func (a arrived) answers(all []conversationsmodel.Conversation) *conversationsmodel.Conversation {
	for _, id := range a.References {
		for i := range all {
			if first := all[i].EmailID; first != nil && *first == id {
				return &all[i]
			}
		}
	}
	return nil
}

// ownNumbers returns the company's numbers or addresses under which a conversation of the message may be found.
func (a arrived) ownNumbers() []model.Name {
	if a.Channel != model.ChannelWhatsApp {
		return []model.Name{model.Name(a.Business)}
	}
	return companies.NumbersOf(a.company)
}

// openUnder returns the newest open conversation of the company with the person that the index does not show yet: one
// that a message of the same moment has opened.
func (a arrived) openUnder(ctx context.Context, numbers []model.Name,
	person model.CustomerID) (c conversationsmodel.Conversation, is bool, err error) {
	for _, number := range numbers {
		all, err := a.Talks.Under(ctx, a.company.TenantID, number)
		if err != nil {
			return c, false, err
		}
		for _, candidate := range all {
			takes, err := a.takes(ctx, candidate, person)
			if err != nil {
				return c, false, err
			}
			if takes && a.goesBy(candidate) && candidate.CreatedAt > c.CreatedAt {
				c, is = candidate, true
			}
		}
	}
	return c, is, nil
}

// goesBy reports whether a conversation goes by the channel of the message, and by SMS or email from the number or the
// address that it came to.
func (a arrived) goesBy(c conversationsmodel.Conversation) bool {
	switch {
	case c.ChannelMethod != a.Channel:
		return false
	case a.Channel == model.ChannelSMS:
		return c.GSICompanySMS == a.Business
	case a.Channel == model.ChannelEmail:
		return c.GSICompanyEmail == a.Business
	}
	return true
}

// rank orders conversations: one that waits for the person's reply comes before one in which they wrote last.
func rank(c conversationsmodel.Conversation) int {
	if c.LastRole == conversationsmodel.Assistant {
		return 1
	}
	return 0
}

// takes reports whether an open conversation with the person had begun when they wrote.
func (a arrived) takes(ctx context.Context, c conversationsmodel.Conversation, person model.CustomerID) (bool, error) {
	if !c.Status.Open() || a.early(c) {
		return false, nil
	}
	return a.theirs(ctx, c, person)
}

// early reports whether the message is from before a conversation began. One that names an email of the conversation is
// not, whatever the clocks say.
func (a arrived) early(c conversationsmodel.Conversation) bool {
	if c.EmailID != nil && slices.Contains(a.References, *c.EmailID) {
		return false
	}
	began := c.CreatedAt.Go().Truncate(time.Second) // WhatsApp's times have whole seconds
	return a.At.Go().Before(began)
}

// person returns the key of the person who has written, and the numbers that lead or have led to them. Who is known by
// an email address is a person of their own.
func (a arrived) person(ctx context.Context) (key model.CustomerID, numbers []model.Name, err error) {
	if a.Channel == model.ChannelEmail {
		return a.Customer, []model.Name{model.Name(a.Person)}, nil
	}
	known, err := a.current(ctx, a.Customer)
	if err != nil {
		return "", nil, err
	}
	key = a.Customer
	identifiers := append(slices.Clone(a.Customers), identity.IdentifierIn(a.Customer))
	if a.Channel == model.ChannelSMS {
		identifiers = append(model.ParseCustomers(strings.TrimPrefix(a.Person, "+")), identifiers...)
	}
	if known != nil {
		_, key, _ = keys.ConversationIDs(known.PK)
		identifiers = append(identifiers, model.ParseCustomers(contacts.IdentifiersOf(*known)...)...)
	}
	for _, id := range identifiers {
		if number := model.PhoneOf(id); identity.IsNumber(id) && !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	return key, numbers, nil
}

// theirs reports whether a conversation of the company is with the person. A number may have passed from another one.
func (a arrived) theirs(ctx context.Context, c conversationsmodel.Conversation, person model.CustomerID) (bool, error) {
	switch {
	case c.CompanyID != a.company.Company || c.TenantID != a.company.TenantID:
		return false, nil
	case c.Customer == person:
		return true, nil
	}
	known, err := a.current(ctx, c.Customer)
	if err != nil || known == nil {
		return false, err
	}
	_, key, _ := keys.ConversationIDs(known.PK)
	return key == person, nil
}

// current returns what is known of a person on WhatsApp; nil for nothing.
func (a arrived) current(ctx context.Context, customer model.CustomerID) (*model.Conversation, error) {
	if a.Phone == "" {
		return nil, nil
	}
	return a.Contacts.Current(ctx, a.Phone, customer)
}
