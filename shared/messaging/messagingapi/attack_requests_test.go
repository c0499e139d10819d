package messagingapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/httpapi"
)

// badIDs are texts that are no ids, or are one only to who reads them carelessly.
func (a *attacked) badIDs() []string {
	return []string{
		"..", ".", "...", "%2e%2e", "../..", "../../etc/passwd", "a/b", "/", "//", "\\", "a\\..\\b", "\x00", "a\x00b",
		"\n", "a\r\nSet-Cookie: x=1", "\t", " ",
		"\x1b[31m", "\x7f", "\u0085", "\u200b", "\u202e", "\ufeff", "\U0010ffff", "\xff\xfe", "\xc0\xae\xc0\xae", "~",
		"~x", a.own.conversation + "~x", "#", "a#b",
		a.own.conversation + "#", "00" + a.own.conversation, "0" + a.own.phone, " " + a.own.phone, a.own.phone + " ",
		"+" + a.own.phone, a.own.phone + ".0",
		"７００００００００００００１", "٧٠٠٠٠٠", "७०००००", a.own.phone + ":", ":" + a.own.customer,
		a.own.phone + "::" + a.own.customer, "-1", "0", "1e9", "0x10", "NaN",
		"null", "undefined", "true", "{}", "[]", "{eventId}", "*", "%", "?", "&", "a=b", ";", "' OR '1'='1",
		"<script>alert(1)</script>", "${jndi:ldap://x}",
		"{{7*7}}", "MSG#" + a.own.wamid, "PHONE#" + a.own.phone, "WEBHOOK#" + a.own.logged,
		strings.Repeat("7", 21), strings.Repeat("a", 511), strings.Repeat("a", 2100), strings.Repeat("😀", 510),
		strings.Repeat("😀", 1099), strings.Repeat("a", 9000),
	}
}

// ids are requests with each id replaced by one that is none.
func (a *attacked) ids(one target) []hostile {
	var all []hostile
	refused := []int{http.StatusNotFound, http.StatusUnprocessableEntity}
	for _, id := range a.badIDs() {
		if len(one.parameters("path")) > 0 {
			r := one.good[0]
			for _, escaped := range []string{url.PathEscape(id), strings.ReplaceAll(url.PathEscape(id), "%", "%25")} {
				r.Path = one.in(escaped)
				want := refused
				if long, _ := url.PathUnescape(escaped); len(long) > one.most("path") && utf8.ValidString(long) {
					want = []int{http.StatusUnprocessableEntity}
				}
				all = append(all, hostile{r, fmt.Sprintf("the id %.20q", id), want})
			}
		}
		for _, name := range one.parameters("query") {
			r := one.good[0]
			r.Query = url.Values{name: {id}}
			want := refused
			// Nobody has done anything, or nothing to it; and nothing is theirs, has the label, or says it.
			if slices.Contains([]string{
				"actor", "conversationId", "assignee", "label", "sender", "name", "orderId", "q"}, name) {
				want = append([]int{http.StatusOK}, refused...)
			}
			if len(id) > one.most("query") { // no key may hold it, whatever the engine of the tests says
				want = []int{http.StatusUnprocessableEntity}
			}
			all = append(all, hostile{r, fmt.Sprintf("%s %.20q", name, id), want})
		}
	}
	if len(one.parameters("path")) > 0 {
		r := one.good[0]
		r.Path = one.in("")
		all = append(all, hostile{r, "no id", append([]int{http.StatusMethodNotAllowed}, refused...)})
	}
	return all
}

// most is how many bytes an id may have: the most of any that the operation takes in a place.
func (one target) most(in string) int {
	most := 0
	for _, p := range one.Parameters {
		if p.In == in && p.Schema.MaxLength != nil && p.Name != "cursor" {
			most = max(most, *p.Schema.MaxLength)
		}
	}
	return most
}

