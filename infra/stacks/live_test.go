package stacks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The handler runs here as it is, but for its import, which AppSync has.
func TestAnOperatorListensToTheNumbersOfTheirTenants(t *testing.T) {
	code, err := os.ReadFile("live.js")
	if err != nil {
		t.Fatal(err)
	}
	_, code, found := bytes.Cut(code, []byte("import { util } from '@aws-appsync/utils'\n"))
	if !found {
		t.Fatal("the handler imports something else")
	}
	type identity struct {
		Groups  []string          `json:"groups"`
		Session map[string]string `json:"handlerContext,omitempty"`
	}
	desk, platform := identity{Groups: []string{"operator", "tenant:demo"}}, identity{Groups: []string{"platform"}}
	for _, c := range []struct {
		by   identity
		path string
		may  bool
	}{
		{desk, "haatline/demo/number/1", true}, {platform, "haatline/demo/number/1", true},
		{desk, "haatline/shop/number/1", false}, {desk, "haatline/demo/person/user-1", false},
		{desk, "haatline/demo/chat/chat-1", false}, {platform, "haatline/demo/chat/chat-1", false},
		{desk, "haatline/demo/number/*", false}, {desk, "haatline/demo/*", false}, {desk, "haatline/*", false},
		{platform, "haatline/*", false}, {desk, "haatline/demo/number/1/more", false},
		{identity{}, "haatline/demo/number/1", false},
		{identity{Groups: []string{"demo", "Tenant:demo"}}, "haatline/demo/number/1", false},
		{identity{Session: map[string]string{"sub": "user-1"}}, "haatline/demo/person/user-1", true},
	} {
		channel := map[string]any{"segments": strings.Split(c.path, "/")}
		asked, err := json.Marshal(map[string]any{"identity": c.by, "info": map[string]any{"channel": channel}})
		if err != nil {
			t.Fatal(err)
		}
		program := "const util = { unauthorized() { throw new Error('unauthorized') } }\n" +
			strings.Replace(string(code), "export function", "function", 1) + "\nonSubscribe(" + string(asked) + ")"
		out, err := exec.CommandContext(t.Context(), "node", "-e", program).CombinedOutput()
		refused := strings.Contains(string(out), "Error: unauthorized")
		if refused == c.may || refused != (err != nil) {
			t.Errorf("%v, %s: %v %s", c.by, c.path, err, out)
		}
	}
}

// Functions publish by their roles, and nobody else does. Operators listen by the user pool, people in sessions by the
// function, and both only where the handler or the function lets them.
func TestALiveChannelIsAsItWasAskedFor(t *testing.T) {
	without := stage(t, "prod")["functions"]
	with := deploy(t, map[string]any{"stage": "prod", "defaultTenant": "", "live": "on"})["functions"]
	var more []string
	for id := range with.Resources {
		if _, was := without.Resources[id]; !was && !strings.HasPrefix(id, "LiveAuthorizer") {
			more = append(more, id)
		}
	}
	slices.Sort(more)
	// a version's id has a hash of its function's configuration
	publishing := []string{"CommunityApi", "Inbound", "MessagingApi", "Outbox", "Status"}
	more = slices.DeleteFunc(more, func(id string) bool {
		return slices.ContainsFunc(publishing, func(f string) bool { return strings.HasPrefix(id, f+"Version") })
	})
	if diff := cmp.Diff([]string{"InvokeLive", "Live", "LiveChannels"}, more); diff != "" {
		t.Errorf("resources beside the function:\n%s", diff)
	}
	config := at(with.Resources["Live"].Properties, "EventConfig")
	mode := func(names ...string) (all []any) {
		for _, name := range names {
			all = append(all, map[string]any{"AuthType": name})
		}
		return all
	}
	const pool, session, role = "AMAZON_COGNITO_USER_POOLS", "AWS_LAMBDA", "AWS_IAM"
	for name, want := range map[string]any{
		"ConnectionAuthModes": mode(pool, session), "DefaultSubscribeAuthModes": mode(pool, session),
		"DefaultPublishAuthModes": mode(role), "LogConfig": nil,
	} {
		got := at(config, name)
		if want, is := want.([]any); is {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		} else if got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	providers := at(config, "AuthProviders").([]any)
	authorizer := at(providers[2], "LambdaAuthorizerConfig")
	if len(providers) != 3 || at(authorizer, "AuthorizerResultTtlInSeconds") != 0.0 ||
		said(at(authorizer, "AuthorizerUri")) != "${LiveAuthorizerLive}" {
		t.Errorf("%v", providers)
	}
	channels := with.Resources["LiveChannels"].Properties
	if code := said(channels["CodeHandlers"]); channels["Name"] != "haatline" ||
		!strings.Contains(code, "util.unauthorized()") {
		t.Errorf("%v", channels)
	}
	permission := with.Resources["InvokeLive"].Properties
	if permission["Principal"] != "appsync.amazonaws.com" || said(permission["SourceArn"]) != "${Live.ApiArn}" ||
		said(permission["FunctionName"]) != "${LiveAuthorizerLive}" {
		t.Errorf("%v", permission)
	}
	for _, f := range publishing {
		if got := said(at(with.Resources[f].Properties, "Environment", "Variables",
			"LIVE_URL")); got != "https://${Live.Dns.Http}" {
			t.Errorf("%s publishes to %s", f, got)
		}
	}
	for _, id := range with.of("AWS::IAM::Role") {
		var want []string
		switch id {
		case "CommunityApiRole", "InboundRole", "MessagingApiRole", "OutboxRole", "StatusRole":
			want = []string{"appsync:EventPublish on ${LiveChannels.ChannelNamespaceArn}"}
		case "LiveAuthorizerRole":
			const table = "dynamodb:%s on " +
				"arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/community-%s"
			for _, of := range [][2]string{ // the members of chats
				{"BatchGetItem", "communities-prod"}, {"BatchGetItem", "group-chats-prod"},
				{"Query", "group-chats-prod/index/GroupChatMembersIndex"}, {"BatchGetItem", "private-chats-prod"},
				{"Query", "private-chats-prod/index/PrivateChatMembersIndex"}} {
				want = append(want, fmt.Sprintf(table, of[0], of[1]))
			}
			want = append(want, "secretsmanager:GetSecretValue on ${CursorsSecrets}")
		}
		var was []string
		if role, there := without.Resources[id]; there {
			was = granted(t, id, role)
		}
		got := slices.DeleteFunc(granted(t, id, with.Resources[id]), func(line string) bool {
			return slices.Contains(was, line) || strings.HasPrefix(line, "logs:") || strings.HasPrefix(id, "Mover")
		})
		if !slices.Equal(want, got) {
			t.Errorf("%s may beside: %q, want %q", id, got, want)
		}
	}
}
