package model

import (
	"fmt"
	"time"
)

// Order is a place in the order of a customer's messages: the time under which a message is stored, then its arrival.
// Orders compare as strings. The platform's times are whole seconds, so the arrival decides within a second.
type Order string

// OrderOf returns the place of a message with the given time and arrival.
func OrderOf(at Time, arrival int64) Order {
	if at == "" {
		return ""
	}
	return Order(fmt.Sprintf("%s %019d", at, arrival))
}

// At returns the time part of the order, "" for the zero order.
func (o Order) At() Time {
	if len(o) < len(timeLayout) {
		return ""
	}
	return Time(o[:len(timeLayout)])
}

// The largest place within a posted body, and within one logged value, that an arrival tells apart.
const maxArrivalPlace = 999

// Arrival numbers what arrives: by the time it was logged, then by the entry's position in the posted body, then by its
// index in the logged value. It is the same however often a log entry is worked on.
func Arrival(logged Time, position, index int) int64 {
	return logged.Go().UnixMilli()*1_000_000 + int64(min(position, maxArrivalPlace))*1_000 + int64(min(index, maxArrivalPlace))
}

// LastInSecond is the millisecond of what arrives after the second in which it was written.
const LastInSecond = 999 * time.Millisecond

// StoredTime returns WhatsApp's time of something as it is stored: never later than when it was logged, which the zero time
// stands for. WhatsApp's times are whole seconds. The milliseconds say when in its second something arrived, or that it arrived
// later. So a customer's message sorts behind what the business had written by then.
func StoredTime(at time.Time, logged Time) Time {
	if at.IsZero() || !at.Before(logged.Go().Truncate(time.Second)) {
		return logged
	}
	return At(at.Truncate(time.Second).Add(LastInSecond))
}
