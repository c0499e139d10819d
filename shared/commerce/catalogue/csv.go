package catalogue

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/spreadsheet"
)

// Columns are those of a catalogue as a file. A row is a product; a row whose product_id is {product_id}/{sku} is a
// variant of one.
var Columns = []string{
	"product_id", "name", "name_local", "category", "brand", "unit", "pack_size", "price", "stock", "keywords",
	"tax_rate", "hsn"}

// columnOf names the column of a product's field.
var columnOf = map[string]string{
	"productId": "product_id", "localName": "name_local", "packSize": "pack_size", "stockQuantity": "stock",
	"size": "pack_size", "sku": "product_id", "taxRate": "tax_rate",
}

// Row is one line of a file.
type Row struct {
	Line    int
	Product commercemodel.Product
	SKU     model.Name // of a variant, which is then the only one of Product
	Faults  []Fault    // with the names of columns
}

// Rows reads a catalogue row by row. It returns ErrFile for a file that cannot be read on: for another encoding, and
// for a header without a column that every row needs.
func Rows(file io.Reader, pass func(row Row) error) error {
	r := csv.NewReader(&utf8Reader{from: file})
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, true
	header, err := r.Read()
	if err != nil {
		return fileError(err)
	}
	columns, err := columnsOf(header)
	if err != nil {
		return err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fileError(err)
		}
		if !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			continue
		}
		line, _ := r.FieldPos(0)
		if err := pass(rowOf(line, columns, record)); err != nil {
			return err
		}
	}
}

// errEncoding means that a file is not UTF-8.
var errEncoding = errors.New("not UTF-8")

func fileError(err error) error {
	detail := "it has no header with the names of its columns"
	var broken *csv.ParseError
	switch {
	case errors.Is(err, errEncoding):
		detail = "not UTF-8: save it as CSV UTF-8"
	case errors.As(err, &broken):
		detail = fmt.Sprintf("line %d is not CSV", broken.Line)
	case !errors.Is(err, io.EOF):
		return err
	}
	return problem.Wrong(ErrFile, "body", "%s", detail)
}

func columnsOf(header []string) (map[string]int, error) {
	columns := map[string]int{}
	for i, name := range header {
		columns[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range []string{"name", "unit", "price"} {
		if _, ok := columns[name]; !ok {
			return nil, problem.Wrong(ErrFile, "body", "the column %s is missing; there are %s", name,
				strings.Join(Columns, ", "))
		}
	}
	return columns, nil
}

// rowOf returns the product of a line.
func rowOf(line int, columns map[string]int, record []string) Row {
	cell := func(name string) string {
		if i, ok := columns[name]; ok && i < len(record) {
			return spreadsheet.Unescape(strings.TrimSpace(record[i]))
		}
		return ""
	}
	row := Row{Line: line}
	wrong := func(column, detail string) { row.Faults = append(row.Faults, Fault{column, detail}) }
	number := func(column string) *model.Amount {
		text := plainNumber(cell(column))
		if text == "" {
			return nil
		}
		value, err := decimal.NewFromString(text)
		if err != nil || len(text) > 20 || strings.ContainsAny(text, "eE") {
			wrong(column, "not a number")
			return nil
		}
		return &model.Amount{Decimal: value}
	}
	p := commercemodel.Product{
		Name: cell("name"), LocalName: cell("name_local"), Category: cell("category"), Brand: cell("brand"),
		Unit:     unitOf(cell("unit")),
		PackSize: cell("pack_size"), StockQuantity: number("stock"), IsActive: true,
		TaxRate: number("tax_rate"), HSN: cell("hsn"),
	}
	for _, keyword := range strings.Split(cell("keywords"), ";") {
		if keyword = strings.TrimSpace(keyword); keyword != "" {
			p.Keywords = append(p.Keywords, keyword)
		}
	}
	if price := number("price"); price != nil {
		p.Price = *price
	} else if cell("price") == "" {
		wrong("price", "it is missing")
	}
	id, sku, variant := strings.Cut(cell("product_id"), "/")
	if id == "" {
		id = "PROD-" + keys.Code(8, p.Name, p.Brand, p.PackSize, p.Unit)
	}
	p.ProductID = model.Name(id)
	if variant {
		row.SKU = model.Name(sku)
		p.Variants = []commercemodel.Variant{
			{Size: p.PackSize, Price: p.Price, SKU: row.SKU, Unit: p.Unit, StockQuantity: p.StockQuantity}}
		p.PackSize, p.StockQuantity = "", nil
	}
	row.Product = p
	for _, fault := range Faults(p) {
		field := fault.Field[strings.LastIndexByte(fault.Field, '.')+1:]
		if at := strings.IndexByte(field, '['); at > 0 {
			field = field[:at]
		}
		if column := columnOf[field]; column != "" {
			field = column
		}
		if slices.ContainsFunc(row.Faults, func(f Fault) bool { return f.Field == field }) {
			continue // one thing that is wrong with a cell is enough
		}
		wrong(field, fault.Detail)
	}
	return row
}

// plainNumber returns a number without the signs of money and the commas that people write: ₹1,250, Rs. 40, 40/-.
func plainNumber(cell string) string {
	text := strings.ToLower(strings.TrimSpace(cell))
	for _, sign := range []string{"₹", "rs.", "rs", "inr"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, sign))
	}
	for _, sign := range []string{"/-", "/", "₹", "rs"} {
		text = strings.TrimSpace(strings.TrimSuffix(text, sign))
	}
	return strings.ReplaceAll(text, ",", "")
}

