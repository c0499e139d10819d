package messagingapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/flows"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const (
	flowsPath     = "/v1/flows"
	flowPath      = flowsPath + "/{flowId}"
	flowReadsPath = "/v1/flow-reads"
	// maxFlow bounds a request with the JSON of a flow: Lambda takes no larger one.
	maxFlow = 5 << 20
)

// flows puts the operations on the flows of accounts.
func (o *service) flows() {
	tags, reads := []string{"Flows"}, httpapi.Needs(httpapi.InboxRead)
	notFound, stands := []int{http.StatusNotFound}, []int{http.StatusNotFound, http.StatusConflict}
	const asked = "Meta is asked within seconds: `asked` says what became of it."
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-flows", Method: http.MethodGet, Path: flowsPath, Tags: tags, Security: reads,
		Summary: "List the flows of an account", Errors: []int{http.StatusBadRequest, http.StatusNotFound},
		Description: "Those that Meta has, as it has last said, and those that it was asked to create. A page may be " +
			"short even if another one follows.",
	}, o.listFlows)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-flow", Method: http.MethodGet, Path: flowPath, Tags: tags, Security: reads,
		Summary: "Get a flow with its alerts and its counts", Errors: notFound,
	}, func(ctx context.Context, in *FlowInput) (*wholeFlowOutput, error) {
		f, _, err := o.flow(ctx, in.FlowID, httpapi.Caller.Sees)
		return &wholeFlowOutput{showWholeFlow(f)}, err
	})
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-flow-json", Method: http.MethodGet, Path: flowPath + "/json", Tags: tags, Security: reads,
		Summary: "Get the JSON of a flow that was put here last, and that Meta has taken", Errors: notFound,
		Description: "What somebody has changed at Meta since is not in it: `fetch-flow-json` asks Meta for what it " +
			"has. JSON of more than 5 MB is shown by a link that is valid for five minutes (303).",
	}, o.getFlowJSON)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-flow-read", Method: http.MethodGet, Path: flowReadsPath, Tags: tags, Security: reads,
		Summary: "Get when the flows of an account were last read at Meta", Errors: notFound,
	}, o.getFlowRead)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "read-flows", Method: http.MethodPost, Path: flowReadsPath, Tags: tags,
		Security: httpapi.Needs(httpapi.MessagesSend), DefaultStatus: http.StatusAccepted, Errors: stands,
		Summary: "Read the flows of an account at Meta", Description: "It changes nothing at Meta. " + asked,
	}, o.ofAccountFlows, o.readFlows)
	o.asksFlow("preview-flow", "preview", "Ask Meta for a link that shows a flow, and how the flow stands",
		"Anybody who has the link can open it until `previewEndsAt`. It changes nothing at Meta. "+asked,
		httpapi.MessagesSend, flows.Preview)
	o.asksFlow("fetch-flow-json", "json/fetch", "Ask Meta for the JSON of a flow",
		"Also of one that was made in WhatsApp Manager, or changed there. `get-flow-json` shows it then, in place of "+
			"what was put here. It changes nothing at Meta. "+asked, httpapi.MessagesSend, flows.FetchJSON)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "count-flow", Method: http.MethodPost, Path: flowPath + "/metrics", Tags: tags,
		Security: httpapi.Needs(httpapi.MessagesSend), DefaultStatus: http.StatusAccepted, Errors: stands,
		Summary: "Ask Meta for the counts of the requests to a flow's endpoint",
		Description: "`metrics` of the flow has them. Meta counts flows with an endpoint from 250 requests on, and " +
			"says days of the last 90 days and hours of the last 30. " + asked,
	}, func(ctx context.Context, in *countFlowInput) (ownFlow, operations.Subject, error) {
		return o.ownFlow(ctx, &in.FlowInput)
	}, func(ctx context.Context, in *countFlowInput, f ownFlow) (*flowOutput, error) {
		return changedFlow(o.rooms.Flows.Count(ctx, f.of, f.id, flows.Span{
			Granularity: strings.ToUpper(in.Body.Granularity), Since: in.Body.From, Until: in.Body.To}))
	})
	o.flowChanges()
}

