package phrasings

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/nlu"
)

// columns are those that a catalogue must have. Others are not read.
var columns = []string{
	"product_id", "name", "name_local", "category", "brand", "unit", "pack_size", "price", "keywords"}

// ReadCatalogue reads the products of a CSV file.
func ReadCatalogue(file string) ([]nlu.Product, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	rows, err := csv.NewReader(opened).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read catalogue %s: %w", file, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the catalogue %s is empty", file)
	}
	at := map[string]int{}
	for _, column := range columns {
		if at[column] = slices.Index(rows[0], column); at[column] < 0 {
			return nil, fmt.Errorf("the catalogue %s has no column %s", file, column)
		}
	}
	var products []nlu.Product
	for i, row := range rows[1:] {
		price, err := decimal.NewFromString(row[at["price"]])
		if err != nil {
			return nil, fmt.Errorf("the catalogue %s, line %d: the price is no number", file, i+2)
		}
		p := nlu.Product{
			ID: row[at["product_id"]], Name: row[at["name"]], LocalName: row[at["name_local"]],
			Category: row[at["category"]], Brand: row[at["brand"]],
			Unit: row[at["unit"]], PackSize: row[at["pack_size"]], Price: price,
		}
		for _, keyword := range strings.Split(row[at["keywords"]], ";") {
			if keyword = strings.TrimSpace(keyword); keyword != "" {
				p.Keywords = append(p.Keywords, keyword)
			}
		}
		products = append(products, p)
	}
	return products, nil
}
