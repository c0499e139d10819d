package e2e

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// keyed sends under an idempotency key, twice.
func (r *running) keyed(t *testing.T, path, body string) {
	t.Helper()
	for range 2 {
		request := r.request(t, r.Addresses.Token, http.MethodPost, path, body)
		request.Header.Set("Idempotency-Key", "order-7")
		if status, answer := do(t, request); status != http.StatusAccepted {
			t.Fatalf("%s: %d %s", path, status, answer)
		}
	}
}

func (r *running) want(t *testing.T, status int, method, path, body string) {
	t.Helper()
	if got, answer := r.call(t, method, path, body); got != status {
		t.Fatalf("%s %s: %d %s", method, path, got, answer)
	}
}

// texts gives the demo tenant a number that sends SMS.
func (r *running) texts(t *testing.T, number model.Name) {
	t.Helper()
	sender, err := dynamo.Marshal(model.Sender{
		PK: keys.Sender(number).Partition, ItemType: model.ItemSender, TenantID: "demo"})
	if err == nil {
		err = r.engine().Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: sender, If: "attribute_not_exists(pk)"})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// serves gives a number to the tenant demo, at Meta as well.
func (r *running) serves(t *testing.T, id model.PhoneNumberID) {
	t.Helper()
	phone, err := dynamo.Marshal(model.Phone{
		PK: keys.Phone(id).Partition, ItemType: model.ItemPhone, PhoneNumberID: id, TenantID: "demo",
		WABAMetaID: "102290129340398"})
	if err == nil {
		err = r.engine().Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: phone, If: "attribute_not_exists(pk)"})
	}
	if err != nil {
		t.Fatal(err)
	}
	r.simulate(t, "/numbers", `{"id":"`+string(id)+`"}`)
}

// client calls the API's operations, each under a key of its own.
type client struct {
	t    *testing.T
	r    *running
	name string // begins its keys
	keys int
}

// want calls an operation and decodes its answer.
func (c *client) want(status int, method, path, body string, into any) {
	c.t.Helper()
	c.keys++
	request := c.r.request(c.t, c.r.Addresses.Token, method, path, body)
	request.Header.Set("Idempotency-Key", c.name+"-"+strconv.Itoa(c.keys))
	if body != "" && !json.Valid([]byte(body)) {
		request.Header.Set("Content-Type", "text/csv")
	}
	got, answer := do(c.t, request)
	if got != status {
		c.t.Fatalf("%s %s: %d %s", method, path, got, answer)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(answer), into); err != nil {
		c.t.Fatal(err)
	}
}

// mint makes a token of the local issuer with every scope.
func (r *running) mint(t *testing.T, groups ...string) string {
	t.Helper()
	return r.mintFor(t, "owner", groups...)
}

// mintFor makes such a token for somebody.
func (r *running) mintFor(t *testing.T, subject string, groups ...string) string {
	t.Helper()
	issuer, err := cloud.Issuer(r.dir, r.Addresses.HTTP)
	if err != nil {
		t.Fatal(err)
	}
	token, err := issuer.Mint(identity.Grant{
		Subject: subject, Username: subject, Groups: append([]string{"administrator"}, groups...),
		Scopes: httpapi.ScopeNames(), IssuedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}
