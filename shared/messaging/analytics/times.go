package analytics

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// Times returns how long the customers of a number waited, by day. A day that nobody has counted is absent.
func (s *Analytics) Times(ctx context.Context, phone model.PhoneNumberID, days []string) (all []model.ResponseTimes,
	err error) {
	refs := make([]dynamo.Ref, len(days))
	for i, date := range days {
		refs[i] = dynamo.Ref{Table: tables.Messages, Key: keys.ResponseTimes(phone, model.Name(date))}
	}
	found, err := s.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read response times: %w", err)
	}
	for _, ref := range refs {
		var r model.ResponseTimes
		if err := dynamo.Unmarshal(ref.Found(found), &r); err != nil {
			return nil, err
		}
		if r.Version > 0 {
			all = append(all, r)
		}
	}
	return all, nil
}

// CountTimes has the response times of days of a number counted. A day that is being counted is not begun again. tenant
// is the one that asks. Its condition is that a day's item is as it was read.
func (s *Analytics) CountTimes(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID,
	days []string) error {
	for _, date := range days {
		if err := s.beginTimes(ctx, tenant, phone, date); err != nil {
			return err
		}
	}
	return nil
}

func (s *Analytics) beginTimes(ctx context.Context, tenant model.TenantID, phone model.PhoneNumberID,
	date string) error {
	now := model.At(s.Now())
	key := keys.ResponseTimes(phone, model.Name(date))
	return dynamo.Change(ctx, s.DB, tables.Messages, key,
		func(r *model.ResponseTimes) ([]dynamo.Write, bool, error) {
			if r.Counting != nil && r.Counting.StartedAt > model.At(s.Now().Add(-patience)) {
				return nil, false, nil
			}
			r.PK, r.ItemType, r.PhoneNumberID, r.Date = key.Partition, model.ItemResponseTimes, phone, date
			r.Times = timesOf(r.Times)
			r.Counting = &model.Timing{StartedAt: now, Times: timesOf(model.Times{})}
			writes, err := s.Outbox.Queue(ctx,
				outbox.Entity{Tenant: tenant, Type: keys.EntityAnalytics, ID: "times:" + string(phone) + ":" + date},
				EventTimes, timing{phone, date, now})
			return writes, true, err
		})
}

// timesOf returns times whose maps are there.
func timesOf(t model.Times) model.Times {
	for _, counts := range []*map[string]int64{&t.Replies, &t.Resolutions} {
		if *counts == nil {
			*counts = map[string]int64{}
		}
	}
	return t
}

// note counts one time. It counts up to ten minutes in seconds, up to a day in minutes, and longer ones in hours, so
// that the counts of a day stay few.
func note(counts map[string]int64, took time.Duration) {
	switch {
	case took >= day:
		took = took.Truncate(time.Hour)
	case took >= 10*time.Minute:
		took = took.Truncate(time.Minute)
	}
	counts[strconv.FormatInt(int64(max(took, 0)/time.Second), 10)]++
}

// Spread is how times are spread, in seconds. Half of them are at most Median, and nine of ten at most Ninetieth.
type Spread struct{ Count, Median, Ninetieth int64 }

// SpreadOf returns how times are spread.
func SpreadOf(counts map[string]int64) (s Spread) {
	seconds := map[int64]int64{}
	for text, n := range counts {
		if at, err := strconv.ParseInt(text, 10, 64); err == nil {
			seconds[at] += n
			s.Count += n
		}
	}
	rank := func(part float64) int64 { return int64(math.Ceil(part * float64(s.Count))) }
	var passed int64
	for _, at := range slices.Sorted(maps.Keys(seconds)) {
		before := passed
		passed += seconds[at]
		if half := rank(0.5); before < half && passed >= half {
			s.Median = at
		}
		if most := rank(0.9); before < most && passed >= most {
			s.Ninetieth = at
		}
	}
	return s
}
