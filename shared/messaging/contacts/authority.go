package contacts

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// Authority is what somebody has given to a number: to write entries, to decide. It belongs to the person who had the
// number then.
type Authority struct {
	Address model.CustomerID
	Since   model.Time // when it was given, or confirmed
}

// Authorities returns for each authority the key of the person who has it, and "" for one that is suspended: the number
// has passed from that person since. held is the index of the authority that the sender of a message has, -1 for none.
//
// phones are the numbers of the business at which the authorities count: the first is the one that the message came to,
// or from which people are written to. A number that has passed on at one of them has no authority at any. sender is
// the customer in the key of the message's conversation, "" for nobody.
//
// Somebody whose conversation cannot be read has no authority until it can be. The others have theirs.
func (s *Contacts) Authorities(
	ctx context.Context, phones []model.PhoneNumberID, sender model.CustomerID, given ...Authority,
) (holders []model.CustomerID, held int, err error) {
	holders, held, err = s.authorities(ctx, phones, sender, given...)
	if !errors.Is(err, dynamo.ErrUndecodable) || len(given) < 2 {
		return holders, held, err
	}
	holders, held = make([]model.CustomerID, len(given)), -1
	unreadable := 0
	for i, one := range given {
		alone, has, failed := s.authorities(ctx, phones, sender, one)
		switch {
		case errors.Is(failed, dynamo.ErrUndecodable):
			unreadable++
			continue
		case failed != nil:
			return nil, -1, failed
		}
		holders[i] = alone[0]
		if has == 0 && held < 0 {
			held = i
		}
	}
	if unreadable == len(given) { // it is the sender's own that cannot be read
		return nil, -1, err
	}
	return holders, held, nil
}

// authorities is Authorities, and fails if one conversation cannot be read.
func (s *Contacts) authorities(
	ctx context.Context, phones []model.PhoneNumberID, sender model.CustomerID, given ...Authority,
) (holders []model.CustomerID, held int, err error) {
	forms := make([][]model.CustomerID, len(given)) // of each address
	var addresses []model.CustomerID
	for i, a := range given {
		forms[i] = FormsOf(a.Address)
		addresses = append(addresses, forms[i]...)
	}
	slices.Sort(addresses)
	addresses = slices.Compact(addresses)
	holders, held = make([]model.CustomerID, len(given)), -1
	people := make([][]model.CustomerID, len(given)) // who has each form
	for n, phone := range phones {
		l, senders := s.LookUp(phone, nil), []model.CustomerID(nil)
		if n == 0 && sender != "" {
			senders = append(senders, sender)
		}
		// A number that is given up changes hands at the end of the notice's second. An authority ends at once.
		found, err := l.whoHad(ctx, model.At(s.Now().Add(time.Second)), addresses, senders...)
		if err != nil {
			return nil, -1, err
		}
		if len(senders) > 0 { // their conversation may have been merged since
			resolved, err := l.follow(ctx, senders)
			if err != nil {
				return nil, -1, err
			}
			sender = resolved[sender].customer
		}
		for i, a := range given {
			passed := slices.ContainsFunc(forms[i], func(form model.CustomerID) bool {
				return found[form].Group || !found[form].HasHeld(a.Since)
			})
			switch {
			case passed:
				holders[i], people[i] = "", nil
			case n == 0:
				holders[i] = found[a.Address].Key
				for _, form := range forms[i] {
					people[i] = append(people[i], found[form].Key)
				}
			}
		}
	}
	if sender == "" || len(phones) == 0 {
		return holders, -1, nil
	}
	held = slices.IndexFunc(people, func(all []model.CustomerID) bool { return slices.Contains(all, sender) })
	return holders, held, nil
}
