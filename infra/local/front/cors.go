package front

import (
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/haatline/haatline/infra/topology"
)

// corsPrefix is the prefix of CORS headers.
const corsPrefix = "access-control-"

// LocalOrigin reports whether an origin is a page on this machine, on any port.
func LocalOrigin(origin string) bool {
	address, err := url.Parse(origin)
	if err != nil || address.Scheme != "http" || origin != "http://"+address.Host || strings.HasSuffix(origin, ":") {
		return false
	}
	ip := net.ParseIP(address.Hostname())
	return address.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// corsOf returns the CORS headers of an answer. There are none for requests without an allowed origin.
func (g *Gateway) corsOf(r *http.Request) map[string]string {
	origin := r.Header.Get("Origin")
	if origin == "" || g.Origin == nil || !g.Origin(origin) {
		return nil
	}
	return map[string]string{
		"Access-Control-Allow-Origin":   origin,
		"Access-Control-Expose-Headers": strings.Join(topology.CORS.Exposed, ","),
		"Vary":                          "Origin",
	}
}

// preflight answers preflight requests before any route and without a token, like API Gateway.
func (g *Gateway) preflight(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodOptions || r.Header.Get("Origin") == "" ||
		r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	if cors := g.corsOf(r); cors != nil {
		delete(cors, "Access-Control-Expose-Headers")
		cors["Access-Control-Allow-Methods"] = strings.Join(topology.CORS.Methods, ",")
		cors["Access-Control-Allow-Headers"] = strings.Join(topology.CORS.Headers, ",")
		cors["Access-Control-Max-Age"] = strconv.Itoa(topology.CORS.MaxAgeSeconds)
		setAll(w.Header(), cors)
	}
	w.WriteHeader(http.StatusNoContent)
	return true
}

func setAll(header http.Header, values map[string]string) {
	for name, value := range values {
		header.Set(name, value)
	}
}
