package messagingapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const (
	cataloguesPath = "/v1/catalogues"
	cataloguePath  = cataloguesPath + "/{catalogId}"
)

// catalogues puts the operations on the product catalogues of accounts.
func (o *service) catalogues() {
	tags, reads := []string{"Catalogues"}, httpapi.Needs(httpapi.InboxRead)
	notFound, conflicts := []int{http.StatusNotFound}, []int{http.StatusNotFound, http.StatusConflict}
	const asked = "Meta is asked within seconds: `asked` says what became of it."
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-catalogues", Method: http.MethodGet, Path: cataloguesPath, Tags: tags, Security: reads,
		Summary:     "List the product catalogues of an account",
		Errors:      []int{http.StatusBadRequest, http.StatusNotFound},
		Description: "Those that Meta has listed: `read-catalogues` asks it.",
	}, o.listCatalogues)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "read-catalogues", Method: http.MethodPost, Path: "/v1/catalogue-reads", Tags: tags,
		Security: httpapi.Needs(httpapi.MessagesSend), DefaultStatus: http.StatusAccepted, Errors: conflicts,
		Summary: "Ask Meta which product catalogues an account has",
		Description: "Those that customers see in the chat, and the others that its portfolio owns. Those others " +
			"show only if no other tenant has an account of the portfolio. " + asked,
	}, o.ofAccount, o.readCatalogues)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-catalogue", Method: http.MethodGet, Path: cataloguePath, Tags: tags, Security: reads,
		Summary: "Get a product catalogue", Errors: notFound,
	}, func(ctx context.Context, in *CatalogueInput) (*catalogueOutput, error) {
		c, err := o.catalogue(ctx, in.CatalogID, httpapi.Caller.Sees)
		return &catalogueOutput{showCatalogue(c)}, err
	})
	manage := httpapi.Needs(httpapi.TenantsManage)
	o.asksCatalogue(huma.Operation{
		OperationID: "link-catalogue", Method: http.MethodPut, Path: cataloguePath + "/link", Tags: tags,
		Security: manage, Errors: conflicts, Summary: "Have customers of an account see a product catalogue",
		Description: "Meta links an account to one catalogue. " + asked,
	}, catalogues.Link)
	o.asksCatalogue(huma.Operation{
		OperationID: "unlink-catalogue", Method: http.MethodDelete, Path: cataloguePath + "/link", Tags: tags,
		Security: manage, Errors: conflicts, Summary: "Have customers not see a product catalogue any more",
		Description: asked,
	}, catalogues.Unlink)
	o.asksCatalogue(huma.Operation{
		OperationID: "sync-catalogue", Method: http.MethodPost, Path: cataloguePath + "/sync", Tags: tags,
		Security: httpapi.Needs(httpapi.MessagesSend), Errors: conflicts,
		Summary:     "Read a catalogue's products at Meta",
		Description: "A thousand products take about a minute. It changes nothing at Meta. " + asked,
	}, catalogues.Sync)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-catalogue-products", Method: http.MethodGet, Path: cataloguePath + "/products", Tags: tags,
		Security: reads, Summary: "List the products of a catalogue, by their retailer ids", Errors: notFound,
		Description: "As Meta has them since the last sync, and those that it has refused. A page may be short even " +
			"if another one follows.",
	}, o.listCatalogueProducts)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-catalogue-product", Method: http.MethodGet, Path: cataloguePath + "/product", Tags: tags,
		Security: reads, Summary: "Get a product of a catalogue", Errors: notFound,
	}, o.getCatalogueProduct)
	o.catalogueEdits()
}

// asksCatalogue puts an operation that has Meta asked about a catalogue.
func (o *service) asksCatalogue(op huma.Operation, wish string) {
	op.DefaultStatus = http.StatusAccepted
	operations.Change(o.Registry, op, func(ctx context.Context, in *CatalogueInput) (model.Catalog, operations.Subject,
		error) {
		c, err := o.catalogue(ctx, in.CatalogID, httpapi.Caller.Owns)
		return c, operations.Subject{
			Tenant: c.TenantID, Target: audit.Target{Type: "catalogue", ID: in.CatalogID}}, err
	}, func(ctx context.Context, in *CatalogueInput, c model.Catalog) (*catalogueOutput, error) {
		err := o.rooms.Catalogues.Ask(ctx, c, wish, "", httpapi.CallerOf(ctx).Subject)
		if err == nil {
			c, err = o.rooms.Catalogues.Get(ctx, c.CatalogID)
		}
		return &catalogueOutput{showCatalogue(c)}, err
	})
}

type CatalogueInput struct {
	CatalogID string `path:"catalogId" maxLength:"512" example:"300000000000001" doc:"Meta's id of the catalogue."`
}

// catalogue finds a catalogue that the caller may touch; dynamo.ErrNotFound for any other one.
func (o *service) catalogue(ctx context.Context, id string, may may) (c model.Catalog, err error) {
	name, err := model.Parse[model.Name](id)
	if err != nil {
		return c, httpapi.NotFound()
	}
	if c, err = o.rooms.Catalogues.Get(ctx, name); err != nil {
		return c, err
	}
	if !may(httpapi.CallerOf(ctx), c.TenantID) {
		return model.Catalog{}, dynamo.ErrNotFound
	}
	return c, nil
}

type catalogueAsked struct {
	Wish       string     `json:"wish" enum:"list,link,unlink,sync" doc:"What was asked."`
	By         string     `json:"by,omitempty" doc:"The id of the person who has asked."`
	At         model.Time `json:"at" doc:"When it was asked."`
	Count      int        `json:"count,omitempty" doc:"How many products were read so far."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way, in Meta's words."`
}

