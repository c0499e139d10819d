package khataapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/khata"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/paycode"
	"github.com/haatline/haatline/shared/khata/reminders"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
	"github.com/haatline/haatline/shared/problem"
)

func (o *service) reminders() {
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-reminders", Method: http.MethodGet, Path: path + "/reminders", Tags: []string{khataTag},
		Summary: "List a store's reminders",
		Description: "Those of a status, the latest first. A reminder is kept for seven days. The list may be " +
			"behind by a moment.",
		Security: httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound},
	}, o.listReminders)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "cancel-reminder", Method: http.MethodPost, Path: path + "/reminders/{reminderId}/cancel",
		Tags:        []string{khataTag},
		Summary:     "Cancel a reminder that was not sent yet",
		Description: "The customer's next reminder comes as planned. Repeating the request changes nothing.",
		Security:    httpapi.Needs(httpapi.KhataAdd), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *reminderInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetReminder, in.ReminderID)
	}, o.cancelReminder)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "remind-customer", Method: http.MethodPost, Path: path + "/customers/{customer}/remind",
		Tags:    []string{khataTag},
		Summary: "Remind a customer now",
		Description: "The reminder goes within five minutes, or when the store opens next; once a day at most. " +
			"Those that are planned stay as they are.",
		Security:      httpapi.Needs(httpapi.KhataAdd),
		Errors:        []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity},
		DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *remindInput) (khata.Shop, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetAccount, account(in.StoreID, in.Customer))
	}, o.remind)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-payment-qr", Method: http.MethodGet, Path: path + "/customers/{customer}/payment-qr",
		Tags:        []string{khataTag},
		Summary:     "Get a QR code by which a customer pays what they owe",
		Description: "A picture of a UPI link, with the store's UPI address and the amount.",
		Security:    httpapi.Needs(httpapi.KhataRead), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, o.paymentQR)
}

const targetReminder = "khata_reminder"

type reminderShown struct {
	ID            string           `json:"id" doc:"The reminder's id."`
	Customer      string           `json:"customer" doc:"The number, or Meta's user id."`
	Status        string           `json:"status" doc:"scheduled, sent, failed or cancelled. Sent means handed over for sending; the message says how far it has come."`
	Reason        string           `json:"reason,omitempty" doc:"Why it failed, was cancelled, or is tried again: as words, such as paid, opted_out, number_passed_on or amount_changed, or what WhatsApp said."`
	Amount        operations.Money `json:"amount" doc:"What was owed when it was sent; until then, when it was planned."`
	ScheduledAt   string           `json:"scheduledAt" doc:"When it is sent."`
	SentAt        string           `json:"sentAt,omitempty" doc:"When it was handed over for sending."`
	Channel       string           `json:"channel" doc:"whatsapp or sms."`
	Language      string           `json:"language" doc:"In which language."`
	Frequency     string           `json:"frequency" doc:"Whose period it is for; once for one that a person has asked for."`
	Retries       int              `json:"retries" doc:"How often it could not be sent so far."`
	MessageID     string           `json:"messageId,omitempty" doc:"The WhatsApp message."`
	OutboxEventID string           `json:"outboxEventId,omitempty" doc:"The event that sends it."`
}

func showReminder(r khatamodel.Reminder, customer string) reminderShown {
	shown := reminderShown{
		ID: string(r.ReminderID), Customer: customer, Status: string(r.Status),
		Amount: operations.MoneyOf(r.OutstandingAmount), ScheduledAt: string(r.ScheduledAt),
		Channel: string(r.ReminderType), Language: r.Language, Frequency: string(r.Frequency), Retries: r.RetryCount,
		MessageID: string(r.MessageID), OutboxEventID: r.OutboxEventID,
	}
	if r.FailureReason != nil {
		shown.Reason = *r.FailureReason
	}
	if r.SentAt != nil {
		shown.SentAt = string(*r.SentAt)
	}
	return shown
}

func ofReminder(r khatamodel.Reminder) model.Name { return r.CustomerPhone }

// reminder returns an answer with a reminder.
func (o *service) reminder(ctx context.Context, store khata.Shop, r khatamodel.Reminder,
	err error) (*reminderOutput, error) {
	if err != nil {
		return nil, err
	}
	show, err := shownAs(ctx, o, store, []khatamodel.Reminder{r}, ofReminder, showReminder)
	if err != nil {
		return nil, err
	}
	return &reminderOutput{show(r)}, nil
}

type (
	reminderOutput     struct{ Body reminderShown }
	reminderListOutput struct{ Body httpapi.List[reminderShown] }
)

type listRemindersInput struct {
	StoreInput
	httpapi.Page
	Status string `query:"status" enum:"scheduled,sent,failed,cancelled" default:"scheduled" doc:"Of which status."`
}

func (o *service) listReminders(ctx context.Context, in *listRemindersInput) (*reminderListOutput, error) {
	store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "reminders", in.StoreID, in.Status)
	if err != nil {
		return nil, err
	}
	rows, err := o.khata.Reminders.List(ctx, store.ID, khatamodel.ReminderStatus(in.Status), in.Probe(), l.After)
	if err != nil {
		return nil, err
	}
	rows, next := httpapi.Cut(in.Page, rows,
		func(r khatamodel.Reminder) httpapi.Position { return l.Position(reminders.Place(r)) })
	show, err := shownAs(ctx, o, store, rows, ofReminder, showReminder)
	if err != nil {
		return nil, err
	}
	return &reminderListOutput{operations.ListOf(rows, show, next)}, nil
}

type reminderInput struct {
	StoreInput
	ReminderID string `path:"reminderId" maxLength:"64" doc:"The reminder's id."`
}

func (o *service) cancelReminder(ctx context.Context, in *reminderInput, store khata.Shop) (*reminderOutput, error) {
	id, err := model.Parse[model.Name](in.ReminderID)
	if err != nil {
		return nil, err
	}
	one, err := o.khata.Reminders.Cancel(ctx, store.ID, id)
	return o.reminder(ctx, store, one, err)
}

type remindInput struct {
	CustomerInput
	IdempotencyKey string `header:"Idempotency-Key" required:"true" minLength:"1" maxLength:"255" doc:"Make one up for each reminder. Repeating a request with its key reminds nobody again, for a day."`
}

func (o *service) remind(ctx context.Context, in *remindInput, store khata.Shop) (*reminderOutput, error) {
	name, err := o.named(ctx, store, in.Customer, "path.customer")
	if err != nil {
		return nil, err
	}
	request, err := requestAtStore(store, "khata-reminder", in.IdempotencyKey, name)
	if err != nil {
		return nil, err
	}
	one, err := o.khata.Reminders.Ask(ctx, store, name, request)
	return o.reminder(ctx, store, one, err)
}

var errNoAddress = errors.New("the store has no UPI address")

func (o *service) paymentQR(ctx context.Context, in *CustomerInput) (*fileOutput, error) {
	store, name, err := o.customer(ctx, *in, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	b, err := o.khata.Ledger.Balance(ctx, store.ID, name)
	switch {
	case err != nil:
		return nil, err
	case !b.OutstandingBalance.IsPositive():
		return nil, problem.Breaks(reminders.ErrNothingOwed, "nothing-owed", "Nothing is owed",
			"The customer owes nothing.")
	case !reminders.Payable(store):
		return nil, problem.Breaks(errNoAddress, "no-upi-address", "No UPI address",
			"The store has no UPI address, or takes no rupees. Its settings hold the address.")
	}
	picture, err := paycode.PNG(reminders.Payment(store, b.OutstandingBalance).Link())
	return &fileOutput{"image/png", `inline; filename="payment.png"`, picture}, err
}
