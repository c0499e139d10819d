package whatsapp

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"
)

// RemoveMessages returns a logged value without some of its messages, and how many messages are left in it. gone holds
// the paths of the messages to remove: messages[3], message_echoes[0], history[0].threads[1].messages[2]. A contact
// stays if a remaining message is from or to it; a thread stays if one of its messages does. Everything else is
// unchanged, token by token. Of a duplicate member, the last one counts. A value that is no object is returned
// unchanged.
func RemoveMessages(value json.RawMessage, gone map[string]bool) (rest json.RawMessage, left int) {
	members := asObject(value)
	if members == nil {
		return value, 0
	}
	c := &cutting{gone: gone, kept: map[string]bool{}}
	sole := len(members.List("contacts")) == 1 && SoleSender(members.List("messages"))
	cut := map[string]json.RawMessage{
		"messages":       c.messages(members["messages"], "messages"),
		"message_echoes": c.messages(members["message_echoes"], "message_echoes"),
		"history":        c.history(members["history"]),
	}
	if len(gone) == 0 {
		return value, c.left
	}
	if !sole || c.left == 0 {
		cut["contacts"] = c.contacts(members["contacts"])
	}
	return rebuilt(value, cut), c.left
}

// cutting removes messages and collects the senders and recipients of the others.
type cutting struct {
	gone map[string]bool
	kept map[string]bool // identifiers
	left int
}

// messages returns the messages of a list that stay.
func (c *cutting) messages(list json.RawMessage, path string) json.RawMessage {
	return selected(list, func(i int, element json.RawMessage) (json.RawMessage, bool) {
		if c.gone[fmt.Sprintf("%s[%d]", path, i)] {
			return nil, false
		}
		c.left++
		o := objectOf(element)
		for _, name := range []string{"from", "from_user_id", "from_parent_user_id", "to", "to_user_id"} {
			c.kept[o.Text(name)] = true
		}
		return element, true
	})
}

// history returns the chunks of an import without the removed messages.
func (c *cutting) history(list json.RawMessage) json.RawMessage {
	return selected(list, func(i int, chunk json.RawMessage) (json.RawMessage, bool) {
		threads := objectOf(chunk)["threads"]
		if threads == nil {
			return chunk, true
		}
		return rebuilt(chunk,
			map[string]json.RawMessage{
				"threads": selected(threads, func(j int, thread json.RawMessage) (json.RawMessage, bool) {
					return c.thread(thread, fmt.Sprintf("history[%d].threads[%d].messages", i, j))
				})}), true
	})
}

// thread returns what stays of a thread. A thread without messages is removed, because its id identifies the customer.
func (c *cutting) thread(thread json.RawMessage, path string) (json.RawMessage, bool) {
	o := objectOf(thread)
	before := c.left
	kept := c.messages(o["messages"], path)
	if had := len(o.List("messages")); had > 0 && c.left == before {
		return nil, false
	}
	c.kept[o.Text("id")] = true
	if kept == nil {
		return thread, true
	}
	return rebuilt(thread, map[string]json.RawMessage{"messages": kept}), true
}

// contacts returns the contacts that a remaining message is from or to.
func (c *cutting) contacts(list json.RawMessage) json.RawMessage {
	delete(c.kept, "")
	return selected(list, func(_ int, element json.RawMessage) (json.RawMessage, bool) {
		for _, contact := range DecodeContacts(List{element}) {
			if c.kept[contact.WAID] || c.kept[contact.UserID] || c.kept[contact.ParentUserID] {
				return element, true
			}
		}
		return nil, false
	})
}

// SoleSender reports whether all messages of a list have the same sender. The sender of a body with one contact is then
// that contact, even if its number is written differently.
func SoleSender(messages List) bool {
	senders := map[string]bool{}
	for _, o := range messages.Objects() {
		senders[o.Text("from")+" "+o.Text("from_user_id")] = true
	}
	return len(senders) == 1
}

// selected returns a list with the elements that choose keeps, which it may change. A single object counts as a list of
// one. A value that is no list is returned unchanged.
func selected(list json.RawMessage,
	choose func(i int, element json.RawMessage) (json.RawMessage, bool)) json.RawMessage {
	if firstByte(list) == '{' {
		elements := listOf(list)
		if len(elements) == 0 {
			return list
		}
		if element, stays := choose(0, elements[0]); stays {
			return element
		}
		return json.RawMessage("[]")
	}
	if firstByte(list) != '[' {
		return list
	}
	var kept [][]byte
	for i, element := range listOf(list) {
		if element, stays := choose(i, element); stays {
			kept = append(kept, element)
		}
	}
	return bytes.Join([][]byte{{'['}, bytes.Join(kept, []byte{','}), {']'}}, nil)
}

// rebuilt returns an object with some of its existing members replaced.
func rebuilt(object json.RawMessage, replaced map[string]json.RawMessage) json.RawMessage {
	type member struct{ name, written, value string }
	var members []member
	last := map[string]int{}
	gjson.ParseBytes(object).ForEach(func(name, value gjson.Result) bool {
		known := validText(name.Str)
		last[known] = len(members)
		members = append(members, member{known, name.Raw, value.Raw})
		return true
	})
	var text bytes.Buffer
	text.WriteByte('{')
	for i, m := range members {
		if last[m.name] != i {
			continue
		}
		if text.Len() > 1 {
			text.WriteByte(',')
		}
		text.WriteString(m.written + ":")
		if value, is := replaced[m.name]; is && value != nil {
			text.Write(value)
		} else {
			text.WriteString(m.value)
		}
	}
	text.WriteByte('}')
	return text.Bytes()
}
