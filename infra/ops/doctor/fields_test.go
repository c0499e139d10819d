package doctor_test

import (
	"os"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestTheREADMENamesEveryFieldToSubscribeTo(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if want := " -d fields=" + strings.Join(whatsapp.Fields(), ",") + "\n"; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%v: README lacks%s", err, want)
	}
}
