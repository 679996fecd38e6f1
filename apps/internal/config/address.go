package config

import (
	"fmt"
	"net"
	"net/netip"
)

// IsLoopback reports whether only this machine reaches what listens on an address.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// checkNamed reports what is no address, and that others can reach one while nobody says by
// which URL: what clients and operators are told would lead them to themselves.
func checkNamed(flag, address, urlFlag, variable, url string) error {
	if address == "" {
		return nil
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fmt.Errorf("%s %s is not a host and a port, such as 127.0.0.1:8080", flag, address)
	}
	if url != "" || IsLoopback(address) {
		return nil
	}
	return fmt.Errorf("%s %s can be reached from other machines: say with %s (%s) by which URL, such as https://crm.example.org, or listen on 127.0.0.1",
		flag, address, urlFlag, variable)
}
