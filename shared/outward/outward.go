// Package outward reaches servers whose addresses others have named: the servers of companies, and the endpoints of
// subscriptions. A request never reaches an address inside a network, whatever the name leads to, and follows no
// redirect. What is posted is signed with an HMAC.
package outward

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// ErrInside means that a host has led to an address that must not be reached.
var ErrInside = errors.New("the address is not allowed")

// maxHeaders bounds the headers of an answer, in bytes.
const maxHeaders = 32 << 10

// Client returns a client that dials the addresses that allowed reports: Public, in everything that is deployed. A
// request takes the timeout at most. It follows no redirect: that would be an address which nobody has checked.
// transport is changed: it dials by the client's rule, and uses no proxy.
func Client(allowed func(netip.Addr) bool, transport *http.Transport, timeout time.Duration) *http.Client {
	dialer := &net.Dialer{Timeout: timeout, Control: control(allowed)}
	transport.DialContext, transport.DialTLSContext, transport.Proxy = dialer.DialContext, nil, nil
	transport.MaxResponseHeaderBytes = maxHeaders
	return &http.Client{
		Transport: transport, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// control decides on the address that is dialled, after the host's name was resolved: a name that leads somewhere else
// a moment later is no way in.
func control(allowed func(netip.Addr) bool) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(target.Addr().Unmap()) {
			return ErrInside
		}
		return nil
	}
}

// ErrLink means that a text is no link that may be posted to. The error says why.
var ErrLink = errors.New("the address cannot be called")

// ParseLink returns a link with https whose host is a name. A link with a user, with a fragment, or whose host is a
// number is refused with ErrLink.
func ParseLink(text string) (*url.URL, error) {
	link, err := url.Parse(text)
	switch {
	case err != nil || link.Scheme != "https" || link.Hostname() == "" || link.Opaque != "":
		return nil, fmt.Errorf("%w: it is not a link with https", ErrLink)
	case link.User != nil || link.Fragment != "":
		return nil, fmt.Errorf("%w: it has a user or a fragment", ErrLink)
	}
	if _, err := netip.ParseAddr(link.Hostname()); err == nil {
		return nil, fmt.Errorf("%w: its host is a number", ErrLink)
	}
	return link, nil
}

// MAC returns the HMAC-SHA256 of parts that are joined by dots.
func MAC(secret []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, secret)
	for i, part := range parts {
		if i > 0 {
			mac.Write([]byte{'.'})
		}
		mac.Write(part)
	}
	return mac.Sum(nil)
}
