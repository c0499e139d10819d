package optout

import "testing"

func TestWhatAsksToStopIsHeard(t *testing.T) {
	for text, want := range map[string]struct{ out, decides, suggests bool }{
		"STOP": {true, true, true}, " stop! ": {true, true, true}, "mat bhejo": {true, true, true},
		"start": {false, true, false}, "shuru karo": {false, true, false},

		"unsubscribe me please": {true, true, true}, "please stop messaging me": {true, true, true},
		"Stop sending me messages.": {true, true, true}, "don't message me": {true, true, true},
		"do not text me again": {true, true, true}, "no more messages please": {true, true, true},
		"i dont want your messages": {true, true, true}, "mujhe message mat karo": {true, true, true},
		"band karo ye messages": {true, true, true}, "ye msg band kar do": {true, true, true},
		"message bhejna band karo": {true, true, true}, "mujhe message nahi chahiye": {true, true, true},
		"aap mujhe sms mat bhejo ji": {true, true, true}, "मुझे मैसेज मत करो": {true, true, true},
		"मैसेज भेजना बंद कीजिए": {true, true, true}, "ये संदेश मत भेजिए": {true, true, true},

		"don't unsubscribe me":                 {false, false, true},
		"message band mat karo":                {false, false, true},
		"message mat karo call karo":           {false, false, true},
		"how do i stop these messages":         {false, false, true},
		"can you stop the messages?":           {false, false, true},
		"stop messaging me, i have a job now":  {false, false, true},
		"unsubscribe karne ka tareeka kya hai": {false, false, true},

		"message na karo": {true, true, true}, "msg mujhe na bhejo": {true, true, true},
		"nahi bhai message karo": {false, false, true}, "no, message me": {false, false, true},
		"no message me": {false, false, true}, "Please, stop messaging me": {false, false, true},

		"message karo na": {}, "message kar diya na": {}, "i will not message you": {},
		"mujhe message nahi mila": {}, "otp ka message nahi aaya": {}, "send me a message": {}, "": {},
		"Pune": {}, "bus stop": {}, "dukan kab band hoti hai": {}, "order band karo": {}, "2 kg rice": {},
		"mujhe kal message karo": {}, "no": {}, "i don't want sugar": {}, "मुझे मैसेज करो": {},
	} {
		out, decides := Decides(text)
		if suggests := Suggests(text); out != want.out || decides != want.decides || suggests != want.suggests {
			t.Errorf("%q: out %t, decides %t, suggests %t", text, out, decides, suggests)
		}
	}
}

func FuzzDecides(f *testing.F) {
	f.Add("mujhe message mat karo")
	f.Add("\xff stop\u0301")
	f.Fuzz(func(t *testing.T, text string) {
		if out, decides := Decides(text); out && (!decides || !Suggests(text)) {
			t.Errorf("%q: %t %t", text, out, decides)
		}
	})
}
