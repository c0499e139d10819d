package main

import (
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/templates"
	"github.com/haatline/haatline/shared/messaging/templates/writing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A file of a number at AWS is fetched there, whatever Meta would say, and ends where every file does.
func TestAFileOfANumberAtAWSIsFetchedThere(t *testing.T) {
	w := newWorld(t)
	w.unknown = true
	standIn := httptest.NewServer(&eumtest.Server{
		Files: map[string]eumtest.File{string(fileID): {Type: "image/png", Content: picture}}})
	t.Cleanup(standIn.Close)
	w.aws = standIn.URL
	seed := func(t testing.TB, db *dynamotest.DB) []dynamo.Item {
		images := waiting(t, db)
		if err := db.Update(t.Context(), dynamo.Update{
			Table: tables.Messages, Key: keys.Phone(phone), Do: "SET awsPhoneNumberId = :id", If: dynamo.IfPresent,
			Values: dynamo.Item{":id": dynamo.S("phone-number-id-976c72a700aac43eaf573ae050example")}}); err != nil {
			t.Fatal(err)
		}
		return images
	}
	w.survives(t, tried, seed)
	db := dynamotest.Start(t, together...)
	seed(t, db)
	w.sweep(t, db, noon.Add(time.Minute))
	if r := record(t, db); r.S3Key == "" || w.stored(t, r.S3Key) != picture {
		t.Errorf("%+v", r)
	}
	if w.asked > 0 {
		t.Errorf("Meta was asked %d times", w.asked)
	}
}

// The templates of a number at AWS are listed and changed there, and its account keeps both ids.
func TestTheTemplatesOfANumberAtAWSAreThere(t *testing.T) {
	w := newWorld(t)
	standIn := &eumtest.Server{Templates: []eumtest.Template{{
		ID: "57000", Name: "offer", Language: "en", Status: "APPROVED", Category: "MARKETING",
		Components: []json.RawMessage{json.RawMessage(`{"type":"BODY","text":"Half price today."}`)}}}}
	at := httptest.NewServer(standIn)
	t.Cleanup(at.Close)
	w.aws = at.URL
	db := dynamotest.Start(t, together...)
	db.Seed(t, tables.Messages, model.Phone{
		PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo",
		WABAMetaID: wt.WABA, AWSPhoneNumberID: "phone-number-id-976c72a700aac43eaf573ae050example"})
	rooms := roomsAt(db.Client, noon)
	of := templates.Sync{Tenant: "demo", WABA: wt.WABA, Phone: phone}
	_, err := rooms.TemplateCache.RequestSync(t.Context(), of, 0)
	if err == nil {
		_, err = rooms.Writing.Create(t.Context(), writing.Of{Sync: of, By: "user-1"}, writing.Draft{
			Name: "bill", Language: "en", Category: "UTILITY",
			Components: []json.RawMessage{json.RawMessage(`{"type":"BODY","text":"Your bill is ready."}`)}})
	}
	if err == nil {
		_, err = rooms.Library.Search(t.Context(), of, model.LibraryFilters{Topic: "PAYMENTS"}, "user-1")
	}
	if err != nil {
		t.Fatal(err)
	}
	for minute := range 3 {
		w.sweep(t, db, noon.Add(time.Duration(minute+1)*time.Minute))
	}
	for name, want := range map[string]string{"offer": "APPROVED", "bill": "PENDING"} {
		one, err := rooms.TemplateCache.Get(t.Context(), wt.WABA, name, "en")
		has, err2 := rooms.TemplateCache.AtAWS(t.Context(), one)
		if err != nil || err2 != nil || one.Status != want || len(one.Components) != 1 ||
			has.WABAID != eumtest.Account || has.TemplateStatus != want {
			t.Errorf("%s: %+v %+v, %v, %v", name, one, has, err, err2)
		}
	}
	_, found, _, err := rooms.Library.Found(t.Context(), wt.WABA, model.LibraryFilters{Topic: "PAYMENTS"}, 5, "")
	if err != nil || len(found) != 1 || found[0].Name != "payments" {
		t.Errorf("of the library: %+v, %v", found, err)
	}
	if w.asked > 0 || len(standIn.Templates) != 2 {
		t.Errorf("Meta was asked %d times, AWS has %+v", w.asked, standIn.Templates)
	}
}
