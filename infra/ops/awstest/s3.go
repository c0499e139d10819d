package awstest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Physical is the name that AWS gave to the resource with a logical id.
func Physical(id string) string { return "haatline-" + strings.ToLower(id) + "-1x2y3z" }

// answerS3 answers for a bucket, two objects to a page.
func (a *AWS) answerS3(w http.ResponseWriter, r *http.Request) {
	name, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	bucket, there := a.Buckets[name]
	operation := map[string]string{http.MethodGet: "GetObject", http.MethodDelete: "DeleteObject"}[r.Method]
	if key == "" {
		operation = "ListObjects"
	}
	a.Asked = append(a.Asked, strings.TrimSpace(operation+" "+key))
	_, known := bucket[key]
	refused := a.refused(operation)
	switch {
	case refused != nil:
	case !there:
		refused = &refusal{"NoSuchBucket", "The specified bucket does not exist"}
	case operation == "GetObject" && !known:
		refused = &refusal{"NoSuchKey", "The specified key does not exist."}
	}
	switch {
	case refused != nil:
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", escaped(refused.code),
			escaped(refused.message))
	case operation == "ListObjects":
		a.listObjects(w, bucket, r.URL.Query())
	case operation == "DeleteObject":
		delete(bucket, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		fmt.Fprint(w, bucket[key])
	}
}

func (a *AWS) listObjects(w http.ResponseWriter, bucket map[string]string, query url.Values) {
	const pageSize = 2
	page, next, count := "", "", 0
	for _, key := range slices.Sorted(maps.Keys(bucket)) {
		if !strings.HasPrefix(key, query.Get("prefix")) || key <= query.Get("continuation-token") {
			continue
		}
		if count == pageSize {
			next = "<NextContinuationToken>" + escaped(query.Get("last")) + "</NextContinuationToken>"
			break
		}
		count++
		query.Set("last", key)
		page += "<Contents><Key>" + escaped(url.QueryEscape(key)) + "</Key></Contents>"
	}
	fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>%s%s</ListBucketResult>`, next, page)
}
