package schedules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/adhocore/gronx"
)

// parse turns an expression into the function that finds the first time after another.
func parse(expression string) (func(time.Time) (time.Time, error), error) {
	kind, rest, found := strings.Cut(expression, "(")
	body, closed := strings.CutSuffix(rest, ")")
	if !found || !closed {
		return nil, fmt.Errorf("expression %q is neither rate(…) nor cron(…)", expression)
	}
	switch kind {
	case "rate":
		return parseRate(body)
	case "cron":
		return parseCron(body)
	default:
		return nil, fmt.Errorf("expression %q is neither rate(…) nor cron(…)", expression)
	}
}

func parseRate(body string) (func(time.Time) (time.Time, error), error) {
	amount, unit, _ := strings.Cut(body, " ")
	count, err := strconv.Atoi(amount)
	if err != nil || count < 1 {
		return nil, fmt.Errorf("rate(%s): %q is no number from 1", body, amount)
	}
	length, known := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}[strings.TrimSuffix(unit, "s")]
	if !known {
		return nil, fmt.Errorf("rate(%s): the unit is minutes, hours or days", body)
	}
	interval := time.Duration(count) * length
	return func(after time.Time) (time.Time, error) { return after.Add(interval), nil }, nil
}

// parseCron takes the six fields of AWS: minutes, hours, day of month, month, day of week, year.
func parseCron(body string) (func(time.Time) (time.Time, error), error) {
	fields := strings.Fields(body)
	if len(fields) != 6 {
		return nil, fmt.Errorf("cron(%s) has %d fields, it takes 6", body, len(fields))
	}
	if fields[2] != "?" && fields[4] != "?" {
		return nil, fmt.Errorf("cron(%s): day of month or day of week must be ?", body)
	}
	fields[4] = weekdays(fields[4])
	expression := "0 " + strings.Join(fields, " ")
	if !gronx.IsValid(expression) {
		return nil, fmt.Errorf("cron(%s) is not valid", body)
	}
	return func(after time.Time) (time.Time, error) {
		return gronx.NextTickAfter(expression, after.UTC(), false)
	}, nil
}

// weekday is a day's number at the start of an element or of the end of a range, not an ordinal (#) or a step (/).
var weekday = regexp.MustCompile(`(^|[,-])([1-7])`)

// weekdays counts from Sunday as 0, where AWS counts from 1.
func weekdays(field string) string {
	return weekday.ReplaceAllStringFunc(field, func(match string) string {
		last := len(match) - 1
		return match[:last] + string(match[last]-1)
	})
}
