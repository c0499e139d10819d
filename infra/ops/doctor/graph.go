package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// graph reads the Cloud API. It sends tokens in a header and not in the address. The exception is debug_token, whose
// address is never shown.
type graph struct {
	examination *examination
	url         string // with version, without a slash at its end
}

// graphError is the Cloud API's error.
type graphError struct {
	status, code, subcode int
	message               string // cleaned
}

func (e *graphError) Error() string {
	if e.code == 0 && e.message == "" {
		return fmt.Sprintf("Meta answers %d", e.status)
	}
	return fmt.Sprintf("Meta says (%d) %s", e.code, e.message)
}

// Cloud API error codes that a person can do something about.
const (
	badToken      = 190
	invalid       = 100
	notYourThing  = 33  // subcode of invalid: it does not exist, or the token may not use it
	expired       = 463 // subcode of badToken: the token has expired
	permission    = 10
	permissionMin = 200 // up to 299: a missing permission
	permissionMax = 299
)

// lacksPermission reports whether the token lacks a permission.
func (e *graphError) lacksPermission() bool {
	return e.code == permission || e.code >= permissionMin && e.code <= permissionMax ||
		e.code == invalid && e.subcode == notYourThing
}

// wantsProof reports whether the app requires an app secret proof, which the functions do not send.
func (e *graphError) wantsProof() bool {
	return e.code == invalid && strings.Contains(e.message, "appsecret_proof")
}

// get reads an object. If Meta refuses, the error is a *graphError.
func (g graph) get(ctx context.Context, token, path string, query url.Values, into any) error {
	address := g.url + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	a, err := g.examination.fetch(ctx, http.MethodGet, address,
		map[string]string{"Authorization": "Bearer " + token}, "")
	if err != nil {
		return err
	}
	var refused struct {
		Error *struct {
			Message string `json:"message"`
			Code    int    `json:"code"`
			Subcode int    `json:"error_subcode"`
		} `json:"error"`
	}
	notJSON := json.Unmarshal(a.body, &refused) != nil
	switch {
	case refused.Error != nil:
		// it is said once
		message := strings.TrimPrefix(refused.Error.Message, fmt.Sprintf("(#%d) ", refused.Error.Code))
		return &graphError{a.status, refused.Error.Code, refused.Error.Subcode, g.examination.private.cleaned(message)}
	case notJSON || a.status != http.StatusOK:
		return &graphError{status: a.status}
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		return errors.New("the answer has another form than Meta documents")
	}
	return nil
}

// version returns 23 for https://graph.facebook.com/v23.0, or 0 for an address without a version.
func (g graph) version() int {
	_, text, _ := strings.Cut(g.url[strings.LastIndex(g.url, "/")+1:], "v")
	number, _, _ := strings.Cut(text, ".")
	value, _ := strconv.Atoi(number)
	return value
}

// refusedByMeta returns the finding for an error of get that the check does not handle itself.
func (x *examination) refusedByMeta(err error) finding {
	var refusal *graphError
	switch {
	case !errors.As(err, &refusal):
		return lacks(err.Error(), "look whether this machine reaches "+x.private.cleaned(x.graph.url))
	case refusal.wantsProof():
		return lacks("the app takes only calls with a proof of the app secret, which the functions do not send",
			"turn it off in Meta's dashboard: the app, App settings, Advanced, Require app secret")
	case refusal.code == badToken:
		return lacks(refusal.Error(), x.remedy(accessToken))
	}
	return unseen(refusal.Error(), "look at the code in Meta's list: developers.facebook.com, WhatsApp, Error codes")
}
