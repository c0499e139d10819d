package settings

import (
	"fmt"
	"strconv"
)

const (
	// defaultWebhookRate is enough for a deployment whose volume nobody has said: 225,000 messages a day.
	defaultWebhookRate, leastWebhookRate, mostRate = 50, 30, 10_000

	// postsAMessage is what WhatsApp posts for a message, on average: one body for a message in, and three statuses for
	// one out. A day's messages come within busyHours, and in the busiest minutes peak times as fast.
	postsAMessage, busyHours, peak = 2, 10, 4
)

// readRates reads how many requests are accepted. The webhook's rate follows from the messages of a day, and that of
// the API's routes from the webhook's, unless they are given.
func (o *Options) readRates(text func(name string) string) error {
	messages, err := parseNumber("messagesADay", text("messagesADay"), 0, 0, 1e9)
	if err != nil {
		return err
	}
	derived := messages * postsAMessage * peak / (busyHours * 3600)
	derived = min(max(defaultWebhookRate, derived), mostRate)
	if o.WebhookRate, err = parseNumber("webhookRate", text("webhookRate"), derived, leastWebhookRate,
		mostRate); err != nil {
		return err
	}
	o.APIRate, err = parseNumber("apiRate", text("apiRate"), o.WebhookRate/2, 1, o.WebhookRate-1)
	return err
}

// parseNumber returns the number of a context value between two others, or its default.
func parseNumber(name, text string, otherwise, least, most int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s: %q is no number from %d to %d", name, text, least, most)
	}
	return n, nil
}
