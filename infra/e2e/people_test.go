package e2e

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/people"
)

// worksForTenants has somebody work for a tenant, whose next token holds it, and ends that again.
func (r *running) worksForTenants(t *testing.T) {
	t.Helper()
	const meena = "0192-meena"
	directory := people.Directory{DB: r.engine(), Now: time.Now}
	if err := directory.Put(t.Context(), people.Person{Subject: meena, Email: "meena@example.com"}); err != nil {
		t.Fatal(err)
	}
	const path = "/v1/tenants/demo/people"
	r.want(t, http.StatusNoContent, http.MethodPut, path+"/"+meena, `{"roles":["supervisor"]}`)
	type person struct{ Subject string }
	var list struct{ Items []person }
	r.get(t, path, &list, func() bool { return slices.Contains(list.Items, person{meena}) })
	issuer, err := cloud.Issuer(r.dir, r.Addresses.HTTP)
	if err != nil {
		t.Fatal(err)
	}
	issuer.PreToken = cloud.PreToken(r.Addresses.HTTP)
	token, err := issuer.Mint(identity.Grant{
		Subject: meena, Username: "meena", Scopes: httpapi.ScopeNames(), IssuedAt: time.Now(),
		ExpiresAt: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/v1/conversations": http.StatusOK, "/v1/tenants/demo/sms": http.StatusOK, path: http.StatusForbidden} {
		if status, answer := r.callAs(t, token, http.MethodGet, path, ""); status != want {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
	if status, answer := r.callAs(t, token, http.MethodPost, "/v1/me/tenants/demo/choose", ""); status !=
		http.StatusNoContent {
		t.Errorf("choose: %d %s", status, answer)
	}
	r.want(t, http.StatusNoContent, http.MethodPost, path+"/"+meena+"/end", "")
}
