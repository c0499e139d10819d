// Package objectstest gives tests a bucket of files in memory that speaks S3's protocol.
package objectstest

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/haatline/haatline/shared/objects"
)

// server is the stand-in for S3. All tests of a process share it, and their files have keys of their own.
var server = sync.OnceValue(func() string {
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		panic(err)
	}
	return httptest.NewServer(gofakes3.New(backend, gofakes3.WithTimeSkewLimit(0)).Server()).URL
})

// Bucket opens the bucket with a clock.
func Bucket(now func() time.Time) *objects.Bucket {
	environment := map[string]string{
		"MEDIA_BUCKET": "files", "AWS_REGION": "ap-south-1", "AWS_ACCESS_KEY_ID": "id",
		"AWS_SECRET_ACCESS_KEY": "secret", "S3_ENDPOINT": server(),
	}
	opened := objects.Open(func(name string) string { return environment[name] }, http.DefaultClient)
	opened.Now = now
	return opened
}
