package stores

import (
	"fmt"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

// wrongHours returns the day of a store's hours that is wrong, such as .monday, and what is wrong with it; "" if none
// is.
func wrongHours(all map[string]commercemodel.Hours) (field, fault string) {
	for day, hours := range all {
		if !slices.Contains(Weekdays, day) {
			return "", "a day is one of " + strings.Join(Weekdays, ", ")
		}
		opens, err := minutes(hours.Open)
		closes, errCloses := minutes(hours.Close)
		if err != nil || errCloses != nil || opens == closes {
			return "." + day, "two different times of day, such as 08:00 and 21:00"
		}
	}
	return "", ""
}

// wrongSlot returns the place of the slot of a store that is wrong, such as [0].from, and what is wrong with it; "" if
// none is.
func wrongSlot(all []commercemodel.Slot) (field, fault string) {
	names := map[string]bool{}
	for i, slot := range all {
		at := func(name string) string { return fmt.Sprintf("[%d].%s", i, name) }
		from, errFrom := minutes(slot.From)
		to, errTo := minutes(slot.To)
		cutoff, errCutoff := minutes(slot.Cutoff)
		switch {
		case strings.TrimSpace(slot.Name) == "" || strings.Contains(slot.Name, "#") || names[slot.Name]:
			return at("name"), "a name without a # that no other slot has"
		case errFrom != nil:
			return at("from"), "a time of day, such as 09:00"
		case errTo != nil || to <= from:
			return at("to"), "a time of day after its beginning, such as 12:00"
		case slot.Cutoff != "" && (errCutoff != nil || cutoff > to):
			return at("cutoff"), "a time of day before its end, such as 08:00"
		case slot.Capacity < 0:
			return at("capacity"), "not negative"
		}
		names[slot.Name] = true
	}
	return "", ""
}
