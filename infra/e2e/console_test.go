package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/haatline/haatline/infra/local/cloud"
)

// browsers are the names of Chromium on the machines of developers.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// A day at the console, in a real browser: signing in and out, messages, answers, an order, two operators, a lost
// network, a sign-in that ends in mid-work, texts that look like code, and every screen in both languages, narrow and
// wide.
func TestADayAtTheConsole(t *testing.T) {
	t.Parallel()
	browses(t, "day.mjs")
}

// What is sent beside plain text: buttons, lists, products, places, and marks in a text.
func TestWhatIsComposedAtTheConsole(t *testing.T) {
	t.Parallel()
	browses(t, "compose.mjs")
}

// A conversation of ten thousand messages is scrolled.
func TestALongConversationAtTheConsole(t *testing.T) {
	t.Parallel()
	browses(t, "long.mjs")
}

// A day on the pages beside the inbox.
func TestADayOnThePagesOfTheConsole(t *testing.T) {
	t.Parallel()
	browses(t, "pages.mjs")
}

// Campaigns, templates and people, at the console.
func TestTheOfficeAtTheConsole(t *testing.T) {
	t.Parallel()
	browses(t, "office.mjs")
}

// A customer's phone stands beside the console.
func TestACustomersPhoneBesideTheConsole(t *testing.T) {
	t.Parallel()
	browses(t, "phone.mjs")
}

// Notifications in a browser are turned on, shown and turned off.
func TestNotificationsOfTheConsole(t *testing.T) {
	t.Parallel()
	browses(t, "push.mjs")
}

// browses runs a script of the console's tests in a browser, on a cloud of its own.
func browses(t *testing.T, script string) {
	t.Helper()
	browser := ""
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium was found: install it, as by apt-get install chromium, to test the console")
	}
	r := start(t, t.TempDir(), func(c *cloud.Config) { c.Demo = true })
	day := exec.CommandContext(t.Context(), "node", filepath.Join(r.root, "console", "test", script))
	day.Env = append(os.Environ(), "CONSOLE="+r.Addresses.HTTP+"/", "SIMULATOR="+r.Addresses.WhatsApp,
		"DYNAMODB="+r.Addresses.DynamoDB, "BROWSER="+browser)
	said, err := day.CombinedOutput()
	t.Logf("%s:\n%s", script, said)
	if err != nil {
		t.Errorf("%s: %v", script, err)
	}
}
