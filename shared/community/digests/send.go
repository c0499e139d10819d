package digests

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/telemetry"
)

// Sent counts the digests that were handed over for sending.
var Sent = telemetry.Metric{Name: "CommunityDigestsSent", Unit: "Count", Series: telemetry.LogOnly}

const (
	// page is how many people of a shard are read at once, width how many of them are worked on side by side.
	page, width = 100, 8
	// reserve is how much of the invocation is left for the page that is being worked on.
	reserve = 10 * time.Second
	// apart is the least time from a digest that was late to the next one.
	apart = 12 * time.Hour
)

// Send sends the digests that are due: all shards side by side, each page by page, for as long as there is time. The
// next run goes on with what is left. It reads a list of who gets one, and nothing else where none is due. Somebody
// whose digest fails stays due, and delays nobody.
func (d *Digests) Send(ctx context.Context) error {
	p := &pass{Digests: d}
	jobs := make([]func() error, keys.DigestShards)
	for n := range jobs {
		jobs[n] = func() error { return p.shard(ctx, keys.DigestShard(n)) }
	}
	for _, err := range lanes.Concurrently(len(jobs), jobs...) {
		p.failed(err)
	}
	if p.first != nil {
		return fmt.Errorf("digests: %d failed, the first: %w", p.count, p.first)
	}
	return nil
}

// pass is one run. It remembers the tenants' settings, and the first failure.
type pass struct {
	*Digests
	mu    sync.Mutex
	known map[model.TenantID]communitymodel.Settings
	count int
	first error
}

func (p *pass) failed(err error) {
	if err == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count++; p.first == nil {
		p.first = err
	}
}

// shard works off one shard.
func (p *pass) shard(ctx context.Context, shard string) error {
	q := dynamo.Query{
		Table: tables.CommunityNotifications, Limit: page, Where: "pk = :shard AND sk < :until",
		Values: dynamo.Item{
			":shard": dynamo.S(shard), ":until": dynamo.S(keys.DigestsUntil(model.At(p.Now())))},
	}
	for {
		rows, err := p.DB.Query(ctx, q)
		if err != nil {
			return err
		}
		jobs := make([]func() error, len(rows.Items))
		for i, row := range rows.Items {
			at, user := keys.DigestOf(dynamo.Text(row, keys.SK))
			jobs[i] = func() error { return p.person(ctx, user, at) }
		}
		for _, err := range lanes.Concurrently(width, jobs...) {
			p.failed(err)
		}
		if q.After = rows.Next; q.After == nil || !invocation.HasMore(ctx, reserve) {
			return nil
		}
	}
}

// person does what is to be done about the digest of a person that is due since an instant. Where something has changed
// since it was read, it reads and decides again.
func (p *pass) person(ctx context.Context, user model.Name, at model.Time) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		found, err := p.DB.BatchGet(ctx, []dynamo.Ref{ref(user), users.Ref(user)})
		if err != nil {
			return err
		}
		var is communitymodel.Digest
		if err := dynamo.Unmarshal(ref(user).Found(found), &is); err != nil {
			return err
		}
		person, err := users.In(found, user)
		switch {
		case err != nil && !errors.Is(err, dynamo.ErrNotFound):
			return err
		case is.DueAt != at: // it was sent or turned off meanwhile, and none is due again at an instant that has passed
			return p.DB.Transact(ctx, []dynamo.Write{taken(user, at)})
		case person.ID == "" || person.ErasedAt != "":
			return p.end(ctx, is)
		}
		return p.due(ctx, person, is)
	})
}

// due sends a digest if there is something to tell, and has the next one be due, in one transaction. If the tenant has
// chosen another hour since, the digest waits for that. The condition is that what the person has chosen is as it was
// read: so one digest goes out, whoever else works on it.
func (p *pass) due(ctx context.Context, person communitymodel.User, is communitymodel.Digest) error {
	of, err := p.settings(ctx, person.TenantID)
	if err != nil {
		return err
	}
	told, due := is.ToldUntil, next(of, p.Now())
	var message []dynamo.Write
	if isDue(of, is.DueAt) {
		if told, message, err = p.message(ctx, person, is, of); err != nil {
			return err
		}
		if due.Go().Sub(p.Now()) < apart {
			due = next(of, due.Go())
		}
	}
	row, err := dynamo.Marshal(communitymodel.NewDigestDue(person.ID, due))
	if err != nil {
		return err
	}
	writes := []dynamo.Write{
		dynamo.Update{
			Table: tables.CommunityNotifications, Key: keys.Digest(person.ID),
			Do: "SET DueAt = :due, ToldUntil = :told", If: "DueAt = :was AND DigestBy = :by",
			Values: dynamo.Item{
				":due": dynamo.S(due), ":told": dynamo.S(told), ":was": dynamo.S(is.DueAt), ":by": dynamo.S(is.By)},
		},
		taken(person.ID, is.DueAt),
		dynamo.Put{Table: tables.CommunityNotifications, Item: row, If: dynamo.IfAbsent},
	}
	if err := dynamo.Conflict(p.DB.Transact(ctx, append(writes, message...))); err != nil {
		return err
	}
	if len(message) > 0 {
		telemetry.Count(ctx, Sent, 1)
	}
	return nil
}

// settings returns the settings of a tenant; those of none, without a sender, for one without communities.
func (p *pass) settings(ctx context.Context, tenant model.TenantID) (communitymodel.Settings, error) {
	p.mu.Lock()
	of, known := p.known[tenant]
	p.mu.Unlock()
	if known {
		return of, nil
	}
	of, err := p.Settings.Get(ctx, tenant)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return of, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	const most = 1000 // bounds the memory
	if p.known == nil || len(p.known) >= most {
		p.known = map[model.TenantID]communitymodel.Settings{}
	}
	p.known[tenant] = of
	return of, nil
}
