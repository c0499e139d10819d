package cloud

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/local/live"
	"github.com/haatline/haatline/infra/local/page"
	"github.com/haatline/haatline/infra/local/signin"
	"github.com/haatline/haatline/shared/httpapi"
)

// devServer is where `npm run dev --prefix console` serves the console, with this cloud behind it.
const devServer = "5173"

// consolePages are the only addresses to which the sign-in pages send a browser back: those of the console.
func consolePages(front string) []string {
	_, port, _ := strings.Cut(strings.TrimPrefix(front, "http://"), ":")
	var all []string
	for _, port := range []string{port, devServer} {
		for _, host := range []string{"127.0.0.1", "localhost"} {
			all = append(all, "http://"+host+":"+port+"/")
		}
	}
	return all
}

// signInPages returns the sign-in pages, with the people who work for the demo tenant.
func (c *Cloud) signInPages(issuer *identity.Issuer) *signin.Server {
	return &signin.Server{
		Issuer: issuer, Tenant: defaultTenant, Pages: consolePages(c.Addresses.HTTP), Scopes: httpapi.ScopeNames(),
		Now: time.Now,
		People: []signin.Person{
			{Subject: operatorSubject, Username: "operator", Name: "Operator",
				About: "administrator of " + defaultTenant + ", may do everything", Groups: operatorGroups},
			{Subject: colleagueSubject, Username: "meena", Name: "Meena",
				About:  "answers customers of " + defaultTenant,
				Groups: []string{"tenant:" + defaultTenant, "operator"}},
		},
	}
}

// consolePage returns the console. It can sign in where the cloud issues the tokens itself.
func (c *Cloud) consolePage() *page.Server {
	server := &page.Server{Dir: filepath.Join(c.config.Root, "console", "dist"), Files: c.Addresses.Files,
		Live: strings.Replace(c.Addresses.Live, "http://", "ws://", 1) + live.ListenPath}
	if c.config.JWTIssuer == "" {
		server.Issuer, server.Client = c.Addresses.HTTP, identity.Audience
		server.Scopes = append([]string{"openid"}, httpapi.ConsoleScopes()...)
	}
	return server
}
