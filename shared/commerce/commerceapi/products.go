package commerceapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/commerce/catalogue"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) products() {
	const path = "/v1/stores/{storeId}/products"
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-products", Method: http.MethodGet, Path: path, Tags: []string{productsTag},
		Summary: "List what a store sells",
		Description: "By category and name; of one category or one brand where it is given. It may take a moment " +
			"until a change shows.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listProducts)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "find-products", Method: http.MethodGet, Path: "/v1/products", Tags: []string{productsTag},
		Summary:  "List what all stores of a tenant sell, of a category or a brand",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.findProducts)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-product", Method: http.MethodGet, Path: path + "/{productId}", Tags: []string{productsTag},
		Summary: "Get a product", Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.getProduct)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-product", Method: http.MethodPut, Path: path + "/{productId}", Tags: []string{productsTag},
		Summary: "Create or change a product",
		Description: "It replaces what is set of the product: what is left out is dropped, and the answer names " +
			"it. PATCH changes one thing. Give the version that you have read; leave it out for a new product. " +
			"Without stockQuantity the stock is not counted.",
		Security: httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setProductInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetProduct, in.ProductID)
	}, o.setProduct)
	o.patchProducts()
	operations.Change(o.Registry, huma.Operation{
		OperationID: "remove-product", Method: http.MethodDelete, Path: path + "/{productId}",
		Tags:        []string{productsTag},
		Summary:     "Remove a product",
		Description: "Orders keep what they say of it. To stop selling it for a while, set active to false.",
		Security:    httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusNoContent,
	}, func(ctx context.Context, in *ProductInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetProduct, in.ProductID)
	}, func(ctx context.Context, in *ProductInput, found commercemodel.Store) (*struct{}, error) {
		id, err := name(in.ProductID)
		if err != nil {
			return nil, err
		}
		return nil, o.shop.Catalogue.Remove(ctx, found, id)
	})
}

// ProductInput names a store's product.
type ProductInput struct {
	StoreInput
	ProductID string `path:"productId" maxLength:"64" example:"PROD-ABC123" doc:"The product's id: letters, digits, dots, dashes and underscores."`
}

// ProductBody is what is set of a product.
type ProductBody struct {
	Name              string           `json:"name" minLength:"1" maxLength:"200" doc:"What it is called."`
	LocalName         string           `json:"localName,omitempty" maxLength:"200" example:"टाटा नमक" doc:"What it is called in the language of the place."`
	Category          string           `json:"category,omitempty" maxLength:"80" doc:"What kind of good it is."`
	Subcategory       string           `json:"subcategory,omitempty" maxLength:"80" doc:"Of which kind within it."`
	Brand             string           `json:"brand,omitempty" maxLength:"80" doc:"Who makes it."`
	Unit              string           `json:"unit" enum:"kg,g,l,ml,metre,foot,inch,piece,dozen,bunch,packet,bottle,box,jar,tube,strip,coil,roll,set,pair,bundle,sheet,plate,portion,slice" doc:"What it is sold in."`
	PackSize          string           `json:"packSize,omitempty" maxLength:"30" example:"500 g" doc:"The content of one pack. Loose goods have none."`
	Price             operations.Money `json:"price" pattern:"^[0-9]{1,8}(\\.[0-9]{1,2})?$" doc:"Of one unit, or of one pack."`
	MRP               operations.Money `json:"mrp,omitempty" pattern:"^[0-9]{1,8}(\\.[0-9]{1,2})?$" doc:"The printed price."`
	StockQuantity     Quantity         `json:"stockQuantity,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,3})?$" doc:"How much is there, in units. Left out, the stock is not counted."`
	LowStockThreshold Quantity         `json:"lowStockThreshold,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,3})?$" doc:"The shop is told when there is no more than this."`
	Variants          []ProductVariant `json:"variants,omitempty" maxItems:"30" doc:"The packs that it is sold in, each with its own price and stock. The product's own price and stock then say nothing."`
	ImageURL          string           `json:"imageUrl,omitempty" maxLength:"1000" format:"uri" doc:"A picture."`
	Keywords          []string         `json:"keywords,omitempty" maxItems:"40" doc:"Other words by which customers ask for it."`
	TaxRate           Quantity         `json:"taxRate,omitempty" pattern:"^[0-9]{1,2}(\\.[0-9]{1,3})?$" example:"5" doc:"GST in per cent, 40 at most. Left out, an order shows no tax for it."`
	HSN               string           `json:"hsn,omitempty" pattern:"^([0-9]{4}|[0-9]{6}|[0-9]{8})$" example:"1006" doc:"The code of the good for GST."`
	Active            *bool            `json:"active,omitempty" doc:"Whether it can be ordered. Default true."`
}

