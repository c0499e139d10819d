package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/tables"
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

// The bounds of warmWrites, in write units a second. Every new table starts with the least. AWS gives more than the
// most only after a request.
const leastWarm, mostWarm = 4_000, 40_000

// parseWarmWrites parses write units a second per table, such as "Messages=20000,Outbox=10000".
func parseWarmWrites(text string) (map[string]int, error) {
	var warm map[string]int
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		id, number, _ := strings.Cut(part, "=")
		writes, err := strconv.Atoi(number)
		known := slices.ContainsFunc(tables.All(), func(t tables.Table) bool { return t.ID == id })
		if err != nil || writes < leastWarm || writes > mostWarm || !known {
			return nil, fmt.Errorf("warmWrites: %q is not table=units with %d to %d write units a second "+
				"(-c warmWrites=Messages=20000,Outbox=10000)", part, leastWarm, mostWarm)
		}
		if warm == nil {
			warm = map[string]int{}
		}
		warm[id] = writes
	}
	return warm, nil
}
