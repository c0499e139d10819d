// Package guard keeps web pages away from what listens on this machine. A page of any site may send requests to a port of
// the machine that shows it; command lines and SDKs are told from it by what a browser always adds.
package guard

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// Refuse answers 403 to what comes from a web page, and hands everything else on.
func Refuse(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := reason(r); why != "" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_ = json.NewEncoder(w).Encode(map[string]string{"error": why})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// reason returns why a request is refused, or "" where it is not.
func reason(r *http.Request) string {
	switch {
	case len(r.Header["Origin"]) > 0:
		return "requests of web pages are refused here: this one has an Origin"
	// A page can load an address without an Origin, as an image for example.
	case r.Header.Get("Sec-Fetch-Site") != "" && r.Header.Get("Sec-Fetch-Site") != "none":
		return "requests of web pages are refused here: this one has a Sec-Fetch-Site"
	// A page whose own name was made to point to this machine is of the same origin, and its requests say that name.
	case !isHere(r.Host):
		return "the Host is not this machine: use 127.0.0.1 or localhost"
	}
	return ""
}

// isHere reports whether a Host header names this machine by a name that nobody else can give out.
func isHere(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if strings.Trim(port, "0123456789") != "" {
		return false // what stands behind the colon may be a name, too
	}
	ip := net.ParseIP(name)
	return name == "localhost" || name == "[::1]" || ip != nil && ip.IsLoopback()
}

// Proxy hands what does not come from a web page on to the server at the address. The AWS SDKs work through it: the Host,
// which they sign, stays as it is.
func Proxy(address string) (http.Handler, error) {
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return Refuse(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		Transport: &http.Transport{MaxIdleConnsPerHost: 32, IdleConnTimeout: time.Minute, DisableCompression: true},
	}), nil
}
