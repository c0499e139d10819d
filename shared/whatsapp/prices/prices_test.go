package prices

import (
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
)

func TestAMarketFollowsFromTheCallingCode(t *testing.T) {
	for recipient, want := range map[string]string{
		"919876543210": "India", "14155550100": "North America", "18765550100": "Rest of Latin America",
		"447700900123": "United Kingdom", "2348012345678": "Nigeria", "254712345678": "Rest of Africa",
		"971501234567": "United Arab Emirates", "3581234567": "Rest of Western Europe", "6771234567": Other,
		"IN.123456": "India", "KE.12": Other,
	} {
		if got := MarketOf(recipient); got != want {
			t.Errorf("%s is of %s, want %s", recipient, got, want)
		}
	}
}

func TestEveryMarketHasAPriceInEveryList(t *testing.T) {
	for _, list := range lists.Get() {
		for _, m := range append(markets, market{name: Other}) {
			if _, known := list.prices[m.name]; !known {
				t.Errorf("%s has no price from %s on", m.name, list.From)
			}
			for _, category := range []string{"marketing", "UTILITY", "authentication"} {
				if p, ok := list.Of(m.name, category); !ok || !p.IsPositive() {
					t.Errorf("%s: %s of %s", list.From, category, m.name)
				}
			}
		}
	}
	for country, name := range countries {
		if !phonenumber.IsCountry(country) || lists.Get()[0].prices[name] == (price{}) {
			t.Errorf("%s is of %s", country, name)
		}
	}
	seen := map[string]bool{}
	for _, m := range markets {
		for code := range strings.FieldsSeq(m.codes) {
			if seen[code] {
				t.Errorf("%s is in two markets", code)
			}
			seen[code] = true
		}
	}
}

func TestTheListIsTheOneOfTheDay(t *testing.T) {
	for at, want := range map[string]string{
		"2025-01-01T00:00:00.000Z": "0.0107", "2025-12-31T23:59:59.999Z": "0.0107",
		"2026-11-26T00:00:00.000Z": "0.0118",
	} {
		if got, ok := At(model.Time(at)).Of("India", "marketing"); !ok || got.String() != want {
			t.Errorf("%s: %s", at, got)
		}
	}
	if _, ok := At("").Of("India", "service"); ok {
		t.Error("a message that is no template has a price")
	}
}
