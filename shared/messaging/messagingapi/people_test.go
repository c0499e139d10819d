package messagingapi

import (
	"net/http"
	"testing"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/people"
)

// colleagueOf is the subject of somebody who works for a tenant.
func colleagueOf(tenant string) string { return "colleague-of-" + tenant }

// person puts somebody into the directory.
func (w *world) person(subject model.Name) {
	w.t.Helper()
	directory := people.Directory{DB: w.db.Client, Now: w.rooms.Now}
	if err := directory.Put(w.t.Context(),
		people.Person{Subject: string(subject), Email: string(subject)}); err != nil {
		w.t.Fatal(err)
	}
}

// works has somebody work for a tenant, as an operator.
func (w *world) works(subject model.Name, tenant model.TenantID) {
	w.t.Helper()
	w.person(subject)
	members := people.Members{DB: w.db.Client, Now: w.rooms.Now}
	given := people.Given{
		Subject: subject, Tenant: tenant, By: "make operator", Roles: []string{"operator"}, Platform: true}
	if err := members.Give(w.t.Context(), given); err != nil {
		w.t.Fatal(err)
	}
}

// Nobody raises the roles of a person whom another tenant has let in.
func TestRolesOfASharedPersonAreThePlatformsToSet(t *testing.T) {
	w := open(t)
	w.works("meena", "another")
	w.person("ravi")
	as := func(by *caller, method, subject, body string) answer {
		return w.do(request{By: by, Method: method, Path: "/v1/tenants/" + shop + "/people/" + subject, Body: body})
	}
	const raise = `{"roles":["administrator"]}`
	as(operator(shop), http.MethodPut, "meena", `{}`).Want(t, http.StatusNoContent)
	as(operator(shop), http.MethodPut, "meena", raise).WantProblem(t, http.StatusConflict)
	as(operator(shop), http.MethodPut, "ravi", `{"roles":["platform"]}`).WantProblem(t, http.StatusUnprocessableEntity)
	as(operator(shop), http.MethodPut, "ravi", raise).Want(t, http.StatusNoContent)
	as(operator("another"), http.MethodPut, "ravi", raise).WantProblem(t, http.StatusNotFound)
	as(platformOperator(), http.MethodPut, "meena", raise).Want(t, http.StatusNoContent)
	as(operator(shop), http.MethodPost, "meena/end", "").Want(t, http.StatusNoContent)
	as(operator(shop), http.MethodPut, "nobody", raise).WantProblem(t, http.StatusNotFound)
}
