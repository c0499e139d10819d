package doctor_test

import (
	"os"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/whatsapp"
)

func TestTheDeployPageNamesEveryFieldToSubscribeTo(t *testing.T) {
	text, err := os.ReadFile("../../../DEPLOY.md")
	if want := " -d fields=" + strings.Join(whatsapp.Fields(), ",") + "\n"; err != nil ||
		!strings.Contains(string(text), want) {
		t.Errorf("%v: DEPLOY.md lacks%s", err, want)
	}
}
