package messagingapi

import (
	"context"
	"slices"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

type catalogueProduct struct {
	RetailerID   string     `json:"retailerId" doc:"The business's own id of it."`
	Name         string     `json:"name,omitempty" doc:"Its name."`
	Description  string     `json:"description,omitempty" doc:"What it is."`
	Price        string     `json:"price,omitempty" example:"42.50" doc:"The price; absent if Meta's text is no number."`
	Currency     string     `json:"currency,omitempty" example:"INR" doc:"The currency, as in ISO 4217."`
	ImageURL     string     `json:"imageUrl,omitempty" doc:"Where its picture is."`
	Availability string     `json:"availability,omitempty" example:"in_stock" doc:"Whether it can be bought, in Meta's words."`
	ReadAt       model.Time `json:"readAt,omitempty" doc:"When a sync last found it at Meta."`
	Problem      string     `json:"problem,omitempty" doc:"Why Meta does not have it as the store that keeps the catalogue does."`
	ProblemAt    model.Time `json:"problemAt,omitempty" doc:"Since when."`

	Asked *catalogueProductAsked `json:"asked,omitempty" doc:"The latest change that Meta was asked for, and the answer; absent if no change was."`
}

// showCatalogueProduct returns a product of a tenant's catalogue. What another tenant has asked for who had it before
// is not shown.
func showCatalogueProduct(tenant model.TenantID, p model.CatalogItem) catalogueProduct {
	shown := catalogueProduct{
		RetailerID: string(p.RetailerID), Name: p.Name, Description: p.Description, Currency: p.Currency,
		ImageURL: p.ImageURL, Availability: p.Availability, ReadAt: p.ReadAt, Problem: p.Problem,
		ProblemAt: p.ProblemAt}
	if p.Asked != nil && p.Asked.TenantID == tenant {
		shown.Asked = showProductAsked(*p.Asked)
	}
	if p.Price != nil {
		shown.Price = p.Price.String()
	}
	return shown
}

type catalogueProductOutput struct{ Body catalogueProduct }

type catalogueProductsOutput struct {
	Body httpapi.List[catalogueProduct]
}

type catalogueProductsInput struct {
	CatalogueInput
	httpapi.Page
	Availability string `query:"availability" enum:"in_stock,out_of_stock,preorder,available_for_order,discontinued,pending" doc:"Only those with this availability."`
	Problem      bool   `query:"problem" doc:"Only those that Meta does not have as the store does."`
}

func (o *service) listCatalogueProducts(ctx context.Context, in *catalogueProductsInput) (*catalogueProductsOutput,
	error) {
	filter := in.Availability
	if in.Problem {
		filter += "#problem"
	}
	list, err := operations.PageOf(in.Page, "catalogue products", in.CatalogID, filter)
	if err != nil {
		return nil, err
	}
	c, err := o.catalogue(ctx, in.CatalogID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	found, next, err := o.rooms.Catalogues.Products(ctx, c.CatalogID, in.Limit, list.After)
	found = slices.DeleteFunc(found, func(p model.CatalogItem) bool {
		return in.Availability != "" && p.Availability != in.Availability || in.Problem && p.Problem == ""
	})
	return &catalogueProductsOutput{operations.ListOf(found, func(p model.CatalogItem) catalogueProduct {
		return showCatalogueProduct(c.TenantID, p)
	}, list.Position(next))}, err
}

type CatalogueProductInput struct {
	CatalogueInput
	RetailerID string `query:"retailerId" required:"true" maxLength:"512" example:"rice/rice-5kg" doc:"The business's own id of the product."`
}

func (o *service) getCatalogueProduct(ctx context.Context, in *CatalogueProductInput) (*catalogueProductOutput,
	error) {
	retailer, err := model.Parse[model.Name](in.RetailerID)
	if err != nil {
		return nil, httpapi.NotFound()
	}
	c, err := o.catalogue(ctx, in.CatalogID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	p, err := o.rooms.Catalogues.Product(ctx, c.CatalogID, retailer)
	return &catalogueProductOutput{showCatalogueProduct(c.TenantID, p)}, err
}
