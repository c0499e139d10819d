package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A body has at most 3 MB.
func TestAFullImportIsLoggedInPartsByOneRequest(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	var threads wt.List
	for i := range 20_000 {
		customer := fmt.Sprintf("9198765%05d", i)
		threads = append(threads, wt.Object{"id": customer, "messages": wt.List{wt.Object{
			"id": fmt.Sprint("wamid.", i), "from": customer, "type": "text", "timestamp": "1700000000",
			"text": wt.Object{"body": "hi"},
		}}})
	}
	body := wt.Body(
		wt.Change("history",
			wt.Object{"metadata": wt.Object{"phone_number_id": wt.Phone},
				"history": wt.List{wt.Object{"threads": threads}}}))
	if len(body) > maxBody {
		t.Fatalf("a body of %d bytes is not taken", len(body))
	}
	request := post(body)
	began := time.Now()
	response, err := handler(db.Client).Handle(t.Context(), request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v", response.StatusCode, err)
	}
	t.Logf("%d bytes took %s on the local engine", len(body), time.Since(began))
	if entries := len(db.Items(t, tables.Messages)); entries != 400 {
		t.Errorf("%d entries", entries)
	}
}
