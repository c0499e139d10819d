package khataapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/tables"
)

// If a request breaks a rule, the answer is a problem that names the rule, and nothing changes.
func TestARequestThatBreaksARuleChangesNothing(t *testing.T) {
	w := newWorld(t)
	b, other := w.furnish("1"), w.furnish("2")
	base := "/v1/stores/" + b.store + "/khata"
	sale := func(rest string) string { return `{"customer":"` + b.customer + `",` + rest + `}` }
	before := w.db.Dump(t)
	delete(before, tables.AuditLogs.ID)
	for name, c := range map[string]struct {
		role, path, body string
		status           int
		says             string
	}{
		"over the limit": {"", "/sales", sale(`"amount":"620.51"`), http.StatusConflict, "620.50 more"},
		"three decimals": {
			"", "/sales", sale(`"amount":"1.005"`), http.StatusUnprocessableEntity, "two decimals"},
		"a million crores": {
			"", "/sales", sale(`"amount":"10000000000000"`), http.StatusUnprocessableEntity, "at most"},
		"an exponent": {
			"", "/sales", sale(`"amount":"1e300000000"`), http.StatusUnprocessableEntity, "not an amount"},
		"no number": {
			"", "/sales", sale(`"amount":"many"`), http.StatusUnprocessableEntity, "not an amount"},
		"nothing": {
			"", "/sales", sale(`"amount":"0"`), http.StatusUnprocessableEntity, "more than zero"},
		"a negative payment": {
			"", "/payments", sale(`"amount":"-5"`), http.StatusUnprocessableEntity, "more than zero"},
		"more than is owed": {"", "/payments", sale(`"amount":"379.51"`), http.StatusConflict, "owes 379.50"},
		"a customer without a number": {
			"", "/sales", `{"customer":"","amount":"5"}`, http.StatusUnprocessableEntity, ""},
		"a customer with half one": {
			"", "/sales", `{"customer":"+9198","amount":"5"}`, http.StatusUnprocessableEntity, "phone number"},
		"an adjustment without why": {
			"", "/adjustments", sale(`"amount":"5"`), http.StatusUnprocessableEntity, "say why"},
		"an adjustment of nothing": {
			"", "/adjustments", sale(`"amount":"0","reason":"x"`), http.StatusUnprocessableEntity, "not zero"},
		"a second opening balance": {
			"", "/adjustments", sale(`"amount":"5","opening":true`), http.StatusConflict, "2 entries"},
		"another store's entry": {
			"", "/entries/" + other.sale + "/reverse", `{"reason":"x"}`, http.StatusNotFound, ""},
		"a cashier who adjusts": {
			"cashier", "/adjustments", sale(`"amount":"5","reason":"x"`), http.StatusForbidden, ""},
		"a cashier who reverses": {
			"cashier", "/entries/" + b.sale + "/reverse", `{"reason":"x"}`, http.StatusForbidden, ""},
	} {
		answer := w.call(c.role, http.MethodPost, base+c.path, "rule "+name, c.body)
		if answer.Status != c.status || !strings.Contains(answer.Body, c.says) ||
			strings.Contains(answer.Body, b.customer) {
			t.Errorf("%s: %d %s", name, answer.Status, answer.Body)
		}
	}
	after := w.db.Dump(t)
	delete(after, tables.AuditLogs.ID)
	for table, items := range before {
		if len(after[table]) != len(items) {
			t.Errorf("%s holds %d items, and held %d", table, len(after[table]), len(items))
		}
	}
}

func TestARepeatedRequestAddsNothingAndAnEntryIsReversedOnce(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	base := "/v1/stores/" + b.store + "/khata"
	body := `{"customer":"` + b.customer + `","amount":"20"}`
	var first, again, got entryShown
	w.call("cashier", http.MethodPost, base+"/sales", "k", body).Want(t, http.StatusCreated, &first)
	w.call("", http.MethodPost, base+"/sales", "k", body).Want(t, http.StatusCreated, &again)
	if first.ID != again.ID || first.BalanceAfter != "399.50" || first.Version != 3 {
		t.Errorf("%+v\n%+v", first, again)
	}
	for _, wrong := range []struct{ path, body string }{
		{"/sales", strings.Replace(body, "20", "21", 1)}, {"/payments", body}} {
		if a := w.call("", http.MethodPost, base+wrong.path, "k",
			wrong.body); a.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(a.Body, "idempotency-key-reused") {
			t.Errorf("%+v", a)
		}
	}
	w.call("", http.MethodGet, base+"/entries/"+first.ID, "", "").Want(t, http.StatusOK, &got)
	if got.Amount != "20.00" {
		t.Errorf("%+v", got)
	}
	var reversal entryShown
	reverse := base + "/entries/" + first.ID + "/reverse"
	w.call("owner", http.MethodPost, reverse, "r1", `{"reason":"twice"}`).Want(t, http.StatusCreated, &reversal)
	if reversal.BalanceAfter != "379.50" || reversal.Reverses != first.ID || reversal.Amount != "-20.00" {
		t.Errorf("%+v", reversal)
	}
	if a := w.call("", http.MethodPost, reverse, "r2", `{"reason":"twice"}`); a.Status != http.StatusConflict ||
		!strings.Contains(a.Body, "already-reversed") {
		t.Errorf("%+v", a)
	}
	if a := w.call("", http.MethodPost, base+"/entries/"+reversal.ID+"/reverse", "r3",
		`{"reason":"x"}`); a.Status != http.StatusConflict || !strings.Contains(a.Body, "is-a-reversal") {
		t.Errorf("%+v", a)
	}
	var s statementShown
	w.call("", http.MethodGet, base+"/customers/"+b.customer+"/statement?from=2026-11-21&to=2026-11-21", "", "").Want(t,
		http.StatusOK, &s)
	if s.Opening != "0.00" || s.Closing != "379.50" || s.Sold != "520.00" || s.Paid != "120.50" ||
		len(s.Entries) != 4 || s.Ages.UpTo30 != "379.50" {
		t.Errorf("%+v", s)
	}
}

