package catalogue

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/lazy"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// Limits of a product.
const (
	maxText     = 200 // characters of a name
	maxShort    = 80  // of a category, a brand, a keyword
	maxKeywords = 40
	maxVariants = 30
)

var (
	sizeForm = lazy.Regexp(`^[0-9]{1,6}(\.[0-9]{1,3})? ?[\p{L}\p{M}]{1,20}$`)

	maxPrice = decimal.NewFromInt(10_000_000)
	maxStock = decimal.NewFromInt(100_000_000)

	maxTaxRate = decimal.NewFromInt(40)
)

// isID reports whether a text is an id of a product or a variant: 1 to 64 letters, digits, dots, dashes and
// underscores.
func isID(id model.Name) bool {
	return len(id) >= 1 && len(id) <= 64 && !strings.ContainsFunc(string(id), func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", r)
	})
}

// Fault is what is wrong with a field of a product.
type Fault struct{ Field, Detail string }

// Check returns an error of ErrProduct that names every field that is wrong.
func Check(p commercemodel.Product) error {
	faults := Faults(p)
	if len(faults) == 0 {
		return nil
	}
	fields := make([]problem.Field, len(faults))
	for i, f := range faults {
		fields[i] = problem.Field{Path: "body." + f.Field, Detail: f.Detail}
	}
	return fmt.Errorf("%w: %w", ErrProduct,
		problem.New("product", problem.Error{Class: problem.Invalid, Fields: fields}))
}

// Faults returns what is wrong with a product.
func Faults(p commercemodel.Product) (faults []Fault) {
	wrong := func(field, detail string, values ...any) {
		faults = append(faults, Fault{field, fmt.Sprintf(detail, values...)})
	}
	if !isID(p.ProductID) {
		wrong("productId", "1 to 64 letters, digits, dots, dashes and underscores")
	}
	if strings.TrimSpace(p.Name) == "" {
		wrong("name", "it is empty")
	}
	for field, text := range map[string]string{"name": p.Name, "localName": p.LocalName} {
		if wrongText := textFault(text, maxText); wrongText != "" {
			wrong(field, "%s", wrongText)
		}
	}
	for _, short := range []struct{ field, text string }{
		{"category", p.Category}, {"subcategory", p.Subcategory}, {"brand", p.Brand}} {
		if wrongText := textFault(short.text, maxShort); wrongText != "" {
			wrong(short.field, "%s", wrongText)
		}
	}
	if len(p.Keywords) > maxKeywords {
		wrong("keywords", "%d at most", maxKeywords)
	}
	for i, keyword := range p.Keywords {
		if wrongText := textFault(keyword, maxShort); wrongText != "" {
			wrong(fmt.Sprintf("keywords[%d]", i), "%s", wrongText)
		}
	}
	if !commercemodel.IsUnit(p.Unit) {
		wrong("unit", "one of %s", strings.Join(commercemodel.Units(), ", "))
	}
	if p.PackSize != "" && !sizeForm.Get().MatchString(p.PackSize) {
		wrong("packSize", "a number and a unit, such as 500 g")
	}
	faults = append(faults, moneyFaults("price", p.Price)...)
	if len(p.Variants) == 0 && p.Price.IsZero() {
		wrong("price", "more than 0")
	}
	if p.MRP != nil {
		faults = append(faults, moneyFaults("mrp", *p.MRP)...)
	}
	faults = append(append(faults, stockFaults("", p.StockQuantity, p.LowStockThreshold)...), taxFaults(p)...)
	return append(faults, variantFaults(p.Variants)...)
}

func variantFaults(variants []commercemodel.Variant) (faults []Fault) {
	if len(variants) > maxVariants {
		faults = append(faults, Fault{"variants", fmt.Sprintf("%d at most", maxVariants)})
	}
	seen := map[model.Name]bool{}
	for i, v := range variants {
		at := fmt.Sprintf("variants[%d].", i)
		switch {
		case !isID(v.SKU):
			faults = append(faults, Fault{at + "sku", "1 to 64 letters, digits, dots, dashes and underscores"})
		case seen[v.SKU]:
			faults = append(faults, Fault{at + "sku", "another variant has it"})
		}
		seen[v.SKU] = true
		if !sizeForm.Get().MatchString(v.Size) {
			faults = append(faults, Fault{at + "size", "a number and a unit, such as 500 g"})
		}
		if v.Unit != "" && !commercemodel.IsUnit(v.Unit) {
			faults = append(faults, Fault{at + "unit", "one of " + strings.Join(commercemodel.Units(), ", ")})
		}
		faults = append(faults, moneyFaults(at+"price", v.Price)...)
		if v.Price.IsZero() {
			faults = append(faults, Fault{at + "price", "more than 0"})
		}
		faults = append(faults, stockFaults(at, v.StockQuantity, v.LowStockThreshold)...)
	}
	return faults
}

func taxFaults(p commercemodel.Product) (faults []Fault) {
	if r := p.TaxRate; r != nil && (r.IsNegative() || r.GreaterThan(maxTaxRate) || !r.Equal(r.Round(3))) {
		faults = append(faults, Fault{"taxRate", "from 0 to 40 per cent, with at most three decimals"})
	}
	if n := len(p.HSN); n != 0 && (n != 4 && n != 6 && n != 8 || strings.Trim(p.HSN, "0123456789") != "") {
		faults = append(faults, Fault{"hsn", "4, 6 or 8 digits"})
	}
	return faults
}

func moneyFaults(field string, a model.Amount) []Fault {
	if a.IsNegative() || a.GreaterThan(maxPrice) || !a.Equal(a.Round(2)) {
		return []Fault{{field, "from 0 to 10000000, with at most two decimals"}}
	}
	return nil
}

func stockFaults(at string, stock, threshold *model.Amount) (faults []Fault) {
	for field, a := range map[string]*model.Amount{"stockQuantity": stock, "lowStockThreshold": threshold} {
		if a != nil && (a.IsNegative() || a.GreaterThan(maxStock) || !a.Equal(a.Round(3))) {
			faults = append(faults, Fault{at + field, "from 0 to 100000000, with at most three decimals"})
		}
	}
	return faults
}

// textFault returns what is wrong with a text; "" for nothing.
func textFault(text string, most int) string {
	switch {
	case !utf8.ValidString(text):
		return "not UTF-8"
	case utf8.RuneCountInString(text) > most:
		return fmt.Sprintf("%d characters at most", most)
	case strings.ContainsFunc(text, unicode.IsControl):
		return "it holds a control character"
	}
	return ""
}
