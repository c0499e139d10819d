package flows

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

const (
	perPage     = 100 // flows that Meta lists at once
	pagesAtOnce = 10  // of a list that one attempt reads; the next one goes on behind them
	mostPages   = 100 // of a list in which a flow is searched for
	// A flow is one item, which bounds what is kept of it.
	mostFaults = 50      // that are kept
	maxText    = 512     // characters of a text of Meta's
	maxValue   = 4 << 10 // bytes of a value of Meta's
	// listed are the fields that are read of each flow of a list, and shown those of a single one.
	listed = "id,name,categories,status,validation_errors,json_version,data_api_version,endpoint_uri"
	shown  = listed + ",preview.invalidate(false),health_status"
)

// found is a flow as Meta shows it.
type found struct {
	id model.Name
	o  whatsapp.Object
	at model.Time // when Meta was asked
}

// look reads a flow at Meta.
func (r *request) look(ctx context.Context, id model.Name) (found, error) {
	at := model.At(r.Now())
	o, err := r.meta.AboutNode(ctx, string(r.of.PhoneNumberID), string(id),
		whatsapp.NumberCall{Query: url.Values{"fields": {shown}}})
	return found{id, o, at}, err
}

// page reads a page of the flows of the account, and where the next one begins; "" for none.
func (r *request) page(ctx context.Context, after string) (all []found, next string, err error) {
	at := model.At(r.Now())
	query := url.Values{"fields": {listed}, "limit": {strconv.Itoa(perPage)}}
	if after != "" {
		query.Set("after", after)
	}
	answer, err := r.meta.AboutNode(ctx, string(r.of.PhoneNumberID), string(r.of.WABAID),
		whatsapp.NumberCall{Edge: "flows", Query: query})
	if err != nil {
		return nil, "", err
	}
	for _, o := range answer.List("data").Objects() {
		if id, err := model.Parse[model.Name](o.Text("id")); err == nil {
			all = append(all, found{id, o, at})
		}
	}
	if paging := answer.Object("paging"); paging.Text("next") != "" {
		next = paging.Object("cursors").Text("after")
	}
	return all, next, nil
}

// search returns the id of the first flow that Meta lists and that is the one; "" for none. It reports whether it has
// read the list to the end.
func (r *request) search(ctx context.Context, is func(found) bool) (id model.Name, whole bool, err error) {
	after := ""
	for range mostPages {
		page, next, err := r.page(ctx, after)
		if err != nil {
			return "", false, err
		}
		if i := slices.IndexFunc(page, is); i >= 0 {
			return page[i].id, false, nil
		}
		if after = next; after == "" {
			return "", true, nil
		}
	}
	return "", false, nil
}

// fill notes what Meta shows of a flow. A status that Meta has told of since stays.
func (has found) fill(f *model.Flow, waba model.WABAID) {
	o := has.o
	f.PK, f.ItemType, f.FlowID, f.WABAMetaID = keys.Flow(has.id).Partition, model.ItemFlow, has.id, waba
	setStatus(f, o.Text("status"), secondOf(has.at))
	if f.ReadAt > has.at {
		return
	}
	f.ReadAt, f.Name = has.at, model.Truncate(o.Text("name"), maxText)
	f.Categories = nil
	for _, category := range o.List("categories").Texts() {
		f.Categories = append(f.Categories, model.Truncate(category, maxText))
	}
	f.EndpointURI = model.Truncate(o.Text("endpoint_uri"), maxText)
	f.JSONVersion = model.Truncate(o.Text("json_version"), maxText)
	f.DataAPIVersion = model.Truncate(o.Text("data_api_version"), maxText)
	f.Faults = faultsOf(o.List("validation_errors"))
	if health, has := o["health_status"]; has && len(health) <= maxValue {
		f.Health = model.DocumentOf(health)
	}
	if preview := o.Object("preview"); preview != nil {
		f.PreviewURL, f.PreviewEndsAt = preview.Text("preview_url"), timeOf(preview.Text("expires_at"))
	}
}

// timeOf returns a time as the Graph API writes it, such as 2023-05-21T11:18:09+0000; "" for anything else.
func timeOf(text string) model.Time {
	at, err := time.Parse("2006-01-02T15:04:05-0700", text)
	if err != nil {
		return ""
	}
	return model.At(at)
}

// faultsOf returns what Meta finds wrong with the JSON of a flow.
func faultsOf(all whatsapp.List) []model.FlowFault {
	var faults []model.FlowFault
	for _, o := range all[:min(len(all), mostFaults)].Objects() {
		path := ""
		if pointers := o.List("pointers").Objects(); len(pointers) > 0 {
			path = pointers[0].Text("path")
		}
		faults = append(faults, model.FlowFault{
			Error:   model.Truncate(o.Text("error"), maxText),
			Type:    model.Truncate(o.Text("error_type"), maxText),
			Message: model.Truncate(o.Text("message"), maxText), Path: model.Truncate(path, maxText),
			LineStart: o.Int("line_start"), LineEnd: o.Int("line_end"),
			ColumnStart: o.Int("column_start"), ColumnEnd: o.Int("column_end")})
	}
	return faults
}

