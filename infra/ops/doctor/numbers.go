package doctor

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// numberFields are the fields read of every number. The messaging limit is read separately: its name differs from
// version 24 on, and an unknown name fails the whole request.
const numberFields = "id,display_phone_number,verified_name,status,code_verification_status," +
	"quality_rating,name_status,platform_type,throughput"

type phoneNumber struct {
	ID           string `json:"id"`
	Display      string `json:"display_phone_number"`
	Name         string `json:"verified_name"`
	Status       string `json:"status"`
	Verification string `json:"code_verification_status"`
	Quality      string `json:"quality_rating"`
	NameStatus   string `json:"name_status"`
	Throughput   struct {
		Level string `json:"level"`
	} `json:"throughput"`
}

// health is Meta's answer to whether a number can send, and why not.
type health struct {
	OldLimit string `json:"messaging_limit_tier"`
	NewLimit string `json:"whatsapp_business_manager_messaging_limit"`
	Health   struct {
		CanSend  string `json:"can_send_message"`
		Entities []struct {
			Type   string `json:"entity_type"`
			Errors []struct {
				Code        int    `json:"error_code"`
				Description string `json:"error_description"`
				Solution    string `json:"possible_solution"`
			} `json:"errors"`
		} `json:"entities"`
	} `json:"health_status"`
}

// checkNumbers returns a finding for every number of every account, and one for each problem. It reads the first
// hundred numbers of an account.
func (x *examination) checkNumbers(ctx context.Context) []finding {
	var list []finding
	for _, waba := range x.wabas.value {
		var answered struct {
			Data []phoneNumber `json:"data"`
		}
		query := url.Values{"fields": {numberFields}, "limit": {"100"}}
		if err := x.graph.get(ctx, x.accessToken.value, "/"+url.PathEscape(waba)+"/phone_numbers", query,
			&answered); err != nil {
			list = append(list, x.refusedAccount(err).of("numbers of "+x.private.cleaned(waba)))
			continue
		}
		if len(answered.Data) == 0 {
			list = append(list,
				lacks("there are none",
					"in Meta's WhatsApp Manager: Account tools, Phone numbers, Add phone number").of("numbers of "+
					x.private.cleaned(waba)))
		}
		if len(answered.Data) > 0 {
			x.numbers.set(append(x.numbers.value, answered.Data...))
		}
		for _, number := range answered.Data {
			list = append(list, x.checkNumber(ctx, number)...)
		}
	}
	return list
}

func (x *examination) checkNumber(ctx context.Context, n phoneNumber) []finding {
	var told health
	limit, field := "not told", "messaging_limit_tier"
	if x.graph.version() >= 24 {
		field = "whatsapp_business_manager_messaging_limit"
	}
	err := x.graph.get(ctx, x.accessToken.value, "/"+url.PathEscape(n.ID),
		url.Values{"fields": {field + ",health_status"}}, &told)
	if err == nil && told.NewLimit+told.OldLimit != "" {
		limit = told.NewLimit + told.OldLimit // only one of them was requested
	}
	trouble := append(x.judgeNumber(n), x.judgeHealth(told)...)
	if len(trouble) == 0 {
		trouble = []finding{fine("%s, %s, quality %s, name %s, limit %s, throughput %s",
			x.shown(n.Name), x.shown(n.Status), x.shown(n.Quality), x.shown(n.NameStatus), x.shown(limit),
			x.shown(n.Throughput.Level))}
	}
	for i := range trouble {
		trouble[i] = trouble[i].of("number " + x.called(n))
	}
	return trouble
}

// called returns a number's name for people, together with Meta's id.
func (x *examination) called(n phoneNumber) string {
	return x.shown(n.Display) + " (" + x.shown(n.ID) + ")"
}

// shown returns a word from Meta in a form that may be shown.
func (x *examination) shown(word string) string {
	if word == "" {
		return "not told"
	}
	return x.private.cleaned(word)
}

// judgeNumber returns the problems of a number.
func (x *examination) judgeNumber(n phoneNumber) []finding {
	var list []finding
	const manager = "in Meta's WhatsApp Manager: Account tools, Phone numbers, the number: "
	register := fmt.Sprintf(
		`curl -X POST -H "Authorization: Bearer %s" -H "Content-Type: application/json" -d `+
			`'{"messaging_product":"whatsapp","pin":"six digits of yours"}' %s/%s/register`,
		x.secretToken, x.graph.url, url.PathEscape(n.ID))
	switch n.Status {
	case "CONNECTED", "": // some kinds of accounts omit it
	case "FLAGGED", "RESTRICTED", "RATE_LIMITED":
		list = append(list, warns("it is "+n.Status, manager+"Meta says there why, and for how long"))
	case "BANNED", "DELETED", "MIGRATED":
		list = append(list,
			lacks("it is "+n.Status, manager+"Meta says there why, and whether it can be asked for again"))
	default:
		list = append(list, lacks("it is "+x.shown(n.Status)+", and not registered with the Cloud API", register))
	}
	// a verification expires, and is needed only to connect
	if n.Verification == "NOT_VERIFIED" || n.Verification == "EXPIRED" && n.Status != "CONNECTED" {
		list = append(list,
			lacks("it was not verified to be yours", manager+"Verify, by a code in a text or a call; then "+register))
	}
	if n.Quality == "RED" {
		list = append(list,
			warns("its quality is RED: people block or report it, and Meta may send less of it",
				manager+"Insights; write only to who asked for it"))
	}
	switch n.NameStatus {
	case "DECLINED", "EXPIRED":
		list = append(list,
			warns("its name "+x.shown(n.Name)+" is "+n.NameStatus, manager+"Profile, ask for another display name"))
	case "PENDING_REVIEW":
		list = append(list,
			warns("its name "+x.shown(n.Name)+" waits for Meta's review", "wait; until then only its digits are shown"))
	}
	return list
}

// judgeHealth returns the problems that Meta itself names, such as a missing payment method.
func (x *examination) judgeHealth(told health) []finding {
	judge := lacks
	switch told.Health.CanSend {
	case "BLOCKED":
	case "LIMITED":
		judge = warns
	default:
		return nil
	}
	var list []finding
	seen := map[string]bool{}
	for _, entity := range told.Health.Entities {
		for _, e := range entity.Errors {
			if says := fmt.Sprintf("sending is %s: (%d) %s", strings.ToLower(told.Health.CanSend), e.Code,
				x.shown(e.Description)); !seen[says] {
				seen[says] = true
				list = append(list, judge(says, x.shown(e.Solution)))
			}
		}
	}
	if len(list) == 0 {
		list = append(list,
			judge("sending is "+strings.ToLower(told.Health.CanSend),
				"Meta's WhatsApp Manager says why: Account tools, Phone numbers"))
	}
	return list
}
