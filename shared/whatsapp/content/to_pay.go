package content

import (
	"reflect"
	"slices"
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

// WithOrder returns a content with another order to be paid, in the place of the one that ToPay returns.
func WithOrder(c Content, order Order) Content {
	if c == nil {
		return nil
	}
	switch c := reflect.Indirect(reflect.ValueOf(c)).Interface().(type) {
	case OrderDetails:
		c.Order = order
		return c
	case Template:
		c.Buttons = slices.Clone(c.Buttons)
		for i := range c.Buttons {
			if c.Buttons[i].Order != nil {
				c.Buttons[i].Order = &order
				return c
			}
		}
	}
	return c
}

// Expires returns until when an order can be paid; the zero time for no end.
func (o Order) Expires() time.Time { return timeOf(o.ExpiresAt) }
