package catalogues

import (
	"context"
	"errors"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/asking"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tenancy"
	"github.com/haatline/haatline/shared/whatsapp"
)

// EventPush is the outbox event that has Meta's catalogue become what the store that keeps it sells.
const EventPush = "catalogues.push"

const (
	// batchSize bounds the requests of a batch. Meta takes 5,000, but not more bytes than it likes.
	batchSize = 300
	// attemptLasts is how long an attempt begins something new. The next one goes on behind it.
	attemptLasts = 40 * time.Second
	// roundsAtOnce bounds what an attempt does, whatever the time.
	roundsAtOnce = 60
	// batchWait is how long an attempt waits before it looks at a batch again.
	batchWait = 2 * time.Second
)

// pushed is the payload of the event.
type pushed struct {
	CatalogID model.Name `json:"catalogId"`
	StoreID   model.Name `json:"storeId"`
}

// Push returns the writes that have a catalogue become what a store sells, if the store keeps it, for the transaction
// of what it follows from.
func (s *Catalogues) Push(ctx context.Context, tenant model.TenantID, id, store model.Name) ([]dynamo.Write, error) {
	return s.Outbox.Queue(ctx, outbox.Entity{Tenant: tenant, Type: keys.EntityCatalog, ID: "push:" + string(id)},
		EventPush, pushed{id, store})
}

// pusher has one catalogue become what a store sells.
type pusher struct {
	*request
	shelf Shelf
	of    pushed
	event string
	link  string // where people buy
	sleep func(context.Context, time.Duration) error
	c     model.Catalog
}

// PushHandler returns the handler of the event. asFailure says what the outbox does about a refusal.
func (s *Catalogues) PushHandler(meta Meta, shelf Shelf, sleep func(context.Context, time.Duration) error,
	asFailure asking.AsFailure) outbox.Handler {
	return outbox.Handler{Send: func(ctx context.Context, event model.OutboxEvent) (string, error) {
		of, err := outbox.PayloadOf[pushed](event)
		if err != nil {
			return "", err
		}
		p := &pusher{request: &request{Catalogues: s, meta: meta}, shelf: shelf, of: of, event: event.EventID,
			sleep: sleep}
		err = p.run(ctx, event.EcosystemID)
		if errors.Is(err, errElsewhere) {
			return "", nil
		}
		return "", asking.Ended(ctx, err, event, asFailure, p.ended)
	}}
}

// run goes on until all is done, or an attempt has done enough.
func (p *pusher) run(ctx context.Context, tenant model.TenantID) error {
	began := p.Now()
	if err := p.begin(ctx, tenant); err != nil {
		return err
	}
	for range roundsAtOnce {
		done, err := p.step(ctx)
		if done || err != nil {
			return err
		}
		if p.Now().Sub(began) > attemptLasts {
			break
		}
	}
	if err := p.save(ctx, *p.c.Push); err != nil { // where nothing differed, nothing has noted how far it is
		return err
	}
	return &outbox.Later{At: model.At(p.Now())}
}

// begin finds the catalogue, and begins a push unless this event has. While another event's push is under way, that is
// to compare everything once more: what has changed may be behind it.
func (p *pusher) begin(ctx context.Context, tenant model.TenantID) error {
	elsewhere := false
	err := p.change(ctx, p.of.CatalogID, func(c *model.Catalog) ([]dynamo.Write, bool, error) {
		if elsewhere = c.StoreID != p.of.StoreID || c.TenantID != tenant; elsewhere {
			return nil, false, nil // it keeps another one, or none
		}
		is := c.Push
		switch {
		case is != nil && is.EndedAt != "" && is.Event == p.event: // it is done
			elsewhere = true
			return nil, false, nil
		case is == nil || is.EndedAt != "" || is.BeganAt < model.At(p.Now().Add(-asking.Patience)):
			c.Push = &model.CatalogPush{Event: p.event, BeganAt: model.At(p.Now())}
		case is.Event == p.event:
			p.c = *c
			return nil, false, nil
		default:
			elsewhere = true
			again := *is
			again.Again, c.Push = true, &again
			return nil, !is.Again, nil
		}
		p.c = *c
		return nil, true, nil
	})
	switch {
	case errors.Is(err, dynamo.ErrNotFound), err == nil && elsewhere:
		return errElsewhere
	case err != nil:
		return err
	}
	phone, err := p.Numbers.OfAccount(ctx, tenant, p.c.WABAMetaID)
	if errors.Is(err, tenancy.ErrNoNumber) {
		return errors.Join(p.ended(ctx, asking.ProblemMoved), errElsewhere)
	}
	if err != nil {
		return err
	}
	number, err := p.Numbers.Number(ctx, phone)
	p.phone, p.link = string(phone), chatLink(number)
	return err
}

