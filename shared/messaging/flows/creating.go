package flows

import (
	"context"
	"errors"
	"net/http"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

// create has Meta create a flow. Names are unique in an account. So a flow of the name is the one that an earlier
// attempt has made, if there was one, and otherwise somebody else's.
func (r *request) create(ctx context.Context, f model.Flow) error {
	id, err := r.named(ctx, f.Asked.Name)
	switch {
	case err != nil:
		return err
	case id != "" && f.Asked.PostedAt == "":
		return r.answer(ctx, problemOther)
	case id == "":
		id, err = r.post(ctx, f)
	}
	if id == "" || err != nil {
		return err
	}
	has, err := r.look(ctx, id)
	if err != nil {
		return err
	}
	return r.become(ctx, id, has)
}

// named returns Meta's id of the flow of a name; "" for none.
func (r *request) named(ctx context.Context, name string) (id model.Name, err error) {
	id, _, err = r.search(ctx, func(has found) bool { return has.o.Text("name") == name })
	return id, err
}

// post notes that Meta is asked, asks it, and returns the id of the new flow; "" if somebody else has done it. Meta
// may have created the flow by an attempt that it did not answer, and not have listed it: then it refuses the name.
func (r *request) post(ctx context.Context, f model.Flow) (model.Name, error) {
	again, a := f.Asked.PostedAt != "", *f.Asked
	text, err := r.text(ctx, a.JSON)
	if err != nil {
		return "", err
	}
	if waits, err := r.begin(ctx); !waits || err != nil {
		return "", err
	}
	body := map[string]any{"name": a.Name, "categories": a.Categories}
	for name, value := range map[string]string{
		"endpoint_uri": a.EndpointURI, "clone_flow_id": string(a.CloneFlowID), "flow_json": text} {
		if value != "" {
			body[name] = value
		}
	}
	if a.Publish && text != "" {
		body["publish"] = true
	}
	answer, err := r.meta.AboutNode(ctx, string(r.of.PhoneNumberID), string(r.of.WABAID),
		whatsapp.NumberCall{Method: http.MethodPost, Edge: "flows", Body: body})
	if err != nil {
		if id, lookErr := r.named(ctx, a.Name); again && lookErr == nil && id != "" {
			return id, nil
		}
		return "", err
	}
	id, err := model.Parse[model.Name](answer.Text("id"))
	if err != nil {
		return "", &whatsapp.SendError{
			Class: whatsapp.Retry, HTTP: http.StatusOK, Meta: whatsapp.Error{Message: "the answer has no id"}}
	}
	return id, nil
}

// begin notes that Meta is asked for a new flow. It reports false if that is answered meanwhile.
func (r *request) begin(ctx context.Context) (waits bool, err error) {
	err = r.change(ctx, r.of.FlowID, func(f *model.Flow) ([]dynamo.Write, bool, error) {
		if waits = current(f.Asked, r.of); !waits || f.Asked.PostedAt != "" {
			return nil, false, nil
		}
		noted := *f.Asked
		noted.PostedAt = model.At(r.Now())
		f.Asked = &noted
		return nil, true, nil
	})
	return waits, err
}

// become gives a flow that Meta has created its item under Meta's id, and has the other one lead there. Both commit in
// one transaction. The conditions are that both are as they were read, and that the answer is still waited for.
func (r *request) become(ctx context.Context, id model.Name, has found) error {
	err := r.change(ctx, id, func(f *model.Flow) ([]dynamo.Write, bool, error) {
		var draft model.Flow
		err := r.DB.Get(ctx, tables.Messages, keys.Flow(r.of.FlowID), &draft)
		if errors.Is(err, dynamo.ErrNotFound) || err == nil && !current(draft.Asked, r.of) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		answer := r.answered(*draft.Asked, "")
		has.fill(f, r.of.WABAID)
		f.Asked, f.JSON = answer, answer.JSON
		draft.WABAMetaID, draft.Became, draft.Asked = "", id, answer
		leads, err := dynamo.PutVersion(tables.Messages, &draft)
		return []dynamo.Write{leads}, true, err
	})
	return err
}
