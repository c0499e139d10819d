package topology

// CORS is what web pages of the configured origins may ask the HTTP API, and what of an answer they may read.
var CORS = struct {
	Methods, Headers, Exposed []string
	MaxAgeSeconds             int // for which a browser need not ask again
}{
	Methods: []string{"GET", "POST", "PUT", "PATCH", "DELETE"},
	Headers: []string{"authorization", "content-type", "idempotency-key"},
	Exposed: []string{"apigw-requestid", "etag", "retry-after"},

	MaxAgeSeconds: 7200, // no browser remembers for longer
}