// errElsewhere means that another attempt goes on with the same.
var errElsewhere = errors.New("another attempt goes on")

// readAccount reads which flows an account has, and keeps them. It notes how far it is after each page, so that the
// next attempt goes on there. Flows that Meta has no more end after all were read.
func (r *request) readAccount(ctx context.Context) error {
	a, err := r.OfAccount(ctx, r.of.WABAID)
	if err != nil || !current(a, r.of) {
		return err
	}
	at := *a
	for range pagesAtOnce {
		if at.Read {
			return r.endAccount(ctx, at)
		}
		err := r.readPage(ctx, &at)
		if errors.Is(err, errElsewhere) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return &outbox.Later{At: model.At(r.Now())}
}

// readPage reads a page, keeps its flows, and notes how far it is.
func (r *request) readPage(ctx context.Context, at *model.FlowAsked) error {
	was := *at
	page, next, err := r.page(ctx, at.After)
	if err != nil {
		return err
	}
	for _, has := range page {
		err := r.change(ctx, has.id, func(f *model.Flow) ([]dynamo.Write, bool, error) {
			before := *f
			has.fill(f, r.of.WABAID)
			return nil, before.Version == 0 || !dynamo.StoredAlike(before, *f), nil
		})
		if err != nil {
			return err
		}
	}
	at.After, at.Read, at.Count = next, next == "", at.Count+len(page)
	return r.changeAccount(ctx, r.of.WABAID, func(a *model.Account) ([]dynamo.Write, bool, error) {
		if !current(a.Flows, r.of) || a.Flows.After != was.After || a.Flows.Count != was.Count || a.Flows.Read {
			return nil, false, errElsewhere
		}
		noted := *at
		a.Flows = &noted
		return nil, true, nil
	})
}

// endAccount ends the flows that Meta does not have any more: it has not listed them, nor told of them since. Those
// that Meta has not created yet stay.
func (r *request) endAccount(ctx context.Context, at model.FlowAsked) error {
	for after := ""; ; {
		page, next, err := r.List(ctx, r.of.WABAID, perPage, after)
		if err != nil {
			return err
		}
		for _, f := range page {
			told := f.StatusOrder.At() >= secondOf(at.At)
			if f.ReadAt >= at.At || told || !created(f.FlowID) {
				continue
			}
			if err := r.removeUnchanged(ctx, f); err != nil {
				return err
			}
		}
		if after = next; after == "" {
			return r.answer(ctx, "")
		}
	}
}

// removeUnchanged removes a flow, unless it has changed since it was read: then somebody has asked for something.
func (r *request) removeUnchanged(ctx context.Context, f model.Flow) error {
	return dynamo.Retry(ctx, dynamo.MaxAttempts, func() error {
		var now model.Flow
		err := r.DB.Get(ctx, tables.Messages, keys.Flow(f.FlowID), &now)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && now.Version != f.Version {
			return nil
		}
		if err != nil {
			return err
		}
		err = r.remove(ctx, &now)
		f.Version = now.Version // also if only the files are gone
		return err
	})
}

// remove removes a flow, and its JSON. The files are noted before they are deleted, and the flow goes last. So an
// attempt that dies leaves none behind. It returns dynamo.ErrConflict if the flow has changed since it was read.
func (r *request) remove(ctx context.Context, f *model.Flow) error {
	had := []*model.FlowJSON{f.JSON}
	if f.Asked != nil {
		had = append(had, f.Asked.JSON)
	}
	if unused := without(had, nil); len(unused) > 0 {
		next := *f
		next.Unused, next.JSON = slices.Concat(f.Unused, unused), nil
		if f.Asked != nil {
			asked := *f.Asked
			asked.JSON = nil
			next.Asked = &asked
		}
		put, err := dynamo.PutVersion(tables.Messages, &next)
		if err == nil {
			err = dynamo.Conflict(r.DB.Put(ctx, put))
		}
		if err != nil {
			return err
		}
		*f = next
	}
	for _, key := range f.Unused {
		if err := r.files.Delete(ctx, key); err != nil {
			return err
		}
	}
	return dynamo.Conflict(r.DB.Transact(ctx, []dynamo.Write{dynamo.Delete{
		Table: tables.Messages, Key: keys.Flow(f.FlowID), If: "version = :was",
		Values: dynamo.Item{":was": dynamo.N(f.Version)}}}))
}

// document returns what Meta has written as it is stored; nil if it is long.
func document(o whatsapp.Object) model.Document {
	text, err := json.Marshal(o)
	if err != nil || len(text) > maxValue {
		return nil
	}
	return model.DocumentOf(text)
}
