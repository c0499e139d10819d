package dynamotest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
)

// Cost is what calls consumed, as the engine reports it.
type Cost struct {
	RoundTrips int
	Write      map[string]float64 // units by table, or table/index
	Read       map[string]float64
}

// Meter counts what a client's calls cost.
type Meter struct {
	mu   sync.Mutex
	cost Cost
}

// Metered is a client whose calls are counted.
func (db *DB) Metered(t testing.TB) (*dynamo.Client, *Meter) {
	t.Helper()
	meter := &Meter{}
	meter.Reset()
	return db.through(meter), meter
}

// Reset forgets what was counted.
func (m *Meter) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost = Cost{Write: map[string]float64{}, Read: map[string]float64{}}
}

// Cost is what was counted.
func (m *Meter) Cost() Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Cost{RoundTrips: m.cost.RoundTrips, Write: maps.Clone(m.cost.Write), Read: maps.Clone(m.cost.Read)}
}

// RoundTrip asks the engine to report what a call consumes, and adds it up.
func (m *Meter) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	var input map[string]json.RawMessage
	if err := json.Unmarshal(body, &input); err != nil {
		return nil, err
	}
	input["ReturnConsumedCapacity"] = json.RawMessage(`"INDEXES"`)
	asking, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	request = request.Clone(request.Context())
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(asking)), int64(len(asking))
	response, err := connections.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	write := strings.Contains(request.Header.Get("X-Amz-Target"), "Put") ||
		strings.Contains(request.Header.Get("X-Amz-Target"), "Update") ||
		strings.Contains(request.Header.Get("X-Amz-Target"), "Write") ||
		strings.Contains(request.Header.Get("X-Amz-Target"), "Delete")
	m.add(write, response.StatusCode, input, answer)
	return response, nil
}

func (m *Meter) add(write bool, status int, input map[string]json.RawMessage, answer []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.RoundTrips++
	units := m.cost.Read
	if write {
		units = m.cost.Write
	}
	if status != http.StatusOK {
		if bytes.Contains(answer, []byte("ConditionalCheckFailedException")) {
			// A failed condition is charged as a write and reports nothing: the item's size, rounded up.
			var table string
			_ = json.Unmarshal(input["TableName"], &table)
			units[table] += math.Ceil(math.Max(float64(len(input["Item"])), 1) / 1024)
		}
		return
	}
	var reported struct{ ConsumedCapacity json.RawMessage }
	_ = json.Unmarshal(answer, &reported)
	list := []capacity{}
	if json.Unmarshal(reported.ConsumedCapacity, &list) != nil {
		var one capacity
		_ = json.Unmarshal(reported.ConsumedCapacity, &one)
		list = []capacity{one}
	}
	for _, c := range list {
		add(units, c.TableName, c.Table.CapacityUnits)
		for name, index := range c.GlobalSecondaryIndexes {
			add(units, c.TableName+"/"+name, index.CapacityUnits)
		}
		for name, index := range c.LocalSecondaryIndexes {
			add(units, c.TableName+"/"+name, index.CapacityUnits)
		}
	}
}

func add(units map[string]float64, name string, n float64) {
	if n > 0 {
		units[name] += n
	}
}

type capacity struct {
	TableName              string
	Table                  struct{ CapacityUnits float64 }
	GlobalSecondaryIndexes map[string]struct{ CapacityUnits float64 }
	LocalSecondaryIndexes  map[string]struct{ CapacityUnits float64 }
}

// Total is the sum of units.
func Total(units map[string]float64) float64 {
	total := 0.0
	for _, n := range units {
		total += n
	}
	return total
}

// String writes a cost as lines for a golden file.
func (c Cost) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %g write units, %g read units, %d round trips\n", Total(c.Write), Total(c.Read), c.RoundTrips)
	for _, kind := range []struct {
		name  string
		units map[string]float64
	}{{"write", c.Write}, {"read", c.Read}} {
		for _, name := range slices.Sorted(maps.Keys(kind.units)) {
			fmt.Fprintf(&b, "    %-5s %6g  %s\n", kind.name, kind.units[name], name)
		}
	}
	return b.String()
}
