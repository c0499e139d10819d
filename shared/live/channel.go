package live

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// Namespace is the namespace of all channels.
const Namespace = "haatline"

// Channel is the path of a channel: /haatline/{tenant}/{kind}/{id}. An id that AppSync does not allow in a path, or
// that is longer, is there by its hash.
type Channel string

// The kinds of channels.
const (
	KindNumber = "number" // of operators: what happens at a business number
	KindChat   = "chat"   // of the members of a chat
	KindPerson = "person" // of one person
)

// OfNumber returns the channel of a business number.
func OfNumber(tenant model.TenantID, phone model.PhoneNumberID) Channel {
	return of(tenant, KindNumber, string(phone))
}

// OfChat returns the channel of a chat. Each audience of the chat has one of its own: whoever has listened before
// somebody went hears nothing of those who stay.
func OfChat(tenant model.TenantID, chat model.Name, audience int64) Channel {
	id := string(chat)
	if audience > 0 { // no id has a #
		id += "#" + strconv.FormatInt(audience, 10)
	}
	return of(tenant, KindChat, id)
}

// OfPerson returns the channel of a person.
func OfPerson(tenant model.TenantID, user model.Name) Channel {
	return of(tenant, KindPerson, string(user))
}

func of(tenant model.TenantID, kind, id string) Channel {
	return Channel("/" + Namespace + "/" + segment(string(tenant)) + "/" + kind + "/" + segment(id))
}

// Parse returns the channel of a path that somebody else has sent. It reports false for what Of* never returns, such as
// a path with a wildcard.
func Parse(path string) (Channel, bool) {
	parts := strings.Split(path, "/")
	if len(parts) != 5 || parts[0] != "" || parts[1] != Namespace || !plain(parts[2]) || !plain(parts[4]) {
		return "", false
	}
	switch parts[3] {
	case KindNumber, KindChat, KindPerson:
		return Channel(path), true
	}
	return "", false
}

// Kind returns the kind of a channel.
func (c Channel) Kind() string { return c.part(3) }

// ID returns the last part of a channel: the id, or what stands for it. It tells which chat a channel is of only where
// OfChat of that id and an audience returns the same channel.
func (c Channel) ID() string { return c.part(4) }

// Of reports whether a channel belongs to a tenant.
func (c Channel) Of(tenant model.TenantID) bool { return c.part(2) == segment(string(tenant)) }

func (c Channel) part(at int) string {
	if parts := strings.Split(string(c), "/"); len(parts) == 5 {
		return parts[at]
	}
	return ""
}

const (
	longestSegment = 50
	// hashed begins the segments that stand for other ids. No id that begins so is in a path itself.
	hashed = "x-"
)

// segment returns the part of a path that stands for an id.
func segment(id string) string {
	if plain(id) && !strings.HasPrefix(id, hashed) {
		return id
	}
	hash := sha256.Sum256([]byte(id))
	return hashed + hex.EncodeToString(hash[:20])
}

// plain reports whether AppSync allows a text as a segment: letters, digits and dashes, but no dash at an end.
func plain(text string) bool {
	return text != "" && len(text) <= longestSegment && text[0] != '-' && text[len(text)-1] != '-' &&
		!strings.ContainsFunc(text, func(r rune) bool {
			return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
}
