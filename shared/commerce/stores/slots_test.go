package stores

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
)

func TestSlotsThatNobodyCanMean(t *testing.T) {
	good := commercemodel.Slot{Name: "morning", From: "09:00", To: "12:00", Cutoff: "08:00", Capacity: 20}
	evening := commercemodel.Slot{Name: "evening", From: "17:00", To: "24:00"}
	if field, fault := wrongSlot([]commercemodel.Slot{good, evening}); field != "" {
		t.Errorf("%s: %s", field, fault)
	}
	for want, change := range map[string]func(s *commercemodel.Slot){
		"[1].name":     func(s *commercemodel.Slot) { s.Name = "morning" },
		"[1].from":     func(s *commercemodel.Slot) { s.From = "25:00" },
		"[1].to":       func(s *commercemodel.Slot) { s.To = "09:00" },
		"[1].cutoff":   func(s *commercemodel.Slot) { s.Cutoff = "13:00" },
		"[1].capacity": func(s *commercemodel.Slot) { s.Capacity = -1 },
	} {
		bad := good
		bad.Name = "noon"
		change(&bad)
		if field, fault := wrongSlot([]commercemodel.Slot{good, bad}); field != want || strings.TrimSpace(fault) == "" {
			t.Errorf("%s: %q, want %q", fault, field, want)
		}
	}
	for _, name := range []string{"", "a#b"} {
		if field, _ := wrongSlot([]commercemodel.Slot{{Name: name, From: "09:00", To: "10:00"}}); field != "[0].name" {
			t.Errorf("%q is taken for a name", name)
		}
	}
}
