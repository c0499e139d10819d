package whatsappsim

import "sync"

// customer is a person who has written.
type customer struct {
	waID, userID string
	name         string
	username     string
}

// customers is the directory of people who have written, by number and by BSUID.
type customers struct {
	mu    sync.Mutex
	known map[string]customer
}

func newCustomers() *customers { return &customers{known: map[string]customer{}} }

// remember stores a customer under both identifiers. A full directory is emptied; then status webhooks lack a name
// until the person writes again.
func (c *customers) remember(person customer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxCustomers {
		clear(c.known)
	}
	for _, id := range []string{person.waID, person.userID} {
		if id != "" {
			c.known[userOf(id)] = person
		}
	}
}

// find returns the customer with an identifier, or a zero customer.
func (c *customers) find(id string) customer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[id]
}
