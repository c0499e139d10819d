package whatsappsim

import "sync"

// customer is what the simulator knows of a person who has written.
type customer struct {
	waID, userID string
	name         string
	username     string
}

// customers is the directory of those who have written, by number and by BSUID.
type customers struct {
	mu    sync.Mutex
	known map[string]customer
}

func newCustomers() *customers { return &customers{known: map[string]customer{}} }

// remember keeps a customer under both identifiers. A full directory starts anew: all that is lost is a name in a
// status webhook, until the person writes again.
func (c *customers) remember(person customer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxCustomers {
		clear(c.known)
	}
	for _, id := range []string{person.waID, person.userID} {
		if id != "" {
			c.known[id] = person
		}
	}
}

// find returns the customer of an identifier, the zero one where nobody is known by it.
func (c *customers) find(id string) customer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[id]
}
