package main

import (
	"fmt"
	"net/http"

	"github.com/haatline/haatline/shared/httpapi"
)

// describe returns a mux with the description of the domains' operations, but without the operations: those are on a
// mux that answers nothing and only knows which methods each path has.
func describe(domains []httpapi.Part) (*http.ServeMux, error) {
	described := http.NewServeMux()
	api := httpapi.New(described, domains...)
	for _, domain := range domains {
		domain.Describe(api)
	}
	for _, domain := range domains {
		if err := httpapi.ShowExamples(api, domain); err != nil {
			return nil, fmt.Errorf("the examples of %s: %w", domain.Name, err)
		}
	}
	mux := http.NewServeMux()
	httpapi.ServeDescription(mux, api)
	mux.HandleFunc("/", httpapi.NoOperation(described))
	return mux, nil
}