// flowChanges puts the operations that change what flows Meta has.
func (o *service) flowChanges() {
	tags, manage := []string{"Flows"}, httpapi.Needs(httpapi.TenantsManage)
	stands := []int{http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge}
	const asked = "Meta is asked within seconds: `asked` says what became of it."
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-flow", Method: http.MethodPost, Path: flowsPath, Tags: tags, Security: manage,
		DefaultStatus: http.StatusAccepted, Errors: stands, MaxBodyBytes: maxFlow,
		Summary: "Have Meta create a flow",
		Description: "Names are unique in an account. Wrong JSON is refused with all its faults at once. The flow " +
			"has a status once Meta has created it. The id of the answer leads to the flow then, too. " + asked,
	}, o.newFlow, o.createFlow)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "change-flow", Method: http.MethodPatch, Path: flowPath, Tags: tags, Security: manage,
		DefaultStatus: http.StatusAccepted, Errors: stands,
		Summary: "Have Meta give a flow another name, other categories or another endpoint", Description: asked,
	}, func(ctx context.Context, in *changeFlowInput) (ownFlow, operations.Subject, error) {
		return o.ownFlow(ctx, &in.FlowInput)
	}, func(ctx context.Context, in *changeFlowInput, f ownFlow) (*flowOutput, error) {
		return changedFlow(o.rooms.Flows.Change(ctx, f.of, f.id, flows.Draft{
			Name: in.Body.Name, Categories: in.Body.Categories, EndpointURI: in.Body.EndpointURI}))
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "put-flow-json", Method: http.MethodPut, Path: flowPath + "/json", Tags: tags, Security: manage,
		DefaultStatus: http.StatusAccepted, Errors: stands, MaxBodyBytes: maxFlow,
		Summary: "Have Meta take the JSON of a flow, and say what is wrong with it",
		Description: "Wrong JSON is refused with all its faults at once. What Meta finds wrong is in " +
			"`validationErrors`: it takes such JSON, and does not publish it. " + asked,
	}, func(ctx context.Context, in *putFlowInput) (ownFlow, operations.Subject, error) {
		f, about, err := o.ownFlow(ctx, &in.FlowInput)
		if err == nil { // what is refused for its form leaves no record
			err = flows.Check(in.Body.JSON)
		}
		return f, about, err
	}, func(ctx context.Context, in *putFlowInput, f ownFlow) (*flowOutput, error) {
		return changedFlow(o.rooms.Flows.PutJSON(ctx, o.bucket, f.of, f.id, in.Body.JSON))
	})
	o.asksFlow("publish-flow", "publish", "Have Meta publish a flow",
		"Meta takes no other JSON for it then. "+asked, httpapi.TenantsManage, flows.Publish)
	o.asksFlow("deprecate-flow", "deprecate", "Have Meta deprecate a flow",
		"It cannot be sent any more, and that cannot be undone. "+asked, httpapi.TenantsManage, flows.Deprecate)
	o.asksFlow("delete-flow", "", "Have Meta delete a flow", "Meta deletes only drafts. "+asked,
		httpapi.TenantsManage, flows.Delete)
}

// asksFlow puts an operation that has Meta asked for a wish about a flow. path is "" for the flow itself.
func (o *service) asksFlow(id, path, summary, description, scope, wish string) {
	op := huma.Operation{
		OperationID: id, Method: http.MethodPost, Path: flowPath + "/" + path, Tags: []string{"Flows"},
		Summary: summary, Description: description, Security: httpapi.Needs(scope),
		DefaultStatus: http.StatusAccepted, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}
	if path == "" {
		op.Method, op.Path = http.MethodDelete, flowPath
	}
	operations.Change(o.Registry, op, o.ownFlow,
		func(ctx context.Context, _ *FlowInput, f ownFlow) (*flowOutput, error) {
			return changedFlow(o.rooms.Flows.Ask(ctx, f.of, f.id, wish))
		})
}

type FlowInput struct {
	FlowID string `path:"flowId" maxLength:"512" example:"6627390910605886" doc:"Meta's id of the flow, or the id by which its creation was answered."`
}

// flow finds a flow that the caller may touch, and the caller's tenants of its account; dynamo.ErrNotFound for any
// other one.
func (o *service) flow(ctx context.Context, id string, may may) (f model.Flow, tenants []model.TenantID, err error) {
	name, err := model.Parse[model.Name](id)
	if err != nil {
		return f, nil, httpapi.NotFound()
	}
	if f, err = o.rooms.Flows.Get(ctx, name); err != nil {
		return model.Flow{}, nil, err
	}
	_, tenants, err = o.accountTenants(ctx, string(f.WABAMetaID), may)
	if err != nil {
		return model.Flow{}, nil, err
	}
	return f, tenants, nil
}

