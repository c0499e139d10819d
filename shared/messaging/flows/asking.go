package flows

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/objects"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/whatsapp/flowcheck"
)

// EventAsk is the outbox event that asks Meta about a flow, or about the flows of an account.
const EventAsk = "flows.ask"

// What Meta is asked for.
const (
	List      = "list"      // the flows of an account
	Create    = "create"    // a new flow
	Change    = "change"    // another name, other categories, another endpoint
	PutJSON   = "put_json"  // other screens
	Publish   = "publish"   // has customers get it
	Deprecate = "deprecate" // has customers get it no more
	Delete    = "delete"    // a draft
	Preview   = "preview"   // a link that shows it, and how it stands
	Metrics   = "metrics"   // the counts of the requests to its endpoint
	// FetchJSON asks for the JSON that Meta has of a flow, also if it was made elsewhere.
	FetchJSON = "fetch_json"
)

// Of says for which tenant's account something is asked, and who asks for it.
type Of struct {
	Tenant model.TenantID
	WABA   model.WABAID
	By     string
}

// Draft is what a flow shall be. In a change, what is empty stays as it is.
type Draft struct {
	Name, EndpointURI string
	Categories        []string
	CloneFlowID       model.Name // whose JSON it begins with; "" for none
	JSON              []byte     // nil for none
	Publish           bool
}

// Span says which counts are asked for.
type Span struct{ Granularity, Since, Until string }

// asked is the payload of the event.
type asked struct {
	WABAID        model.WABAID        `json:"wabaId"`
	FlowID        model.Name          `json:"flowId,omitempty"` // "" for the flows of the account
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId"`    // whose access token is used
	AskedAt       model.Time          `json:"askedAt"`
}

// Create has Meta asked for a new flow. It returns a problem with every fault of the JSON, ErrNoJSON, ErrClone,
// ErrExists, ErrWaits and tenancy.ErrNoNumber. The same that waits already is not asked for again. Its condition is
// that the flow is as it was read.
func (s *Flows) Create(ctx context.Context, files Bucket, of Of, d Draft) (model.Flow, error) {
	id := keys.NewFlow(of.WABA, d.Name)
	if d.Publish && d.JSON == nil {
		return model.Flow{}, ErrNoJSON
	}
	if err := s.clonable(ctx, of, d.CloneFlowID); err != nil {
		return model.Flow{}, err
	}
	wanted := model.FlowAsked{
		Wish: Create, Name: d.Name, Categories: d.Categories, EndpointURI: d.EndpointURI, CloneFlowID: d.CloneFlowID,
		Publish: d.Publish}
	var err error
	if wanted.JSON, err = s.described(of.WABA, id, d.JSON); err != nil {
		return model.Flow{}, err
	}
	return s.ask(ctx, of, id, wanted, func(f *model.Flow) error {
		if f.Became != "" {
			now, err := s.Get(ctx, id)
			if err == nil && now.Name == d.Name {
				return ErrExists
			}
			if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
				return err
			}
		}
		f.PK, f.ItemType, f.FlowID = keys.Flow(id).Partition, model.ItemFlow, id
		f.WABAMetaID, f.Became, f.Name, f.Categories, f.EndpointURI = of.WABA, "", d.Name, d.Categories, d.EndpointURI
		return keep(ctx, files, wanted.JSON, d.JSON)
	})
}

// clonable returns ErrClone unless a flow that is named is one of the account.
func (s *Flows) clonable(ctx context.Context, of Of, id model.Name) error {
	if id == "" {
		return nil
	}
	f, err := s.Get(ctx, id)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && (f.WABAMetaID != of.WABA || !created(f.FlowID)) {
		return ErrClone
	}
	return err
}

// Change has Meta asked for another name, other categories or another endpoint. It returns dynamo.ErrNotFound,
// ErrNotCreated, ErrWaits and tenancy.ErrNoNumber. Its condition is that the flow is as it was read.
func (s *Flows) Change(ctx context.Context, of Of, id model.Name, d Draft) (model.Flow, error) {
	return s.ask(ctx, of, id, model.FlowAsked{
		Wish: Change, Name: d.Name, Categories: d.Categories, EndpointURI: d.EndpointURI}, thereFor(Change))
}

// PutJSON has Meta asked to take the JSON of a flow. It returns a problem with every fault, dynamo.ErrNotFound,
// ErrNotCreated, ErrWaits and tenancy.ErrNoNumber. Its condition is that the flow is as it was read.
func (s *Flows) PutJSON(ctx context.Context, files Bucket, of Of, id model.Name, text []byte) (model.Flow, error) {
	put, err := s.described(of.WABA, id, text)
	if err != nil {
		return model.Flow{}, err
	}
	return s.ask(ctx, of, id, model.FlowAsked{Wish: PutJSON, JSON: put}, func(f *model.Flow) error {
		if err := thereFor(PutJSON)(f); err != nil {
			return err
		}
		return keep(ctx, files, put, text)
	})
}

// Ask has Meta asked for a wish that needs nothing more: Publish, Deprecate, Delete, Preview and FetchJSON. It returns
// dynamo.ErrNotFound, ErrNotCreated, ErrWaits and tenancy.ErrNoNumber. Its condition is that the flow is as it was
// read.
func (s *Flows) Ask(ctx context.Context, of Of, id model.Name, wish string) (model.Flow, error) {
	return s.ask(ctx, of, id, model.FlowAsked{Wish: wish}, thereFor(wish))
}

