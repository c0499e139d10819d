package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/whatsapp"
)

// The scopes that the access token needs.
const (
	messagingScope  = "whatsapp_business_messaging"
	managementScope = "whatsapp_business_management"
)

// soon is how long before its expiry a token causes a warning.
const soon = 14 * 24 * time.Hour

type debuggedToken struct {
	AppID       string   `json:"app_id"`
	Application string   `json:"application"`
	Type        string   `json:"type"`
	Valid       bool     `json:"is_valid"`
	ExpiresAt   int64    `json:"expires_at"` // seconds; 0: never
	Scopes      []string `json:"scopes"`
	Granted     []struct {
		Scope     string   `json:"scope"`
		TargetIDs []string `json:"target_ids"`
	} `json:"granular_scopes"`
}

// checkToken asks Meta whether the access token is valid, what it may do, and for which accounts.
func (x *examination) checkToken(ctx context.Context) []finding {
	renew := whence(accessToken) + "; " + x.putSecret(accessToken)
	data, first := x.debug(ctx, x.accessToken.value, x.remedy(accessToken), renew)
	if first.state == missing || first.state == unknown {
		return []finding{first}
	}
	x.appID.set(data.AppID)
	const about = "access token's permissions"
	scopes := judgeScopes(data, renew).of(about)
	if !slices.Contains(data.Scopes, managementScope) {
		// the later checks would repeat the same
		return []finding{first, scopes, waits(about).of("access token's accounts")}
	}
	x.manages.set(true)
	return []finding{first, scopes, x.findAccounts(data)}
}

// debug asks Meta about a token. wrong says what to do if Meta does not know it, renew if it has expired or soon will.
func (x *examination) debug(ctx context.Context, token, wrong, renew string) (debuggedToken, finding) {
	var answered struct {
		Data debuggedToken `json:"data"`
	}
	err := x.graph.get(ctx, token, "/debug_token", url.Values{"input_token": {token}}, &answered)
	var refusal *graphError
	switch {
	case errors.As(err, &refusal) && refusal.code == badToken && refusal.subcode == expired:
		return debuggedToken{}, lacks(refusal.Error(), renew)
	case errors.As(err, &refusal) && refusal.code == badToken:
		return debuggedToken{}, lacks(refusal.Error(), wrong)
	case err != nil:
		return debuggedToken{}, x.refusedByMeta(err)
	}
	data := answered.Data
	name, ends := x.private.cleaned(data.Application), time.Unix(data.ExpiresAt, 0)
	switch {
	case !data.Valid || data.AppID == "":
		return data, lacks("Meta does not take it any more, or never did", wrong)
	case data.ExpiresAt != 0 && !x.now().Before(ends):
		return data, lacks("it expired on "+ends.UTC().Format(time.DateOnly), renew)
	case data.ExpiresAt != 0 && ends.Sub(x.now()) < soon:
		return data,
			warns("it expires on "+ends.UTC().Format("2006-01-02 15:04 UTC")+", and nothing is sent from then on",
				renew)
	case data.ExpiresAt != 0:
		return data, fine("of the app %s (%s), expires on %s", name, data.AppID, ends.UTC().Format(time.DateOnly))
	case data.Type != "SYSTEM_USER" && data.Type != "":
		return data, warns("it is a person's ("+data.Type+"), and ends when they change their password or leave", renew)
	}
	return data, fine("of the app %s (%s), never expires", name, data.AppID)
}

func judgeScopes(data debuggedToken, renew string) finding {
	var lacking []string
	for _, scope := range []string{messagingScope, managementScope} {
		if !slices.Contains(data.Scopes, scope) {
			lacking = append(lacking, scope)
		}
	}
	if len(lacking) > 0 {
		return lacks("it has no "+strings.Join(lacking, " and no "), renew)
	}
	return fine("%s and %s", messagingScope, managementScope)
}

// findAccounts finds the business accounts that the token is for. A token for a whole business names none.
func (x *examination) findAccounts(data debuggedToken) finding {
	const about = "access token's accounts"
	if x.wabas.known {
		return fine("%s, as you named them", strings.Join(x.wabas.value, ", ")).of(about)
	}
	var ids []string
	for _, grant := range data.Granted {
		if grant.Scope == messagingScope || grant.Scope == managementScope {
			ids = append(ids, grant.TargetIDs...)
		}
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return unseen("the token names no WhatsApp Business Account: it is for all of the business, or was given none",
			"name yours, from Meta's business settings, Accounts, WhatsApp accounts: make doctor STAGE="+
				string(x.stage)+" ARGS=\"-waba …\"; where the system user is not among its people, add them").of(about)
	}
	x.wabas.set(ids)
	return fine("%s", strings.Join(ids, ", ")).of(about)
}

