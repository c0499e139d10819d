package keys

import (
	"strconv"

	"github.com/haatline/haatline/shared/model"
)

// Note returns the key of a note about a customer, by the key of the conversation.
func Note(phone model.PhoneNumberID, customer model.CustomerID, id model.Name) Key {
	return ByPK(note.with(string(phone), string(customer), string(id)))
}

// NotesOf returns the partition of gsi_conversation with the notes about a customer. No message has it.
func NotesOf(phone model.PhoneNumberID, customer model.CustomerID) string {
	return "NOTES#" + string(phone) + "#" + string(customer)
}

// Mention returns the key of what says that notes about a customer name a colleague who has not looked yet.
func Mention(phone model.PhoneNumberID, subject model.Name, customer model.CustomerID) Key {
	return ByPK(mention.with(string(phone), string(subject), string(customer)))
}

// MentionsOf returns the partition of gsi_conversation with the customers of a number in whose notes a colleague is
// named. No message has it.
func MentionsOf(phone model.PhoneNumberID, subject model.Name) string {
	return "MENTIONS#" + string(phone) + "#" + string(subject)
}

// Draft returns the key of the answer that colleagues are writing to a customer, by the key of the conversation.
func Draft(phone model.PhoneNumberID, customer model.CustomerID) Key {
	return ByPK(draft.with(string(phone), string(customer)))
}

// QuickReply returns the key of a text that the people of a tenant send again and again.
func QuickReply(tenant model.TenantID, shortcut model.Name) Key {
	return ByPK(quickReply.with(string(tenant), string(shortcut)))
}

// SavedFilters returns the key of the filters that a colleague has saved.
func SavedFilters(tenant model.TenantID, subject model.Name) Key {
	return ByPK(savedFilters.with(string(tenant), string(subject)))
}

// SearchIndex returns the key of what search knows of a number.
func SearchIndex(phone model.PhoneNumberID) Key { return ByPK(searchIndex.with(string(phone))) }

// SearchSegment returns the key of a part of the words by which search finds things of a number.
func SearchSegment(phone model.PhoneNumberID, number int64) Key {
	return ByPK(searchSegment.with(string(phone), strconv.FormatInt(number, 10)))
}

// NoteIDs returns the ids in the key of a note.
func NoteIDs(pk string) (model.PhoneNumberID, model.CustomerID, model.Name, bool) {
	ids, ok := note.ids(pk)
	if !ok {
		return "", "", "", false
	}
	return model.PhoneNumberID(ids[0]), model.CustomerID(ids[1]), model.Name(ids[2]), true
}

// ChangedTexts returns the partition of gsi_changes with the messages and the notes of a number whose time does not say
// that search has to read them.
func ChangedTexts(phone model.PhoneNumberID) string { return string(phone) + "#TEXTS" }

// Changes returns the partition of a number's conversations in gsi_changes.
func Changes(phone model.PhoneNumberID) string { return string(phone) + "#CHANGES" }
