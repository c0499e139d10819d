package content

import (
	"reflect"
	"time"
)

// ToPay returns the order that a message asks to be paid. It reports false for a message that asks for nothing.
func ToPay(c Content) (Order, bool) {
	if c == nil {
		return Order{}, false
	}
	switch c := reflect.Indirect(reflect.ValueOf(c)).Interface().(type) {
	case OrderDetails:
		return c.Order, true
	case Template:
		for _, button := range c.Buttons {
			if button.Order != nil {
				return *button.Order, true
			}
		}
	}
	return Order{}, false
}

// Expires returns until when an order can be paid; the zero time for no end.
func (o Order) Expires() time.Time { return timeOf(o.ExpiresAt) }
