package communityapi

import (
	"context"
	"net/http"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/reports"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

const moderationTag = "Moderation"

func (o *service) moderation() {
	change(o, creates(op(http.MethodPost, "/chats/{kind}/{chatId}/messages/{messageId}/reports", "report-chat-message",
		moderationTag, "Report a message to the moderators",
		"Once a person and message. A message of a private chat is reported to the community where the two have met: "+
			"its moderators then see this message.", missing, conflict)),
		o.report)
	change(o, quiet(op(http.MethodPost, "/group-chats/{chatId}/messages/{messageId}/hide", "hide-chat-message",
		moderationTag,
		"Remove a message", "For the community's moderators. An audit record is kept.", missing, conflict)), o.hide)
	read(o, op(http.MethodGet, "/communities/{communityId}/reports", "list-reports", moderationTag,
		"List the reports of a community", "For its moderators. A page may be short.", missing), o.listReports)
	change(o, op(http.MethodPost, "/communities/{communityId}/reports/{reportId}/handle", "handle-report",
		moderationTag, "Decide a report", "For its moderators. The first decision counts. The message's author "+
			"decides only that it goes, unless nobody else moderates.", missing, conflict), o.handleReport)
}

type communityReport struct {
	ID        string `json:"id" doc:"The report's id."`
	ChatKind  string `json:"chatKind" enum:"group,private" doc:"Which kind of chat."`
	ChatID    string `json:"chatId" doc:"The chat."`
	MessageID string `json:"messageId" doc:"The message."`
	By        string `json:"by,omitempty" doc:"Who has reported it. It is left out for the message's author."`
	Reason    string `json:"reason" enum:"spam,abuse,danger,fraud,other" doc:"Why."`
	CreatedAt string `json:"createdAt" doc:"When."`
	Handled   string `json:"handledAt,omitempty" doc:"When it was decided."`
	HandledBy string `json:"handledBy,omitempty" doc:"Who has decided it."`

	Message *chatMessage `json:"message,omitempty" doc:"The message as it is now, in a list for moderators."`
}

func showReport(r communitymodel.Report) communityReport {
	return communityReport{
		ID: string(r.ID), ChatKind: string(r.ChatKind), ChatID: string(r.ChatID), MessageID: string(r.MessageID),
		By: string(r.By), Reason: r.Reason, CreatedAt: string(r.CreatedAt), Handled: string(r.Handled),
		HandledBy: string(r.HandledBy),
	}
}

func showReported(r reports.Reported) communityReport {
	shown := showReport(r.Report)
	if r.Message.ID != "" {
		m := showMessage(r.Message)
		shown.Message = &m
	}
	return shown
}

type reportOutput struct{ Body communityReport }

// GroupMessageInput names a message of a group chat.
type GroupMessageInput struct {
	ChatIDInput
	MessageID string `path:"messageId" maxLength:"200" doc:"The message's id."`
}

type reportInput struct {
	ChatInput
	MessageID string `path:"messageId" maxLength:"200" doc:"The message's id."`
	Body      struct {
		Reason string `json:"reason" enum:"spam,abuse,danger,fraud,other" doc:"Why."`
	}
}

func (o *service) report(ctx context.Context, in *reportInput, by communitymodel.User) (*reportOutput, error) {
	r, err := o.Domain.Reports.Report(ctx, in.ref(), model.Name(in.MessageID), by, in.Body.Reason)
	return &reportOutput{showReport(r)}, err
}

func (o *service) hide(ctx context.Context, in *GroupMessageInput, by communitymodel.User) (*done, error) {
	return nil, o.Domain.Reports.Hide(ctx, in.id(), model.Name(in.MessageID), by, actorOf(ctx, by))
}

type listReportsInput struct {
	CommunityInput
	httpapi.Page
	Open bool `query:"open" doc:"Only those that are not decided."`
}

type reportListOutput struct{ Body httpapi.List[communityReport] }

func (o *service) listReports(ctx context.Context, in *listReportsInput, by communitymodel.User) (
	*reportListOutput, error) {
	l, err := operations.PageOf(in.Page, "reports", in.CommunityID, which(in.Open))
	if err != nil {
		return nil, err
	}
	rows, next, err := o.Domain.Reports.List(ctx, in.id(), by, in.Open, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &reportListOutput{operations.ListOf(rows, showReported, l.Position(next))}, nil
}

type handleReportInput struct {
	CommunityInput
	ReportID string `path:"reportId" maxLength:"200" doc:"The report's id."`
	Body     struct {
		Hide bool `json:"hide" doc:"Whether the message is removed. Otherwise it stays."`
	}
}

func (o *service) handleReport(ctx context.Context, in *handleReportInput, by communitymodel.User) (
	*reportOutput, error) {
	r, err := o.Domain.Reports.Handle(ctx, in.id(), model.Name(in.ReportID), by, in.Body.Hide, actorOf(ctx, by))
	return &reportOutput{showReport(r)}, err
}
