package nlu_test

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/nlu"
)

func TestWhenACustomerWantsTheGoods(t *testing.T) {
	const none = time.Weekday(-1)
	for words, want := range map[string]nlu.Clock{
		"kal subah":              {Day: 1, Weekday: none, From: 300, To: 720},
		"कल शाम 6 बजे":           {Day: 1, Weekday: none, From: 1080, To: 1080},
		"6 baje":                 {Day: -1, Weekday: none, From: 360, To: 360, Either: true},
		"chhe baje ke baad":      {Day: -1, Weekday: none, From: 360, To: 1440, Either: true},
		"tonight":                {Day: 0, Weekday: none, From: 1140, To: 1440},
		"before 9 pm":            {Day: -1, Weekday: none, From: 0, To: 1260},
		"tomorrow at 10:30 am":   {Day: 1, Weekday: none, From: 630, To: 630},
		"sunday 11 baje tak":     {Day: -1, Weekday: time.Sunday, From: 0, To: 660, Either: true},
		"saadhe paanch baje aaj": {Day: 0, Weekday: none, From: 330, To: 330, Either: true},
		"parso":                  {Day: 2, Weekday: none, From: -1, To: -1},
	} {
		if have, ok := nlu.ClockOf(words); !ok || have != want {
			t.Errorf("%s: %+v, want %+v", words, have, want)
		}
	}
	for _, words := range []string{"", "jaldi", "99 baje"} {
		if have, ok := nlu.ClockOf(words); ok {
			t.Errorf("%q says %+v", words, have)
		}
	}
}
