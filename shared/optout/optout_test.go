package optout

import "testing"

func TestWhatAsksToStopIsHeard(t *testing.T) {
	for text, want := range map[string]struct{ out, decides, suggests bool }{
		"STOP": {true, true, true}, " stop! ": {true, true, true}, "mat bhejo": {true, true, true},
		"start": {false, true, false}, "shuru karo": {false, true, false},

		"unsubscribe me please": {false, false, true}, "please stop messaging me": {false, false, true},
		"Stop sending me messages.": {false, false, true}, "don't message me": {false, false, true},
		"do not text me again": {false, false, true}, "no more messages please": {false, false, true},
		"i dont want your messages": {false, false, true}, "mujhe message mat karo": {false, false, true},
		"band karo ye messages": {false, false, true}, "ye msg band kar do": {false, false, true},
		"message bhejna band karo": {false, false, true}, "mujhe message nahi chahiye": {false, false, true},
		"aap mujhe sms mat bhejo ji": {false, false, true}, "मुझे मैसेज मत करो": {false, false, true},
		"मैसेज भेजना बंद कीजिए": {false, false, true}, "ये संदेश मत भेजिए": {false, false, true},

		"don't unsubscribe me":                 {false, false, true},
		"message band mat karo":                {false, false, true},
		"message mat karo call karo":           {false, false, true},
		"how do i stop these messages":         {false, false, true},
		"can you stop the messages?":           {false, false, true},
		"stop messaging me, i have a job now":  {false, false, true},
		"unsubscribe karne ka tareeka kya hai": {false, false, true},

		"message na karo": {false, false, true}, "msg mujhe na bhejo": {false, false, true},
		"nahi bhai message karo": {false, false, true}, "no, message me": {false, false, true},
		"no message me": {false, false, true}, "Please, stop messaging me": {false, false, true},

		"sms mat karo whatsapp karo": {false, false, true}, "whatsapp stopped": {false, false, true},

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
