// Package queue is a stand-in for a queue of Amazon SQS with a dead letter queue, from which AWS Lambda takes for a
// function. Messages wait in a folder, one file each, and survive a restart. The queue is a standard one: it may bring
// a message twice, and in any order. It brings a message that was not taken again after a wait that grows, and SQS does
// so after the visibility timeout.
package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/haatline/haatline/infra/topology"
)

// Config says what a queue is for.
type Config struct {
	Queue       topology.Queue
	ARN, Region string
	Dir         string // the folder of the messages
	DeadDir     string // the folder of the dead letters
	// Invoke runs the function with an event, and returns its answer.
	Invoke  func(ctx context.Context, event []byte) ([]byte, error)
	Backoff func(attempt int) time.Duration // the wait before a message is brought again
	Now     func() time.Time
	Log     *slog.Logger
}

// Queue is a queue.
type Queue struct {
	config Config
	signal chan struct{} // a message may wait

	mu      sync.Mutex
	waiting []*message
}

// message is a message that was not taken yet.
type message struct {
	ID       string    `json:"messageId"`
	Body     string    `json:"body"`
	Sent     time.Time `json:"sent"`
	Received time.Time `json:"received,omitzero"` // for the first time
	Receives int       `json:"receives"`
}

func (m *message) file() string { return fmt.Sprintf("%020d-%s.json", m.Sent.UnixNano(), m.ID) }

// Open opens a queue with the messages that wait in its folder.
func Open(config Config) (*Queue, error) {
	q := &Queue{config: config, signal: make(chan struct{}, 1)}
	if err := errors.Join(os.MkdirAll(config.Dir, 0o750), os.MkdirAll(config.DeadDir, 0o750)); err != nil {
		return nil, fmt.Errorf("open a queue: %w", err)
	}
	names, err := filepath.Glob(filepath.Join(config.Dir, "*.json")) // sorted, so in the order in which they were sent
	if err != nil {
		return nil, fmt.Errorf("open a queue: %w", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		m := &message{}
		if err == nil {
			err = json.Unmarshal(text, m)
		}
		if err != nil {
			return nil, fmt.Errorf("open a queue: %s: %w", name, err)
		}
		q.waiting = append(q.waiting, m)
	}
	q.wake()
	return q, nil
}

// Send puts a message into the queue. It is not lost once Send has returned.
func (q *Queue) Send(body []byte) error {
	m := &message{ID: uuid.NewString(), Body: string(body), Sent: q.config.Now().UTC()}
	if err := m.save(q.config.Dir); err != nil {
		return err
	}
	q.add(m)
	return nil
}

// save writes a message into a folder, whole or not at all.
func (m *message) save(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	to := filepath.Join(dir, m.file())
	if err := os.WriteFile(to+".new", text, 0o600); err != nil {
		return fmt.Errorf("store a message: %w", err)
	}
	return os.Rename(to+".new", to)
}

func (q *Queue) add(m *message) {
	q.mu.Lock()
	q.waiting = append(q.waiting, m)
	q.mu.Unlock()
	q.wake()
}

func (q *Queue) wake() {
	select {
	case q.signal <- struct{}{}:
	default:
	}
}

// Run has the function get the messages until ctx ends.
func (q *Queue) Run(ctx context.Context) {
	var workers sync.WaitGroup
	for range q.config.Queue.MaxConcurrency {
		workers.Go(func() {
			for batch := q.take(ctx); batch != nil; batch = q.take(ctx) {
				q.deliver(ctx, batch)
			}
		})
	}
	workers.Wait()
}

// take waits for messages and returns a batch of them; nil once ctx has ended.
func (q *Queue) take(ctx context.Context) []*message {
	for {
		q.mu.Lock()
		n := min(len(q.waiting), q.config.Queue.BatchSize)
		batch := slices.Clone(q.waiting[:n])
		q.waiting = q.waiting[n:]
		more := len(q.waiting) > 0
		q.mu.Unlock()
		if more {
			q.wake() // another worker
		}
		if n > 0 {
			return batch
		}
		select {
		case <-q.signal:
		case <-ctx.Done():
			return nil
		}
	}
}

// deliver has the function get a batch. What it does not take comes again.
func (q *Queue) deliver(ctx context.Context, batch []*message) {
	for _, m := range batch {
		if m.Receives++; m.Receives == 1 {
			m.Received = q.config.Now().UTC()
		}
	}
	answer, err := q.config.Invoke(ctx, q.event(batch))
	if ctx.Err() != nil {
		return // the messages are in their folder
	}
	failed, err := failures(answer, batch, err)
	for _, m := range batch {
		if failed[m.ID] {
			q.again(ctx, m, err)
		} else if err := os.Remove(filepath.Join(q.config.Dir, m.file())); err != nil {
			q.config.Log.Warn("a message that was taken stays in its queue", "error", err)
		}
	}
}

// again brings a message again later, or makes it a dead letter.
func (q *Queue) again(ctx context.Context, m *message, cause error) {
	if m.Receives >= q.config.Queue.MaxReceives {
		q.config.Log.Warn("a message is a dead letter", "queue", q.config.ARN, "message", m.ID, "error", cause)
		err := m.save(q.config.DeadDir)
		if err == nil {
			err = os.Remove(filepath.Join(q.config.Dir, m.file()))
		}
		if err != nil {
			q.config.Log.Warn("a dead letter stays in its queue", "error", err)
		}
		return
	}
	if err := m.save(q.config.Dir); err != nil {
		q.config.Log.Warn("a message keeps its count of before", "error", err)
	}
	time.AfterFunc(q.config.Backoff(m.Receives), func() {
		if ctx.Err() == nil {
			q.add(m)
		}
	})
}
