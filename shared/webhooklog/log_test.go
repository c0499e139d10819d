package webhooklog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// dense returns a value that is short as text and larger than an item as a map.
func dense(of string) json.RawMessage {
	return json.RawMessage(`{"messages":[{"id":"wamid.dense","type":"text"}],"of":[` +
		strings.TrimSuffix(strings.Repeat(of+",", (340<<10)/(len(of)+1)), ",") + `]}`)
}

func TestAValueThatDynamoDBRejectsIsLoggedInChunks(t *testing.T) {
	for name, of := range map[string]string{
		"numbers": "1", "empty objects": "{}", "empty lists": "[]", "nulls": "null"} {
		t.Run(name, func(t *testing.T) {
			l := startLogged(t)
			value := dense(of)
			entry := whatsapp.Entry{
				ID: "0a1b", Kind: whatsapp.KindMessage, Field: "messages", WABAID: wt.WABA, Value: value}
			log := Appender{DB: l.db.Client, Now: l.Now}
			for range 2 { // it may be posted again
				if err := log.Append(t.Context(), []whatsapp.Entry{entry}); err != nil {
					t.Fatal(err)
				}
			}
			var got, want any
			read, err := l.Value(t.Context(), l.entry("0a1b"))
			if err != nil || json.Unmarshal(read, &got) != nil || json.Unmarshal(value, &want) != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) { // cmp.Equal takes seconds for it
				t.Error("not the value that was posted")
			}
		})
	}
}

func TestAnEntryThatCannotBeStoredDoesNotAffectOthersOfItsBody(t *testing.T) {
	l := startLogged(t)
	// its key is too long
	entries := []whatsapp.Entry{
		{ID: strings.Repeat("x", 3000), Kind: whatsapp.KindUnknown, Value: json.RawMessage(`{}`)}}
	for i := range 40 {
		entries = append(entries,
			whatsapp.Entry{ID: fmt.Sprintf("%04x", i), Kind: whatsapp.KindUnknown, Value: json.RawMessage(`{}`)})
	}
	if err := (Appender{DB: l.db.Client, Now: l.Now}).Append(t.Context(), entries); err == nil {
		t.Error("nobody was told that an entry is not stored")
	}
	for _, entry := range entries[1:] {
		l.entry(model.EventID(entry.ID))
	}
}

func TestAnEntryOlderThanAnyRepetitionOfMetaIsStoredAndNeverProcessed(t *testing.T) {
	l := startLogged(t)
	log := Appender{DB: l.db.Client, Now: l.Now, MaxAge: 8 * 24 * time.Hour}
	at := func(ago time.Duration) int64 { return noon.Add(-ago).Unix() }
	for name, c := range map[string]struct {
		time  int64
		stale bool
	}{
		"fresh":                     {at(time.Second), false},
		"Meta's last repeat":        {at(7 * 24 * time.Hour), false},
		"just within the margin":    {at(8 * 24 * time.Hour), false},
		"captured":                  {at(8*24*time.Hour + time.Second), true},
		"captured, in milliseconds": {at(40*24*time.Hour) * 1000, true},
		"fresh, in milliseconds":    {at(time.Hour) * 1000, false},
		"of the future":             {at(-time.Hour), false},
		"of no time":                {0, false},
	} {
		entry := whatsapp.Entry{
			ID: fmt.Sprintf("%x", name), Kind: whatsapp.KindMessage, WABAID: wt.WABA, EntryTime: c.time,
			Value: json.RawMessage(`{"messages":[]}`)}
		if err := log.Append(t.Context(), []whatsapp.Entry{entry}); err != nil {
			t.Fatal(err)
		}
		id := model.EventID(entry.ID)
		if e := l.entry(id); e.Stale != c.stale || (e.ProcessedAt != "") != c.stale {
			t.Errorf("%s: %+v", name, e)
		}
		if err := l.Replay(t.Context(), id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if e := l.entry(id); (e.ProcessedAt != "") != c.stale {
			t.Errorf("%s, replayed: %+v", name, e)
		}
	}
	if err := l.Replay(t.Context(), "ffff"); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("replaying nothing: %v", err)
	}
}

func TestAnEntryRecordsItsPositionInTheBody(t *testing.T) {
	l := startLogged(t)
	entries, err := whatsapp.DecodeWebhook(wt.Body(
		wt.Messages(nil, wt.Text("919876543210", "wamid.1", "one", noon)),
		wt.Messages(nil, wt.Text("919876543210", "wamid.2", "two", noon)),
	))
	if err != nil {
		t.Fatal(err)
	}
	if err := (Appender{DB: l.db.Client, Now: l.Now}).Append(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
	for place, entry := range entries {
		if e := l.entry(model.EventID(entry.ID)); e.Position != place {
			t.Errorf("entry %d stands at %d", place, e.Position)
		}
	}
}

// A value that is in chunks because of its size stands for one that the engine rejects. The calls are the same except
// for the rejected one, and a rejected value takes a second to read at each of them.
func TestAppendingSurvivesEveryCrashPoint(t *testing.T) {
	large := json.RawMessage(`{"messages":["` + strings.Repeat("x", 350<<10) + `"]}`)
	entries := []whatsapp.Entry{
		{ID: "0a", Kind: whatsapp.KindMessage, WABAID: wt.WABA, Value: large},
		{ID: "0b", Kind: whatsapp.KindStatus, WABAID: wt.WABA, Value: json.RawMessage(`{}`)},
	}
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: []tables.Table{tables.Messages},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return (Appender{DB: client, Now: func() time.Time { return noon }, Sources: &Sources{}}).Append(ctx,
				entries)
		},
	})
	t.Logf("%d crash points", points)
}