// ProductVariant is one pack of a product.
type ProductVariant struct {
	SKU               string           `json:"sku" pattern:"^[A-Za-z0-9._-]{1,64}$" doc:"Its id within the product."`
	Size              string           `json:"size" minLength:"1" maxLength:"30" example:"500 g" doc:"What is in it."`
	Unit              string           `json:"unit,omitempty" enum:"packet,bottle,box,jar,tube,strip,piece,coil,roll,set,pair,bundle,sheet,plate,portion,slice" doc:"What the pack is. Default packet."`
	Price             operations.Money `json:"price" pattern:"^[0-9]{1,8}(\\.[0-9]{1,2})?$" doc:"Of one pack."`
	StockQuantity     Quantity         `json:"stockQuantity,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,3})?$" doc:"How many are there. Left out, they are not counted."`
	LowStockThreshold Quantity         `json:"lowStockThreshold,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,3})?$" doc:"The shop is told when there are no more than this."`
}

type productShown struct {
	ID      string `json:"id" doc:"The product's id."`
	StoreID string `json:"storeId" doc:"Who sells it."`
	Version int64  `json:"version" doc:"Increases with every change but those of the stock."`
	ProductBody
	CreatedAt string   `json:"createdAt" doc:"When it was created."`
	UpdatedAt string   `json:"updatedAt" doc:"When it changed last."`
	Dropped   []string `json:"dropped,omitempty" doc:"What the latest change has left out, and was set before it."`
}

type productOutput struct{ Body productShown }

type setProductInput struct {
	ProductInput
	Body struct {
		Version int64 `json:"version,omitempty" minimum:"0" doc:"The version that you have read; leave it out for a new product."`
		ProductBody
	}
}

// set makes a product what a body says.
func (b ProductBody) set() (func(*commercemodel.Product), error) {
	var wrong fieldProblems
	amount := func(text Quantity, field string) *model.Amount { return wrong.amount(text, "body."+field) }
	price := amount(Quantity(b.Price), "price")
	mrp := amount(Quantity(b.MRP), "mrp")
	stock, threshold := amount(b.StockQuantity, "stockQuantity"), amount(b.LowStockThreshold, "lowStockThreshold")
	rate := amount(b.TaxRate, "taxRate")
	var variants []commercemodel.Variant
	for _, v := range b.Variants {
		variant := commercemodel.Variant{
			Size: v.Size, SKU: model.Name(v.SKU), Unit: v.Unit, StockQuantity: amount(v.StockQuantity, "variants"),
			LowStockThreshold: amount(v.LowStockThreshold, "variants"),
		}
		if price := amount(Quantity(v.Price), "variants"); price != nil {
			variant.Price = *price
		}
		variants = append(variants, variant)
	}
	return func(p *commercemodel.Product) {
		p.Name, p.LocalName, p.Category, p.Subcategory, p.Brand = b.Name, b.LocalName, b.Category, b.Subcategory,
			b.Brand
		p.Unit, p.PackSize, p.MRP, p.StockQuantity, p.LowStockThreshold = b.Unit, strings.TrimSpace(b.PackSize), mrp,
			stock, threshold
		p.TaxRate, p.HSN = rate, b.HSN
		if price != nil {
			p.Price = *price
		}
		p.Variants, p.ImageURL, p.Keywords, p.IsActive = variants, b.ImageURL, b.Keywords, b.Active == nil || *b.Active
	}, wrong.err()
}