// save stores how far the push is. It returns errElsewhere if another attempt has gone on. The condition is that the
// catalogue is as it was read, but for what Meta was asked about it, and for a wish to compare everything once more.
func (p *pusher) save(ctx context.Context, next model.CatalogPush) error {
	was := p.c.Push
	return p.change(ctx, p.of.CatalogID, func(c *model.Catalog) ([]dynamo.Write, bool, error) {
		if c.Push == nil || c.Push.Event != p.event || c.Push.Step != was.Step || c.StoreID != p.of.StoreID {
			return nil, false, errElsewhere
		}
		next.Step, next.Again = was.Step+1, c.Push.Again
		if next.EndedAt != "" && next.Again && next.Problem == "" {
			next = model.CatalogPush{Event: p.event, BeganAt: model.At(p.Now()), Step: next.Step}
		}
		stored := next
		c.Push = &stored
		p.c = *c
		return nil, true, nil
	})
}

// ended ends the push. problem is what stood in the way; "" for nothing.
func (p *pusher) ended(ctx context.Context, problem string) error {
	next := *p.c.Push
	next.EndedAt, next.Problem, next.Batch, next.Handle = model.At(p.Now()), problem, nil, ""
	err := p.save(ctx, next)
	if errors.Is(err, errElsewhere) || errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	return err
}

// step does the next of what is to be done, and reports whether all is done.
func (p *pusher) step(ctx context.Context) (done bool, err error) {
	switch at := p.c.Push; {
	case at.Handle != "":
		return false, p.look(ctx)
	case !at.Put:
		return false, p.compare(ctx)
	default:
		return p.clear(ctx)
	}
}

// change is what a product becomes at Meta: an offer, or nothing.
type change struct {
	id    model.Name
	offer *Offer
}

// post has Meta carry out changes, and notes them with what follows. Meta takes the same changes twice.
func (p *pusher) post(ctx context.Context, changes []change, next model.CatalogPush) error {
	requests := make([]map[string]any, 0, len(changes))
	next.Batch = nil
	for _, c := range changes {
		method, data, hash := "DELETE", map[string]string{"id": string(c.id)}, ""
		if c.offer != nil { // it creates what is not there
			method, data, hash = "UPDATE", c.offer.data(p.link), c.offer.hash(p.link)
		}
		requests = append(requests, map[string]any{"method": method, "data": data})
		next.Batch = append(next.Batch, model.CatalogChange{RetailerID: c.id, Hash: hash})
	}
	var err error
	next.Handle, err = p.postBatch(ctx, p.of.CatalogID, requests)
	var refused *whatsapp.SendError
	if errors.As(err, &refused) && refused.Class == whatsapp.Never {
		return p.narrow(ctx, changes, next.Batch, refused)
	}
	if err != nil {
		return err
	}
	return p.save(ctx, next)
}

// narrow goes on after Meta has refused all of a batch. It posts the first half, until the one that Meta refuses is
// alone: that one is reported, and the others differ when they are compared again. A catalogue that Meta does not show
// is an error of another class.
func (p *pusher) narrow(ctx context.Context, changes []change, batch []model.CatalogChange,
	refused *whatsapp.SendError) error {
	if len(changes) > 1 {
		return p.post(ctx, changes[:len(changes)/2], *p.c.Push)
	}
	at := *p.c.Push
	at.Batch = batch
	return p.settleBatch(ctx, at, map[model.Name]string{changes[0].id: refused.Error()})
}

// look looks what came of the batch, and stores it. If it is not carried out yet, look waits.
func (p *pusher) look(ctx context.Context) error {
	at := *p.c.Push
	state, refused, err := p.lookAtBatch(ctx, p.of.CatalogID, at.Handle)
	switch {
	case err != nil:
		return err
	case state == batchUnderWay:
		return p.sleep(ctx, batchWait)
	case state == batchLost:
		next := at
		next.Handle, next.Batch = "", nil // it is compared once more
		if err := p.save(ctx, next); err != nil {
			return err
		}
		return batchFailed()
	}
	return p.settleBatch(ctx, at, refused)
}
