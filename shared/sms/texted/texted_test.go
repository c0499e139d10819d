package texted_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/sms/texted"
)

// notice is one as AWS documents it.
const notice = `{"originationNumber":"+14255550182","destinationNumber":"+12125550101","messageKeyword":"JOIN",
	"messageBody":"EXAMPLE ","inboundMessageId":"cae173d2-66b9-564c-8309-21f858e9fb84",
	"previousPublishedMessageId":"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}`

func TestATextIsRead(t *testing.T) {
	want := texted.Text{ID: "cae173d2-66b9-564c-8309-21f858e9fb84", From: "14255550182", To: "12125550101",
		Body: "EXAMPLE", ReplyTo: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	if have, err := texted.Read([]byte(notice)); err != nil || have != want {
		t.Errorf("%+v %v", have, err)
	}
	plain := strings.Replace(notice, "+1425", "1425", 1)
	if have, err := texted.Read([]byte(plain)); err != nil || have.From != want.From {
		t.Errorf("a number without a plus: %+v %v", have, err)
	}
}

func TestWhatIsNoTextIsRefused(t *testing.T) {
	for name, message := range map[string]string{
		"nothing": "", "no id": strings.Replace(notice, "inboundMessageId", "id", 1), "a list": "[]",
		"no number": strings.Replace(notice, "+14255550182", "HAATLN", 1), "an empty number": `{"inboundMessageId":"x"}`,
		"too long": strings.Replace(notice, "EXAMPLE", strings.Repeat("x", texted.MaxBody+1), 1),
	} {
		if _, err := texted.Read([]byte(message)); !errors.Is(err, texted.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(notice))
	f.Fuzz(func(t *testing.T, message []byte) {
		if text, err := texted.Read(message); err == nil && (text.ID == "" || text.From == "" || text.To == "") {
			t.Errorf("%+v", text)
		}
	})
}

// A text names who has sent it, and to which number.
func ExampleRead() {
	text, err := texted.Read([]byte(notice))
	fmt.Println(text.From, text.To, text.Body, err)
	// Output: 14255550182 12125550101 EXAMPLE <nil>
}
