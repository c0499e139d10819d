package main

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/tables"
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
		if _, err := db.Update(t.Context(), dynamo.Update{
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
