package model

import (
	"github.com/haatline/haatline/shared/sorting"
	"slices"
	"strings"
)

// Kinds of versions of a message.
const (
	VersionOriginal = "original"
	VersionEdit     = "edit"
	VersionRevoke   = "revoke" // its sender has deleted the message
)

// Version is a message as it was written first, as an edit left it, or its deletion. A message that nobody has changed
// has no versions. A version may be stored before its message arrives.
type Version struct {
	Kind string `dynamodbav:"kind"`
	// of the edit or the deletion; of the message itself for the original
	MessagePK string `dynamodbav:"messagePk"`
	Order     Order  `dynamodbav:"order"`
	// the sender's identifiers; none if the business has made the change
	By      []CustomerID  `dynamodbav:"by,omitempty"`
	Phone   PhoneNumberID `dynamodbav:"phone,omitempty"`   // the number that the change came to
	GroupID string        `dynamodbav:"groupId,omitempty"` // the group that the change came to
	// by all that is known, it is somebody else's: it counts for nothing
	Refused bool     `dynamodbav:"refused,omitempty"`
	Text    string   `dynamodbav:"text,omitempty"`
	Caption string   `dynamodbav:"caption,omitempty"`
	Preview string   `dynamodbav:"preview,omitempty"`
	Content Document `dynamodbav:"content,omitempty"`
}

// Reaction is the last reaction of one person to a message.
type Reaction struct {
	Emoji     string       `dynamodbav:"emoji"` // "" if the person has taken the reaction back
	Order     Order        `dynamodbav:"order"`
	MessagePK string       `dynamodbav:"messagePk"`
	By        []CustomerID `dynamodbav:"by,omitempty"` // the person's identifiers; none if it is the business
	// the number that the reaction came to; "" if the business sent it by the API
	Phone   PhoneNumberID `dynamodbav:"phone,omitempty"`
	GroupID string        `dynamodbav:"groupId,omitempty"` // the group that the reaction came to
	// by all that is known, it is somebody else's: it counts for nothing
	Refused bool `dynamodbav:"refused,omitempty"`
}

// RevokedPreview is the preview of a message that its sender has deleted.
const RevokedPreview = "🚫 Deleted message"

const (
	// maxVersions and maxReactions bound what a message keeps. The original and the deletion stay.
	maxVersions  = 50
	maxReactions = 200
)

// AddVersion adds a version and shows the one that counts: a deletion, or else the last edit. The result is the same in
// every order in which versions are added. The message must be complete.
func (m *Message) AddVersion(added ...Version) {
	all := slices.Clone(m.Versions)
	if !slices.ContainsFunc(all, func(v Version) bool { return v.Kind == VersionOriginal }) {
		all = append(all, Version{
			Kind: VersionOriginal, MessagePK: m.PK, Order: m.Order(), Text: m.TextBody, Caption: m.Caption,
			Preview: m.Preview, Content: m.Content,
		})
	}
	m.Versions = boundVersions(MergeVersions(all, added...))
	m.EditedAt, m.RevokedAt = "", ""
	for _, v := range m.Versions {
		switch {
		case m.RevokedAt != "" || v.Refused:
		case v.Kind == VersionRevoke:
			m.RevokedAt = v.Order.At()
			m.TextBody, m.Caption, m.Preview, m.Content = "", "", RevokedPreview, nil
		case v.Kind == VersionEdit:
			m.EditedAt, m.TextBody, m.Caption, m.Preview = v.Order.At(), v.Text, v.Caption, v.Preview
			if len(v.Content) > 0 { // an edit of a caption does not repeat the file
				m.Content = v.Content
			}
		default:
			m.TextBody, m.Caption, m.Preview, m.Content = v.Text, v.Caption, v.Preview, v.Content
		}
	}
}

// AsWritten returns the message as it was before anybody changed it.
func (m Message) AsWritten() Message {
	if len(m.Versions) > 0 && m.Versions[0].Kind == VersionOriginal {
		first := m.Versions[0]
		m.TextBody, m.Caption, m.Preview, m.Content = first.Text, first.Caption, first.Preview, first.Content
	}
	return m
}

// MergeVersions returns versions with more of them, the original first and the others in order.
func MergeVersions(all []Version, added ...Version) []Version {
	all = slices.Clone(all)
	for _, v := range added {
		if !slices.ContainsFunc(all, func(other Version) bool { return other.MessagePK == v.MessagePK }) {
			all = append(all, v)
		}
	}
	sorting.Func(all, func(a, b Version) int {
		if (a.Kind == VersionOriginal) != (b.Kind == VersionOriginal) {
			if a.Kind == VersionOriginal {
				return -1
			}
			return 1
		}
		if order := strings.Compare(string(a.Order), string(b.Order)); order != 0 {
			return order
		}
		return strings.Compare(a.MessagePK, b.MessagePK)
	})
	return all
}

// boundVersions drops the earliest edits if there are too many.
func boundVersions(all []Version) []Version {
	drop := len(all) - maxVersions
	return slices.DeleteFunc(all, func(v Version) bool {
		if drop <= 0 || v.Kind != VersionEdit {
			return false
		}
		drop--
		return true
	})
}

// MergeReactions returns reactions with another one. Each person has one, the last. It reports whether the other one
// counts.
func MergeReactions(all []Reaction, added Reaction) ([]Reaction, bool) {
	all = slices.Clone(all)
	i := slices.IndexFunc(all, func(r Reaction) bool { return r.samePerson(added) })
	switch {
	case i < 0 && len(all) >= maxReactions:
		return all, false
	case i < 0:
		return append(all, added), true
	case added.Order < all[i].Order || added.Order == all[i].Order && added.MessagePK <= all[i].MessagePK:
		return all, false
	}
	all[i] = added
	return all, true
}

// samePerson reports whether two reactions are of one person: both are the business's, or they show an identifier in
// common.
func (r Reaction) samePerson(other Reaction) bool {
	if r.Phone != other.Phone && r.Phone != "" && other.Phone != "" {
		return false // of two businesses
	}
	if len(r.By) == 0 || len(other.By) == 0 {
		return len(r.By) == len(other.By)
	}
	return slices.ContainsFunc(r.By, func(id CustomerID) bool { return slices.Contains(other.By, id) })
}

// ShownReactions returns the reactions that count, in the order of time. Outside a group, all reactions of customers
// are of one person.
func (m Message) ShownReactions() []Reaction {
	all := slices.DeleteFunc(slices.Clone(m.Reactions), func(r Reaction) bool { return r.Refused })
	sorting.Func(all, func(a, b Reaction) int { return strings.Compare(string(a.Order), string(b.Order)) })
	for i := len(all) - 1; i > 0; i-- {
		if m.GroupID == "" && len(all[i].By) > 0 {
			earlier := slices.DeleteFunc(slices.Clone(all[:i]), func(r Reaction) bool { return len(r.By) > 0 })
			all = append(earlier, all[i:]...)
			break
		}
	}
	return slices.DeleteFunc(all, func(r Reaction) bool { return r.Emoji == "" })
}
