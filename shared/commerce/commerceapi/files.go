package commerceapi

import (
	"bytes"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/operations"
)

const csvType = "text/csv"

func (o *service) files() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "import-catalogue", Method: http.MethodPost, Path: "/v1/stores/{storeId}/catalogue",
		Tags:    []string{productsTag},
		Summary: "Import a catalogue as CSV",
		Description: "UTF-8, with a header: product_id, name, name_local, category, brand, unit, pack_size, price, " +
			"stock, keywords (separated by semicolons), tax_rate (GST in per cent), hsn. " +
			"A row whose product_id is {product}/{sku} is a variant. Products that the file does not name stay " +
			"as they are. " +
			"The answer says for each line what is wrong with it. Repeating an import does nothing twice.",
		Security: httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound}, MaxBodyBytes: 5 << 20,
	}, func(ctx context.Context, in *importInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetStore, in.StoreID)
	}, o.importCatalogue)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "export-catalogue", Method: http.MethodGet, Path: "/v1/stores/{storeId}/catalogue",
		Tags:    []string{productsTag},
		Summary: "Export a catalogue as CSV",
		Description: "With the columns of the import. A cell that a spreadsheet would take for a formula begins " +
			"with an apostrophe, which the import takes away.",
		Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.exportCatalogue)
}

type importInput struct {
	StoreInput
	Mode    string `query:"mode" enum:"all,good" default:"all" doc:"all: nothing is stored where a line is wrong; good: the other lines are stored."`
	RawBody []byte `contentType:"text/csv" doc:"The file."`
}

type importReport struct {
	Rows   int          `json:"rows" doc:"How many lines the file has, without its header."`
	Stored int          `json:"stored" doc:"How many of them are in the catalogue now."`
	Faulty int          `json:"faulty" doc:"How many are wrong, and are not stored."`
	Faults []importFlaw `json:"faults" doc:"What is wrong with them; the first 500."`
}

type importFlaw struct {
	Line   int    `json:"line" doc:"The line of the file; the header is line 1."`
	Column string `json:"column" doc:"The column."`
	Detail string `json:"detail" doc:"What is wrong there."`
}

type importOutput struct{ Body importReport }

func (o *service) importCatalogue(ctx context.Context, in *importInput,
	found commercemodel.Store) (*importOutput, error) {
	report, err := o.shop.Catalogue.Import(ctx, found, in.RawBody, in.Mode == "all")
	if err != nil {
		return nil, err
	}
	shown := importReport{Rows: report.Rows, Stored: report.Stored, Faulty: report.Faulty, Faults: []importFlaw{}}
	for _, f := range report.Faults {
		shown.Faults = append(shown.Faults, importFlaw(f))
	}
	return &importOutput{shown}, nil
}

type fileOutput struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

// csvFile is a CSV file as an answer.
func csvFile(name string, content []byte) *fileOutput {
	return &fileOutput{csvType + "; charset=utf-8", `attachment; filename="` + name + `"`, content}
}

func (o *service) exportCatalogue(ctx context.Context, in *StoreInput) (*fileOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := o.shop.Catalogue.Export(ctx, store.ID, &file); err != nil {
		return nil, err
	}
	return csvFile("catalogue.csv", file.Bytes()), nil
}
