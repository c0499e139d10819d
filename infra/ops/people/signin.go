package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/infra/private"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/httpapi"
)

// exchangePatience bounds the exchange of a code for a token.
const exchangePatience = 30 * time.Second

// SignIn lets a person sign in with their browser and prints only the access token on out. It prints the address to
// open on problems. With -out it writes the token to a file instead. It uses the authorization code with PKCE, so that
// the code that passes through the browser is worthless to anybody else.
func SignIn(ctx context.Context, args []string, out, problems io.Writer) error {
	flags := flag.NewFlagSet("sign-in", flag.ContinueOnError)
	stageName := flags.String("stage", "", "dev, staging or prod")
	callback := flags.String("callback", names.CallbackURL,
		"where on this machine the browser comes back to; one of those the stage was deployed with")
	asked := flags.String("scopes", "",
		"what the token is for, separated by commas, such as inbox.read,customers.erase; \"all\" for everything "+
			"your role gives (without it: everything but erasing and replaying)")
	into := flags.String("out", "",
		"the file for the token, which you alone may read; it is printed where this is left out")
	limit := flags.Duration("timeout", 5*time.Minute, "how long the person may take")
	if err := usage.Parse(flags, args, out); err != nil {
		return err
	}
	stage, err := deployment.ParseStage(*stageName)
	if err != nil {
		return err
	}
	scopes, err := scopesOf(*asked)
	if err != nil {
		return err
	}
	address, err := url.Parse(*callback)
	if err != nil || address.Scheme != "http" || address.Port() == "" || !isLoopback(address.Hostname()) {
		return usage.Wrong("-callback %q is not of the form %s", *callback, names.CallbackURL)
	}
	_, stack, err := identityOf(ctx, stage)
	if err != nil {
		return err
	}
	pages, client := stack.Outputs[names.SignInURL], stack.Outputs[names.ClientID]
	if pages == "" || client == "" {
		return fmt.Errorf("%s has no sign-in pages: %s", stage, deployment.Adding(stage, "domainPrefix=…"))
	}
	file, err := private.Create(*into) // nobody signs in for a token that cannot be kept
	if err != nil {
		return err
	}
	defer file.Discard()
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	token, err := signIn(ctx, &oauth2.Config{
		ClientID: client, RedirectURL: *callback, Scopes: append([]string{"openid"}, scopes...),
		Endpoint: oauth2.Endpoint{
			AuthURL: pages + "/oauth2/authorize", TokenURL: pages + "/oauth2/token",
			AuthStyle: oauth2.AuthStyleInParams},
	}, address, problems)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("nobody has signed in within %s", *limit)
	}
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintln(file.Or(out), token); err != nil {
		return err
	}
	return file.Keep()
}

// scopesOf returns the requested scopes, which may be given with or without the API's prefix. It returns a usage.Error
// for an unknown one.
func scopesOf(asked string) ([]string, error) {
	switch asked {
	case "":
		return httpapi.EverydayScopes(), nil
	case "all":
		return httpapi.ScopeNames(), nil
	}
	var scopes []string
	for _, name := range strings.FieldsFunc(asked, func(r rune) bool { return r == ',' || r == ' ' }) {
		scope := httpapi.ScopePrefix + strings.TrimPrefix(name, httpapi.ScopePrefix)
		if !slices.Contains(httpapi.ScopeNames(), scope) {
			return nil, usage.Wrong("-scopes: there is no scope %q; there are %s", name,
				strings.Join(httpapi.ScopeNames(), ", "))
		}
		scopes = append(scopes, scope)
	}
	return scopes, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// signIn waits until the browser delivers a code, and exchanges it for a token.
func signIn(ctx context.Context, config *oauth2.Config, callback *url.URL, problems io.Writer) (string, error) {
	listener, err := net.Listen("tcp", callback.Host)
	if err != nil {
		return "", fmt.Errorf("the browser could not come back to %s (is the local cloud running there?): %w",
			callback.Host, err)
	}
	verifier, state := oauth2.GenerateVerifier(), rand.Text()
	came := make(chan comeback, 1)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: receive(callback.Path, state, came)}
	go func() { _ = server.Serve(listener) }() // ends with Shutdown
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		_ = server.Shutdown(ctx) // lets the page go out
	}()
	fmt.Fprintf(problems, "open this in your browser and sign in:\n\n%s\n\n",
		config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case back := <-came:
		if back.code == "" {
			return "", fmt.Errorf("the sign-in pages refuse: %s", back.refusal)
		}
		return exchange(ctx, config, back.code, verifier)
	}
}

// comeback is what the browser delivers: a code, or the reason why there is none.
type comeback struct{ code, refusal string }

// receive accepts one answer of the sign-in pages: the first with our state. It ignores all others.
func receive(path, state string, came chan<- comeback) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Referrer-Policy", "no-referrer")
		switch {
		case r.Method != http.MethodGet || r.URL.Path != path:
			http.NotFound(w, r)
			return
		case subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(state)) != 1:
			http.Error(w, "This is not the sign-in that was begun here.", http.StatusBadRequest)
			return
		}
		back := comeback{code: query.Get("code")}
		page := "You are signed in. You can close this page."
		if back.code == "" {
			back.refusal = firstOf(query.Get("error_description"), query.Get("error"), "no code came")
			page = "You are not signed in. The terminal says why; you can close this page."
		}
		select {
		case came <- back:
		default: // only the first one counts
		}
		fmt.Fprintln(w, page)
	})
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func exchange(ctx context.Context, config *oauth2.Config, code, verifier string) (string, error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Timeout: exchangePatience})
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused):
		return "", fmt.Errorf("the sign-in pages give no token: HTTP %d %s", refused.Response.StatusCode,
			refused.ErrorCode)
	case err != nil:
		return "", fmt.Errorf("the sign-in pages give no token: %s", deployment.Why(err))
	}
	return token.AccessToken, nil
}
