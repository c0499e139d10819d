package dynamotest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// walk makes random calls on a few items and returns what was answered. Walks begin alike and end in different ways.
func walk(t *testing.T, client *dynamo.Client, seed uint64) (answers []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed%3, 1))
	for step := range 16 {
		if step == 8 {
			random = rand.New(rand.NewPCG(seed, 2))
		}
		key := keys.Message(model.MessageID(fmt.Sprint("m", random.IntN(3))))
		item := dynamo.Item{key.PartitionName: dynamo.S(key.Partition), "at": dynamo.S(fmt.Sprint(step))}
		put := dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent}
		var err error
		switch random.IntN(6) {
		case 0:
			err = client.Put(t.Context(), put)
		case 1:
			err = client.Transact(t.Context(), []dynamo.Write{put})
		case 2:
			err = client.Transact(t.Context(), []dynamo.Write{
				dynamo.Delete{Table: tables.Messages, Key: key, If: dynamo.IfPresent}})
		case 3:
			ended, end := context.WithCancel(t.Context())
			end()
			err = client.Put(ended, put)
		default:
			var read map[string]string
			err = client.Get(t.Context(), tables.Messages, key, &read)
			answers = append(answers, read["at"])
		}
		answers = append(answers, fmt.Sprint(errors.Is(err, dynamo.ErrNotFound), errors.Is(err, context.Canceled), err))
	}
	return answers
}

func TestARecallAnswersAsTheEngineDoes(t *testing.T) {
	repeated, asked := Start(t, tables.Messages), Start(t, tables.Messages)
	again := repeated.Again(t)
	empty, marks := asked.contents(t), maps.Clone(asked.marks)
	for seed := range uint64(60) {
		got, want := walk(t, repeated.Client, seed), walk(t, asked.Client, seed)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("walk %d is answered\n%q, not\n%q", seed, got, want)
		}
		ended := asked.contents(t)
		if left := diff(t, ended, repeated.contents(t)); left != "" {
			t.Fatalf("walk %d leaves other tables:\n%s", seed, left)
		}
		asked.restore(t, ended, empty, marks)
		again()
	}
	if known := len(repeated.recall.answers); known == 0 || known > 60*16 {
		t.Errorf("it knows %d answers", known)
	}
}

// A write of which nobody knows whether it was made leaves tables of which nothing is known.
func TestARecallThatLosesAnAnswerAsksAgain(t *testing.T) {
	db := Start(t, tables.Messages)
	again := db.Again(t)
	for range 3 {
		walk(t, db.Client, 1)
		_ = db.recall.lose(nil)
		walk(t, db.Client, 2)
		again()
		if left := db.contents(t)[tables.Messages.ID]; len(left) > 0 {
			t.Fatalf("the tables hold %v", left)
		}
	}
}
