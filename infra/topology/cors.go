package topology

// CORS says what web pages of the configured origins may send to the HTTP API, and which headers of an answer they may read.
var CORS = struct {
	Methods, Headers, Exposed []string
	MaxAgeSeconds             int // how long a browser may cache the preflight answer
}{
	Methods: []string{"GET", "POST", "PUT", "PATCH", "DELETE"},
	Headers: []string{"authorization", "content-type", "idempotency-key"},
	Exposed: []string{"apigw-requestid", "etag", "retry-after"},

	MaxAgeSeconds: 7200, // the longest time that any browser accepts
}
