package main

import (
	"net/http"

	"github.com/haatline/haatline/shared/httpapi"
)

// describe returns a mux with the description of the domains' operations, but without the operations: those are on a mux that
// answers nothing and only knows which methods each path has.
func describe(domains []httpapi.Domain) *http.ServeMux {
	described := http.NewServeMux()
	api := httpapi.New(described, domains...)
	for _, domain := range domains {
		domain.Describe(api)
	}
	httpapi.Describe(api)
	mux := http.NewServeMux()
	httpapi.ServeDescription(mux, api)
	mux.HandleFunc("/", httpapi.NoOperation(described))
	return mux
}
