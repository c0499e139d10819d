package commerceapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) patchProducts() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "change-product", Method: http.MethodPatch, Path: "/v1/stores/{storeId}/products/{productId}",
		Tags:        []string{productsTag},
		Summary:     "Change some of a product",
		Description: "What is left out stays as it is. Give the version that you have read.",
		Security:    httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *changeProductInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetProduct, in.ProductID)
	}, o.changeProduct)
}

type changeProductInput struct {
	ProductInput
	Body struct {
		Version       int64             `json:"version" minimum:"1" doc:"The version that you have read."`
		Name          *string           `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"What it is called."`
		LocalName     *string           `json:"localName,omitempty" maxLength:"200" doc:"What it is called in the language of the place."`
		Category      *string           `json:"category,omitempty" maxLength:"80" doc:"What kind of good it is."`
		Price         *operations.Money `json:"price,omitempty" pattern:"^[0-9]{1,8}(\\.[0-9]{1,2})?$" doc:"Of one unit, or of one pack."`
		StockQuantity *Quantity         `json:"stockQuantity,omitempty" pattern:"^([0-9]{1,9}(\\.[0-9]{1,3})?)?$" doc:"How much is there, in units. Empty: the stock is not counted."`
		Keywords      []string          `json:"keywords,omitempty" maxItems:"40" doc:"Other words by which customers ask for it."`
		TaxRate       *Quantity         `json:"taxRate,omitempty" pattern:"^([0-9]{1,2}(\\.[0-9]{1,3})?)?$" doc:"GST in per cent. Empty: nobody has said it."`
		HSN           *string           `json:"hsn,omitempty" pattern:"^([0-9]{4}|[0-9]{6}|[0-9]{8})?$" doc:"The code of the good for GST. Empty for none."`
		Active        *bool             `json:"active,omitempty" doc:"Whether it can be ordered."`
	}
}

func (o *service) changeProduct(ctx context.Context, in *changeProductInput,
	found commercemodel.Store) (*productOutput, error) {
	id, err := name(in.ProductID)
	if err != nil {
		return nil, err
	}
	var wrong fieldProblems
	b := in.Body
	var price, stock = b.Price, b.StockQuantity
	set := func(p *commercemodel.Product) {
		for field, text := range map[*string]*string{
			&p.Name: b.Name, &p.LocalName: b.LocalName, &p.Category: b.Category, &p.HSN: b.HSN} {
			if text != nil {
				*field = strings.TrimSpace(*text)
			}
		}
		if price != nil {
			if value := wrong.amount(Quantity(*price), "body.price"); value != nil {
				p.Price = *value
			}
		}
		if stock != nil {
			p.StockQuantity = wrong.amount(*stock, "body.stockQuantity")
		}
		if b.TaxRate != nil {
			p.TaxRate = wrong.amount(*b.TaxRate, "body.taxRate")
		}
		if b.Keywords != nil {
			p.Keywords = b.Keywords
		}
		if b.Active != nil {
			p.IsActive = *b.Active
		}
	}
	if _, err := o.shop.Catalogue.Get(ctx, found.ID, id); err != nil {
		return nil, err
	}
	p, err := o.shop.Catalogue.Set(ctx, found, id, b.Version, naming(set))
	if err == nil {
		err = wrong.err()
	}
	return &productOutput{showProduct(p)}, err
}

// naming returns what changes a product and notes in it what it drops. A repeated change notes nothing anew.
func naming(set func(p *commercemodel.Product)) func(p *commercemodel.Product) {
	return func(p *commercemodel.Product) {
		was := *p
		if set(p); !dynamo.StoredAlike(was, *p) {
			p.Dropped = dropped(was, *p)
		}
	}
}

// dropped names what a product had set and has no more.
func dropped(was, is commercemodel.Product) []string {
	var all []string
	for field, gone := range map[string]bool{
		"localName": was.LocalName != "" && is.LocalName == "", "category": was.Category != "" && is.Category == "",
		"subcategory": was.Subcategory != "" && is.Subcategory == "",
		"brand":       was.Brand != "" && is.Brand == "", "packSize": was.PackSize != "" && is.PackSize == "",
		"mrp":               was.MRP != nil && is.MRP == nil,
		"stockQuantity":     was.StockQuantity != nil && is.StockQuantity == nil,
		"lowStockThreshold": was.LowStockThreshold != nil && is.LowStockThreshold == nil,
		"variants":          len(was.Variants) > 0 && len(is.Variants) == 0,
		"imageUrl":          was.ImageURL != "" && is.ImageURL == "",
		"taxRate":           was.TaxRate != nil && is.TaxRate == nil,
		"hsn":               was.HSN != "" && is.HSN == "",
		"keywords":          len(was.Keywords) > 0 && len(is.Keywords) == 0,
	} {
		if gone {
			all = append(all, field)
		}
	}
	slices.Sort(all)
	return all
}
