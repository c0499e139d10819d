package conversationsapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) open() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "begin-conversation", Method: http.MethodPost, Path: projectPath + "/conversations",
		Tags: []string{conversationsTag}, Summary: "Begin a conversation", DefaultStatus: http.StatusAccepted,
		Description: "The opening message of the project goes to the person on the channel, and their replies belong " +
			"to the conversation. It is refused, and nothing is stored, without consent, with an inactive company or " +
			"project, on a channel that the project does not allow or on which either side has no address, and to a " +
			"person who has opted out.",
		Security: httpapi.Needs(httpapi.ConversationsSend), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *beginInput) (conversationsmodel.Company, operations.Subject, error) {
		c, _, err := o.project(ctx, in.ProjectInput, httpapi.Caller.Owns)
		return c, subject(c.TenantID, targetConversation, in.CompanyID, in.ProjectID, in.Body.RequestID), err
	}, o.begin)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "begin-conversations", Method: http.MethodPost, Path: projectPath + "/conversation-batches",
		Tags: []string{conversationsTag}, Summary: "Begin up to 1,000 conversations",
		Description: "The answer has a line for each, in their order: begun, refused and why, or not_done if there " +
			"was no time left. Send the same batch with the same key again until no line is not_done: no line is " +
			"done twice.",
		MaxBodyBytes: 2 << 20,
		Security:     httpapi.Needs(httpapi.ConversationsSend), Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *batchInput) (conversationsmodel.Company, operations.Subject, error) {
		c, _, err := o.project(ctx, in.ProjectInput, httpapi.Caller.Owns)
		return c, subject(c.TenantID, targetProject, in.CompanyID+"/"+in.ProjectID), err
	}, o.beginAll)
}

// Recipient is the person with whom a conversation begins.
type Recipient struct {
	Tel       string `json:"tel,omitempty" maxLength:"40" example:"+447123456789" doc:"Their number with its country code."`
	Email     string `json:"email,omitempty" maxLength:"254" doc:"Their email address."`
	FirstName string `json:"firstName,omitempty" maxLength:"120" doc:"What they are called."`
	LastName  string `json:"lastName,omitempty" maxLength:"120" doc:"Their family's name."`
}

// ConversationRequest asks for a conversation.
type ConversationRequest struct {
	RequestID   string    `json:"requestId" maxLength:"64" example:"req123" doc:"Your own id of what it is about, of letters, digits, dots, underscores and hyphens: one conversation for each request and person."`
	Channel     string    `json:"channel" enum:"whatsapp,sms,email" doc:"On which channel."`
	Recipient   Recipient `json:"recipient" doc:"With whom."`
	ProjectData Object    `json:"projectData,omitempty" doc:"What the conversation is about: any members, 1 KB at most."`
	Consent     bool      `json:"consent,omitempty" doc:"Whether the person has consented to be written to."`
	RequestedAt string    `json:"requestedAt,omitempty" format:"date-time" maxLength:"40" doc:"When your own system was asked."`
}

func (r ConversationRequest) row() opening.Row {
	return opening.Row{
		RequestID: r.RequestID, Channel: r.Channel, Tel: r.Recipient.Tel, Email: r.Recipient.Email,
		FirstName: r.Recipient.FirstName, LastName: r.Recipient.LastName, RequestedAt: r.RequestedAt,
		Consent: r.Consent, Data: r.ProjectData.document(),
	}
}

type beginInput struct {
	ProjectInput
	operations.Keyed
	Body ConversationRequest
}

func (o *service) begin(ctx context.Context, in *beginInput, c conversationsmodel.Company) (*talkOutput, error) {
	line, err := lineOf(c, in.ProjectInput, in.IdempotencyKey, in.Body.row())
	if err == nil {
		err = line.Wrong
	}
	if err != nil {
		return nil, err
	}
	return talkAnswer(o.Opening.Open(ctx, line.Request, line.Key))
}

// lineOf returns what a row asks for, with the key of the request.
func lineOf(c conversationsmodel.Company, in ProjectInput, key string, row opening.Row) (line opening.Line, err error) {
	project, err := conversationsmodel.ParseID(in.ProjectID)
	if err != nil {
		return line, err
	}
	line.Request, line.Wrong = row.Parse(c.TenantID, c.Company, project)
	line.Key, err = idempotency.NewRequest(idempotency.API, c.TenantID, string(c.Company), "begin-conversation", key,
		[]any{in.ProjectID, row})
	return line, err
}

type batchInput struct {
	ProjectInput
	operations.Keyed
	Body struct {
		Conversations []ConversationRequest `json:"conversations,omitempty" maxItems:"1000" doc:"The lines."`
		CSV           string                `json:"csv,omitempty" maxLength:"1500000" example:"request_id,channel,tel,consent,data.job_ref\nreq1,sms,+447123456789,yes,JR1" doc:"The lines as CSV, in place of conversations. The first line names the columns: request_id, channel, tel, email, first_name, last_name, consent (yes), requested_at, and data.name for a value of projectData."`
	}
}

type batchLine struct {
	Line      int    `json:"line" doc:"The number of the line, from 1."`
	RequestID string `json:"requestId" doc:"As it was sent."`
	Outcome   string `json:"outcome" enum:"begun,refused,not_done" doc:"What has become of it."`
	ID        string `json:"id,omitempty" doc:"The conversation's id."`
	Code      string `json:"code,omitempty" doc:"Why it is refused, in a word."`
	Detail    string `json:"detail,omitempty" doc:"Why it is refused."`
}

type batchOutput struct {
	Body struct {
		Begun   int         `json:"begun" doc:"How many lines have begun a conversation, by this request or an earlier one with its key."`
		Refused int         `json:"refused" doc:"How many lines are refused."`
		NotDone int         `json:"notDone" doc:"How many lines are left: send the same batch again."`
		Lines   []batchLine `json:"lines" doc:"What has become of each line."`
	}
}

func (o *service) beginAll(ctx context.Context, in *batchInput, c conversationsmodel.Company) (*batchOutput, error) {
	rows := make([]opening.Row, 0, len(in.Body.Conversations))
	for _, one := range in.Body.Conversations {
		rows = append(rows, one.row())
	}
	if (in.Body.CSV == "") == (len(rows) == 0) {
		return nil, httpapi.Invalid("body", "it has either conversations or csv")
	}
	if in.Body.CSV != "" {
		var err error
		if rows, err = opening.ReadCSV(in.Body.CSV); err != nil {
			return nil, err
		}
	}
	lines := make([]opening.Line, len(rows))
	for i, row := range rows {
		// one key for each line: the batch may be sent again with some lines done
		key := idempotency.Hash(in.IdempotencyKey, row.RequestID, row.Channel, row.Tel, row.Email)
		var err error
		if lines[i], err = lineOf(c, in.ProjectInput, key, row); err != nil {
			return nil, err
		}
	}
	if _, err := o.Companies.Project(ctx, c.Company, model.Name(in.ProjectID)); err != nil {
		return nil, err
	}
	outcomes, failed := o.Opening.OpenAll(ctx, lines)
	if failed != nil {
		return nil, failed // the other lines are done, and the same batch again goes on
	}
	out := &batchOutput{}
	counts := map[string]*int{
		opening.Begun: &out.Body.Begun, opening.Refused: &out.Body.Refused, opening.NotDone: &out.Body.NotDone}
	for i, one := range outcomes {
		*counts[one.Outcome]++
		out.Body.Lines = append(out.Body.Lines, batchLine{
			i + 1, rows[i].RequestID, one.Outcome, one.Conversation.ConversationID, one.Code, one.Detail})
	}
	return out, nil
}
