package secret_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

const phone = model.PhoneNumberID("106540352242922")

// numbers is an account whose tables are on a real engine, with a number of the tenant acme.
func numbers(t *testing.T) (*awstest.AWS, *dynamo.Client) {
	t.Helper()
	account := awstest.New(t)
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Start(t.Context(), engine.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Stop)
	err = engine.CreateTables(t.Context(), engine.Client(e.Endpoint),
		[]tables.Table{tables.Messages, tables.AuditLogs}, tables.Prod)
	if err != nil {
		t.Fatal(err)
	}
	account.Engine = e.Endpoint
	db := dynamo.Wrap(engine.Client(e.Endpoint), tables.Prod)
	item, err := dynamo.Marshal(model.Phone{
		PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "acme"})
	if err == nil {
		err = db.Put(t.Context(), dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfAbsent})
	}
	if err != nil {
		t.Fatal(err)
	}
	return account, db
}

func refOf(t *testing.T, db *dynamo.Client) string {
	t.Helper()
	ref, _, err := (&tenancy.Numbers{DB: db}).AccessTokenRef(t.Context(), phone)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// The item has the token as the key has encrypted it for the tenant and the number, and nothing shows the token itself.
func TestATokenOfANumberIsEncryptedForItAndItsTenant(t *testing.T) {
	account, db := numbers(t)
	args := []string{"-name", "WHATSAPP_ACCESS_TOKEN", "-phone", string(phone)}
	out, err := run(t, "EAAG-token\n", args...)
	if err != nil || strings.Contains(out, "EAAG") || !strings.Contains(out, "is on its item, encrypted") {
		t.Errorf("%v: %s", err, out)
	}
	const asked = "Encrypt alias/haatline-prod-tokens map[number:106540352242922 tenant:acme]"
	if ref := refOf(t, db); !slices.Contains(account.Asked, asked) || !strings.HasPrefix(ref, "kms:") ||
		strings.Contains(ref, "EAAG") {
		t.Errorf("%q, asked %q", ref, account.Asked)
	}
	numbers := tenancy.Numbers{DB: db}
	numbers.Now, numbers.NewID = time.Now, func() string { return "id" }
	moved := tenancy.NumberChange{Phone: phone, Tenant: "other", Move: true, Reason: "sold",
		By: audit.Actor{Subject: "ravi"}}
	if _, err := numbers.GiveNumber(t.Context(), moved); err != nil || refOf(t, db) != "" {
		t.Errorf("it moves with its token %q, %v", refOf(t, db), err)
	}
}

func TestATokenOfANumberThatCannotBeIsRefused(t *testing.T) {
	account, db := numbers(t)
	args := []string{"-name", "WHATSAPP_ACCESS_TOKEN", "-phone", string(phone)}
	account.Refuse["Encrypt"] = "NotFoundException:no such key"
	out, err := run(t, "EAAG-token\n", args...)
	if err == nil || !strings.Contains(err.Error(), "tokens=kms") || strings.Contains(out+err.Error(), "EAAG") ||
		refOf(t, db) != "" {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := run(t, "EAAG-token\n", "-name", "WHATSAPP_ACCESS_TOKEN", "-phone", "7"); err == nil ||
		!strings.Contains(err.Error(), "has no tenant") {
		t.Error(err)
	}
	if _, err := run(t, "x\n", "-name", "WHATSAPP_APP_SECRET", "-phone", string(phone)); err == nil {
		t.Error("a number has no secret of an app")
	}
}
