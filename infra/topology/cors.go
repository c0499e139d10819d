package topology

// CrossOrigin says what web pages of the configured origins may send, and which headers of an answer they may read.
type CrossOrigin struct {
	Methods, Headers, Exposed []string
	MaxAgeSeconds             int // how long a browser may cache the preflight answer
}

// CORS is for the HTTP API.
var CORS = CrossOrigin{
	Methods: []string{"GET", "POST", "PUT", "PATCH", "DELETE"},
	Headers: []string{"authorization", "content-type", "idempotency-key", "if-none-match"},
	Exposed: []string{"apigw-requestid", "etag", "retry-after"},

	MaxAgeSeconds: 7200, // the longest time that any browser accepts
}

// FilesCORS is for the links to files: a page shows files, and puts files that are to be sent.
var FilesCORS = CrossOrigin{
	Methods: []string{"GET", "PUT"}, Headers: []string{"content-type", "if-none-match"},
	MaxAgeSeconds: CORS.MaxAgeSeconds}
