package e2e

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The function of files is killed with -9 when it has half of a file.
func TestAKilledDownloadEndsWithOneFile(t *testing.T) {
	t.Parallel()
	r := start(t, t.TempDir())
	r.simulate(t, "/faults", `{"match":{"type":"download"},"delayAnswer":"1m"}`)
	r.simulate(t, "/say",
		`{"from":"919876500001","message":{"type":"image","image":{"id":"media9","mime_type":"image/jpeg"}}}`)
	r.meetsFaults(t)
	if err := r.Kill("slow-lane"); err != nil {
		t.Fatal(err)
	}
	if held := r.objects(t); len(held) > 0 {
		t.Errorf("half of a file is kept: %v", held)
	}
	r.forgetAttempts(t)
	var page struct {
		Items []struct{ Media struct{ Fetched bool } }
	}
	r.get(t, "/v1/conversations/106540352242922:919876500001/messages", &page, func() bool {
		if _, err := r.Trigger(t.Context(), "slow-lane-sweep"); err != nil {
			t.Fatal(err)
		}
		return len(page.Items) == 1 && page.Items[0].Media.Fetched
	})
	r.fetches(t)
	if held := r.objects(t); len(held) != 1 {
		t.Errorf("%v are kept", held)
	}
}

// meetsFaults waits until every fault that was set has happened.
func (r *running) meetsFaults(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(eventually.Limit); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		response, err := http.Get(r.Addresses.WhatsApp + "/simulator/faults")
		if err != nil {
			t.Fatal(err)
		}
		var left struct{ Faults []json.RawMessage }
		err = json.NewDecoder(response.Body).Decode(&left)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(left.Faults) == 0 {
			return
		}
	}
	t.Fatal("a fault has not happened")
}

// forgetAttempts lets the time pass that an attempt without an end has for its end to become known.
func (r *running) forgetAttempts(t *testing.T) {
	t.Helper()
	db, past := r.engine(), model.At(time.Now().Add(-time.Hour))
	rows, err := db.Rows(t.Context(), dynamo.Query{
		Table: tables.Outbox, Index: tables.IndexOutboxByStatus, Where: "#status = :status",
		Values: dynamo.Item{":status": dynamo.S(model.OutboxPending)},
	})
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d events wait: %v", len(rows), err)
	}
	err = db.Update(t.Context(), dynamo.Update{
		Table: tables.Outbox, Key: keys.OutboxEvent(dynamo.Text(rows[0], "eventId")),
		Do: "SET leaseExpiresAt = :past, attemptStartedAt = :past",
		If: "attribute_exists(leaseOwner)", Values: dynamo.Item{":past": dynamo.S(past)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// objects returns the keys of what the bucket keeps.
func (r *running) objects(t *testing.T) (held []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(r.dir, "files", "objects"),
		func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") {
				held = append(held, path)
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	return held
}
