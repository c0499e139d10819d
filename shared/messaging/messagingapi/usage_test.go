package messagingapi

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// The usage of a month shows the files of the tenant's accounts that are kept, as they were counted last.
func TestTheUsageShowsTheFilesThatAreKept(t *testing.T) {
	w := open(t)
	use := func() (files usageFiles) {
		t.Helper()
		var shown struct{ Files usageFiles }
		w.do(request{By: operator(shop), Method: http.MethodGet, Path: "/v1/tenants/" + shop + "/usage",
			Query: url.Values{"month": {"2026-11"}}}).Want(t, http.StatusOK, &shown)
		return shown.Files
	}
	if files := use(); files != (usageFiles{}) {
		t.Errorf("never counted: %+v", files)
	}
	w.db.Seed(t, tables.Messages, model.Account{
		PK: keys.Account(waba).Partition, ItemType: model.ItemAccount, WABAMetaID: waba, Version: 1,
		Files: &model.FilesCounted{CountedAt: model.At(minutesAgo(5)), Files: map[string]model.FileCounts{
			"2026-10": {Incoming: 1, IncomingBytes: 10}, "2026-11": {Incoming: 2, IncomingBytes: 30, Outgoing: 1,
				OutgoingBytes: 5}}}})
	want := usageFiles{
		CountedAt: model.At(minutesAgo(5)),
		Stored:    fileCounts{Incoming: 2, IncomingBytes: 30, Outgoing: 1, OutgoingBytes: 5},
		Kept:      fileCounts{Incoming: 3, IncomingBytes: 40, Outgoing: 1, OutgoingBytes: 5}}
	if files := use(); files != want {
		t.Errorf("%+v, want %+v", files, want)
	}
}