// paths are methods, paths and parameters that an operation does not have.
func (a *attacked) paths(one target) []hostile {
	good := one.good[0]
	var all []hostile
	try := func(name string, change func(*request), want ...int) {
		r := good
		change(&r)
		all = append(all, hostile{r, name, want})
	}
	for _, method := range []string{"PUT", "DELETE", "PATCH", "TRACE", "POST", "GET", "PROPFIND", "get", "post"} {
		item := httpapi.Describe(a.api).Paths[one.Path]
		if method == "GET" && item.Get != nil || method == "POST" && item.Post != nil ||
			method == "PUT" && item.Put != nil || method == "PATCH" && item.Patch != nil ||
			method == "DELETE" && item.Delete != nil {
			continue
		}
		try("the method "+method, func(r *request) { r.Method = method }, http.StatusMethodNotAllowed)
	}
	for name, path := range map[string]string{
		"a slash after it": good.Path + "/", "a slash before it": "/" + good.Path,
		"two slashes": strings.Replace(good.Path, "/v1/", "/v1//", 1),
		"a way round": "/v1/.." + good.Path, "a way round at the end": good.Path + "/../" + good.Path[len("/v1/"):],
		"a dot":    "/." + good.Path,
		"capitals": strings.ToUpper(good.Path[:5]) + good.Path[5:], "more": good.Path + "/more",
		"another version": "/v2" + good.Path[len("/v1"):],
		"no version":      good.Path[len("/v1"):], "a matrix": strings.Replace(good.Path, "/v1/", "/v1;x=1/", 1),
		"a nul after it": good.Path + "/%00",
		"a backslash":    strings.Replace(good.Path, "/v1/", "/v1%5C", 1),
	} {
		want := []int{http.StatusNotFound}
		if httpapi.Describe(a.api).Paths[one.Path].Post != nil {
			want = append(want, http.StatusMethodNotAllowed) // where what is more is an id, which can be read
		}
		try(name, func(r *request) { r.Path, r.Query = path, nil }, want...)
	}
	for name, raw := range map[string]string{
		"an unknown parameter": "colour=blue", "a parameter in capitals": "LIMIT=1", "no UTF-8": "limit=%ff",
		"half an escape": "limit=%zz", "a semicolon": "limit=1;x=2",
		"an unknown parameter without a value": "verbose", "a parameter twice": "limit=1&limit=2",
	} {
		try(name, func(r *request) { r.Query, r.RawQuery = nil, raw }, http.StatusUnprocessableEntity)
	}
	return all
}

