// Package whatsapptest owns the webhook bodies of tests: they are built as the platform builds them, so that a test says
// only what it is about.
package whatsapptest

import (
	"encoding/json"
	"strconv"
	"time"
)

// The number and account that bodies are about unless they say otherwise.
const (
	Phone   = "106540352242922"
	Display = "15550783881"
	WABA    = "102290129340398"
)

// Object is a JSON object.
type Object = map[string]any

// List is a JSON array.
type List = []any

// Change is one change of a body.
func Change(field string, value Object) Object { return Object{"field": field, "value": value} }

// Body is a whole body with its changes in one entry.
func Body(changes ...Object) []byte {
	list := List{}
	for _, change := range changes {
		list = append(list, change)
	}
	return Encode(Object{"object": "whatsapp_business_account", "entry": List{Object{"id": WABA, "changes": list}}})
}

// BodyAt is a body whose entry the platform wrote at a time.
func BodyAt(at time.Time, changes ...Object) []byte {
	list := List{}
	for _, change := range changes {
		list = append(list, change)
	}
	return Encode(Object{"object": "whatsapp_business_account", "entry": List{Object{"id": WABA, "time": at.Unix(), "changes": list}}})
}

// QualityUpdate is the change that tells of a number's quality, limit or throughput, NameUpdate of the review of its name.
func QualityUpdate(event, limit string) Object {
	return Change("phone_number_quality_update", Object{"display_phone_number": Display, "event": event, "current_limit": limit})
}

func NameUpdate(decision, name string) Object {
	return Change("phone_number_name_update", Object{"display_phone_number": Display, "decision": decision, "requested_verified_name": name})
}

// Encode is the JSON of a value.
func Encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a value of a test that is no JSON is a bug of the test
	}
	return text
}

func metadata() Object {
	return Object{"display_phone_number": Display, "phone_number_id": Phone}
}

// Messages is the change that brings messages, with the contacts that come with them.
func Messages(contacts List, messages ...Object) Object {
	list := List{}
	for _, message := range messages {
		list = append(list, message)
	}
	return Change("messages", Object{"messaging_product": "whatsapp", "metadata": metadata(), "contacts": contacts, "messages": list})
}

// Contact is who writes.
func Contact(waID, name string) Object {
	return Object{"wa_id": waID, "profile": Object{"name": name}}
}

// Message is a message of any type; more is merged into it.
func Message(from, id, kind string, at time.Time, more Object) Object {
	message := Object{"from": from, "id": id, "type": kind, "timestamp": strconv.FormatInt(at.Unix(), 10)}
	for name, value := range more {
		message[name] = value
	}
	return message
}

// Text is a text message.
func Text(from, id, text string, at time.Time) Object {
	return Message(from, id, "text", at, Object{"text": Object{"body": text}})
}

// Statuses is the change that brings statuses.
func Statuses(statuses ...Object) Object {
	list := List{}
	for _, status := range statuses {
		list = append(list, status)
	}
	return Change("messages", Object{"messaging_product": "whatsapp", "metadata": metadata(), "statuses": list})
}

// Status is the status of a message; more is merged into it.
func Status(id, status, to string, at time.Time, more Object) Object {
	object := Object{"id": id, "status": status, "recipient_id": to, "timestamp": strconv.FormatInt(at.Unix(), 10)}
	for name, value := range more {
		object[name] = value
	}
	return object
}
