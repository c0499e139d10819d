package opening

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
)

// ErrFile means that a file is no batch.
var ErrFile = errors.New("the file cannot be read")

// columns are those of a file with a batch. A column data.{name} is a value of project_data.
var columns = []string{"request_id", "channel", "tel", "email", "first_name", "last_name", "consent", "requested_at"}

// Row is one line of a batch as somebody has written it.
type Row struct {
	RequestID, Channel, Tel, Email, FirstName, LastName, RequestedAt string
	Consent                                                          bool
	Data                                                             model.Document
}

// ReadCSV reads the rows of a file with a batch. Its first line names the columns. It returns ErrFile.
func ReadCSV(text string) ([]Row, error) {
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	reader.FieldsPerRecord, reader.TrimLeadingSpace = -1, true
	names, err := reader.Read()
	if err != nil {
		return nil, wrongFile(1, "it has no line with the names of the columns")
	}
	for i, name := range names {
		names[i] = strings.ToLower(strings.TrimSpace(name))
		if !slices.Contains(columns, names[i]) && !strings.HasPrefix(names[i], "data.") {
			return nil, wrongFile(1, fmt.Sprintf("there is no column %q", model.Truncate(name, 40)))
		}
		if slices.Contains(names[:i], names[i]) {
			return nil, wrongFile(1, fmt.Sprintf("the column %q is there twice", names[i]))
		}
	}
	var rows []Row
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		var broken *csv.ParseError
		if errors.As(err, &broken) {
			return nil, wrongFile(broken.StartLine, "it is no CSV")
		}
		if err != nil {
			return nil, err
		}
		line, _ := reader.FieldPos(0)
		switch {
		case len(cells) > len(names):
			return nil, wrongFile(line, "it has more cells than there are columns")
		case len(rows) == MaxBatch:
			return nil, wrongFile(line, fmt.Sprintf("a batch has at most %d lines", MaxBatch))
		}
		rows = append(rows, rowOf(names, cells))
	}
}

func wrongFile(line int, why string) error {
	return problem.Wrong(ErrFile, "body.csv", "line %d: %s", line, why)
}

// rowOf returns the row of a line. An empty cell says nothing.
func rowOf(names, cells []string) (r Row) {
	data := map[string]string{}
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		if name, is := strings.CutPrefix(names[i], dataColumn); is && cell != "" {
			data[name] = cell
		}
		switch names[i] {
		case "request_id":
			r.RequestID = cell
		case "channel":
			r.Channel = strings.ToLower(cell)
		case "tel":
			r.Tel = cell
		case "email":
			r.Email = cell
		case "first_name":
			r.FirstName = cell
		case "last_name":
			r.LastName = cell
		case "consent":
			r.Consent = slices.Contains([]string{"true", "yes", "1"}, strings.ToLower(cell))
		case "requested_at":
			r.RequestedAt = cell
		}
	}
	if len(data) > 0 {
		r.Data, _ = json.Marshal(data) // texts can always be encoded
	}
	return r
}

const dataColumn = "data."

// ErrRow means that a row of a batch cannot be read.
var ErrRow = errors.New("the row cannot be read")

// Parse returns what a row asks for in a project. It returns ErrRow for an id or an address that is none.
func (r Row) Parse(tenant model.TenantID, company, project model.Name) (Request, error) {
	request := Request{
		Tenant: tenant, Company: company, Project: project, Channel: model.Channel(r.Channel),
		FirstName: r.FirstName, LastName: r.LastName, Data: r.Data, Consent: r.Consent, At: r.RequestedAt,
	}
	var err error
	if request.ID, err = conversationsmodel.ParseID(r.RequestID); err != nil {
		return request, problem.Wrong(ErrRow, "body.requestId",
			"not 1 to 64 letters, digits, dots, underscores and hyphens")
	}
	if r.Tel != "" {
		if request.Tel, err = conversationsmodel.ParseNumber(r.Tel); err != nil {
			return request, problem.Wrong(ErrRow, "body.recipient.tel", "not a phone number with its country code")
		}
	}
	if r.Email != "" {
		if request.Email, err = conversationsmodel.ParseEmail(r.Email); err != nil {
			return request, problem.Wrong(ErrRow, "body.recipient.email", "not an email address, or one with a #")
		}
	}
	return request, nil
}