// bodies are bodies that are none, and good ones with one part made wrong.
func (a *attacked) bodies(one target) []hostile {
	if one.RequestBody == nil {
		return nil
	}
	if one.RequestBody.Content["application/json"] == nil {
		return a.files(one)
	}
	good := one.good[0]
	var all []hostile
	try := func(name, body string, want ...int) {
		r := good
		r.Body = body
		all = append(all, hostile{r, name, want})
	}
	bad, wrong := http.StatusBadRequest, http.StatusUnprocessableEntity
	for name, body := range map[string]string{
		"empty": "", "half": `{"body"`, "a bare word": "hello", "two values": good.Body + good.Body, "NaN": `{"x":NaN}`,
		"a comment": `{/*x*/}`, "single quotes": `{'a':1}`,
		"a comma too many":    strings.TrimSuffix(good.Body, "}") + ",}",
		"no UTF-8":            strings.TrimSuffix(good.Body, "}") + ",\"\xff\":\"\xfe\"}",
		"no UTF-8 in a value": `{"reason":"` + "\xff\xfe" + `","body":"\ud800"}`, "UTF-16": "\xff\xfe{\x00}\x00",
		"a byte order mark": "\ufeff" + good.Body,
		"deep lists":        strings.Repeat("[", 100_000),
		"deep objects":      strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000),
		"deep within": strings.TrimSuffix(good.Body, "}") + `,"x":` +
			strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}",
		"XML":    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>`,
		"a form": "reason=x&body=y",
	} {
		try(name, body, bad, wrong)
	}
	for name, body := range map[string]string{
		"null": "null", "a list": "[]", "a list of it": "[" + good.Body + "]", "a number": "7", "a text": `"x"`,
		"true": "true"} {
		try(name, body, wrong)
	}
	for _, extra := range []string{`"__proto__":{}`, `"tenant_id":"x"`, `"sentBy":"x"`, `"":1`, `"\u0000":1`} {
		try("a field too many", strings.TrimSuffix(good.Body, "}")+","+extra+"}", wrong)
	}
	most := max(1<<20, int(one.MaxBodyBytes)) // of an operation that takes more than a megabyte
	try("too many bytes", strings.TrimSuffix(good.Body, "}")+`,"x":"`+strings.Repeat("x", most)+`"}`,
		http.StatusRequestEntityTooLarge)
	for _, kind := range []string{
		"text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
		"application/cbor", "x", "text/json, application/json"} {
		r := good
		r.Headers = map[string]string{"content-type": kind}
		all = append(all, hostile{r, "the content type " + kind, []int{http.StatusUnsupportedMediaType}})
	}
	return append(all, a.fields(one)...)
}

// files are bodies that are no files of the form that an operation takes, or too large.
func (a *attacked) files(one target) []hostile {
	large := one.good[0]
	large.Body = strings.Repeat("to\n", 2<<20)
	all := []hostile{{large, "a file of six megabytes", []int{http.StatusRequestEntityTooLarge}}}
	for _, body := range []string{"", "\x00\x01", "\"", "name\nAsha", "to,to\n", "\xff\xfe"} {
		r := one.good[0]
		r.Body = body
		all = append(all, hostile{r, fmt.Sprintf("the file %q", body),
			[]int{http.StatusUnprocessableEntity, http.StatusBadRequest}})
	}
	return all
}

// fields are good bodies with one field of each way that its schema does not allow, or given twice.
func (a *attacked) fields(one target) []hostile {
	schema := one.RequestBody.Content["application/json"].Schema
	for schema.Ref != "" {
		schema = httpapi.Describe(a.api).Components.Schemas.SchemaFromRef(schema.Ref)
	}
	var all []hostile
	try := func(name, body string, want ...int) {
		r := one.good[0]
		r.Body = body
		all = append(all, hostile{r, name, want})
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal([]byte(one.good[0].Body), &fields)
	for name, property := range schema.Properties {
		for property.Ref != "" {
			property = httpapi.Describe(a.api).Components.Schemas.SchemaFromRef(property.Ref)
		}
		for _, value := range wrongValues(property, slices.Contains(schema.Required, name)) {
			fields := mapsWith(fields, name, value)
			try(fmt.Sprintf("%s: %.30s", name, value), string(fields), http.StatusUnprocessableEntity)
		}
		// Of two values under one name one could be checked and the other taken.
		given, ok := fields[name]
		if !ok {
			given = json.RawMessage(`null`)
		}
		for _, again := range []string{name, strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:]} {
			for _, value := range append(wrongValues(property, false), string(given)) {
				body := string(mapsWith(fields, name, string(given)))
				if again == name {
					try(name+" twice", `{"`+again+`":`+value+`,`+body[1:], http.StatusBadRequest)
				} else {
					try(name+" twice, as "+again, strings.TrimSuffix(body, "}")+`,"`+again+`":`+value+`}`,
						http.StatusBadRequest, http.StatusUnprocessableEntity)
				}
			}
		}
	}
	return all
}

func mapsWith(fields map[string]json.RawMessage, name, value string) []byte {
	with := map[string]json.RawMessage{name: json.RawMessage(value)}
	for other, text := range fields {
		if other != name {
			with[other] = text
		}
	}
	text, err := json.Marshal(with)
	if err != nil {
		panic(err)
	}
	return text
}

// wrongValues are values that a schema does not allow.
func wrongValues(schema *huma.Schema, required bool) []string {
	byType := map[string][]string{
		huma.TypeString: {`7`, `true`, `{}`, `[]`, `["x"]`}, huma.TypeBoolean: {`1`, `"true"`, `{}`, `[]`},
		huma.TypeInteger: {`"1"`, `1.5`, `{}`},
		huma.TypeArray:   {`{}`, `"x"`, `[1]`, `[[]]`}, huma.TypeObject: {`[]`, `"x"`, `7`, `{"x":1}`},
	}
	values := byType[schema.Type]
	if schema.Type == huma.TypeObject && schema.AdditionalProperties != false {
		values = []string{`[]`, `"x"`, `7`} // what is in it is the caller's
	}
	if required {
		values = append(values, `null`)
	}
	if schema.MaxLength != nil {
		values = append(values, `"`+strings.Repeat("x", *schema.MaxLength+1)+`"`,
			`"`+strings.Repeat("😀", *schema.MaxLength+1)+`"`)
	}
	if schema.MinLength != nil && *schema.MinLength > 0 {
		values = append(values, `""`)
	}
	if schema.Pattern == `\S` {
		values = append(values, `"   "`, `"\n\t"`)
	}
	if schema.Format == "date-time" {
		values = append(values, `"yesterday"`, `""`, `"2026-13-01T00:00:00Z"`, `"99999-01-01T00:00:00Z"`,
			`"2026-11-21"`)
	}
	return values
}