type subscription struct {
	Object      string  `json:"object"`
	CallbackURL string  `json:"callback_url"`
	Active      bool    `json:"active"`
	Fields      []field `json:"fields"`
}

type field struct {
	Name string `json:"name"`
}

// checkSubscription asks Meta, as the app, where its webhooks go. That needs the app secret, so the answer also shows
// whether ours is right. While the secret is being changed there are two, and one right secret is enough.
func (x *examination) checkSubscription(ctx context.Context) []finding {
	var answered struct {
		Data []subscription `json:"data"`
	}
	err := errors.New("there is no app secret")
	for _, secret := range x.appSecrets.value {
		token := x.appID.value + "|" + secret
		if err = x.graph.get(ctx, token, "/"+url.PathEscape(x.appID.value)+"/subscriptions", nil,
			&answered); err == nil {
			break
		}
	}
	const about = "app secret"
	var refusal *graphError
	if errors.As(err, &refusal) && refusal.code == badToken {
		return []finding{
			lacks("Meta does not know it for that of the app "+x.appID.value+", of which the access token is",
				x.remedy(appSecret)).of(about),
			waits(about),
		}
	}
	if err != nil {
		return []finding{x.refusedByMeta(err)}
	}
	return []finding{
		fine("Meta knows it for that of the app %s", x.appID.value).of(about), x.judgeSubscription(answered.Data)}
}

func (x *examination) judgeSubscription(list []subscription) finding {
	set := fmt.Sprintf(
		"in Meta's dashboard: the app, WhatsApp, Configuration, Webhook, Edit: callback URL %s and your verify "+
			"token, Verify and save", x.webhook())
	i := slices.IndexFunc(list, func(s subscription) bool { return s.Object == "whatsapp_business_account" })
	if i < 0 {
		return lacks("the app has none for WhatsApp", set)
	}
	s := list[i]
	const where = "in Meta's dashboard: the app, WhatsApp, Configuration, Webhook fields, Manage: subscribe to "
	missing := slices.DeleteFunc(whatsapp.Fields(),
		func(name string) bool { return slices.Contains(s.Fields, field{name}) })
	switch {
	case strings.TrimSuffix(s.CallbackURL, "/") != x.webhook():
		return lacks("they go to "+x.private.cleaned(s.CallbackURL)+", and not to "+x.webhook(), set)
	case !s.Active:
		return lacks("they are switched off", set)
	case slices.Contains(missing, "messages"):
		return lacks("they are not about messages", where+strings.Join(missing, ", "))
	case len(missing) > 0:
		return warns("they are not about "+strings.Join(missing, ", ")+": what Meta says of these does not come",
			where+"them too")
	}
	return fine("go to %s, about messages and %d other fields", s.CallbackURL, len(s.Fields)-1)
}

// checkAccounts checks whether each business account is subscribed to the app. Otherwise Meta posts no webhooks, and
// its dashboard does not show why.
func (x *examination) checkAccounts(ctx context.Context) []finding {
	var list []finding
	for _, waba := range x.wabas.value {
		list = append(list, x.checkAccount(ctx, waba).of("account "+x.private.cleaned(waba)))
	}
	return list
}

func (x *examination) checkAccount(ctx context.Context, waba string) finding {
	path := "/" + url.PathEscape(waba) + "/subscribed_apps"
	var answered struct {
		Data []struct {
			App struct {
				ID string `json:"id"`
			} `json:"whatsapp_business_api_data"`
			Override string `json:"override_callback_uri"`
		} `json:"data"`
	}
	if err := x.graph.get(ctx, x.accessToken.value, path, nil, &answered); err != nil {
		return x.refusedAccount(err)
	}
	subscribe := fmt.Sprintf(`curl -X POST -H "Authorization: Bearer %s" %s%s`, x.secretToken, x.graph.url, path)
	for _, subscribed := range answered.Data {
		switch {
		case subscribed.App.ID != x.appID.value:
		case subscribed.Override != "" && x.apiURL.known && strings.TrimSuffix(subscribed.Override, "/") != x.webhook():
			return lacks("its webhooks go to an address of their own, "+x.private.cleaned(subscribed.Override),
				"subscribe anew without one: "+subscribe)
		default:
			return fine("its webhooks come to the app")
		}
	}
	return lacks("the app is not subscribed to it: Meta posts nothing of what happens there", subscribe)
}

// refusedAccount returns the finding for a business account that Meta refused to show.
func (x *examination) refusedAccount(err error) finding {
	var refusal *graphError
	if errors.As(err, &refusal) && refusal.lacksPermission() {
		return lacks("it is not there, or not for this access token",
			"in Meta's business settings: Accounts, WhatsApp accounts, the account, add the system user with full "+
				"control; and see that the token has "+managementScope)
	}
	return x.refusedByMeta(err)
}
