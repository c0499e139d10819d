package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/haatline/haatline/infra/local/cloud"
	"github.com/haatline/haatline/infra/local/identity"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/private"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/httpapi"
)

// token prints a token for the bearer that the flags describe, or writes it to a file. An expiry in the past makes an
// expired token.
func token(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("token", flag.ContinueOnError)
	tenant := flags.String("tenant", "", "a tenant the bearer belongs to; the same as the group tenant:<id>")
	role := flags.String("role", "administrator", "the bearer's role: operator, supervisor, administrator or auditor")
	groups := flags.String("groups", "", "further groups, separated by commas")
	scopes := flags.String("scopes", strings.Join(httpapi.ScopeNames(), " "), "scopes, separated by spaces or commas")
	username := flags.String("username", "operator", "the bearer's name")
	expires := flags.Duration("expires", 12*time.Hour, "how long it is valid, or, below zero, since when it is not")
	into := flags.String("out", "",
		"the file for the token, which you alone may read; it is printed where this is left out")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}

	root, err := engine.Root()
	if err != nil {
		return err
	}
	dir := cloud.Dir(root, os.Getenv)
	address, err := cloud.FrontAddress(dir, os.Getenv)
	if err != nil {
		return err
	}
	issuer, err := cloud.Issuer(dir, address)
	if err != nil {
		return err
	}
	grant := identity.Grant{
		Subject:  "local-" + *username,
		Username: *username,
		Groups:   append([]string{*role}, list(*groups)...),
		Scopes:   list(*scopes),
		IssuedAt: time.Now(),
	}
	if *tenant != "" {
		grant.Groups = append([]string{"tenant:" + *tenant}, grant.Groups...)
	}
	grant.ExpiresAt = grant.IssuedAt.Add(*expires)
	if *expires < 0 {
		grant.IssuedAt = grant.ExpiresAt.Add(-time.Hour)
	}
	if _, err := cloud.ReadAddresses(dir); err == nil { // it runs
		issuer.PreToken = cloud.PreToken(address)
	}
	minted, err := issuer.Mint(grant)
	if err != nil {
		return err
	}
	file, err := private.Create(*into)
	if err != nil {
		return err
	}
	defer file.Discard()
	if _, err := fmt.Fprintln(file.Or(out), minted); err != nil {
		return err
	}
	return file.Keep()
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
}
