package whatsapp_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/whatsapp"
)

// imported returns an import's body: chunks of threads with so many messages each, of about size bytes.
func imported(chunks, threads, messages, size int) []byte {
	var all []string
	for c := range chunks {
		var list []string
		for t := range threads {
			list = append(list,
				fmt.Sprintf(`{"id":"9198%d%05d","messages":[%s]}`, c, t,
					strings.Join(elements(fmt.Sprintf("m%d.%d", c, t), messages, size), ",")))
		}
		all = append(all,
			fmt.Sprintf(`{"metadata":{"phase":1,"chunk_order":%d,"progress":50},"threads":[%s]}`, c,
				strings.Join(list, ",")))
	}
	return posted("history",
		`{"messaging_product":"whatsapp","metadata":{"phone_number_id":"1055"},"history":[`+strings.Join(all, ",")+`]}`)
}

type importPart struct {
	Product  string `json:"messaging_product"`
	Metadata struct {
		Phone string `json:"phone_number_id"`
	}
	Contacts []json.RawMessage
	History  []struct {
		Metadata struct {
			Order int `json:"chunk_order"`
			Phase int
		}
		Threads []struct {
			ID       string
			Messages []struct{ ID string }
		}
	}
}

func readImport(t *testing.T, entry whatsapp.Entry) importPart {
	t.Helper()
	var part importPart
	if err := json.Unmarshal(entry.Value, &part); err != nil {
		t.Fatal(err)
	}
	return part
}

func TestAnImportIsSplitByThreadWithoutLosingOrDoublingMessages(t *testing.T) {
	for name, c := range map[string]struct{ chunks, threads, messages, size, parts int }{
		"one that fits":               {1, 50, 2, 10, 1},
		"many short threads":          {1, 120, 1, 10, 3},
		"threads of several messages": {1, 40, 10, 10, 4},
		"large messages":              {1, 4, 1, 100 << 10, 2},
		"a thread larger than a part": {1, 1, 8, 100 << 10, 4},
		"a thread of many messages":   {1, 1, 250, 10, 3},
		"several chunks":              {3, 60, 1, 10, 6},
	} {
		t.Run(name, func(t *testing.T) {
			body := imported(c.chunks, c.threads, c.messages, c.size)
			entries := decode(t, body)
			if len(entries) != c.parts {
				t.Errorf("%d parts, want %d", len(entries), c.parts)
			}
			var got, want []string
			ids := map[string]bool{}
			for place, entry := range entries {
				part := readImport(t, entry)
				if entry.Kind != whatsapp.KindMessage || entry.Position != place || part.Product != "whatsapp" ||
					part.Metadata.Phone != "1055" || entry.PhoneNumberID != "1055" {
					t.Errorf("part %d: %+v", place, entry)
				}
				ids[entry.ID] = true
				threads, messages := 0, 0
				for _, chunk := range part.History {
					if chunk.Metadata.Phase != 1 {
						t.Errorf("part %d lost its phase", place)
					}
					for _, thread := range chunk.Threads {
						threads++
						for _, m := range thread.Messages {
							messages++
							got = append(got, fmt.Sprint(chunk.Metadata.Order, " ", thread.ID, " ", m.ID))
						}
					}
				}
				if c.parts > 1 && (threads > 50 || messages > 100 || len(entry.Value) > whatsapp.MaxPart+(1<<10)) {
					t.Errorf("part %d: %d threads, %d messages, %d bytes", place, threads, messages, len(entry.Value))
				}
			}
			for chunk := range c.chunks {
				for thread := range c.threads {
					for m := range c.messages {
						want = append(want,
							fmt.Sprintf("%d 9198%d%05d m%d.%d.%d", chunk, chunk, thread, chunk, thread, m))
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if len(ids) != len(entries) || !reflect.DeepEqual(entries, decode(t, body)) {
				t.Error("ids are shared, or differ when the body is posted again")
			}
		})
	}
}

func TestOtherContentOfAnImportValueIsLoggedSeparately(t *testing.T) {
	body := imported(1, 60, 1, 10)
	body = []byte(strings.Replace(string(body), `"history":[`,
		`"contacts":[{"wa_id":"9"}],"messages":[{"id":"live"}],"statuses":[{"id":"s"}],`+
			`"history":[{"errors":[{"code":2593109}]},`, 1))
	entries := decode(t, body)
	var kinds []string
	for _, entry := range entries {
		kinds = append(kinds, entry.Kind)
	}
	if diff := cmp.Diff([]string{"message", "status", "message", "message", "message"}, kinds); diff != "" {
		t.Fatal(diff)
	}
	for i, want := range []string{"messages", "statuses", "errors", "threads", "threads"} {
		if got := string(entries[i].Value); !strings.Contains(got, `"`+want+`"`) ||
			i < 2 && strings.Contains(got, "history") || i >= 2 && strings.Contains(got, `"live"`) {
			t.Errorf("part %d: %s", i, got)
		}
	}
	if len(readImport(t, entries[3]).Contacts) != 1 {
		t.Error("an import lost its contacts")
	}
}

// Meta waits for the answer, so splitting a body must take time in proportion to its size, however many threads it has.
func TestAFullImportIsSplitInProportionToItsSize(t *testing.T) {
	split := func(threads int) (least time.Duration, entries int) {
		body := imported(1, threads, 1, 60)
		for range 2 {
			began := processorTime(t)
			entries = len(decode(t, body))
			if took := processorTime(t) - began; least == 0 || took < least {
				least = took
			}
		}
		return least, entries
	}
	quarter, _ := split(5_000)
	full, entries := split(20_000)
	if full > 10*quarter { // four times as much; what grows with the square takes sixteen times as long
		t.Errorf("5,000 threads take %s, and 20,000 take %s", quarter, full)
	}
	if entries != 400 {
		t.Errorf("%d entries of 20,000 threads", entries)
	}
}

// processorTime is how long this process has used processors. Unlike the clock, it does not depend on what else the
// machine does.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
