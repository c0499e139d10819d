package soak

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/haatline/haatline/shared/dynamotest"
)

// batch is a request for items of several tables, or what of one is left undone.
type batch map[string]map[string]json.RawMessage

// partly makes a call that DynamoDB answers in part, as it may at any time: it leaves some items of a batch out and
// names them, and it ends a page early. It reports false for a call that has one answer.
func partly(request *http.Request) (*http.Response, bool, error) {
	if request.Body == nil {
		return nil, false, nil
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, true, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	switch operation := request.Header.Get("X-Amz-Target"); {
	case strings.HasSuffix(operation, ".BatchGetItem"):
		return halfOf(request, body)
	case strings.HasSuffix(operation, ".Query"):
		return shortPage(request, body)
	}
	return nil, false, nil
}

// halfOf makes the first half of a batch of reads, and names the other half as left out.
func halfOf(request *http.Request, body []byte) (*http.Response, bool, error) {
	var of map[string]json.RawMessage
	var asked, left batch
	if json.Unmarshal(body, &of) != nil || json.Unmarshal(of["RequestItems"], &asked) != nil {
		return nil, false, nil
	}
	left = batch{}
	for table, what := range asked {
		var keys []json.RawMessage
		if json.Unmarshal(what["Keys"], &keys) != nil || len(keys) < 2 {
			continue
		}
		rest := map[string]json.RawMessage{}
		for name, value := range what {
			rest[name] = value
		}
		what["Keys"], rest["Keys"] = encoded(keys[:len(keys)/2]), encoded(keys[len(keys)/2:])
		left[table] = rest
	}
	if len(left) == 0 {
		return nil, false, nil
	}
	of["RequestItems"] = encoded(asked)
	response, err := dynamotest.Transport().RoundTrip(withBody(request, encoded(of)))
	if err != nil || response.StatusCode != http.StatusOK {
		return response, true, err
	}
	var answer map[string]json.RawMessage
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, true, err
	}
	answer["UnprocessedKeys"] = encoded(left)
	text := encoded(answer)
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	response.Header.Del("X-Amz-Crc32") // of the whole answer
	return response, true, nil
}

// shortPage makes a query whose page ends after its first item.
func shortPage(request *http.Request, body []byte) (*http.Response, bool, error) {
	var of map[string]json.RawMessage
	if json.Unmarshal(body, &of) != nil {
		return nil, false, nil
	}
	of["Limit"] = encoded(1)
	response, err := dynamotest.Transport().RoundTrip(withBody(request, encoded(of)))
	return response, true, err
}

func withBody(request *http.Request, body []byte) *http.Request {
	of := request.Clone(request.Context())
	of.Body, of.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return of
}

// encoded returns a value as JSON. What is encoded here always can be.
func encoded(value any) json.RawMessage {
	text, _ := json.Marshal(value)
	return text
}
