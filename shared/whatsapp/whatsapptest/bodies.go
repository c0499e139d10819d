// Package whatsapptest makes webhook bodies for tests. They look like Meta's, so that a test states only what it is
// about.
package whatsapptest

import (
	"encoding/json"
	"strconv"
	"time"
)

// The number and account of bodies that do not name others.
const (
	Phone   = "106540352242922"
	Display = "15550783881"
	WABA    = "102290129340398"
)

// Object is a JSON object.
type Object = map[string]any

// List is a JSON array.
type List = []any

// Change returns one change of a body.
func Change(field string, value Object) Object { return Object{"field": field, "value": value} }

// Body returns a body with the changes in one entry.
func Body(changes ...Object) []byte {
	list := List{}
	for _, change := range changes {
		list = append(list, change)
	}
	return Encode(Object{"object": "whatsapp_business_account", "entry": List{Object{"id": WABA, "changes": list}}})
}

// BodyAt returns a body whose entry Meta wrote at a given time.
func BodyAt(at time.Time, changes ...Object) []byte {
	list := List{}
	for _, change := range changes {
		list = append(list, change)
	}
	return Encode(Object{
		"object": "whatsapp_business_account", "entry": List{Object{"id": WABA, "time": at.Unix(), "changes": list}}})
}

// QualityUpdate returns a change about a number's quality, limit or throughput. NameUpdate returns one about the review
// of its name.
func QualityUpdate(event, limit string) Object {
	return Change("phone_number_quality_update",
		Object{"display_phone_number": Display, "event": event, "current_limit": limit})
}

func NameUpdate(decision, name string) Object {
	return Change("phone_number_name_update",
		Object{"display_phone_number": Display, "decision": decision, "requested_verified_name": name})
}

// TemplateStatus returns a change of a template's status.
func TemplateStatus(name, language, event string) Object {
	return Change("message_template_status_update", Template(name, language, Object{"event": event, "reason": "NONE"}))
}

// Template returns the value of a change of a template. more is merged into it.
func Template(name, language string, more Object) Object {
	value := Object{
		"message_template_id": 1689556908129832, "message_template_name": name, "message_template_language": language}
	for name, said := range more {
		value[name] = said
	}
	return value
}

// Preference returns the change of a customer's choice about marketing messages.
func Preference(waID, choice string, at time.Time) Object {
	return Change("user_preferences",
		Object{"messaging_product": "whatsapp", "metadata": metadata(), "user_preferences": List{
			Object{"wa_id": waID, "category": "marketing_messages", "value": choice, "timestamp": at.Unix()},
		}})
}

// Named returns the change of a customer's name in the business's phone app.
func Named(number, name string, at time.Time) Object {
	return Change("smb_app_state_sync",
		Object{"messaging_product": "whatsapp", "metadata": metadata(), "state_sync": List{
			Object{"type": "contact", "action": "add", "contact": Object{"full_name": name, "phone_number": number},
				"metadata": Object{"timestamp": strconv.FormatInt(at.Unix(), 10)}},
		}})
}

// Calls returns the change that tells of calls; CallStatuses that of statuses of calls of the business.
func Calls(calls ...Object) Object {
	list := List{}
	for _, call := range calls {
		list = append(list, call)
	}
	return Change("calls", Object{"messaging_product": "whatsapp", "metadata": metadata(), "calls": list})
}

func CallStatuses(statuses ...Object) Object {
	list := List{}
	for _, status := range statuses {
		list = append(list, status)
	}
	return Change("calls", Object{"messaging_product": "whatsapp", "metadata": metadata(), "statuses": list})
}

// Call returns an event of a customer's call. more is merged into it.
func Call(id, from, event string, at time.Time, more Object) Object {
	call := Object{
		"id": id, "from": from, "to": Display, "event": event, "direction": "USER_INITIATED",
		"timestamp": strconv.FormatInt(at.Unix(), 10)}
	for name, value := range more {
		call[name] = value
	}
	return call
}

// Group returns a change of a group. more is merged into it.
func Group(field, id string, at time.Time, more Object) Object {
	group := Object{"group_id": id, "timestamp": strconv.FormatInt(at.Unix(), 10)}
	for name, value := range more {
		group[name] = value
	}
	return Change(field, Object{"messaging_product": "whatsapp", "metadata": metadata(), "groups": List{group}})
}

// Encode returns value as JSON.
func Encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a test bug
	}
	return text
}

func metadata() Object {
	return Object{"display_phone_number": Display, "phone_number_id": Phone}
}

// Messages returns the change that delivers messages with their contacts.
func Messages(contacts List, messages ...Object) Object {
	list := List{}
	for _, message := range messages {
		list = append(list, message)
	}
	return Change("messages",
		Object{"messaging_product": "whatsapp", "metadata": metadata(), "contacts": contacts, "messages": list})
}

// Contact returns the contact of a sender.
func Contact(waID, name string) Object {
	return Object{"wa_id": waID, "profile": Object{"name": name}}
}

// Message returns a message of any type. more is merged into it.
func Message(from, id, kind string, at time.Time, more Object) Object {
	message := Object{"from": from, "id": id, "type": kind, "timestamp": strconv.FormatInt(at.Unix(), 10)}
	for name, value := range more {
		message[name] = value
	}
	return message
}

// Text returns a text message.
func Text(from, id, text string, at time.Time) Object {
	return Message(from, id, "text", at, Object{"text": Object{"body": text}})
}

// Tap returns the message of somebody who taps a button of an interactive message: under is that message's id.
func Tap(from, id, button, title, under string, at time.Time) Object {
	return Message(from, id, "interactive", at, Object{
		"interactive": Object{"type": "button_reply", "button_reply": Object{"id": button, "title": title}},
		"context":     Object{"id": under},
	})
}

// Statuses returns the change that delivers statuses.
func Statuses(statuses ...Object) Object {
	list := List{}
	for _, status := range statuses {
		list = append(list, status)
	}
	return Change("messages", Object{"messaging_product": "whatsapp", "metadata": metadata(), "statuses": list})
}

// Status returns the status of a message. more is merged into it.
func Status(id, status, to string, at time.Time, more Object) Object {
	object := Object{"id": id, "status": status, "recipient_id": to, "timestamp": strconv.FormatInt(at.Unix(), 10)}
	for name, value := range more {
		object[name] = value
	}
	return object
}
