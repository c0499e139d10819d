package conversationsapi

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/faq"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/operations"
)

const questionsPath = projectPath + "/questions"

func (o *service) questions() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-questions", Method: http.MethodGet, Path: questionsPath, Tags: []string{companiesTag},
		Summary:     "Get a project's list of questions as CSV",
		Description: "With the columns id, question, answer and language, as set-questions takes it.",
		Security:    httpapi.Needs(httpapi.ConversationsRead), Errors: []int{http.StatusNotFound},
	}, o.getQuestions)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-questions", Method: http.MethodPut, Path: questionsPath, Tags: []string{companiesTag},
		Summary: "Set a project's list of questions",
		Description: "The assistant answers with the words of this list. A CSV file with the columns id, question, " +
			"answer and language; lines with the same id are one answer in several languages; a question may have " +
			"several ways to ask, a row each. It replaces the list before as a whole, or nothing where a line is " +
			"wrong. At most 2,000 entries.",
		Security: httpapi.Needs(httpapi.ConversationsManage),
		Errors:   []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setQuestionsInput) (conversationsmodel.Project, operations.Subject, error) {
		c, id, err := o.project(ctx, in.ProjectInput, httpapi.Caller.Owns)
		if err == nil {
			_, err = o.Companies.Project(ctx, c.Company, id)
		}
		return conversationsmodel.Project{Company: c.Company, Project: id},
			subject(c.TenantID, targetProject, in.CompanyID+"/"+in.ProjectID), err
	}, o.setQuestions)
}

type questionsFile struct {
	ContentType        string `header:"Content-Type"`
	ContentDisposition string `header:"Content-Disposition"`
	Body               []byte
}

func (o *service) getQuestions(ctx context.Context, in *ProjectInput) (*questionsFile, error) {
	c, id, err := o.project(ctx, *in, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	if _, err := o.Companies.Project(ctx, c.Company, id); err != nil {
		return nil, err
	}
	entries, err := o.faq.Get(ctx, c.Company, id)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	err = faq.Write(&file, entries)
	return &questionsFile{"text/csv; charset=utf-8", `attachment; filename="questions.csv"`, file.Bytes()}, err
}

type setQuestionsInput struct {
	ProjectInput
	RawBody []byte `contentType:"text/csv" doc:"The file."`
}

type questionsOutput struct {
	Body struct {
		Entries int `json:"entries" doc:"How many entries the list has now."`
	}
}

func (o *service) setQuestions(ctx context.Context, in *setQuestionsInput,
	p conversationsmodel.Project) (*questionsOutput, error) {
	company, err := o.Companies.Get(ctx, p.Company)
	if err != nil {
		return nil, err
	}
	entries, err := faq.Read(bytes.NewReader(in.RawBody))
	if err == nil {
		err = dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
			return o.faq.Set(ctx, company.TenantID, p.Company, p.Project, entries)
		})
	}
	if errors.Is(err, faq.ErrInvalid) {
		return nil, httpapi.Invalid("body", err.Error())
	}
	out := &questionsOutput{}
	out.Body.Entries = len(entries)
	return out, err
}
