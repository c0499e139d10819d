// Package messagingtest owns helpers that the tests of the log's consumers share.
package messagingtest

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/webhooklog"
	"github.com/haatline/haatline/shared/whatsapp"
)

// Append appends a webhook body to a log and returns its entries.
func Append(t testing.TB, log webhooklog.Appender, body []byte) []whatsapp.Entry {
	t.Helper()
	entries, err := whatsapp.DecodeWebhook(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(t.Context(), entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

// Logged appends webhook bodies to the log and returns the images of their entries as a stream delivers them, body by
// body.
func Logged(t testing.TB, db *dynamotest.DB, now func() time.Time, bodies ...[]byte) []dynamo.Item {
	t.Helper()
	var images []dynamo.Item
	seen := map[string]bool{}
	for _, body := range bodies {
		var refs []dynamo.Ref
		for _, entry := range Append(t, webhooklog.Appender{DB: db.Client, Now: now}, body) {
			if !seen[entry.ID] {
				refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.WebhookEvent(model.EventID(entry.ID))})
			}
			seen[entry.ID] = true
		}
		found, err := db.BatchGet(t.Context(), refs)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range refs {
			images = append(images, ref.Found(found))
		}
	}
	return images
}