func showProduct(p commercemodel.Product) productShown {
	active := p.IsActive
	body := ProductBody{
		Name: p.Name, LocalName: p.LocalName, Category: p.Category, Subcategory: p.Subcategory, Brand: p.Brand,
		Unit: p.Unit, PackSize: p.PackSize,
		Price: operations.MoneyOf(p.Price), StockQuantity: shown(p.StockQuantity),
		LowStockThreshold: shown(p.LowStockThreshold),
		ImageURL:          p.ImageURL, Keywords: p.Keywords, TaxRate: shown(p.TaxRate), HSN: p.HSN, Active: &active,
	}
	if p.MRP != nil {
		body.MRP = operations.MoneyOf(*p.MRP)
	}
	for _, v := range p.Variants {
		body.Variants = append(body.Variants, ProductVariant{
			SKU: string(v.SKU), Size: v.Size, Unit: v.Unit, Price: operations.MoneyOf(v.Price),
			StockQuantity: shown(v.StockQuantity), LowStockThreshold: shown(v.LowStockThreshold),
		})
	}
	return productShown{
		ID: string(p.ProductID), StoreID: string(p.StoreID), Version: p.Version, ProductBody: body,
		CreatedAt: string(p.CreatedAt), UpdatedAt: string(p.UpdatedAt),
		Dropped: p.Dropped,
	}
}

func (o *service) getProduct(ctx context.Context, in *ProductInput) (*productOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	id, err := name(in.ProductID)
	if err != nil {
		return nil, err
	}
	p, err := o.shop.Catalogue.Get(ctx, store.ID, id)
	return &productOutput{showProduct(p)}, err
}

func (o *service) setProduct(ctx context.Context, in *setProductInput,
	found commercemodel.Store) (*productOutput, error) {
	set, err := in.Body.set()
	if err != nil {
		return nil, err
	}
	id, err := name(in.ProductID)
	if err != nil {
		return nil, httpapi.Invalid("path.productId", "letters, digits, dots, dashes and underscores")
	}
	p, err := o.shop.Catalogue.Set(ctx, found, id, in.Body.Version, naming(set))
	return &productOutput{showProduct(p)}, err
}

type listProductsInput struct {
	StoreInput
	httpapi.Page
	Category string `query:"category" maxLength:"80" doc:"Those of a category."`
	Brand    string `query:"brand" maxLength:"80" doc:"Those of a brand."`
	Query    string `query:"q" maxLength:"200" doc:"Those that these words find, the best first, in any spelling; one page, and nothing else beside."`
}

type productListOutput struct{ Body httpapi.List[productShown] }

func (o *service) listProducts(ctx context.Context, in *listProductsInput) (*productListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if in.Query != "" {
		if in.Category != "" || in.Brand != "" || in.Cursor != "" {
			return nil, httpapi.Invalid("query.q", "words are looked for in the whole catalogue, and found on one page")
		}
		found, err := o.shop.Catalogue.Search(ctx, store, in.Query, in.Limit)
		return &productListOutput{operations.ListOf(found, showProduct, httpapi.Position{})}, err
	}
	return o.productPage(ctx, in.Page, catalogue.Filter{Store: store.ID, Category: in.Category, Brand: in.Brand})
}

type findProductsInput struct {
	operations.TenantInput
	httpapi.Page
	Category string `query:"category" maxLength:"80" doc:"Those of a category."`
	Brand    string `query:"brand" maxLength:"80" doc:"Those of a brand."`
}

func (o *service) findProducts(ctx context.Context, in *findProductsInput) (*productListOutput, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	switch {
	case err != nil:
		return nil, err
	case tenant == "":
		return nil, httpapi.Invalid("query.tenantId", "a list is one tenant's")
	case in.Category == "" && in.Brand == "":
		return nil, httpapi.Invalid("query.category", "name a category or a brand")
	}
	return o.productPage(ctx, in.Page, catalogue.Filter{Tenant: tenant, Category: in.Category, Brand: in.Brand})
}

// productPage answers with a page of products.
func (o *service) productPage(ctx context.Context, page httpapi.Page, f catalogue.Filter) (*productListOutput, error) {
	l, err := operations.PageOf(page, "products", string(f.Store), string(f.Tenant), f.Category, f.Brand)
	if err != nil {
		return nil, err
	}
	rows, next, err := o.shop.Catalogue.List(ctx, f, page.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &productListOutput{operations.ListOf(rows, showProduct, l.Position(next))}, nil
}
