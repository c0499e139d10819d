package collecting

import (
	"slices"

	"github.com/haatline/haatline/shared/mail/notices"
	"github.com/haatline/haatline/shared/mail/received"
	"github.com/haatline/haatline/shared/model"
)

// Why a message is held, beside the kinds of emails that no person has written.
const (
	infected = "infected" // there is a virus in it
	forged   = "forged"   // nothing shows that its sender is who they say
	spam     = "spam"
)

// mostReferences bounds the Message-IDs of a message that is kept: the newest ones, and the first.
const mostReferences = 20

// message returns an email as it is kept, without its files.
func message(a arrival, n notices.Notice, email received.Email) model.Received {
	m := model.Received{
		TenantID: a.tenant, Channel: model.ChannelEmail, Business: a.address, Person: email.From.Address,
		CustomerID: model.CustomerID(email.From.Address), ReceivedAt: model.At(n.At), SenderName: email.From.Name,
		Subject: email.Subject, Text: email.Text, EmailID: email.ID, References: references(email),
		Held: held(n, email),
	}
	for _, part := range email.LeftOut {
		m.LeftOut = append(m.LeftOut, model.LeftOut{Name: part.Name, Reason: string(part.Reason)})
	}
	return m
}

// held returns why no domain gets an email; "" for one that a person has written. What is said in somebody else's name
// comes first: not even a stop is taken from it.
func held(n notices.Notice, email received.Email) string {
	switch {
	case n.Infected:
		return infected
	case n.Forged:
		return forged
	case n.Spam:
		return spam
	case email.Kind != received.FromPerson:
		return string(email.Kind)
	}
	return ""
}

// references returns the Message-IDs that an email names, the one that it answers first, and then the newest ones.
func references(email received.Email) []string {
	var all []string
	if email.ReplyOf != "" {
		all = append(all, email.ReplyOf)
	}
	for _, id := range slices.Backward(email.References) {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	if len(all) > mostReferences {
		all = append(all[:mostReferences-1], all[len(all)-1])
	}
	return all
}
