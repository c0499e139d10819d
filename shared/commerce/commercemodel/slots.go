package commercemodel

import "time"

// Slot is a time of the day in which a store brings goods.
type Slot struct {
	Name string `dynamodbav:"name"`
	From string `dynamodbav:"from"` // HH:MM
	To   string `dynamodbav:"to"`   // HH:MM
	// until when one may order for it on its day, HH:MM; "" for until it begins
	Cutoff string `dynamodbav:"cutoff,omitempty"`
	// how many orders it takes on a day; 0 for any number
	Capacity int64 `dynamodbav:"capacity,omitempty"`
}

// TakenSlot is a slot of a day, as it was when an order took it.
type TakenSlot struct {
	Date     string `dynamodbav:"date"` // yyyy-mm-dd by the store's clock
	Name     string `dynamodbav:"name"`
	From     string `dynamodbav:"from"`
	To       string `dynamodbav:"to"`
	Capacity int64  `dynamodbav:"capacity,omitempty"`
}

// Text returns a slot of a day as people read it.
func (s TakenSlot) Text() string {
	text := s.From + "–" + s.To + " (" + s.Name + ")"
	if day, err := time.Parse(time.DateOnly, s.Date); err == nil {
		text = day.Format("02.01.") + " " + text
	}
	return text
}