// A stale version of a customer's settings is refused; a limit holds from the next entry on.
func TestALimitOfACustomersOwnHolds(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	base := "/v1/stores/" + b.store + "/khata"
	set := func(version string) answer {
		return w.call("owner", http.MethodPut, base+"/customers/"+b.customer, "",
			`{"creditLimit":"390","reminders":false,"settingsVersion":`+version+`}`)
	}
	if a := set("7"); a.Status != http.StatusConflict || !strings.Contains(a.Body, "stale-version") {
		t.Errorf("%+v", a)
	}
	var shown balanceShown
	set("0").Want(t, http.StatusOK, &shown)
	if shown.CreditLimit != "390.00" || shown.NextReminderAt != "" || shown.SettingsVersion != 1 ||
		shown.Balance != "379.50" {
		t.Errorf("%+v", shown)
	}
	sale := func(key, amount string) answer {
		return w.call("", http.MethodPost, base+"/sales", key, `{"customer":"`+b.customer+`","amount":"`+amount+`"}`)
	}
	if a := sale("l1", "10.51"); a.Status != http.StatusConflict {
		t.Errorf("%+v", a)
	}
	var made entryShown
	if sale("l2", "10.50").Want(t, http.StatusCreated, &made); made.BalanceAfter != "390.00" {
		t.Errorf("%+v", made)
	}
}

func TestTheBooksAreCheckedPartByPart(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	path, cursor, ledgers, calls := "/v1/stores/"+b.store+"/khata/check", "", 0, 0
	for more := true; more && calls < 9; calls++ {
		var out checkOutput
		w.call("owner", http.MethodPost, path, "", `{"cursor":"`+cursor+`"}`).Want(t, http.StatusOK, &out.Body)
		if len(out.Body.Findings) > 0 {
			t.Errorf("%+v", out.Body.Findings)
		}
		ledgers, cursor = ledgers+out.Body.Customers, out.Body.Cursor
		more = cursor != ""
	}
	if ledgers != 4 || calls != 4 { // ledgers, claims, delivered orders, refunded orders
		t.Errorf("%d ledgers in %d calls", ledgers, calls)
	}
}

// An adjustment over the store's limit is asked for in the chat, in a shop that has somebody else to ask.
func TestAnAdjustmentOverTheLimitTakesTwoPeople(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	ask := func(key, body string) answer {
		return w.call("owner", http.MethodPost, "/v1/stores/"+b.store+"/khata/adjustments", key,
			`{"customer":"`+b.customer+`","reason":"counted twice",`+body+`}`)
	}
	w.sets(b, func(s *commercemodel.Store) {
		limit := amount("50")
		s.ContactInfo.WhatsApp, s.Settings.Credit.AdjustmentLimit = "+919811111111", &limit
	})
	ask("alone", `"amount":"-51"`).Want(t, http.StatusCreated, &entryShown{})
	w.sets(b, func(s *commercemodel.Store) {
		s.Settings.Team = []commercemodel.Member{{WhatsApp: "+919822222222", Role: commercemodel.RoleManager}}
	})
	if a := ask("over", `"amount":"-50.01"`); a.Status != http.StatusConflict ||
		!strings.Contains(a.Body, "takes-two-people") || !strings.Contains(a.Body, "adjust -50.01") {
		t.Errorf("%+v", a)
	}
	ask("at it", `"amount":"50"`).Want(t, http.StatusCreated, &entryShown{})
	var opening entryShown
	w.call("owner", http.MethodPost, "/v1/stores/"+b.store+"/khata/adjustments", "new",
		`{"customer":"+919800000001","opening":true,"amount":"500"}`).Want(t, http.StatusCreated, &opening)
	if opening.BalanceAfter != "500.00" || opening.AllowedBy != "" {
		t.Errorf("%+v", opening)
	}
}
