package khataapi

import (
	"encoding/base64"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/tables"
)

func TestAPersonAsksForAReminderOnceADay(t *testing.T) {
	w := newWorld(t)
	b := w.furnish("1")
	base := "/v1/stores/" + b.store + "/khata"
	remind := base + "/customers/" + b.other + "/remind"
	var first, again, cancelled reminderShown
	w.call("cashier", http.MethodPost, remind, "a", "").Want(t, http.StatusCreated, &first)
	w.call("", http.MethodPost, remind, "a", "").Want(t, http.StatusCreated, &again)
	if first.ID != again.ID || first.Status != "scheduled" || first.Amount != "70.00" || first.Frequency != "once" ||
		first.ScheduledAt != "2026-11-21T12:00:00.000Z" {
		t.Errorf("%+v\n%+v", first, again)
	}
	for range 2 { // a repeated request changes nothing
		w.call("cashier", http.MethodPost, base+"/reminders/"+first.ID+"/cancel", "", "").Want(t, http.StatusOK,
			&cancelled)
	}
	if cancelled.Status != "cancelled" || cancelled.Reason != "cancelled_by_person" {
		t.Errorf("%+v", cancelled)
	}
	var list reminderListOutput
	w.call("auditor", http.MethodGet, base+"/reminders?status=scheduled", "", "").Want(t, http.StatusOK, &list.Body)
	if len(list.Body.Items) != 2 {
		t.Errorf("%+v", list.Body.Items)
	}
	w.wrote(belongings{store: b.store, customer: b.other}, "paid",
		ledger.Draft{Type: khatamodel.Payment, Amount: amount("70"), Method: "cash"})
	off := belongings{store: b.store, customer: "+919876549999"}
	w.wrote(off, "off", ledger.Draft{Type: khatamodel.CreditSale, Amount: amount("5")})
	w.call("owner", http.MethodPut, base+"/customers/"+off.customer, "",
		`{"reminders":false,"settingsVersion":0}`).Want(t, http.StatusOK, &balanceShown{})
	before := len(w.db.Items(t, tables.PaymentReminders))
	for name, c := range map[string]struct {
		role, path string
		status     int
		says       string
	}{
		"twice a day": {
			"", base + "/customers/" + b.customer + "/remind", http.StatusConflict, "reminded-today"},
		"nothing owed": {"", remind, http.StatusConflict, "nothing-owed"},
		"off": {
			"", base + "/customers/" + off.customer + "/remind", http.StatusConflict, "reminders-off"},
		"nobody":             {"", base + "/customers/+919000000000/remind", http.StatusNotFound, ""},
		"no id":              {"", base + "/reminders/nothing/cancel", http.StatusNotFound, ""},
		"one who only reads": {"auditor", remind, http.StatusForbidden, ""},
	} {
		if a := w.call(c.role, http.MethodPost, c.path, "rule "+name, ""); a.Status != c.status ||
			!strings.Contains(a.Body, c.says) {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	if after := len(w.db.Items(t, tables.PaymentReminders)); after != before {
		t.Errorf("%d reminders, and there were %d", after, before)
	}
	picture := w.call("", http.MethodGet, base+"/customers/"+b.customer+"/payment-qr", "", "")
	if _, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(picture.Body))); err != nil ||
		picture.Headers["content-type"] != "image/png" {
		t.Errorf("%d %v: %v", picture.Status, picture.Headers, err)
	}
	if a := w.call("", http.MethodGet, base+"/customers/"+b.other+"/payment-qr", "",
		""); a.Status != http.StatusConflict {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}
