package messagingapi

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/httpapi/apitest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestATokenWithoutASubjectIsNone(t *testing.T) {
	w := newWorld(t)
	nobody := operator("tenant-1")
	nobody.Subject = ""
	w.get(nobody, "/v1/conversations", nil).WantProblem(t, http.StatusUnauthorized)
}

// withoutAudit is a dump without the records of what was asked for: in one's own tenant everything that is asked for
// leaves one.
func withoutAudit(dump map[string]map[string]map[string]any) map[string]map[string]map[string]any {
	delete(dump, tables.AuditLogs.ID)
	return dump
}

func TestTheDescriptionNeedsNoTokenAndNamesEveryOperation(t *testing.T) {
	w := newWorld(t)
	var described struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ OperationID string }
	}
	w.get(nil, "/openapi.json", nil).Want(t, http.StatusOK, &described)
	var ids []string
	for _, methods := range described.Paths {
		for _, op := range methods {
			ids = append(ids, op.OperationID)
		}
	}
	slices.Sort(ids)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(apitest.Operations(w.api))), ids); diff != "" ||
		!strings.HasPrefix(described.OpenAPI, "3.1") {
		t.Errorf("OpenAPI %s:\n%s", described.OpenAPI, diff)
	}
}

// Under a default tenant, whatever nobody has would be its own, were any text a number.
func TestATextThatIsNoNumberIsNobodysAndIsNeverClaimed(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	w.rooms.DefaultTenant = model.TenantID(a.tenant)
	before := w.db.Dump(t)
	unknown := w.get(operator(a.tenant), "/v1/conversations/700000000000009:"+a.customer, nil)
	for _, phone := range []string{
		" " + a.phone, "+" + a.phone, a.phone + " ", a.phone + ".0", "0" + a.phone, "me", "app", "..", ".", "1",
		strings.Repeat("7", 21), "700000000000009", "%2e%2e", "７００００",
	} {
		b := nothing()
		b.phone, b.conversation = phone, url.PathEscape(phone+":"+a.customer)
		for id, op := range apitest.Operations(w.api) {
			for _, r := range reaching()[id](b) {
				if !strings.Contains(r.Path, b.conversation) && r.Query.Get("phoneNumberId") == "" {
					continue
				}
				r.By, r.Method = operator(a.tenant), op.Method
				if diff := cmp.Diff(unknown, w.do(r), cmp.AllowUnexported(answer{})); diff != "" {
					t.Errorf("%s for %q is not the answer for an unknown number:\n%s", id, phone, diff)
				}
			}
		}
	}
	if diff := cmp.Diff(withoutAudit(before), withoutAudit(w.db.Dump(t))); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
}

// A second spelling would be a second customer: paced on its own, and left over by an erasure that says complete.
func TestAnotherSpellingOfACustomerIsNobody(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	before := w.db.Dump(t)
	for _, customer := range []string{
		"0" + a.customer, "00" + a.customer, a.customer + "~x", a.customer + "~1a2b3c4d", a.customer + ":x", "~",
		a.customer + "\u200b", "US.", "US.1~x", "us.1", "1", "me",
	} {
		b := nothing()
		b.conversation = a.phone + ":" + url.PathEscape(customer)
		for id, op := range apitest.Operations(w.api) {
			for _, r := range reaching()[id](b) {
				if !strings.Contains(r.Path, b.conversation) {
					continue
				}
				r.By, r.Method = operator(a.tenant), op.Method
				want := http.StatusNotFound
				if strings.HasPrefix(id, "send-") {
					want = http.StatusUnprocessableEntity
				}
				w.do(r).WantProblem(t, want)
			}
		}
	}
	if diff := cmp.Diff(withoutAudit(before), withoutAudit(w.db.Dump(t))); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
	var c conversation // written with signs and blanks, it is the number
	w.get(operator(a.tenant),
		"/v1/conversations/"+a.phone+":"+url.PathEscape("+91 ("+a.customer[2:6]+") "+a.customer[6:]), nil).Want(t,
		http.StatusOK, &c)
	if c.CustomerID != a.customer {
		t.Errorf("%+v", c)
	}
}

func TestADeadLetterIsNotSentAgainFromANumberThatHasPassedToAnotherTenant(t *testing.T) {
	w := newWorld(t)
	a := w.furnish("1")
	w.ours("tenant-2", a.phone, a.waba)
	before := w.db.Dump(t)
	for _, by := range []*caller{operator(a.tenant), platformOperator(), operator("tenant-2")} {
		w.post(by, "/v1/outbox/"+a.dead+"/replay", nil).WantProblem(t, http.StatusNotFound)
	}
	if diff := cmp.Diff(withoutAudit(before), withoutAudit(w.db.Dump(t))); diff != "" {
		t.Errorf("something was done:\n%s", diff)
	}
}