// Count has Meta asked for the counts of the requests to the endpoint of a flow. It returns ErrSpan,
// dynamo.ErrNotFound, ErrNotCreated, ErrWaits and tenancy.ErrNoNumber. Its condition is that the flow is as it was
// read.
func (s *Flows) Count(ctx context.Context, of Of, id model.Name, span Span) (model.Flow, error) {
	if span.Until != "" && span.Until < span.Since {
		return model.Flow{}, ErrSpan
	}
	return s.ask(ctx, of, id, model.FlowAsked{
		Wish: Metrics, Granularity: span.Granularity, Since: span.Since, Until: span.Until}, thereFor(Metrics))
}

// thereFor says whether a wish about a flow makes sense: the flow is there, and Meta has it unless it is to be
// deleted.
func thereFor(wish string) func(f *model.Flow) error {
	return func(f *model.Flow) error {
		switch {
		case f.Version == 0 || f.Became != "":
			return dynamo.ErrNotFound
		case wish != Delete && !created(f.FlowID):
			return ErrNotCreated
		}
		return nil
	}
}

// Check returns a problem with every fault of the JSON of a flow; nil if it is right.
func Check(text []byte) error {
	faults := flowcheck.Faults(text)
	for i := range faults {
		faults[i].Path = strings.TrimSuffix("body.json."+faults[i].Path, ".")
	}
	if len(faults) == 0 {
		return nil
	}
	return problem.New("the JSON is not right", problem.Error{Class: problem.Invalid, Fields: faults})
}

// described returns where the JSON of a flow is to lie, under a name that no other put has; nil for no JSON. It returns
// a problem with every fault.
func (s *Flows) described(waba model.WABAID, id model.Name, text []byte) (*model.FlowJSON, error) {
	if text == nil {
		return nil, nil
	}
	if err := Check(text); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	put := &model.FlowJSON{Sum: hex.EncodeToString(sum[:]), Size: int64(len(text)), PutAt: model.At(s.Now())}
	put.Key = Kept + strings.Join([]string{string(waba), string(id), string(put.PutAt), put.Sum + ".json"}, "/")
	return put, nil
}

// keep puts the JSON of a flow into the bucket, after nothing stands in the way of the request, and before anything
// leads there. It may be repeated.
func keep(ctx context.Context, files Bucket, put *model.FlowJSON, text []byte) error {
	if put == nil {
		return nil
	}
	return files.Put(ctx, objects.Object{
		Key: put.Key, ContentType: "application/json", Body: bytes.NewReader(text), Size: put.Size,
		SHA256: sha256.Sum256(text)})
}

// ask keeps what is asked for, and queues the event that asks Meta. The same that waits already is not asked for
// again. allowed may change the flow, and is called right before the request is written.
func (s *Flows) ask(ctx context.Context, of Of, id model.Name, wanted model.FlowAsked,
	allowed func(f *model.Flow) error) (after model.Flow, err error) {
	phone, err := s.Numbers.OfAccount(ctx, of.Tenant, of.WABA)
	if err != nil {
		return after, err
	}
	err = s.change(ctx, id, func(f *model.Flow) ([]dynamo.Write, bool, error) {
		if s.underWay(f.Asked) {
			after = *f
			if same(*f.Asked, wanted) {
				return nil, false, nil
			}
			return nil, false, ErrWaits
		}
		if err := allowed(f); err != nil {
			return nil, false, err
		}
		kept := wanted
		kept.At, kept.By = model.At(s.Now()), of.By
		f.Asked = &kept
		after = *f
		writes, err := s.queue(ctx, of.Tenant, string(id), asked{of.WABA, id, phone, kept.At})
		return writes, true, err
	})
	return after, err
}

func (s *Flows) queue(ctx context.Context, tenant model.TenantID, id string, of asked) ([]dynamo.Write, error) {
	return s.Outbox.Queue(ctx, outbox.Entity{Tenant: tenant, Type: keys.EntityFlow, ID: id}, EventAsk, of)
}

// same reports whether two requests want the same.
func same(a, b model.FlowAsked) bool {
	sumOf := func(of model.FlowAsked) string {
		if of.JSON == nil {
			return ""
		}
		return of.JSON.Sum
	}
	return a.Wish == b.Wish && a.Name == b.Name && slices.Equal(a.Categories, b.Categories) &&
		a.EndpointURI == b.EndpointURI && a.CloneFlowID == b.CloneFlowID && a.Publish == b.Publish &&
		a.Granularity == b.Granularity && a.Since == b.Since && a.Until == b.Until && sumOf(a) == sumOf(b)
}

// ReadAccount has Meta asked which flows an account has. It returns tenancy.ErrNoNumber. The condition is that the
// account is as it was read.
func (s *Flows) ReadAccount(ctx context.Context, of Of) error {
	phone, err := s.Numbers.OfAccount(ctx, of.Tenant, of.WABA)
	if err != nil {
		return err
	}
	return s.changeAccount(ctx, of.WABA, func(a *model.Account) ([]dynamo.Write, bool, error) {
		if s.underWay(a.Flows) {
			return nil, false, nil
		}
		a.PK, a.ItemType, a.WABAMetaID = keys.Account(of.WABA).Partition, model.ItemAccount, of.WABA
		a.Flows = &model.FlowAsked{Wish: List, At: model.At(s.Now()), By: of.By}
		writes, err := s.queue(ctx, of.Tenant, string(of.WABA), asked{
			WABAID: of.WABA, PhoneNumberID: phone, AskedAt: a.Flows.At})
		return writes, true, err
	})
}
