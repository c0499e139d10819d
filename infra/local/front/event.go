package front

import (
	"encoding/base64"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/infra/local/identity"
)

const (
	accountID = "000000000000"
	apiID     = "local"
)

// origin is what the event contains beside the request itself.
type origin struct {
	route      Route
	parameters map[string]string
	claims     map[string]any // of an operator
	session    map[string]any // of a person in a session
	requestID  string
	region     string
	now        time.Time
}

// newEvent returns the request in payload version 2.0. An HTTP API passes on the decoded path, also as rawPath, and the
// query string both raw and decoded.
func newEvent(r *http.Request, body []byte, o origin) events.APIGatewayV2HTTPRequest {
	routeKey := o.route.Method + " " + o.route.Path
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	sourceIP, _, _ := net.SplitHostPort(r.RemoteAddr)
	prefix, _, _ := strings.Cut(host, ".")
	event := events.APIGatewayV2HTTPRequest{
		Version:               "2.0",
		RouteKey:              routeKey,
		RawPath:               r.URL.Path,
		RawQueryString:        r.URL.RawQuery,
		Cookies:               cookies(r.Header),
		Headers:               headers(r, sourceIP),
		QueryStringParameters: query(r.URL),
		PathParameters:        o.parameters,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey:     routeKey,
			AccountID:    accountID,
			Stage:        "$default",
			RequestID:    o.requestID,
			APIID:        apiID,
			DomainName:   host,
			DomainPrefix: prefix,
			Time:         o.now.UTC().Format("02/Jan/2006:15:04:05 -0700"),
			TimeEpoch:    o.now.UnixMilli(),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: r.Method, Path: r.URL.Path, Protocol: r.Proto, SourceIP: sourceIP, UserAgent: r.UserAgent(),
			},
		},
	}
	event.Body, event.IsBase64Encoded = encodeBody(r.Header, body)
	if o.session != nil {
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{Lambda: o.session}
	}
	if o.claims != nil {
		// Beside the claims, AWS lists the scopes that a route requires. No route here requires any.
		event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: identity.Flatten(o.claims)},
		}
	}
	return event
}

// headers returns the headers in lower case, with repeated ones joined by a comma. Cookies are separate.
func headers(r *http.Request, sourceIP string) map[string]string {
	flat := make(map[string]string, len(r.Header)+4)
	for name, values := range r.Header {
		if name != "Cookie" {
			flat[strings.ToLower(name)] = strings.Join(values, ",")
		}
	}
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "80"
	}
	flat["host"] = r.Host
	flat["x-forwarded-proto"] = "http"
	flat["x-forwarded-port"] = port
	if forwarded := flat["x-forwarded-for"]; forwarded != "" {
		sourceIP = forwarded + ", " + sourceIP
	}
	flat["x-forwarded-for"] = sourceIP
	return flat
}

func cookies(header http.Header) []string {
	var list []string
	for _, line := range header.Values("Cookie") {
		for cookie := range strings.SplitSeq(line, ";") {
			if cookie = strings.TrimSpace(cookie); cookie != "" {
				list = append(list, cookie)
			}
		}
	}
	return list
}

// query joins the values of a repeated parameter by a comma, in their order.
func query(u *url.URL) map[string]string {
	var flat map[string]string
	for name, values := range u.Query() {
		if flat == nil {
			flat = map[string]string{}
		}
		flat[name] = strings.Join(values, ",")
	}
	return flat
}

// encodeBody returns a body as text only if its declared type is one of the few that an HTTP API treats as text.
// Everything else is base64, including forms and bodies without a type. Text that is not valid UTF-8 is base64, too,
// because the event could not carry it unchanged.
func encodeBody(header http.Header, body []byte) (string, bool) {
	if len(body) == 0 {
		return "", false
	}
	if textual(header) && utf8.Valid(body) {
		return string(body), false
	}
	return base64.StdEncoding.EncodeToString(body), true
}

func textual(header http.Header) bool {
	if header.Get("Content-Encoding") != "" {
		return false
	}
	contentType, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return false
	}
	switch contentType {
	case "application/json", "application/xml", "application/javascript":
		return true
	}
	return strings.HasPrefix(contentType, "text/")
}
