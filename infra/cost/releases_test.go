package cost

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/tables"
)

// later is an attribute that a later release writes, and this one does not know.
const later = "written_by_a_later_release"

// laterRelease puts an attribute that nobody knows on every item that is stored for the first time.
type laterRelease struct {
	mu   sync.Mutex
	made map[string]bool // the keys of the items, by their table
}

func (r *laterRelease) note(name, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made[name+" "+key] = true
}

func (r *laterRelease) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	var one put
	var many struct {
		TransactItems []map[string]json.RawMessage
	}
	switch _, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), "."); operation {
	case "PutItem":
		body, err = r.marked(body, &one)
	case "TransactWriteItems":
		if err = json.Unmarshal(body, &many); err != nil {
			return nil, err
		}
		for i, item := range many.TransactItems {
			if item["Put"] != nil && err == nil {
				many.TransactItems[i]["Put"], err = r.marked(item["Put"], &one)
			}
		}
		body, err = with(body, "TransactItems", many.TransactItems, err)
	}
	if err != nil {
		return nil, err
	}
	request = request.Clone(request.Context())
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return http.DefaultTransport.RoundTrip(request)
}

type put struct {
	TableName, ConditionExpression string
	Item                           map[string]json.RawMessage
}

// marked returns a put with the attribute, if the item must not be there before.
func (r *laterRelease) marked(body []byte, p *put) ([]byte, error) {
	*p = put{}
	err := json.Unmarshal(body, p)
	if err != nil || !strings.HasPrefix(p.ConditionExpression, "attribute_not_exists(") {
		return body, err
	}
	p.Item[later] = json.RawMessage(`{"S":"more"}`)
	r.note(p.TableName, keyText(p.TableName, p.Item))
	return with(body, "Item", p.Item, nil)
}

// with returns a JSON object with another member.
func with(body []byte, name string, member any, err error) ([]byte, error) {
	var all map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(body, &all)
	}
	if err == nil {
		all[name], err = json.Marshal(member)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

// keyText returns the key of an item in DynamoDB's JSON, as keyOf does.
func keyText(name string, item map[string]json.RawMessage) string {
	i := slices.IndexFunc(tables.All(), func(t tables.Table) bool { return t.Name(tables.Dev) == name })
	stored := dynamo.Item{}
	for _, attribute := range []string{tables.All()[i].Partition.Name, tables.All()[i].Sort.Name} {
		var value struct{ S string }
		_ = json.Unmarshal(item[attribute], &value) // the keys of all tables are texts
		stored[attribute] = dynamo.S(value.S)
	}
	return keyOf(tables.All()[i], stored)
}

func keyOf(table tables.Table, item dynamo.Item) string {
	return dynamo.Text(item, table.Partition.Name) + " " + dynamo.Text(item, table.Sort.Name)
}

// A release that is rolled back to works on items of the one after it: whatever it does with them, what it does not
// know stays.
func TestWhatALaterReleaseHasWrittenStays(t *testing.T) {
	kept := 0
	for _, domain := range domains {
		for _, f := range domain.flows() {
			t.Run(f.name, func(t *testing.T) {
				used := append([]tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}, f.tables...)
				db := dynamotest.StartWhole(t, used...)
				release := &laterRelease{made: map[string]bool{}}
				s := &system{t: t, db: db, client: db.Through(release), now: noon, seen: map[string]bool{}}
				if f.before != nil {
					f.before(s)
				}
				f.run(s)
				for _, table := range used {
					for _, item := range db.Items(t, table) {
						key := keyOf(table, item)
						if !release.made[table.Name(tables.Dev)+" "+key] {
							continue
						}
						kept++
						if dynamo.Text(item, later) == "" {
							t.Errorf("%s %s has lost what a later release has written", table.ID, key)
						}
					}
				}
			})
		}
	}
	if kept < 100 {
		t.Errorf("%d items of a later release were there", kept)
	}
}
