package nlu_test

import (
	"testing"

	"github.com/haatline/haatline/shared/commerce/nlu"
)

// A customer who is asked in another language than Hindi and English answers yes or no in it. A question or another
// word beside that is no yes.
func TestAYesInTheOtherLanguages(t *testing.T) {
	for text, want := range map[string]nlu.Reply{
		"હા": nlu.Yes, "હા, કરી દો": nlu.Yes, "হ্যাঁ": nlu.Yes, "হ্যাঁ, করে দিন": nlu.Yes,
		"ஆம்": nlu.Yes, "ஆம், செய்யுங்கள்": nlu.Yes, "சரி": nlu.Yes, "అవును, చేయండి": nlu.Yes, "సరే": nlu.Yes,
		"ના": nlu.No, "না": nlu.No, "வேண்டாம்": nlu.No, "వద్దు": nlu.No,
		"હા?": "", "હા પણ ચોખા નહીં": "", "ஆம் ஆனால் அரிசி இல்லை": "", "అవును కానీ రేపు": "", "হ্যাঁ তবে দুই কেজি": "",
	} {
		if have := nlu.ReplyOf(text, nil); have != want {
			t.Errorf("%s is %q, want %q", text, have, want)
		}
	}
}