// ownFlow is a flow that the caller may change.
type ownFlow struct {
	id model.Name
	of flows.Of
}

func (o *service) ownFlow(ctx context.Context, in *FlowInput) (own ownFlow, about operations.Subject, err error) {
	f, tenants, err := o.flow(ctx, in.FlowID, httpapi.Caller.Owns)
	if err != nil {
		return own, about, err
	}
	return ownFlow{f.FlowID, flows.Of{Tenant: tenants[0], WABA: f.WABAMetaID, By: httpapi.CallerOf(ctx).Subject}},
		aboutFlow(tenants[0], f.FlowID), nil
}

func aboutFlow(tenant model.TenantID, id model.Name) operations.Subject {
	return operations.Subject{Tenant: tenant, Target: audit.Target{Type: "flow", ID: string(id)}}
}

type createFlowInput struct {
	Body struct {
		WABAID      string          `json:"wabaId" minLength:"1" maxLength:"512" doc:"The WhatsApp Business Account." example:"102290129340398"`
		Name        string          `json:"name" minLength:"1" maxLength:"200" example:"Feedback" doc:"Its name, which no other flow of the account has. Customers do not see it."`
		Categories  []string        `json:"categories" minItems:"1" maxItems:"9" nullable:"false" enum:"SIGN_UP,SIGN_IN,APPOINTMENT_BOOKING,LEAD_GENERATION,SHOPPING,CONTACT_US,CUSTOMER_SUPPORT,SURVEY,OTHER" doc:"What it is for."`
		EndpointURI string          `json:"endpointUri,omitempty" maxLength:"2048" pattern:"^https://[^/?#]+" example:"https://shop.example.com/flows" doc:"Where Meta asks for data while a customer fills it in; leave it out for a flow without an endpoint."`
		CloneFlowID string          `json:"cloneFlowId,omitempty" maxLength:"512" doc:"A flow of the same account whose JSON it begins with."`
		JSON        json.RawMessage `json:"json,omitempty" doc:"Its JSON, as Meta documents it."`
		Publish     bool            `json:"publish,omitempty" doc:"Whether Meta publishes it at once, if its JSON is right."`
	}
}

// newFlow finds the account of a new flow.
func (o *service) newFlow(ctx context.Context, in *createFlowInput) (flows.Of, operations.Subject, error) {
	waba, tenants, err := o.accountTenants(ctx, in.Body.WABAID, httpapi.Caller.Owns)
	if err == nil && in.Body.JSON != nil {
		err = flows.Check(in.Body.JSON)
	}
	if err != nil {
		return flows.Of{}, operations.Subject{}, err
	}
	return flows.Of{Tenant: tenants[0], WABA: waba, By: httpapi.CallerOf(ctx).Subject},
		aboutFlow(tenants[0], keys.NewFlow(waba, in.Body.Name)), nil
}

func (o *service) createFlow(ctx context.Context, in *createFlowInput, of flows.Of) (*flowOutput, error) {
	return changedFlow(o.rooms.Flows.Create(ctx, o.bucket, of, flows.Draft{
		Name: in.Body.Name, Categories: in.Body.Categories, EndpointURI: in.Body.EndpointURI,
		CloneFlowID: model.Name(in.Body.CloneFlowID), JSON: in.Body.JSON, Publish: in.Body.Publish}))
}

type changeFlowInput struct {
	FlowInput
	Body struct {
		Name        string   `json:"name,omitempty" minLength:"1" maxLength:"200" example:"Feedback" doc:"Another name; leave it out to keep it."`
		Categories  []string `json:"categories,omitempty" minItems:"1" maxItems:"9" nullable:"false" enum:"SIGN_UP,SIGN_IN,APPOINTMENT_BOOKING,LEAD_GENERATION,SHOPPING,CONTACT_US,CUSTOMER_SUPPORT,SURVEY,OTHER" doc:"Other categories; leave them out to keep them."`
		EndpointURI string   `json:"endpointUri,omitempty" maxLength:"2048" pattern:"^https://[^/?#]+" doc:"Another endpoint; leave it out to keep it."`
	}
}

