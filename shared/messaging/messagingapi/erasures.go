package messagingapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/invocation"
	"github.com/haatline/haatline/shared/mailaddress"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) erasures() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "erase-person", Method: http.MethodPost, Path: "/v1/erasures", Tags: []string{"Customers"},
		Summary: "Erase a person by an address of theirs", Security: httpapi.Needs(httpapi.CustomersErase),
		Errors: []int{http.StatusNotFound, http.StatusConflict},
		Description: "Erases the person who has an address now, at each of your numbers, whether they have ever " +
			"written or " +
			"not: their conversations, and what cards, shops and credit books keep of them. Otherwise it is as " +
			"the erasure " +
			"of a conversation's customer: repeat it until it answers complete. What has been kept of " +
			"somebody without a " +
			"conversation since then is erased by the same call.",
	}, o.erasablePerson, o.erasePerson)
}

type erasePersonInput struct {
	Body struct {
		TenantID   string `json:"tenantId,omitempty" maxLength:"512" doc:"One of your tenants; leave it out for your first."`
		Address    string `json:"address" minLength:"1" maxLength:"254" doc:"The person's phone number with its country code, Meta's user id of them, or their email address. What goes by email is erased by the email address alone." example:"+919876543210"`
		Reason     string `json:"reason" minLength:"1" maxLength:"500" pattern:"\\S" doc:"Why. It stays in the audit record: name nobody." example:"The customer asked for it."`
		OpenOrders string `json:"openOrders,omitempty" enum:"cancel,keep" doc:"What becomes of open orders, as for the erasure of a conversation's customer."`
	}
}

type erasureAt struct {
	PhoneNumberID model.PhoneNumberID `json:"phoneNumberId" doc:"Which of your numbers knew the person, or could have; email for an email address."`
	Erasure
}

type erasuresOutput struct {
	Body struct {
		Complete bool        `json:"complete" doc:"Whether all is erased; if not, repeat the call."`
		Erasures []erasureAt `json:"erasures" doc:"What was erased, number by number."`
	}
}

// erasureTime is how much of an invocation must be left to begin the erasure at one more number.
const erasureTime = 10 * time.Second

// erasablePerson finds a person whom the caller may erase. The erasures' own records count what they erase.
func (o *service) erasablePerson(ctx context.Context,
	in *erasePersonInput) (of export.Person, about operations.Subject, err error) {
	of, err = o.ownPerson(ctx, in.Body.TenantID, in.Body.Address)
	return of, about, err
}

// ownPerson finds the person who has an address now, at each number of a tenant that is the caller's own.
func (o *service) ownPerson(ctx context.Context, tenant, address string) (of export.Person, err error) {
	if of.Tenant, err = ownTenant(ctx, tenant); err != nil {
		return of, err
	}
	if email, err := mailaddress.Parse(address); err == nil {
		person, err := model.Parse[model.CustomerID](email)
		if err != nil {
			return of, httpapi.Invalid("body.address", "an email address with a #, which nothing is kept under")
		}
		of.At = []export.Named{{Phone: model.ByEmail, Customer: person}}
		return of, nil
	}
	phones, err := o.rooms.Phones(ctx, of.Tenant)
	if err != nil {
		return of, err
	}
	for _, phone := range phones {
		id := phone.PhoneNumberID
		key, err := o.rooms.Named(ctx, []model.PhoneNumberID{id}, "", address)
		if errors.Is(err, contacts.ErrNobody) {
			return of, httpapi.Invalid("body.address",
				"neither a phone number with its country code, nor a user id of Meta's, nor an email address")
		}
		if err != nil {
			return of, err
		}
		of.At = append(of.At, export.Named{Phone: id, Customer: key})
	}
	return of, nil
}

func (o *service) erasePerson(ctx context.Context, in *erasePersonInput, of export.Person) (*erasuresOutput, error) {
	by, err := o.Actor(ctx)
	if err != nil {
		return nil, err
	}
	out := &erasuresOutput{}
	out.Body.Complete, out.Body.Erasures = true, []erasureAt{}
	for i, named := range of.At {
		if i > 0 && !invocation.HasMore(ctx, erasureTime) {
			out.Body.Complete = false // the caller repeats the call, and what is erased answers at once
			break
		}
		done, err := o.rooms.Erase(ctx, erasure.Request{
			Tenant: of.Tenant, Phone: named.Phone, Customer: named.Customer, By: by, Reason: in.Body.Reason,
			OpenOrders: erasure.OpenOrders(in.Body.OpenOrders), Unwritten: true,
		})
		if err != nil {
			return nil, err
		}
		o.Log.InfoContext(ctx, "erased", "audit", done.AuditID, "complete", done.CompletedAt != "")
		out.Body.Complete = out.Body.Complete && done.CompletedAt != ""
		out.Body.Erasures = append(out.Body.Erasures, erasureAt{named.Phone, showErasure(done)})
	}
	return out, nil
}
