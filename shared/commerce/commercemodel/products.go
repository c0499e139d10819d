package commercemodel

import (
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// Product is something that a store sells: loose by its unit, packed by the pack, or in several packs, its variants.
type Product struct {
	model.Rest
	PK          string        `dynamodbav:"pk"` // STORE#{store_id}
	SK          string        `dynamodbav:"sk"` // PRODUCT#{product_id}
	ProductID   model.Name    `dynamodbav:"product_id"`
	StoreID     model.Name    `dynamodbav:"store_id"`
	Name        string        `dynamodbav:"name"`
	LocalName   string        `dynamodbav:"local_name,omitempty"`
	Category    string        `dynamodbav:"category,omitempty"`
	Subcategory string        `dynamodbav:"subcategory,omitempty"`
	Brand       string        `dynamodbav:"brand,omitempty"`
	Variants    []Variant     `dynamodbav:"variants,omitempty"`
	Unit        string        `dynamodbav:"unit"`
	Price       model.Amount  `dynamodbav:"price"`
	MRP         *model.Amount `dynamodbav:"mrp,omitempty"`
	// in units; absent where the stock is not counted
	StockQuantity     *model.Amount  `dynamodbav:"stock_quantity,omitempty"`
	LowStockThreshold *model.Amount  `dynamodbav:"low_stock_threshold,omitempty"`
	ImageURL          string         `dynamodbav:"image_url,omitempty"`
	Keywords          []string       `dynamodbav:"keywords,omitempty"`
	Metadata          model.Document `dynamodbav:"metadata,omitempty"`
	GSI1PK            string         `dynamodbav:"gsi1pk,omitempty"` // CATEGORY#{category}
	GSI1SK            string         `dynamodbav:"gsi1sk,omitempty"` // BRAND#{brand}#{product_id}
	GSI2PK            string         `dynamodbav:"gsi2pk,omitempty"` // BRAND#{brand}
	GSI2SK            string         `dynamodbav:"gsi2sk,omitempty"` // STORE#{store_id}#{product_id}
	GSI3PK            string         `dynamodbav:"gsi3pk"`           // STORE#{store_id}
	GSI3SK            string         `dynamodbav:"gsi3sk"`           // CATEGORY#{category}#{name}
	IsActive          bool           `dynamodbav:"is_active"`
	CreatedAt         model.Time     `dynamodbav:"created_at"`
	UpdatedAt         model.Time     `dynamodbav:"updated_at"`

	// Additions.
	TenantID model.TenantID `dynamodbav:"tenant_id"`
	// what is in one pack, such as 500 g; "" for what is sold loose
	PackSize string `dynamodbav:"pack_size,omitempty"`
	Version  int64  `dynamodbav:"version"` // the optimistic lock
	// what the latest change has left out that was set before
	Dropped []string `dynamodbav:"dropped,omitempty"`
	// CountedFrom says since when the stock of an article is counted, by the article's id: only where that began after
	// the product was made.
	CountedFrom map[string]model.Time `dynamodbav:"stock_counted_from,omitempty"`
	// GST in per cent; none where nobody has said it
	TaxRate *model.Amount `dynamodbav:"tax_rate,omitempty"`
	HSN     string        `dynamodbav:"hsn,omitempty"` // the code of the good for GST: 4, 6 or 8 digits
}

// CountedSince returns since when the stock of an article is counted, if it is.
func (p Product) CountedSince(article model.Name) model.Time {
	if at, later := p.CountedFrom[string(article)]; later {
		return at
	}
	return p.CreatedAt
}

// Lock returns the optimistic lock.
func (p *Product) Lock() *int64 { return &p.Version }

// Variant is one pack of a product.
type Variant struct {
	Size  string       `dynamodbav:"size"` // such as 500 g
	Price model.Amount `dynamodbav:"price"`
	SKU   model.Name   `dynamodbav:"sku"`

	// Additions.
	Unit              string        `dynamodbav:"unit,omitempty"` // of the pack: packet where it is left out
	StockQuantity     *model.Amount `dynamodbav:"stock_quantity,omitempty"`
	LowStockThreshold *model.Amount `dynamodbav:"low_stock_threshold,omitempty"`
}

// Article is what can be ordered: a product without variants, or one variant of a product.
type Article struct {
	Product model.Name
	SKU     model.Name // "" for a product without variants
	Name    string     // with the size, where there is one
	Local   string     // the same in the language of the place; "" if nobody has said it
	Unit    string
	Size    string // of a pack; "" for what is sold loose
	Price   model.Amount
	Stock   *model.Amount // nil if it is not counted
	Active  bool
	TaxRate *model.Amount // GST in per cent; nil where nobody has said it
	HSN     string
}

// Loose reports whether any fraction of the unit can be ordered.
func (a Article) Loose() bool { return a.Size == "" && !Countable(a.Unit) }

// ID returns the article's id: {product_id}, or {product_id}/{sku}.
func (a Article) ID() model.Name { return ArticleID(a.Product, a.SKU) }

// ArticleID returns the id of an article.
func ArticleID(product, sku model.Name) model.Name {
	if sku == "" {
		return product
	}
	return product + "/" + sku
}

// ProductOf returns the product of an article.
func ProductOf(article model.Name) model.Name {
	product, _, _ := strings.Cut(string(article), "/")
	return model.Name(product)
}

// DefaultPack is the unit of a variant that names none.
const DefaultPack = "packet"

// Articles returns what can be ordered of a product.
func (p Product) Articles() []Article {
	if len(p.Variants) == 0 {
		return []Article{
			p.article(Variant{Size: p.PackSize, Price: p.Price, Unit: p.Unit, StockQuantity: p.StockQuantity})}
	}
	all := make([]Article, len(p.Variants))
	for i, v := range p.Variants {
		if v.Unit == "" {
			v.Unit = DefaultPack
		}
		all[i] = p.article(v)
	}
	return all
}

// article returns one variant of a product as what can be ordered.
func (p Product) article(v Variant) Article {
	a := Article{
		Product: p.ProductID, SKU: v.SKU, Name: p.Name, Local: p.LocalName, Unit: v.Unit, Size: v.Size, Price: v.Price,
		Stock: v.StockQuantity, Active: p.IsActive, TaxRate: p.TaxRate, HSN: p.HSN}
	if v.Size != "" {
		a.Name += " " + v.Size
		if a.Local != "" {
			a.Local += " " + v.Size
		}
	}
	return a
}

// Article returns one article of a product, and reports whether there is one.
func (p Product) Article(sku model.Name) (Article, bool) {
	for _, a := range p.Articles() {
		if a.SKU == sku {
			return a, true
		}
	}
	return Article{}, false
}

// units lists the units of goods, and whether they are counted in whole numbers.
var units = map[string]bool{
	"kg": false, "g": false, "l": false, "ml": false,
	"piece": true, "dozen": false, "bunch": true, "packet": true, "bottle": true, "box": true, "jar": true,
	"tube": true, "strip": true,
	"metre": false, "foot": false, "inch": false,
	"coil": true, "roll": true, "set": true, "pair": true, "bundle": true, "sheet": true, "plate": true,
	"portion": true, "slice": true,
}

// IsUnit reports whether goods are sold in a unit.
func IsUnit(unit string) bool { _, is := units[unit]; return is }

// Countable reports whether there are only whole ones of a unit.
func Countable(unit string) bool { return units[unit] }

// Units returns the units in which goods are sold.
func Units() []string {
	return []string{
		"kg", "g", "l", "ml", "metre", "foot", "inch", "piece", "dozen", "bunch", "packet", "bottle", "box", "jar",
		"tube", "strip",
		"coil", "roll", "set", "pair", "bundle", "sheet", "plate", "portion", "slice",
	}
}
