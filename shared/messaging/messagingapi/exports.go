package messagingapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) exports() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: exportPerson, Method: http.MethodPost, Path: "/v1/exports", Tags: []string{"Customers"},
		Summary: "Export a person by an address of theirs", Security: httpapi.Needs(httpapi.CustomersErase),
		Errors: []int{http.StatusNotFound},
		Description: "Answers what is kept of the person who has an address now, at each of your numbers, whether " +
			"they have ever written or not: the answer to a request for one's data. It holds whatever an erasure by " +
			"the same address would reach, and what an erasure would keep. It takes the same right as an erasure.\n\n" +
			"The answer is a page. Repeat the call with the same body and the cursor of each page until a page has " +
			"none. What comes or goes between two pages may be missing or there. A record is an object as it is " +
			"stored, with the names of its attributes. The files of messages are read one by one, by the mediaId of " +
			"a file. The last page says what is kept of the person and not exported, and why.\n\n" +
			"The first page leaves an audit record for each number, in the list of the conversation's, which names " +
			"the person by a hash.",
	}, o.exportablePerson, o.exportPerson)
}

type exportPersonInput struct {
	httpapi.Page
	Body struct {
		TenantID string `json:"tenantId,omitempty" maxLength:"512" doc:"One of your tenants; leave it out for your first."`
		Address  string `json:"address" minLength:"1" maxLength:"254" doc:"The person's phone number with its country code, Meta's user id of them, or their email address." example:"+919876543210"`
		Reason   string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why. It stays in the audit record: name nobody." example:"The customer asked for it."`
	}
}

type exportedRecord struct {
	Domain        string              `json:"domain" example:"khata" doc:"Which domain keeps it."`
	Kind          string              `json:"kind" example:"khataEntry" doc:"What it is."`
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId,omitempty" doc:"Which of your numbers it belongs to; absent where it belongs to none, and email for what is known by an email address."`
	Data          json.RawMessage     `json:"data" doc:"The object as it is stored."`
}

type exportPersonOutput struct {
	Body struct {
		Items   []exportedRecord `json:"items" doc:"The page; never null. It may be empty and not the last."`
		Cursor  string           `json:"cursor,omitempty" doc:"For the next page; absent on the last."`
		LeftOut []keptOfThem     `json:"leftOut,omitempty" doc:"On the last page: what is kept of the person and not exported, and why."`
	}
}

// exportPerson is the operation's id, and the action of its audit records.
const exportPerson = "export-person"

// exportTime is how much of an invocation must be left to read on.
const exportTime = 8 * time.Second

// exportable is a person's export, from the page that is asked for.
type exportable struct {
	person export.Person
	list   operations.List
}

// exportablePerson finds a person whom the caller may export. The operation stores its audit records itself: one for
// each number.
func (o *service) exportablePerson(ctx context.Context,
	in *exportPersonInput) (of exportable, about operations.Subject, err error) {
	if of.person, err = o.ownPerson(ctx, in.Body.TenantID, in.Body.Address); err != nil {
		return of, about, err
	}
	of.list, err = operations.PageOf(in.Page, exportPerson, string(of.person.Tenant), in.Body.Address)
	return of, about, err
}

// recordExport records that the export of a person begins, in the records of each conversation that is theirs or could
// be.
func (o *service) recordExport(ctx context.Context, of export.Person, reason string) error {
	by, err := o.Actor(ctx)
	if err != nil {
		return err
	}
	for _, named := range of.At {
		err := o.Audit.RecordRequest(ctx, audit.Draft{
			Action: exportPerson, Tenant: of.Tenant, By: by, Reason: reason,
			Target: erasure.ConversationTarget(of.Tenant, named.Phone, named.Customer),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *service) exportPerson(ctx context.Context, in *exportPersonInput, of exportable) (*exportPersonOutput, error) {
	if in.Cursor == "" {
		if err := o.recordExport(ctx, of.person, in.Body.Reason); err != nil {
			return nil, err
		}
	}
	records, next, err := o.rooms.Exports.Page(ctx, of.person, of.list.After, in.Limit,
		func() bool { return invocation.HasMore(ctx, exportTime) })
	if errors.Is(err, export.ErrPlace) { // its list or number is gone
		return nil, httpapi.InvalidCursor("query.cursor")
	}
	if err != nil {
		return nil, err
	}
	out := &exportPersonOutput{}
	out.Body.Items, out.Body.Cursor = []exportedRecord{}, of.list.Position(next).Cursor()
	for _, r := range records {
		out.Body.Items = append(out.Body.Items, exportedRecord(r))
	}
	if next == "" {
		for _, left := range o.rooms.Exports.LeftOut() {
			out.Body.LeftOut = append(out.Body.LeftOut, keptOfThem{What: left.What, Why: left.Why})
		}
	}
	return out, nil
}
