package outward

import "net/netip"

// global are the addresses of version 6 that lead to the world.
var global = netip.MustParsePrefix("2000::/3")

// inside are addresses that lead into a network, to the machine itself, or nowhere.
var inside = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

func prefixes(texts ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// Public reports whether an address leads to the world, and not into a network.
func Public(address netip.Addr) bool {
	address = address.Unmap()
	if !address.IsValid() || address.Is6() && (!global.Contains(address) || address.Zone() != "") {
		return false
	}
	for _, prefix := range inside {
		if prefix.Contains(address) {
			return false
		}
	}
	return true
}
