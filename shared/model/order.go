package model

import (
	"fmt"
	"time"
)

// Order is a place in the order of a customer's messages: the time under which a message is stored, then its arrival.
// Orders compare as strings. Meta's times are whole seconds, so the arrival decides within a second.
type Order string

// OrderOf returns the place of a message with the given time and arrival.
func OrderOf(at Time, arrival int64) Order {
	if at == "" {
		return ""
	}
	return Order(fmt.Sprintf("%s %019d", at, arrival))
}

// At returns the time part of the order; "" for the zero order.
func (o Order) At() Time {
	if len(o) < len(timeLayout) {
		return ""
	}
	return Time(o[:len(timeLayout)])
}

// The largest position in a body, and the largest index in a logged value, that an arrival can hold.
const maxArrivalPlace = 999

// Arrival numbers messages by the time of logging, then by the entry's position in the body, then by the index in the
// logged value. Processing an entry again gives the same number.
func Arrival(logged Time, position, index int) int64 {
	return logged.Go().
		UnixMilli()*1_000_000 + int64(min(position, maxArrivalPlace))*1_000 + int64(min(index, maxArrivalPlace))
}

// LastInSecond is the millisecond of messages that arrive after the second in which they were written.
const LastInSecond = 999 * time.Millisecond

// StoredTime returns the time under which something with WhatsApp's time at is stored: never later than the time of
// logging, which also replaces the zero time. WhatsApp's times are whole seconds. The milliseconds say when in its
// second something arrived, or that it arrived later. A customer's message thus sorts after what the business had
// written by then.
func StoredTime(at time.Time, logged Time) Time {
	if at.IsZero() || !at.Before(logged.Go().Truncate(time.Second)) {
		return logged
	}
	return At(at.Truncate(time.Second).Add(LastInSecond))
}