func showCatalogueAsked(a *model.CatalogAsked) *catalogueAsked {
	if a == nil {
		return nil
	}
	return &catalogueAsked{a.Wish, a.By, a.At, a.Count, a.AnsweredAt, a.Problem}
}

type catalogue struct {
	CatalogID    string          `json:"catalogId" doc:"Meta's id."`
	TenantID     string          `json:"tenantId" doc:"The tenant that has it."`
	WABAID       string          `json:"wabaId" doc:"The account that shows it, or by which Meta has listed it."`
	Name         string          `json:"name" doc:"Its name."`
	Linked       bool            `json:"linked" doc:"Whether customers of the account see it."`
	ProductCount int             `json:"productCount" doc:"How many products Meta had in it."`
	StoreID      string          `json:"storeId,omitempty" doc:"The store that keeps it; absent for none."`
	ReadAt       model.Time      `json:"readAt" doc:"When Meta last listed it."`
	SyncedAt     model.Time      `json:"syncedAt,omitempty" doc:"When its products were last read at Meta."`
	Asked        *catalogueAsked `json:"asked,omitempty" doc:"What Meta was asked last, and the answer."`
	Push         *cataloguePush  `json:"push,omitempty" doc:"How far Meta has what the store sells; absent if no store has kept it."`
}

// cataloguePush is how far Meta has what a store sells. Its products say what Meta has refused.
type cataloguePush struct {
	BeganAt model.Time `json:"beganAt" doc:"When the latest comparison began."`
	Changed int        `json:"changed" doc:"How many products Meta has taken by it."`
	Deleted int        `json:"deleted" doc:"How many products are gone by it."`
	Refused int        `json:"refused" doc:"How many products Meta does not have as the store does. Each says why in problem."`
	EndedAt model.Time `json:"endedAt,omitempty" doc:"When it ended; absent while it is under way."`
	Problem string     `json:"problem,omitempty" doc:"What stood in the way of all of it."`
}

func showPush(p *model.CatalogPush) *cataloguePush {
	if p == nil {
		return nil
	}
	return &cataloguePush{p.BeganAt, p.Changed, p.Deleted, p.Refused, p.EndedAt, p.Problem}
}

func showCatalogue(c model.Catalog) catalogue {
	return catalogue{
		string(c.CatalogID), string(c.TenantID), string(c.WABAMetaID), c.Name, c.Linked, c.ProductCount,
		string(c.StoreID), c.ReadAt, c.SyncedAt, showCatalogueAsked(c.Asked),
		showPush(c.Push)}
}

type catalogueOutput struct{ Body catalogue }

type cataloguesOutput struct{ Body httpapi.List[catalogue] }

type listCataloguesInput struct {
	httpapi.Page
	WABAID string `query:"wabaId" required:"true" maxLength:"512" example:"102290129340398" doc:"The WhatsApp Business Account."`
}

// accountTenants returns the tenants of an account of which the caller may touch one; dynamo.ErrNotFound for any other
// account.
func (o *service) accountTenants(ctx context.Context, text string, may may) (waba model.WABAID,
	tenants []model.TenantID, err error) {
	if waba, err = model.Parse[model.WABAID](text); err != nil {
		return "", nil, httpapi.NotFound()
	}
	all, err := o.rooms.TenantsOfAccount(ctx, waba)
	for _, tenant := range all {
		if may(httpapi.CallerOf(ctx), tenant) {
			tenants = append(tenants, tenant)
		}
	}
	if err == nil && len(tenants) == 0 {
		err = dynamo.ErrNotFound
	}
	return waba, tenants, err
}

func (o *service) listCatalogues(ctx context.Context, in *listCataloguesInput) (*cataloguesOutput, error) {
	list, err := operations.PageOf(in.Page, "catalogues", in.WABAID)
	if err != nil {
		return nil, err
	}
	waba, _, err := o.accountTenants(ctx, in.WABAID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Catalogues.List(ctx, waba, in.Limit, list.After)
	found = slices.DeleteFunc(found, func(c model.Catalog) bool {
		return !httpapi.CallerOf(ctx).Sees(c.TenantID)
	})
	return &cataloguesOutput{operations.ListOf(found, showCatalogue, list.Position(next))}, err
}

type readCataloguesInput struct {
	Body struct {
		WABAID string `json:"wabaId" maxLength:"20" pattern:"^[0-9]{5,20}$" example:"102290129340398" doc:"The WhatsApp Business Account."`
	}
}

// accountOfTenant is an account that a tenant of the caller's has.
type accountOfTenant struct {
	waba   model.WABAID
	tenant model.TenantID
}

// ofAccount finds an account of which the caller has a number.
func (o *service) ofAccount(ctx context.Context, in *readCataloguesInput) (of accountOfTenant,
	about operations.Subject, err error) {
	waba, tenants, err := o.accountTenants(ctx, in.Body.WABAID, httpapi.Caller.Owns)
	if err != nil {
		return of, about, err
	}
	about = aboutAccount(waba)
	about.Tenant = tenants[0]
	return accountOfTenant{waba, tenants[0]}, about, nil
}

type readCataloguesOutput struct {
	Body struct {
		Asked *catalogueAsked `json:"asked" doc:"What Meta is asked."`
	}
}

func (o *service) readCatalogues(ctx context.Context, _ *readCataloguesInput,
	of accountOfTenant) (*readCataloguesOutput, error) {
	err := o.rooms.Catalogues.ReadAccount(ctx, of.tenant, of.waba, httpapi.CallerOf(ctx).Subject)
	if err != nil {
		return nil, err
	}
	asked, err := o.rooms.Catalogues.OfAccount(ctx, of.waba)
	out := &readCataloguesOutput{}
	out.Body.Asked = showCatalogueAsked(asked)
	return out, err
}
