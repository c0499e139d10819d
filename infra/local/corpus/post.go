package corpus

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/haatline/haatline/shared/whatsapp"
)

// result is the result of one body over all rounds.
type result struct {
	worst          int // the last status other than 200, or 200; 0 for no answer
	err            error
	posts          int
	slowest, total time.Duration
}

// postAll posts every body in every round and returns the results in the order of the bodies. Rounds do not overlap, so
// that a repetition is a redelivery and not a race.
func postAll(ctx context.Context, s settings, bodies []body) []result {
	results := make([]result, len(bodies))
	order := make([]int, len(bodies))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(s.shuffle, s.shuffle)) //nolint:gosec // the order is to be repeatable, not secret
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: s.clients}}
	defer client.CloseIdleConnections()
	for range s.rounds {
		round := slices.Clone(order)
		if s.shuffle != 0 {
			random.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
		}
		group := errgroup.Group{}
		group.SetLimit(s.clients)
		for _, i := range round { // each body is posted once per round, so each result has one writer at a time
			group.Go(func() error {
				for _, text := range bodies[i].posted() {
					results[i].post(ctx, client, s, text)
				}
				return nil
			})
		}
		_ = group.Wait() // the results have all outcomes
	}
	return results
}

func (r *result) post(ctx context.Context, client *http.Client, s settings, raw []byte) {
	began := time.Now()
	status, err := post(ctx, client, s, raw)
	took := time.Since(began)
	if r.posts == 0 || status != http.StatusOK {
		r.worst, r.err = status, err
	}
	r.posts++
	r.total += took
	r.slowest = max(r.slowest, took)
}

func post(ctx context.Context, client *http.Client, s settings, raw []byte) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(raw))
	if err != nil {
		return 0, fmt.Errorf("post: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Hub-Signature-256", whatsapp.Sign(s.secret, raw))
	response, err := client.Do(request)
	if err != nil {
		return 0, fmt.Errorf("post: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20)) // so that the connection can be used again
	return response.StatusCode, nil
}
