package registry

import (
	"slices"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/assistant"
	"github.com/haatline/haatline/shared/messaging"
)

// What a domain registers goes by its name, and no two domains register the same: the later one would replace the
// earlier one, or never be asked.
func TestEveryDomainRegistersUnderItsOwnName(t *testing.T) {
	rooms := messaging.New(messaging.Config{})
	taken := map[string]string{}
	for _, eraser := range rooms.Erasers {
		for _, count := range eraser.Counts {
			taken["count "+count] = messaging.Name
		}
	}
	choices := map[string]string{}
	for i, part := range domains {
		p := part(rooms)
		once := func(what string) {
			if other, is := taken[what]; is {
				t.Errorf("%s and %s both register the %s", other, p.Name, what)
			}
			taken[what] = p.Name
		}
		named := func(what, name string) {
			if name != p.Name || name == "" {
				t.Errorf("the %s of %s is registered for %q", what, p.Name, name)
			}
		}
		once("name " + p.Name)
		for _, s := range reactions[i](rooms) {
			named("subscription", s.Domain)
		}
		if p.Hook != nil {
			named("hook", p.Hook.Domain)
		}
		if p.Eraser == nil || len(p.Eraser.Counts)+len(p.Eraser.Keeps) == 0 {
			t.Errorf("%s has no eraser; one that erases nothing says in Keeps what stays, and why", p.Name)
		} else {
			named("eraser", p.Eraser.Domain)
			for _, count := range p.Eraser.Counts {
				once("count " + count)
			}
		}
		for kind := range p.Handlers {
			if !strings.HasPrefix(kind, p.Name+".") {
				t.Errorf("%s: an event of its own is called %s, and not %[1]s.…", p.Name, kind)
			}
		}
		for _, template := range p.Templates {
			once("template " + template.Name)
		}
		for _, wording := range p.Wordings {
			once("wording " + wording.Name)
		}
		for _, lookup := range p.Lookups {
			once("lookup " + lookup.Name)
			if !slices.Contains(assistant.Lookups, assistant.Lookup(lookup.Name)) {
				t.Errorf("%s offers the lookup %s, which no assistant knows", p.Name, lookup.Name)
			}
		}
		for _, section := range p.Beside {
			once("section " + section.Name)
			for _, value := range section.Values {
				once("value " + value)
			}
		}
		for _, mark := range p.Marks {
			once("mark " + mark.Name)
		}
		for _, choice := range p.Choices {
			for other, domain := range choices {
				if choice == "" || strings.HasPrefix(choice, other) || strings.HasPrefix(other, choice) {
					t.Errorf("a button of %s begins with %q, and one of %s with %q", p.Name, choice, domain, other)
				}
			}
			choices[choice] = p.Name
		}
	}
	for _, name := range assistant.Lookups {
		if taken["lookup "+string(name)] == "" {
			t.Errorf("no domain offers the lookup %s", name)
		}
	}
}
