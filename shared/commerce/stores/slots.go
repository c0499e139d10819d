package stores

import (
	"fmt"
	"strings"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

// wrongSlot returns the place of the slot of a store that is wrong, such as [0].from, and what is wrong with it; "" if
// none is.
func wrongSlot(slots []commercemodel.Slot) (field, fault string) {
	names := map[string]bool{}
	for i, slot := range slots {
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
