package doctor

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/haatline/haatline/infra/console"
)

// checkConsole looks whether the console leads to the sign-in pages of this deployment, and has the API behind it.
func (x *examination) checkConsole(ctx context.Context) []finding {
	address := x.consoleURL.value
	if address == "" {
		return []finding{fine("there is none")}
	}
	const again = "look at the distribution and the bucket of the console, and deploy again"
	a, err := x.fetch(ctx, http.MethodGet, address+console.ConfigPath, nil, "")
	if err != nil {
		return []finding{lacks(err.Error(), "look whether the DNS record of the console's domain points at the output "+
			"ConsoleDomainTarget; a new distribution takes some minutes")}
	}
	var config console.Config
	if a.status != http.StatusOK || json.Unmarshal(a.body, &config) != nil || config.Client == "" {
		return []finding{lacks(console.ConfigPath+" of "+address+" "+x.said(a), again)}
	}
	if config.SignIn != x.pages.value {
		return []finding{lacks("it leads to the sign-in pages "+config.SignIn+", and this deployment's are "+
			x.pages.value, again)}
	}
	if a, err = x.fetch(ctx, http.MethodGet, address+"/v1/conversations", nil, ""); err != nil {
		return []finding{lacks(err.Error(), again)}
	}
	if a.status != http.StatusUnauthorized {
		return []finding{lacks("the API is not behind it: /v1/conversations "+x.said(a)+
			" to somebody without a token, and should answer 401", again)}
	}
	return []finding{fine("%s", address)}
}
