package schedules

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

var units = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

// parse returns the interval of a rate expression of EventBridge Scheduler.
func parse(expression string) (time.Duration, error) {
	rest, begun := strings.CutPrefix(expression, "rate(")
	body, closed := strings.CutSuffix(rest, ")")
	if !begun || !closed {
		return 0, fmt.Errorf("the expression %q does not have the form rate(…)", expression)
	}
	amount, unit, _ := strings.Cut(body, " ")
	count, err := strconv.Atoi(amount)
	if err != nil || count < 1 {
		return 0, fmt.Errorf("%s: %q is not a whole number from 1", expression, amount)
	}
	length, known := units[strings.TrimSuffix(unit, "s")]
	if !known {
		return 0, fmt.Errorf("%s: the unit must be minutes, hours or days", expression)
	}
	return time.Duration(count) * length, nil
}