type putFlowInput struct {
	FlowInput
	Body struct {
		JSON json.RawMessage `json:"json" doc:"The JSON, as Meta documents it."`
	}
}

type countFlowInput struct {
	FlowInput
	Body struct {
		Granularity string `json:"granularity" enum:"day,hour,lifetime" doc:"What is counted together: a day, an hour, or all of the time."`
		From        string `json:"from,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" example:"2026-11-01" doc:"The first day; leave it out for the first that Meta has."`
		To          string `json:"to,omitempty" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}$" example:"2026-11-21" doc:"The last day; leave it out for today."`
	}
}

type flowJSONOutput struct {
	Status      int
	ContentType string `header:"Content-Type"`
	Location    string `header:"Location"`
	Body        []byte
}

const (
	// mostShown is how much JSON an answer has: Lambda answers with 6 MB at most.
	mostShown     = 5 << 20
	flowLinkLasts = 5 * time.Minute
)

func (o *service) getFlowJSON(ctx context.Context, in *FlowInput) (*flowJSONOutput, error) {
	f, _, err := o.flow(ctx, in.FlowID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if f.JSON != nil && f.JSON.Size > mostShown {
		link, err := o.bucket.Link(ctx, f.JSON.Key, flowLinkLasts, nil)
		return &flowJSONOutput{Status: http.StatusSeeOther, Location: link}, err
	}
	var text bytes.Buffer
	if err := o.rooms.Flows.ReadJSON(ctx, o.bucket, f, &text); err != nil {
		return nil, err
	}
	return &flowJSONOutput{Status: http.StatusOK, ContentType: "application/json", Body: text.Bytes()}, nil
}

type listFlowsInput struct {
	httpapi.Page
	WABAID string `query:"wabaId" required:"true" maxLength:"512" example:"102290129340398" doc:"The WhatsApp Business Account."`
	Status string `query:"status" enum:"DRAFT,PUBLISHED,DEPRECATED,BLOCKED,THROTTLED" doc:"Only flows in this status."`
}

type flowsOutput struct{ Body httpapi.List[AccountFlow] }

func (o *service) listFlows(ctx context.Context, in *listFlowsInput) (*flowsOutput, error) {
	list, err := operations.PageOf(in.Page, "flows", in.WABAID, in.Status)
	if err != nil {
		return nil, err
	}
	waba, _, err := o.accountTenants(ctx, in.WABAID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Flows.List(ctx, waba, in.Limit, list.After)
	found = slices.DeleteFunc(found, func(f model.Flow) bool { return in.Status != "" && f.Status != in.Status })
	return &flowsOutput{operations.ListOf(found, showFlow, list.Position(next))}, err
}

// ofAccountFlows finds an account whose flows the caller may have read.
func (o *service) ofAccountFlows(ctx context.Context, in *readCataloguesInput) (of flows.Of, about operations.Subject,
	err error) {
	account, about, err := o.ofAccount(ctx, in)
	return flows.Of{Tenant: account.tenant, WABA: account.waba, By: httpapi.CallerOf(ctx).Subject}, about, err
}

type flowReadOutput struct {
	Body struct {
		Asked *flowAsked `json:"asked,omitempty" doc:"What Meta was asked last, and the answer; absent for nothing."`
	}
}

func (o *service) readFlows(ctx context.Context, _ *readCataloguesInput, of flows.Of) (*flowReadOutput, error) {
	if err := o.rooms.Flows.ReadAccount(ctx, of); err != nil {
		return nil, err
	}
	return o.showFlowRead(ctx, of.WABA)
}

type flowReadInput struct {
	WABAID string `query:"wabaId" required:"true" maxLength:"512" example:"102290129340398" doc:"The WhatsApp Business Account."`
}

func (o *service) getFlowRead(ctx context.Context, in *flowReadInput) (*flowReadOutput, error) {
	waba, _, err := o.accountTenants(ctx, in.WABAID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	return o.showFlowRead(ctx, waba)
}

func (o *service) showFlowRead(ctx context.Context, waba model.WABAID) (*flowReadOutput, error) {
	asked, err := o.rooms.Flows.OfAccount(ctx, waba)
	out := &flowReadOutput{}
	out.Body.Asked = showFlowAsked(asked)
	return out, err
}

func changedFlow(f model.Flow, err error) (*flowOutput, error) {
	if err != nil {
		return nil, err
	}
	return &flowOutput{showFlow(f)}, nil
}
