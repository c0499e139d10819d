package inbox

import (
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
)

// decodedMessage is one message to add to a conversation. Without a message it is what a notice shows about the
// customer.
type decodedMessage struct {
	message  model.Message
	at       model.Order        // the time of a notice without a message
	live     bool               // a customer has just sent it
	unread   bool               // it is live, and something new to read
	imported bool               // from the history of the business's phone app
	contact  contact            // what the message shows about the customer
	position string             // in the body, for errors: messages[3]
	loggedAt model.Time         // when the webhook entry was logged
	namedAt  model.Time         // when somebody named the addressee of the business's message; "" for at its time
	media    *model.Media       // the message's media record
	ids      []model.CustomerID // the customer's identifiers, the best first
	change   *contacts.Change   // what a notice says about identifiers

	newIdentity bool // the customer has got another encryption key
	needsPerson bool // after it a person has to go on with the conversation

	attachment *attachment   // what it changes about another message; nil if it is a message of its own
	waited     model.Message // the changes that have waited for it, and are in the message
}

// order returns the message's place in the order of messages.
func (a decodedMessage) order() model.Order {
	if a.message.PK == "" {
		return a.at
	}
	return a.message.Order()
}

// identifiers returns all identifiers that the message shows.
func (a decodedMessage) identifiers() []model.CustomerID { return a.sighting().Identifiers() }

// sighting returns what the message shows of the customer's identifiers.
func (a decodedMessage) sighting() contacts.Sighting {
	return contacts.Sighting{At: a.order(), IDs: a.ids, Change: a.change}
}

// sightings returns what messages show of their customers' identifiers.
func sightings(messages []decodedMessage) []contacts.Sighting {
	seen := make([]contacts.Sighting, len(messages))
	for i, a := range messages {
		seen[i] = a.sighting()
	}
	return seen
}

// contact is what a message shows about the customer.
type contact struct {
	address, name, userID, username, groupID string
	keyHash                                  string // of the key that the customer's phone encrypts with
	waba                                     model.WABAID
}
