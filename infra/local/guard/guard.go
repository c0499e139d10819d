// Package guard protects the local ports against web pages. Any web page can send requests to a port of the machine
// that shows it. Browsers add headers to them by which they differ from those of command lines and SDKs.
package guard

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// Refuse answers requests from web pages with 403 and passes all others on.
func Refuse(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := reason(r); why != "" {
			refuse(w, why)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// reason returns why a request is refused, or "".
func reason(r *http.Request) string {
	switch {
	case len(r.Header["Origin"]) > 0:
		return "requests of web pages are refused here: this one has an Origin"
	// A page can load an address without an Origin header, for example as an image.
	case r.Header.Get("Sec-Fetch-Site") != "" && r.Header.Get("Sec-Fetch-Site") != "none":
		return "requests of web pages are refused here: this one has a Sec-Fetch-Site"
	// A page whose own domain name was pointed at this machine (DNS rebinding) is same-origin; its Host header shows
	// the name.
	case !Here(r.Host):
		return "the Host is not this machine: use 127.0.0.1 or localhost"
	}
	return ""
}

// Page passes requests of the page of this very address on, and those that come from no page. It answers all others
// with 403.
func Page(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin, sent := r.Header["Origin"]
		own := !sent || len(origin) == 1 && origin[0] == "http://"+r.Host
		switch r.Header.Get("Sec-Fetch-Site") {
		case "", "none", "same-origin":
			if own && Here(r.Host) {
				next.ServeHTTP(w, r)
				return
			}
		}
		refuse(w, "requests of other pages are refused here")
	})
}

// Shown is Refuse for what a page of another port of this machine may show, such as pictures. Its scripts cannot read
// it.
func Shown(next http.Handler) http.Handler {
	refusing := Refuse(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header["Origin"]) == 0 && r.Method == http.MethodGet && Here(r.Host) &&
			r.Header.Get("Sec-Fetch-Site") == "same-site" {
			next.ServeHTTP(w, r)
			return
		}
		refusing.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusForbidden)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why})
}

// Here reports whether a Host header names this machine by a name that nobody else controls.
func Here(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if strings.Trim(port, "0123456789") != "" {
		return false // the part after the colon may be a name, too
	}
	ip := net.ParseIP(name)
	return name == "localhost" || name == "[::1]" || ip != nil && ip.IsLoopback()
}

// Proxy passes requests that do not come from a web page to the server at the address. It keeps the Host header, which
// AWS SDKs sign.
//
// It reads a request's body before it passes it on. A body that is still being read while the answer comes back can end
// the connection: the server closes the body as soon as the answer begins, and net/http takes what it then reads for a
// failed write, and the rest of the answer is lost.
func Proxy(address string) (http.Handler, error) {
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host, r.Out.Body = r.In.Host, r.In.Body // not what ReverseProxy wraps around it
		},
		Transport: &http.Transport{MaxIdleConnsPerHost: 32, IdleConnTimeout: time.Minute, DisableCompression: true},
	}
	return Refuse(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "the request's body is not readable", http.StatusBadRequest)
			return
		}
		r.Body, r.ContentLength = http.NoBody, int64(len(body))
		if len(body) > 0 {
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		proxy.ServeHTTP(w, r)
	})), nil
}
