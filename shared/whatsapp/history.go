package whatsapp

import (
	"encoding/json"
	"maps"
	"slices"
)

// WhatsApp sends the import of a business's earlier conversations in values of thousands of threads. An entry holds no
// more than a consumer can store within seconds, so that entries are processed concurrently and a retry repeats little.
const (
	maxPartThreads  = 50
	maxPartMessages = 100
	// maxFrame bounds the bytes outside the threads, because each part repeats them. A value with more is not split.
	maxFrame = 32 << 10
)

// historyParts splits an import by thread. It returns nil if the import fits into one entry. A thread that is too large
// for one part is split by messages, and each piece repeats its id.
func historyParts(value json.RawMessage, members Object) []json.RawMessage {
	chunks := members.List("history").Objects()
	if len(value) <= MaxPart && fewThreads(chunks) {
		return nil
	}
	if !slices.ContainsFunc(chunks, func(chunk Object) bool { return len(chunk.List("threads")) > 0 }) {
		return nil
	}
	frame := maps.Clone(members)
	for _, list := range []string{"history", "messages", "statuses", "contacts"} {
		delete(frame, list)
	}
	if sizeOf(frame) > maxFrame {
		return nil
	}
	contacts := members.List("contacts")
	var parts []json.RawMessage
	for i, chunk := range chunks {
		threads := chunk.List("threads")
		if len(threads) == 0 { // a chunk without threads, such as the reason why there is no import
			parts = append(parts, framed(frame, nil, members.List("history")[i]))
			continue
		}
		for _, some := range packThreads(threads) {
			ids := map[string]bool{}
			list := make(List, len(some))
			for j, t := range some {
				list[j], ids[t.id] = t.raw, true
			}
			parts = append(parts, framed(frame, contactsOf(contacts, ids), withList(chunk, "threads", list)))
		}
	}
	return parts
}

func fewThreads(chunks []Object) bool {
	threads, messages := 0, 0
	for _, chunk := range chunks {
		for _, thread := range chunk.List("threads").Objects() {
			threads++
			messages += len(thread.List("messages"))
		}
	}
	return threads <= maxPartThreads && messages <= maxPartMessages
}

func sizeOf(members Object) int {
	size := 0
	for name, value := range members {
		size += len(name) + len(value)
	}
	return size
}

// thread is a thread of an import, or a piece of one.
type thread struct {
	raw      json.RawMessage
	id       string
	messages int
}

// packThreads groups threads into parts, in order.
func packThreads(threads List) [][]thread {
	var parts [][]thread
	bytes, messages := 0, 0
	for _, raw := range threads {
		for _, t := range pieces(raw) {
			last := len(parts) - 1
			bytes, messages = bytes+len(t.raw)+1, messages+t.messages
			if last < 0 || bytes > MaxPart || messages > maxPartMessages || len(parts[last]) == maxPartThreads {
				parts, last = append(parts, nil), last+1
				bytes, messages = len(t.raw), t.messages
			}
			parts[last] = append(parts[last], t)
		}
	}
	return parts
}

// pieces returns a thread, split into as many pieces as it needs to fit into parts.
func pieces(raw json.RawMessage) []thread {
	object := objectOf(raw)
	id, messages := object.Text("id"), object.List("messages")
	if len(raw) <= MaxPart && len(messages) <= maxPartMessages {
		return []thread{{raw, id, len(messages)}}
	}
	var list []thread
	for _, fitting := range pack(messages) {
		for len(fitting) > 0 {
			some := fitting[:min(len(fitting), maxPartMessages)]
			list = append(list, thread{withList(object, "messages", some), id, len(some)})
			fitting = fitting[len(some):]
		}
	}
	return list
}

// contactsOf returns the contacts of some threads. It is used if all contacts are too many to repeat in each part.
func contactsOf(contacts List, threads map[string]bool) List {
	size := 0
	for _, raw := range contacts {
		size += len(raw)
	}
	if size <= maxFrame {
		return contacts
	}
	var theirs List
	for _, raw := range contacts {
		if contact := objectOf(raw); threads[contact.Text("wa_id")] || threads[contact.Text("user_id")] {
			theirs = append(theirs, raw)
		}
	}
	return theirs
}

func framed(frame Object, contacts List, chunk json.RawMessage) json.RawMessage {
	if len(contacts) > 0 {
		frame = maps.Clone(frame)
		frame["contacts"], _ = json.Marshal([]json.RawMessage(contacts))
	}
	return withList(frame, "history", List{chunk})
}

// withList returns an object with one of its lists replaced.
func withList(object Object, name string, elements List) json.RawMessage {
	members := maps.Clone(object)
	members[name], _ = json.Marshal([]json.RawMessage(elements))
	text, _ := json.Marshal(members)
	return text
}
