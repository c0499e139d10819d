package inbox

import (
	"context"

	"github.com/haatline/haatline/shared/model"
)

// Authority is what somebody has given to a number: to write entries, to decide. It belongs to the person who had the number then.
type Authority struct {
	Address model.CustomerID
	Since   model.Time // when it was given, or confirmed
}

// Authorities returns for each authority the key of the person who has it, and "" for one that is suspended: the number has passed from
// that person since. held is the index of the authority that the sender of a message has, -1 for none. sender is the customer in the
// key of the message's conversation, "" for nobody.
func (s *Inbox) Authorities(
	ctx context.Context, phone model.PhoneNumberID, sender model.CustomerID, given ...Authority,
) (holders []model.CustomerID, held int, err error) {
	addresses := make([]model.CustomerID, len(given))
	for i, a := range given {
		addresses[i] = a.Address
	}
	found, err := s.WhoHas(ctx, phone, addresses...)
	if err != nil {
		return nil, -1, err
	}
	if sender, err = s.currentKey(ctx, phone, sender); err != nil {
		return nil, -1, err
	}
	holders, held = make([]model.CustomerID, len(given)), -1
	for i, a := range given {
		if h := found[a.Address]; h.HasHeld(a.Since) && !h.Group {
			holders[i] = h.Key
		}
		if holders[i] != "" && holders[i] == sender && held < 0 {
			held = i
		}
	}
	return holders, held, nil
}

// currentKey returns the customer in the key of the conversation into which that of a customer was merged; the customer itself if it was
// not.
func (s *Inbox) currentKey(ctx context.Context, phone model.PhoneNumberID, customer model.CustomerID) (model.CustomerID, error) {
	if customer == "" {
		return "", nil
	}
	resolved, err := s.lookUp(phone, nil).follow(ctx, []model.CustomerID{customer})
	return resolved[customer].customer, err
}
