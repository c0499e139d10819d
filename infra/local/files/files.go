// Package files is a stand-in for the bucket of files: a server that speaks S3, and keeps its objects in a folder. It
// checks no signatures.
package files

import (
	"fmt"
	"net/http"
	"path/filepath"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3afero"
)

// Bucket is the name of the bucket.
const Bucket = "haatline-files"

// Handler serves the bucket, whose objects are in dir. It creates what is missing.
func Handler(dir string) (http.Handler, error) {
	objects, err := s3afero.FsPath(filepath.Join(dir, "objects"), s3afero.FsPathCreateAll)
	if err != nil {
		return nil, fmt.Errorf("open the folder of files: %w", err)
	}
	about, err := s3afero.FsPath(filepath.Join(dir, "metadata"), s3afero.FsPathCreateAll)
	if err != nil {
		return nil, fmt.Errorf("open the folder of files: %w", err)
	}
	backend, err := s3afero.SingleBucket(Bucket, objects, about)
	if err != nil {
		return nil, fmt.Errorf("open the bucket of files: %w", err)
	}
	return gofakes3.New(backend, gofakes3.WithTimeSkewLimit(0)).Server(), nil
}
