package content

import "fmt"

// Product names a product of a catalog.
type Product struct {
	CatalogID         string `json:"catalogId" minLength:"1" maxLength:"200" doc:"The catalog's id."`
	ProductRetailerID string `json:"productRetailerId" minLength:"1" maxLength:"200" doc:"Your own id of the product."`
}

// SingleProduct is a message with a product.
type SingleProduct struct {
	Product
	Body   string `json:"body,omitempty" maxLength:"1024" doc:"The text."`
	Footer string `json:"footer,omitempty" maxLength:"60" doc:"Stands below the text, in small letters."`
}

func (c SingleProduct) graph() any { return interactive("product", c.Body, c.Footer, plain(c.Product)) }

// ProductSection is a part of a list of products.
type ProductSection struct {
	Title              string   `json:"title,omitempty" maxLength:"24" lines:"1" doc:"The heading; required where there are several sections."`
	ProductRetailerIDs []string `json:"productRetailerIds" minItems:"1" maxItems:"30" doc:"Your own ids of the products."`
}

func (s ProductSection) graph() any {
	items := listOf(s.ProductRetailerIDs, func(_ int, id string) any { return object{"product_retailer_id": id} })
	return with(object{"product_items": items}, "title", s.Title)
}

// ProductList is a message with up to thirty products.
type ProductList struct {
	CatalogID string           `json:"catalogId" minLength:"1" maxLength:"200" doc:"The catalog's id."`
	Header    string           `json:"header" minLength:"1" maxLength:"60" lines:"1" doc:"Stands above the text."`
	Body      string           `json:"body" minLength:"1" maxLength:"1024" doc:"The text."`
	Footer    string           `json:"footer,omitempty" maxLength:"60" doc:"Stands below the text, in small letters."`
	Sections  []ProductSection `json:"sections" minItems:"1" maxItems:"10" doc:"The parts of the list, with thirty products in all."`
}

func (c ProductList) graph() any {
	action := object{"catalog_id": c.CatalogID, "sections": sectionsOf(c.Sections)}
	return withTextHeader(interactive("product_list", c.Body, c.Footer, action), c.Header)
}

func sectionsOf(sections []ProductSection) []any {
	return listOf(sections, func(_ int, s ProductSection) any { return s.graph() })
}

func (c ProductList) rules() Faults { return productSections(c.Sections) }

func productSections(sections []ProductSection) (found Faults) {
	products := 0
	for i, s := range sections {
		found.unless(s.Title != "" || len(sections) == 1, fmt.Sprintf("sections[%d].title", i),
			"required where there are several sections")
		products += len(s.ProductRetailerIDs)
		for j, id := range s.ProductRetailerIDs {
			found.unless(id != "" && len(id) <= 200, fmt.Sprintf("sections[%d].productRetailerIds[%d]", i, j),
				"must have 1 to 200 characters")
		}
	}
	found.unless(products <= 30, "sections", "have more than 30 products in all")
	return found
}

// Catalog is a message with a button that opens the catalog.
type Catalog struct {
	Body                       string `json:"body" minLength:"1" maxLength:"1024" doc:"The text."`
	Footer                     string `json:"footer,omitempty" maxLength:"60" doc:"Stands below the text, in small letters."`
	ThumbnailProductRetailerID string `json:"thumbnailProductRetailerId,omitempty" maxLength:"200" doc:"Your own id of the product whose picture is shown."`
}

func (c Catalog) graph() any {
	parameters := with(object{}, "thumbnail_product_retailer_id", c.ThumbnailProductRetailerID)
	if len(parameters) == 0 {
		parameters = nil
	}
	return interactive("catalog_message", c.Body, c.Footer, named("catalog_message", parameters))
}