// otherUnits are units as people write them, by the unit.
var otherUnits = map[string]string{
	"kg": "kgs kilo kilos kilogram kilograms", "g": "gm gms gram grams", "l": "ltr ltrs lt litre litres liter liters",
	"ml": "mls millilitre millilitres", "piece": "pc pcs pieces nos no each",
	"dozen": "dz doz dozens", "packet": "pkt pkts packets pack packs pouch", "bottle": "btl bottles", "box": "boxes bx",
	"metre": "mtr mtrs meter meters metres m", "foot": "ft feet",
	"inch": "in inches", "roll": "rolls", "coil": "coils", "set": "sets", "pair": "pairs", "bundle": "bundles",
	"sheet": "sheets", "plate": "plates", "portion": "portions", "slice": "slices",
	"strip": "strips", "jar": "jars", "tube": "tubes", "bunch": "bunches",
}

// unitOf returns the unit that a cell means; the cell itself in small letters where it means none.
func unitOf(cell string) string {
	text := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(cell)), ".")
	for unit, others := range otherUnits {
		if slices.Contains(strings.Fields(others), text) {
			return unit
		}
	}
	return text
}

// Export writes a store's catalogue as CSV, a page of products at a time.
func (c *Catalogue) Export(ctx context.Context, store model.Name, to io.Writer) error {
	w := csv.NewWriter(to)
	if err := w.Write(Columns); err != nil {
		return err
	}
	err := c.each(ctx, store, func(p commercemodel.Product) error {
		for _, a := range p.Articles() {
			stock, rate := "", ""
			if a.Stock != nil {
				stock = a.Stock.String()
			}
			if p.TaxRate != nil {
				rate = p.TaxRate.String()
			}
			cells := []string{
				string(a.ID()), p.Name, p.LocalName, p.Category, p.Brand, a.Unit, a.Size, a.Price.String(), stock,
				strings.Join(p.Keywords, ";"), rate, p.HSN,
			}
			for i := range cells {
				cells[i] = spreadsheet.Escape(cells[i])
			}
			if err := w.Write(cells); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// utf8Reader passes UTF-8 on, without a byte order mark, and fails with errEncoding on anything else.
type utf8Reader struct {
	from  io.Reader
	rest  []byte // read, and not passed on yet
	begun bool
	err   error
}

func (u *utf8Reader) Read(p []byte) (int, error) {
	for len(u.rest) == 0 || u.err == nil && !utf8.FullRune(u.rest) {
		if u.err != nil {
			return 0, u.err
		}
		buffer := make([]byte, 32<<10)
		n, err := u.from.Read(buffer)
		u.rest, u.err = append(u.rest, buffer[:n]...), err
		if !u.begun && (len(u.rest) >= 3 || err != nil) {
			u.begun, u.rest = true, bytes.TrimPrefix(u.rest, []byte("\xef\xbb\xbf"))
		}
	}
	n := 0
	for n < len(u.rest) && n < len(p) {
		r, size := utf8.DecodeRune(u.rest[n:])
		if r == utf8.RuneError && size == 1 {
			if u.err == nil && !utf8.FullRune(u.rest[n:]) {
				break // the rest of the character comes with the next bytes
			}
			return 0, errEncoding
		}
		if r == 0 {
			return 0, errEncoding // UTF-16
		}
		if n+size > len(p) {
			break
		}
		n += size
	}
	copy(p, u.rest[:n])
	u.rest = u.rest[n:]
	return n, nil
}

func fileTooLong() error { return problem.Wrong(ErrFile, "body", "over %d lines", MaxRows) }
