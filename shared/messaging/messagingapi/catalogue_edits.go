package messagingapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/messaging/catalogues"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// catalogueEdits puts the operations that change the products of catalogues that no store keeps.
func (o *service) catalogueEdits() {
	const asked = "If a store keeps the catalogue, change the store's product instead. Meta is asked within seconds: " +
		"`asked` says what became of it."
	op := huma.Operation{
		Method: http.MethodPost, Path: cataloguePath + "/products", Tags: []string{"Catalogues"},
		Security: httpapi.Needs(httpapi.TenantsManage), DefaultStatus: http.StatusAccepted,
		Errors: []int{http.StatusNotFound, http.StatusConflict}, OperationID: "create-catalogue-product",
		Summary: "Have Meta add a product to a catalogue", Description: asked,
	}
	operations.Change(o.Registry, op, func(ctx context.Context, in *createCatalogueProductInput) (productEdit,
		operations.Subject, error) {
		of := CatalogueProductInput{in.CatalogueInput, in.Body.RetailerID}
		return o.editOf(ctx, &of, true, &in.Body.CatalogueProductBody)
	}, editProduct[createCatalogueProductInput](o))
	op.OperationID, op.Method, op.Path = "change-catalogue-product", http.MethodPut, cataloguePath+"/product"
	op.Summary = "Have Meta change a product of a catalogue"
	op.Description = "The body is the whole product. " + asked
	operations.Change(o.Registry, op, func(ctx context.Context, in *changeCatalogueProductInput) (productEdit,
		operations.Subject, error) {
		return o.editOf(ctx, &in.CatalogueProductInput, false, &in.Body)
	}, editProduct[changeCatalogueProductInput](o))
	op.OperationID, op.Method = "delete-catalogue-product", http.MethodDelete
	op.Summary = "Have Meta delete a product of a catalogue"
	op.Description = "The product is there until Meta has deleted it. " + asked
	operations.Change(o.Registry, op, func(ctx context.Context, in *CatalogueProductInput) (productEdit,
		operations.Subject, error) {
		return o.editOf(ctx, in, false, nil)
	}, editProduct[CatalogueProductInput](o))
}

// productEdit is a change of a product of a catalogue of the caller's.
type productEdit struct {
	catalogue model.Catalog
	catalogues.Edit
}

// editOf finds the catalogue of a product that the caller may change. body is what Meta is to have; nil for nothing.
func (o *service) editOf(ctx context.Context, in *CatalogueProductInput, isNew bool, body *CatalogueProductBody) (
	edit productEdit, about operations.Subject, err error) {
	edit.New, edit.By = isNew, httpapi.CallerOf(ctx).Subject
	if edit.RetailerID, err = model.Parse[model.Name](in.RetailerID); err != nil {
		return edit, about, httpapi.NotFound()
	}
	edit.catalogue, err = o.catalogue(ctx, in.CatalogID, httpapi.Caller.Owns)
	if err == nil && !isNew {
		_, err = o.rooms.Catalogues.Product(ctx, edit.catalogue.CatalogID, edit.RetailerID)
	}
	if err == nil && body != nil {
		edit.Wanted, err = body.offer()
	}
	return edit, operations.Subject{
		Tenant: edit.catalogue.TenantID,
		Target: audit.Target{Type: "catalogue-product", ID: in.CatalogID + "/" + in.RetailerID}}, err
}

// editProduct returns what carries a change out.
func editProduct[I any](o *service) func(context.Context, *I, productEdit) (*catalogueProductOutput, error) {
	return func(ctx context.Context, _ *I, edit productEdit) (*catalogueProductOutput, error) {
		p, err := o.rooms.Catalogues.Edit(ctx, edit.catalogue, edit.Edit)
		return &catalogueProductOutput{showCatalogueProduct(edit.catalogue.TenantID, p)}, err
	}
}

type createCatalogueProductInput struct {
	CatalogueInput
	Body struct {
		RetailerID string `json:"retailerId" pattern:"^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$" example:"kaju-katli-250g" doc:"The business's own id of it."`
		CatalogueProductBody
	}
}

type changeCatalogueProductInput struct {
	CatalogueProductInput
	Body CatalogueProductBody
}

type CatalogueProductBody struct {
	Name         string           `json:"name" minLength:"1" maxLength:"200" example:"Kaju katli, 250 g" doc:"Its name."`
	Description  string           `json:"description" minLength:"1" maxLength:"9999" example:"Made with pure ghee." doc:"What it is. Meta shows no product without."`
	Price        operations.Money `json:"price" pattern:"^[0-9]{1,12}(\\.[0-9]{1,2})?$" example:"42.50" doc:"The price, with at most two decimals."`
	Currency     string           `json:"currency" pattern:"^[A-Z]{3}$" example:"INR" doc:"The currency, as in ISO 4217."`
	ImageURL     string           `json:"imageUrl" pattern:"^https?://[^/]" maxLength:"2000" format:"uri" example:"https://shop.example/kaju-katli.jpg" doc:"Where its picture is. Meta fetches it."`
	Availability string           `json:"availability" enum:"in_stock,out_of_stock,available_for_order,discontinued" doc:"Whether it can be bought."`
	Link         string           `json:"link,omitempty" pattern:"^https?://[^/]" maxLength:"2000" format:"uri" example:"https://shop.example/kaju-katli" doc:"Where people buy it. If it is absent, the chat with a number of the account."`
}

// offer returns what Meta is to have, or a problem for a price of nothing.
func (b CatalogueProductBody) offer() (*model.CatalogOffer, error) {
	price, err := b.Price.Amount("body.price")
	return &model.CatalogOffer{
		Title: b.Name, Description: b.Description, Price: price, Currency: b.Currency, ImageURL: b.ImageURL,
		Availability: b.Availability, Link: b.Link}, err
}

// catalogueProductAsked is a change that Meta was asked for, and the answer.
type catalogueProductAsked struct {
	Wish       string     `json:"wish" enum:"put,delete" doc:"What was asked."`
	By         string     `json:"by,omitempty" doc:"The id of the person who has asked."`
	At         model.Time `json:"at" doc:"When it was asked."`
	AnsweredAt model.Time `json:"answeredAt,omitempty" doc:"When the answer came; absent while it is under way."`
	Problem    string     `json:"problem,omitempty" doc:"What stood in the way, in Meta's words."`
}

func showProductAsked(a model.CatalogItemAsked) *catalogueProductAsked {
	return &catalogueProductAsked{a.Wish, a.By, a.At, a.AnsweredAt, a.Problem}
}
