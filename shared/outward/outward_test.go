package outward_test

import (
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/outward"
)

func TestAddressesInsideAreNotPublic(t *testing.T) {
	for text, public := range map[string]bool{
		"8.8.8.8": true, "2404:6800:4007::200e": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.31.0.1": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "255.255.255.255": false, "224.0.0.1": false, "::1": false, "::": false,
		"fe80::1": false, "fd00:ec2::254": false, "::ffff:169.254.169.254": false, "64:ff9b::a9fe:a9fe": false,
		"2002:a9fe:a9fe::1": false, "2001:db8::1": false, "2001::1": false, "ff02::1": false, "198.18.0.1": false,
	} {
		if have := outward.Public(netip.MustParseAddr(text)); have != public {
			t.Errorf("%s: %t", text, have)
		}
	}
}

// The name leads to this machine, as a name does that was changed after it had been looked at.
func TestANameThatLeadsInsideIsNotDialled(t *testing.T) {
	reached := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(server.Close)
	for _, address := range []string{server.URL, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)} {
		client := outward.Client(outward.Public, &http.Transport{}, time.Second)
		if _, err := client.Get(address); !errors.Is(err, outward.ErrInside) || reached {
			t.Errorf("%s: %v, reached: %t", address, err, reached)
		}
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/inside" {
			t.Error("the redirect was followed")
		}
		http.Redirect(w, r, "/inside", http.StatusFound)
	}))
	t.Cleanup(server.Close)
	client := outward.Client(func(a netip.Addr) bool { return a.IsLoopback() }, &http.Transport{}, time.Second)
	response, err := client.Get(server.URL)
	if err != nil || response.StatusCode != http.StatusFound {
		t.Fatal(err)
	}
	_ = response.Body.Close()
}

func TestOnlyLinksToNamesAreCalled(t *testing.T) {
	for text, ok := range map[string]bool{
		"https://hooks.haat.example/a?b=c": true, "https://hooks.haat.example:8443": true,
		"http://hooks.haat.example/": false, "https://user:pw@hooks.haat.example/": false, "https://10.0.0.1/": false,
		"https://[::1]/": false, "https://[fd00:ec2::254]:80/": false, "": false, "https:": false,
		"https://:80/":                 false,
		"https://hooks.haat.example#x": false, "file:///etc/passwd": false, "https:hooks.haat.example": false,
	} {
		if _, err := outward.ParseLink(text); (err == nil) != ok || err != nil && !errors.Is(err, outward.ErrLink) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Numbers that are written in another way than with four parts are names for the parser of links, and what they lead to
// is looked at when it is dialled.
func FuzzALinkReachesNothingInside(f *testing.F) {
	for _, text := range []string{
		"https://0x7f000001/", "https://2130706433/", "https://127.1/", "https://localhost/",
		"https://[::ffff:7f00:1]/",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		link, err := outward.ParseLink(text)
		if err != nil {
			return
		}
		if address, err := netip.ParseAddr(link.Hostname()); err == nil || link.User != nil || link.Scheme != "https" {
			t.Errorf("%q leads to %v", text, address)
		}
	})
}

// The vector is the second test case of RFC 4231.
func TestTheMACIsHMACSHA256(t *testing.T) {
	const want = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	have := hex.EncodeToString(outward.MAC([]byte("Jefe"), []byte("what do ya want for nothing?")))
	joined := outward.MAC([]byte("k"), []byte("a"), []byte("b"), nil)
	if have != want || string(joined) != string(outward.MAC([]byte("k"), []byte("a.b."))) {
		t.Error(have)
	}
}
