package outbox

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// calls counts calls to DynamoDB.
type calls struct{ atomic.Int64 }

func (c *calls) RoundTrip(request *http.Request) (*http.Response, error) {
	c.Add(1)
	return dynamotest.Transport().RoundTrip(request)
}

// However many relays take tokens of one number at the same time, each needs two calls at most, and a token that there
// is goes to one of them.
func TestRelaysThatTakeTokensTogetherDoNotFailEachOther(t *testing.T) {
	const relays = 12
	bucket := Bucket{Burst: relays - 2, Every: time.Second}
	db, counted := dynamotest.Start(t, tables.Outbox, tables.OutboxSequences), &calls{}
	r := &Relay{Outbox: Outbox{DB: db.Through(counted), Now: func() time.Time { return noon }}}
	var taking sync.WaitGroup
	var taken, waits atomic.Int64
	for range relays {
		taking.Go(func() {
			held, _, err := r.takeToken(t.Context(), "number", bucket, 1, "", dynamo.Item{})
			switch {
			case err != nil:
				t.Error(err)
			case held.by == nobody:
				taken.Add(1)
			case held.wait > 0 && held.wait <= 2*time.Second:
				waits.Add(1)
			}
		})
	}
	taking.Wait()
	if taken.Load() != relays-2 || waits.Load() != 2 {
		t.Errorf("%d have taken a token of %d, and %d wait", taken.Load(), relays-2, waits.Load())
	}
	if n := counted.Load(); n > 2*relays {
		t.Errorf("%d calls", n)
	}
	var after model.OutboxSequence
	if err := db.Get(t.Context(), tables.OutboxSequences, keys.OutboxSequence("number"), &after); err != nil {
		t.Fatal(err)
	}
	if want := noon.Add((relays - 2) * time.Second).UnixMilli(); after.PacedTo != want {
		t.Errorf("paced to %d, want %d", after.PacedTo, want)
	}
}
