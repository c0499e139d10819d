package command

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
)

const id model.Name = "01a1fbae-3de3-707d-9ea6-5db5e19f0001"

func TestAnswersAreReadInSmallVariations(t *testing.T) {
	code := string(CodeOf(id))
	low, shown := strings.ToLower(code), Show(CodeOf(id))
	for text, want := range map[string]Command{
		"APPROVE " + code:                     {Approve, code, ""},
		"approve " + low:                      {Approve, code, ""},
		"  *Approve*:  " + shown + "  ":       {Approve, code, ""},
		"Approve, #" + shown + ".":            {Approve, code, ""},
		"approve\n" + code + "\nfine by me":   {Approve, code, "fine by me"},
		"REJECT " + code + " score too low":   {Reject, code, "score too low"},
		"reject " + code + ": too low":        {Reject, code, "too low"},
		"Rechazar " + low + " - sin ingresos": {Reject, code, "sin ingresos"},
		"aprobado " + code:                    {Approve, code, ""},
		"मंजूर " + code:                       {Approve, code, ""},
		"नामंजूर " + code + " बहुत ज़्यादा": {Reject, code, "बहुत ज़्यादा"},
		"approve " + string(id):                  {Approve, string(id), ""},
		"approve " + strings.ToUpper(string(id)): {Approve, string(id), ""},
		"approve":                                {Approve, "", ""},
		"approve 12":                             {Approve, "", ""},
		"approve it please":                      {Approve, "", ""},
		"REJECT " + code[:7] + other(code[7]):    {Reject, "", ""},
		"मं\u091c\u093cूर " + code:               {Approve, code, ""},
		"मं\u095bूर " + code:                     {Approve, code, ""},
		"Aprobár " + code:                        {Approve, code, ""},
		"theek " + code:                          {Approve, code, ""},
	} {
		got, ok := FromText(text, DefaultWords().With([]string{"Theek"}, nil))
		if !ok || got != want || !MayBe(text) {
			t.Errorf("%q: %+v, %v, may be one: %v", text, got, ok, MayBe(text))
		}
	}
}

// other is another character of the alphabet.
func other(c byte) string { return string(alphabet[(strings.IndexByte(alphabet, c)+1)%32]) }

func TestWhatCustomersWriteIsNoCommand(t *testing.T) {
	for _, text := range []string{
		"", " ", "2 kilo chawal", "please approve my order", "ok", "call me on 9876543210", "yes",
		strings.Repeat("approve ", 200), "हाँ भेज दो", "\u200b",
	} {
		if got, ok := FromText(text, DefaultWords()); ok || MayBe(text) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestAPayloadGivesBackItsCommand(t *testing.T) {
	for _, action := range []Action{Approve, Reject} {
		if got, ok := FromPayload(Payload(action, id)); !ok || got != (Command{Action: action, Request: string(id)}) {
			t.Errorf("%+v, %v", got, ok)
		}
	}
	for _, payload := range []string{
		"", "stop", "cards:", "cards:approve", "cards:approve:", "cards:delete:" + string(id), "approve:" + string(id),
		"cards:approve:" + string(id) + "x"} {
		if got, ok := FromPayload(payload); ok {
			t.Errorf("%q: %+v", payload, got)
		}
	}
}

func TestACodeSurvivesHowPeopleTypeItAndNoTypingError(t *testing.T) {
	code := string(CodeOf(id))
	if code == string(CodeOf(id+"1")) || !IsCode(code) {
		t.Fatalf("%s", code)
	}
	for _, typed := range []string{
		strings.ToLower(code), Show(model.Name(code)), strings.NewReplacer("0", "o", "1", "l").Replace(code)} {
		if !IsCode(typed) || Canonical(typed) != code {
			t.Errorf("%s is %s", typed, Canonical(typed))
		}
	}
	for i := range code {
		for _, c := range alphabet {
			if wrong := code[:i] + string(c) + code[i+1:]; wrong != code && IsCode(wrong) {
				t.Errorf("%s passes for %s", wrong, code)
			}
		}
	}
	if diff := cmp.Diff(8, len(code)); diff != "" {
		t.Error(diff)
	}
}

func FuzzFromText(f *testing.F) {
	f.Add("APPROVE 7KQ2-M9XD")
	f.Add("reject 01a1fbae-3de3-707d-9ea6-5db5e19f0001 no")
	f.Add("मंजूर\u200b")
	f.Add("*\xff approve")
	f.Fuzz(func(t *testing.T, text string) {
		c, ok := FromText(text, DefaultWords())
		switch {
		case ok && !MayBe(text):
			t.Errorf("%q is a command and may not be one", text)
		case !ok && c != (Command{}):
			t.Errorf("%q: %+v", text, c)
		case c.Request != "" && (!IsReference(c.Request) || Canonical(c.Request) != c.Request):
			t.Errorf("%q names %q", text, c.Request)
		case len(c.Reason) > 500 || utf8.ValidString(text) && !utf8.ValidString(c.Reason):
			t.Errorf("%q has the reason %q", text, c.Reason)
		}
	})
}
