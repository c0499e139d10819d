package whatsapp

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"
)

// Without is a logged value without some of its messages, and how many messages are left in it. gone names those to leave
// out by where they stand: messages[3], message_echoes[0], history[0].threads[1].messages[2]. A contact stays where a
// message that stays is from it or to it, a thread where one of its messages stays. Everything else stays as it was
// written, token by token; of a member that stands twice, the one that counts. What is no object comes back as it is.
func Without(value json.RawMessage, gone map[string]bool) (rest json.RawMessage, left int) {
	members := asObject(value)
	if members == nil {
		return value, 0
	}
	c := &cutting{gone: gone, kept: map[string]bool{}}
	sole := soleOf(members)
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

// cutting takes messages out and notes who the others are from and to.
type cutting struct {
	gone map[string]bool
	kept map[string]bool // identifiers
	left int
}

// messages are the messages of a list that stay.
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

// history are the chunks of an import, whose threads hold messages.
func (c *cutting) history(list json.RawMessage) json.RawMessage {
	return selected(list, func(i int, chunk json.RawMessage) (json.RawMessage, bool) {
		threads := objectOf(chunk)["threads"]
		if threads == nil {
			return chunk, true
		}
		return rebuilt(chunk, map[string]json.RawMessage{"threads": selected(threads, func(j int, thread json.RawMessage) (json.RawMessage, bool) {
			return c.thread(thread, fmt.Sprintf("history[%d].threads[%d].messages", i, j))
		})}), true
	})
}

// thread is what stays of a thread. One that loses all its messages goes, because its id is the customer's.
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

// contacts are those that a message that stays is from or to.
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

// soleOf says whether a value has one contact and one sender, who are the same person however their number is written.
func soleOf(members Object) bool {
	senders := map[string]bool{}
	for _, o := range members.List("messages").Objects() {
		senders[o.Text("from")+" "+o.Text("from_user_id")] = true
	}
	return len(members.List("contacts")) == 1 && len(senders) == 1
}

// selected is a list with the elements that a choice leaves, which may change them. A lone object counts as a list of one;
// what is no list is as it was.
func selected(list json.RawMessage, choose func(i int, element json.RawMessage) (json.RawMessage, bool)) json.RawMessage {
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

// rebuilt is an object with some of its members replaced, where it has them.
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
