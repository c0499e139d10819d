package whatsappsim

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// known has the ids of messages of either side, who has stopped marketing, and the numbers that were added. It bounds
// the first two.
type known struct {
	mu      sync.Mutex
	ids     map[string]bool
	order   []string
	stopped map[pair]bool
	numbers map[string]bool // ids of numbers that were added
}

func newKnown() *known {
	return &known{ids: map[string]bool{}, stopped: map[pair]bool{}, numbers: map[string]bool{}}
}

func (k *known) message(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ids[id] = true
	k.order = append(k.order, id)
	if len(k.order) > defaultRemembers {
		delete(k.ids, k.order[0])
		k.order = k.order[1:]
	}
}

func (k *known) has(id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.ids[id]
}

// number adds a number of the business.
func (k *known) number(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.numbers[id] = true
}

func (k *known) hasNumber(id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.numbers[id]
}

// allNumbers returns the numbers that were added.
func (k *known) allNumbers() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Keys(k.numbers))
}

// marketing remembers whether a customer takes marketing messages of a number.
func (k *known) marketing(phone, user string, stopped bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.stopped) >= maxCustomers {
		clear(k.stopped)
	}
	k.stopped[pair{phone, user}] = stopped
}

func (k *known) hasStopped(phone, user string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.stopped[pair{phone, user}]
}

// laterFailure is why a message that was accepted fails a moment later; nil if it does not.
func (s *Server) laterFailure(phone string, m message, category string) *graphError {
	content, _ := m.fields[m.kind].(map[string]any)
	named, _ := content["message_id"].(string)
	switch {
	case (m.kind == "reaction" || m.kind == "pin") && !s.known.has(named):
		return refuse(http.StatusBadRequest, 131009, "The message that message_id names is not known.")
	case category == "marketing" && s.known.hasStopped(phone, m.to.user()):
		return refuse(http.StatusBadRequest, 131050, "The user has chosen to stop marketing messages of this business.")
	case s.wrongMedia(m):
		return refuse(http.StatusBadRequest, 131053, "The file is of another type than the message.")
	case m.kind == "template":
		return s.overLimit(phone, m, category)
	case hasDeadLink(m.fields):
		return refuse(http.StatusBadRequest, 131053, "The file could not be downloaded from its link.")
	}
	return nil
}

// overLimit is the failure of a template that goes beyond what WhatsApp lets the business start: a number that is
// restricted for spam, a portfolio that has written to as many new users as it may, a user who has got enough
// marketing. Nothing that answers a user within 24 hours counts, but for marketing.
func (s *Server) overLimit(phone string, m message, category string) *graphError {
	now, a := s.options.Now(), s.account.get()
	user := m.to.user()
	answers := s.limits.open(now, phone, user)
	switch {
	case hasDeadLink(m.fields):
		return refuse(http.StatusBadRequest, 131053, "The file could not be downloaded from its link.")
	case a.SpamLimited && !answers, !answers && !s.limits.opens(now, user, a.Limit):
		return refuse(http.StatusBadRequest, 131048,
			"Message failed to send because there are restrictions on how many messages can be sent from this phone "+
				"number.")
	case category == "marketing" && !s.limits.advertises(now, user, a.MarketingPerCustomer):
		return refuse(http.StatusBadRequest, 131049,
			"In order to maintain a healthy ecosystem engagement, the message failed to be delivered.")
	}
	return nil
}

// wrongMedia reports whether a media message carries a file of another kind.
func (s *Server) wrongMedia(m message) bool {
	content, _ := m.fields[m.kind].(map[string]any)
	id, _ := content["id"].(string)
	f, held := s.media.find(id)
	if !held || f.mimeType == "" || m.kind == "document" { // a document may be anything
		return false
	}
	rule, _ := mediaRuleOf(f.mimeType)
	return rule.kind != m.kind
}

// hasDeadLink reports whether a file's link leads nowhere: to the domain that is reserved for that, .invalid.
func hasDeadLink(value any) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, hasDeadLink)
	case map[string]any:
		for key, part := range value {
			link, is := part.(string)
			if key == "link" && is {
				if u, err := url.Parse(link); err == nil && strings.HasSuffix(u.Hostname(), ".invalid") {
					return true
				}
			}
			if hasDeadLink(part) {
				return true
			}
		}
	}
	return false
}
