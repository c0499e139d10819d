package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/eventually"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// neighboursPhone is the number that codes are sent from over WhatsApp.
const neighboursPhone = "106540352242977"

// neighbour is a person of communities.
type neighbour struct {
	c                          *communityClient
	email, id, access, refresh string
}

// communityClient calls the operations of communities.
type communityClient struct{ client }

// callCommunity has people sign up, found a community, write, ask and be told, and makes every call of theirs.
func callCommunity(t *testing.T, r *running) {
	t.Helper()
	c := &communityClient{client{t: t, r: r, name: "community"}}
	c.want(http.StatusCreated, http.MethodPost, "/v1/companies", `{"id":"ci-neighbours","name":"Neighbours",`+
		`"channelConfig":{"company_email":"hello@neighbours.example"}}`, nil)
	const settings = "/v1/community-settings"
	c.r.serves(t, neighboursPhone)
	c.want(http.StatusOK, http.MethodPut, settings+"?tenantId=demo",
		`{"open":true,"from":"hello@neighbours.example","whatsAppNumber":"`+neighboursPhone+`","words":["rude"]}`, nil)
	asha, ravi, meena := c.joins("asha"), c.joins("ravi"), c.joins("meena")
	market := asha.makes("/communities", `{"name":"Kothrud Traders","location":{"country":"India","state":"Maharashtra"}}`)
	circle := c.circle(asha, ravi, meena, market)
	c.chats(asha, ravi, meena, market, circle)
	c.pictures(asha, market)
	c.bridges(asha, market, circle)
	c.moderates(asha, ravi, meena, market, circle)
	c.accounts(asha, ravi)
	c.phones(meena)
	c.addresses(meena)
	c.digests(meena, ravi)
	for _, list := range []string{
		settings + "?tenantId=demo", settings + "/communities?tenantId=demo&limit=1",
		"/v1/community-people?tenantId=demo&username=meena", "/v1/community-people?tenantId=demo&email=" + meena.email,
	} {
		c.want(http.StatusOK, http.MethodGet, list, "", nil)
	}
	for _, to := range []string{"appoint", "dismiss", "disable", "enable"} {
		c.want(http.StatusOK, http.MethodPost, "/v1/community-people/"+meena.id+"/"+to, `{"reason":"a test"}`, nil)
	}
	c.erases(meena)
}

// joins has somebody sign up, and confirm the code that they get.
func (c *communityClient) joins(name string) *neighbour {
	c.t.Helper()
	n := &neighbour{c: c, email: name + "@neighbours.example"}
	account := fmt.Sprintf(`{"tenantId":"demo","username":%q,"name":%q,"email":%q,"password":"correct horse"}`, name, name,
		n.email)
	n.public(http.StatusAccepted, "sign-up", account, nil)
	n.signed("confirm-sign-up", fmt.Sprintf(`{"tenantId":"demo","email":%q,"code":%q,"password":"correct horse"}`, n.email,
		c.code(n.email)))
	// who has signed up today may change little
	err := c.r.engine().Update(c.t.Context(), dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.CommunityUser(model.Name(n.id)), Do: "SET CreatedAt = :before",
		If: dynamo.IfPresent, Values: dynamo.Item{":before": dynamo.S(model.At(time.Now().Add(-48 * time.Hour)))},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

var (
	sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)
	codeText  = regexp.MustCompile(`"text":"[0-9]{6}"`) // in a message over WhatsApp
)

// code returns the newest code that goes to an address.
func (c *communityClient) code(to string) (code string) {
	c.t.Helper()
	var newest model.Time
	rows, err := c.r.engine().Scan(c.t.Context(), dynamo.Scan{Table: tables.Outbox, Limit: 500})
	if err != nil {
		c.t.Fatal(err)
	}
	for ; ; rows, err = c.r.engine().Scan(c.t.Context(), dynamo.Scan{Table: tables.Outbox, Limit: 500,
		After: rows.Next}) {
		if err != nil {
			c.t.Fatal(err)
		}
		for _, row := range rows.Items {
			var event model.OutboxEvent
			if err := dynamo.Unmarshal(row, &event); err != nil {
				c.t.Fatal(err)
			}
			email, err := mailing.Of(event)
			if err == nil && email.To == to && event.CreatedAt > newest {
				code, newest = sixDigits.FindString(email.Text), event.CreatedAt
			}
			if said := string(event.Payload); strings.Contains(said, `"to":"`+to+`"`) && event.CreatedAt > newest {
				code, newest = sixDigits.FindString(codeText.FindString(said)), event.CreatedAt
			}
		}
		if rows.Next == nil {
			return code
		}
	}
}

// public calls an operation for everybody.
func (n *neighbour) public(status int, operation, body string, into any) {
	n.c.t.Helper()
	n.do(status, "", http.MethodPost, "/v1/community-access/"+operation, body, into)
}

// signed calls a public operation that signs the person in.
func (n *neighbour) signed(operation, body string) {
	n.c.t.Helper()
	var tokens struct{ UserID, AccessToken, RefreshToken string }
	n.public(http.StatusOK, operation, body, &tokens)
	n.id, n.access, n.refresh = tokens.UserID, tokens.AccessToken, tokens.RefreshToken
}

func (n *neighbour) do(status int, token, method, path, body string, into any) {
	n.c.t.Helper()
	n.c.keys++
	request := n.c.r.request(n.c.t, token, method, path, body)
	request.Header.Set("Idempotency-Key", n.c.name+"-"+strconv.Itoa(n.c.keys))
	got, answer := do(n.c.t, request)
	if got != status {
		n.c.t.Fatalf("%s %s: %d %s", method, path, got, answer)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(answer), into); err != nil {
			n.c.t.Fatal(err)
		}
	}
}

// makes calls an operation that creates something, and returns its id.
func (n *neighbour) makes(path, body string) string {
	n.c.t.Helper()
	var made struct{ ID, Code string }
	n.do(http.StatusCreated, n.access, http.MethodPost, "/v1/community"+path, body, &made)
	if made.Code != "" {
		return made.ID + " " + made.Code
	}
	return made.ID
}

// calls calls operations of a method that answer with a status.
func (n *neighbour) calls(status int, method string, paths ...string) {
	n.c.t.Helper()
	for _, path := range paths {
		n.do(status, n.access, method, "/v1/community"+path, "", nil)
	}
}

// says calls an operation with a body.
func (n *neighbour) says(status int, method, path, body string) {
	n.c.t.Helper()
	n.do(status, n.access, method, "/v1/community"+path, body, nil)
}

// circle has people join a community, and returns the path of a private group chat.
func (c *communityClient) circle(asha, ravi, meena *neighbour, market string) string {
	c.t.Helper()
	path := "/communities/" + market
	ravi.calls(http.StatusOK, http.MethodPost, path+"/join")
	var invitation struct{ ID, Code string }
	asha.do(http.StatusCreated, asha.access, http.MethodPost, "/v1/community"+path+"/invitations", `{"uses":2}`, &invitation)
	meena.calls(http.StatusOK, http.MethodPost, "/invitations/"+invitation.Code+"/accept")
	asha.calls(http.StatusOK, http.MethodGet, path, path+"/invitations", path+"/members?all=true", "/me/communities",
		"/communities?country=India", "/communities?country=India&state=Maharashtra&city=", "/communities?name=kothrud",
		"/users/"+ravi.id, "/users?username=ravi", "/me")
	asha.calls(http.StatusNoContent, http.MethodDelete, path+"/invitations/"+invitation.ID)
	asha.says(http.StatusOK, http.MethodPatch, path, `{"name":"Kothrud Traders and Friends"}`)
	asha.says(http.StatusOK, http.MethodPut, path+"/members/"+ravi.id+"/role", `{"role":"moderator"}`)
	closed := asha.makes(path+"/group-chats", `{"name":"Rice","capacity":3,"private":true}`)
	asha.calls(http.StatusOK, http.MethodGet, path+"/group-chats", "/group-chats/"+closed+"/community")
	asha.says(http.StatusOK, http.MethodPatch, "/group-chats/"+closed, `{"capacity":4}`)
	request := ravi.makes("/group-chats/"+closed+"/requests", "")
	asha.calls(http.StatusOK, http.MethodGet, "/group-chats/"+closed+"/requests",
		"/group-chats/"+closed+"/requests?pending=true")
	asha.calls(http.StatusOK, http.MethodPost, "/group-chats/"+closed+"/requests/"+request+"/seen",
		"/group-chats/"+closed+"/requests/"+request+"/accept")
	refused := meena.makes("/group-chats/"+closed+"/requests", "")
	meena.calls(http.StatusOK, http.MethodGet, "/me/requests", "/me/requests?pending=true")
	asha.calls(http.StatusOK, http.MethodPost, "/group-chats/"+closed+"/requests/"+refused+"/refuse")
	withdrawn := meena.makes("/group-chats/"+closed+"/requests", "")
	meena.calls(http.StatusOK, http.MethodPost, "/me/requests/"+withdrawn+"/withdraw")
	return closed
}

// chats has people write in a group chat and a private one.
func (c *communityClient) chats(asha, ravi, meena *neighbour, market, circle string) {
	c.t.Helper()
	path := "/chats/group/" + circle
	first := asha.makes(path+"/messages", `{"content":"Basmati is 90","mentions":["`+ravi.id+`"]}`)
	asha.says(http.StatusOK, http.MethodPatch, path+"/messages/"+first, `{"content":"Basmati is 95, rude"}`)
	answer := ravi.makes(path+"/messages", `{"content":"Too much","replyTo":"`+first+`"}`)
	ravi.calls(http.StatusNoContent, http.MethodPut, path+"/messages/"+first+"/reactions/%F0%9F%91%8D")
	ravi.calls(http.StatusNoContent, http.MethodDelete, path+"/messages/"+first+"/reactions/%F0%9F%91%8D")
	ravi.calls(http.StatusOK, http.MethodGet, path, path+"/members", path+"/messages", path+"/changes?limit=1",
		path+"/search?text=basmati", path+"/messages/"+first, path+"/messages/"+first+"/versions", "/me/chats")
	ravi.says(http.StatusNoContent, http.MethodPut, path+"/read", `{"seq":2}`)
	ravi.says(http.StatusNoContent, http.MethodPut, path+"/notify", `{"notify":"mentions"}`)
	ravi.says(http.StatusOK, http.MethodPut, path+"/presence", `{"state":"typing"}`)
	ravi.calls(http.StatusNoContent, http.MethodDelete, path+"/messages/"+answer)
	file := asha.uploads(path, "Basmati is 90")
	sent := asha.makes(path+"/messages", `{"attachments":[{"fileId":"`+file+`"}]}`)
	if got := ravi.downloads(path + "/messages/" + sent + "/files/" + file); got != "Basmati is 90" {
		c.t.Errorf("the file holds %q", got)
	}
	asha.calls(http.StatusNoContent, http.MethodDelete, path+"/messages/"+sent)
	var private struct{ ID string }
	asha.do(http.StatusOK, asha.access, http.MethodPost, "/v1/community/private-chats",
		`{"userId":"`+meena.id+`","communityId":"`+market+`"}`, &private)
	between := "/chats/private/" + private.ID + "/messages"
	asha.makes(between, `{"content":"hello"}`)
	hers := meena.makes(between, `{"content":"hello Asha"}`)
	paper := meena.uploads("/chats/private/"+private.ID, "Dal is 120")
	meena.makes(between, `{"attachments":[{"fileId":"`+paper+`"},{"url":"https://dal.example/","type":"text/html"}]}`)
	meena.says(http.StatusOK, http.MethodPatch, between+"/"+hers, `{"content":"hello, Asha"}`)
	asha.calls(http.StatusNoContent, http.MethodPut, between+"/"+hers+"/reactions/%F0%9F%91%8D")
	meena.calls(http.StatusNoContent, http.MethodPut, between+"/"+hers+"/reactions/%F0%9F%91%8D")
	meena.calls(http.StatusNoContent, http.MethodDelete, between+"/"+hers+"/reactions/%F0%9F%91%8D")
	asha.calls(http.StatusOK, http.MethodGet, between, between+"/"+hers)
	c.letsGo(asha.uploads(path, "never sent"), meena.uploads("/chats/private/"+private.ID, "never sent"))
	c.crowds(meena, "private", private.ID)
	c.crowds(asha, "group", circle)
	for _, blocked := range []string{"true", "false"} {
		meena.says(http.StatusNoContent, http.MethodPut, "/private-chats/"+private.ID+"/blocked", `{"blocked":`+blocked+`}`)
	}
	told := ravi.told()
	ravi.says(http.StatusNoContent, http.MethodPost, "/me/notifications/seen", `{"ids":["`+told+`"]}`)
	ravi.calls(http.StatusNoContent, http.MethodPost, "/me/notifications/"+told+"/read")
	ravi.calls(http.StatusOK, http.MethodPost, "/me/notifications/read")
}

// crowds has somebody write in a chat in which something else of theirs waits, in an answer to nothing: that cannot be
// posted, and is told to them. What they write is posted behind it.
func (c *communityClient) crowds(n *neighbour, kind, chat string) {
	c.t.Helper()
	now := model.At(time.Now())
	d := communitymodel.Draft{
		ID: "waits", TenantID: "demo", ChatKind: communitymodel.Kind(kind), ChatID: model.Name(chat),
		Author: model.Name(n.id), Content: "first", ReplyTo: communitymodel.Stamped(now, "nothing"), QueuedAt: now,
		Request: "waits",
	}
	d.Keep(0)
	item, err := dynamo.Marshal(d)
	c.must(err)
	c.must(c.r.engine().Transact(c.t.Context(), []dynamo.Write{
		dynamo.Update{
			Table: tables.CommunityUsers, Key: keys.CommunityUser(d.Author), Do: "SET DraftsUntil = :until",
			If: dynamo.IfPresent, Values: dynamo.Item{":until": dynamo.S(d.Until())}},
		dynamo.Put{Table: tables.CommunityNotifications, Item: item, If: dynamo.IfAbsent},
	}))
	path := "/chats/" + kind + "/" + chat
	var queued struct {
		ID     string
		Queued bool
	}
	n.do(http.StatusAccepted, n.access, http.MethodPost, "/v1/community"+path+"/messages", `{"content":"second"}`,
		&queued)
	eventually.Holds(c.t, "what waits is posted", func() bool {
		var changes struct {
			Items []struct{ Message struct{ ID, Content string } }
		}
		n.do(http.StatusOK, n.access, http.MethodGet, "/v1/community"+path+"/changes?limit=100", "", &changes)
		return slices.ContainsFunc(changes.Items, func(item struct{ Message struct{ ID, Content string } }) bool {
			return queued.Queued && item.Message.Content == "second" && strings.HasSuffix(item.Message.ID, queued.ID)
		})
	})
	var list struct{ Items []struct{ Type string } }
	n.do(http.StatusOK, n.access, http.MethodGet, "/v1/community/me/notifications", "", &list)
	unposted := func(item struct{ Type string }) bool { return item.Type == "message_not_posted" }
	if !slices.ContainsFunc(list.Items, unposted) {
		c.t.Errorf("told %+v", list.Items)
	}
}

// pictures has somebody upload pictures of themself and of their community, of which one is never shown.
func (c *communityClient) pictures(n *neighbour, market string) {
	c.t.Helper()
	const png = "\x89PNG\r\n\x1a\n a picture"
	for owner, read := range map[string]string{
		"/me": "/users/" + n.id, "/communities/" + market: "/communities/" + market} {
		uploaded := func() string {
			return n.puts(owner+"/pictures", fmt.Sprintf(`{"type":"image/png","size":%d}`, len(png)), png)
		}
		for range 2 {
			n.says(http.StatusOK, http.MethodPut, owner+"/pictures/avatar", `{"pictureId":"`+uploaded()+`"}`)
		}
		if got := n.downloads(read + "/pictures/avatar"); got != png {
			c.t.Errorf("the picture holds %q", got)
		}
		n.calls(http.StatusOK, http.MethodDelete, owner+"/pictures/avatar")
		c.letsGo(uploaded())
		n.says(http.StatusOK, http.MethodPut, owner+"/pictures/cover", `{"pictureId":"`+uploaded()+`"}`)
	}
}

// uploads has the person put a text under a link for a chat, and returns the id of the file.
func (n *neighbour) uploads(path, text string) string {
	n.c.t.Helper()
	return n.puts(path+"/files", fmt.Sprintf(`{"name":"prices.txt","type":"text/plain","size":%d}`, len(text)), text)
}

// puts asks for a link, and has the person put something there. It returns the id of the file or the picture.
func (n *neighbour) puts(path, body, text string) string {
	n.c.t.Helper()
	var link struct {
		FileID, PictureID, URL string
		Headers                map[string]string
	}
	n.do(http.StatusCreated, n.access, http.MethodPost, "/v1/community"+path, body, &link)
	request, err := http.NewRequestWithContext(n.c.t.Context(), http.MethodPut, link.URL, strings.NewReader(text))
	if err != nil {
		n.c.t.Fatal(err)
	}
	for name, value := range link.Headers {
		request.Header.Set(name, value)
	}
	if status, answer := do(n.c.t, request); status != http.StatusOK {
		n.c.t.Fatalf("a file is put under its link: %d %s", status, answer)
	}
	return link.FileID + link.PictureID
}

// letsGo makes a day of it for files that no message has, and waits until their plans have ended.
func (c *communityClient) letsGo(all ...string) {
	c.t.Helper()
	past := model.At(time.Now().Add(-time.Minute))
	for _, file := range all {
		id := c.planOf(file)
		err := c.r.engine().Update(c.t.Context(), dynamo.Update{
			Table: tables.Outbox, Key: keys.OutboxEvent(id), Do: "SET notBefore = :at, #sort = :sort",
			If: "attribute_exists(eventId)", Names: map[string]string{"#sort": tables.SortNextRetryAtEventID},
			Values: dynamo.Item{":at": dynamo.S(past), ":sort": dynamo.S(keys.Joined(past, id))},
		})
		if err != nil {
			c.t.Fatal(err)
		}
	}
	if _, err := c.r.Trigger(c.t.Context(), "slow-lane-sweep"); err != nil {
		c.t.Fatal(err)
	}
	for _, file := range all {
		eventually.Holds(c.t, "a file that no message has goes", func() bool {
			var event model.OutboxEvent
			err := c.r.engine().Get(c.t.Context(), tables.Outbox, keys.OutboxEvent(c.planOf(file)), &event)
			return err == nil && event.Status == model.OutboxSent
		})
	}
}

// planOf returns the id of the planned event by which a file goes.
func (c *communityClient) planOf(file string) string {
	c.t.Helper()
	for after := dynamo.Item(nil); ; {
		rows, err := c.r.engine().Scan(c.t.Context(), dynamo.Scan{Table: tables.Outbox, Limit: 500, After: after})
		if err != nil {
			c.t.Fatal(err)
		}
		for _, row := range rows.Items {
			if dynamo.Text(row, "entityId") == file {
				return dynamo.Text(row, "eventId")
			}
		}
		if after = rows.Next; after == nil {
			c.t.Fatalf("nothing is planned for the file %s", file)
		}
	}
}

// downloads returns what is under the link to a file.
func (n *neighbour) downloads(path string) string {
	n.c.t.Helper()
	var file struct{ URL string }
	n.do(http.StatusOK, n.access, http.MethodGet, "/v1/community"+path, "", &file)
	request, err := http.NewRequestWithContext(n.c.t.Context(), http.MethodGet, file.URL, nil)
	if err != nil {
		n.c.t.Fatal(err)
	}
	_, text := do(n.c.t, request)
	return text
}

// told waits until somebody is told of a mention, and returns the notification's id.
func (n *neighbour) told() (id string) {
	n.c.t.Helper()
	eventually.Holds(n.c.t, "a mention is told", func() bool {
		var list struct{ Items []struct{ ID, Type string } }
		n.do(http.StatusOK, n.access, http.MethodGet, "/v1/community/me/notifications", "", &list)
		for _, item := range list.Items {
			if item.Type == "mention" {
				id = item.ID
			}
		}
		return id != ""
	})
	return id
}

// bridges mirrors a chat to a WhatsApp group: somebody there writes, is answered, and is kept out.
func (c *communityClient) bridges(asha *neighbour, market, circle string) {
	c.t.Helper()
	c.r.simulate(c.t, "/webhook", `{"object":"whatsapp_business_account","entry":[{"id":"102290129340398","changes":[`+
		`{"field":"group_lifecycle_update","value":{"messaging_product":"whatsapp",`+
		`"metadata":{"phone_number_id":"106540352242922"},"groups":[{"type":"group_create","group_id":"neighbours",`+
		`"timestamp":"`+strconv.FormatInt(time.Now().Unix(), 10)+`","subject":"Neighbours"}]}}]}]}`)
	var groups struct{ Items []struct{ ID string } }
	c.r.get(c.t, "/v1/groups?phoneNumberId=106540352242922", &groups, func() bool {
		return slices.ContainsFunc(groups.Items, func(g struct{ ID string }) bool { return g.ID == "neighbours" })
	})
	bridge := "/v1/community-bridges/" + market
	for range 2 {
		c.want(http.StatusOK, http.MethodPut, bridge, `{"chatId":"`+circle+
			`","phoneNumberId":"106540352242922","whatsAppGroupId":"neighbours"}`, nil)
	}
	waits := asha.makes("/chats/group/"+circle+"/messages", `{"content":"Is anybody there?"}`)
	says := func(text, context string) {
		c.r.simulate(c.t, "/say", `{"from":"919876500077","name":"Joao","groupId":"neighbours","message":{"type":"text",`+
			`"text":{"body":"`+text+`"}`+context+`}}`)
	}
	base := "/v1/community/chats/group/" + circle
	guest := func(text string) (author, id string) {
		c.t.Helper()
		eventually.Holds(c.t, "the chat shows "+text, func() bool {
			var page struct {
				Items []struct{ ID, AuthorID, AuthorName, Content string }
			}
			asha.do(http.StatusOK, asha.access, http.MethodGet, base+"/messages", "", &page)
			for _, m := range page.Items {
				if m.Content == text && m.AuthorName == "Joao" {
					author, id = m.AuthorID, m.ID
				}
			}
			return author != ""
		})
		return author, id
	}
	says("I am", "")
	author, id := guest("I am")
	answer := asha.makes("/chats/group/"+circle+"/messages", `{"content":"Welcome","replyTo":"`+id+`"}`)
	var sent timeline
	c.r.get(c.t, "/v1/conversations/106540352242922:neighbours/messages", &sent, func() bool {
		return len(sent.Messages) == 3 && sent.Messages[0].Delivery != nil
	})
	says("Thanks", `,"context":{"id":"`+sent.Messages[0].ID+`"}`)
	guest("Thanks")
	says("Oh", `,"context":{"id":"wamid.unknown"}`)
	guest("Oh")
	for _, method := range []string{http.MethodPut, http.MethodDelete} {
		asha.calls(http.StatusNoContent, method, "/group-chats/"+circle+"/guests/"+author+"/ban")
	}
	late := asha.makes("/chats/group/"+circle+"/messages", `{"content":"see `+waits+answer+`"}`)
	asha.calls(http.StatusNoContent, http.MethodDelete, "/chats/group/"+circle+"/messages/"+late)
	c.erased("+919876500077")
	c.want(http.StatusOK, http.MethodGet, bridge, "", nil)
	c.want(http.StatusNoContent, http.MethodDelete, bridge, "", nil)
}

// moderates has people report, hide, ban and leave.
func (c *communityClient) moderates(asha, ravi, meena *neighbour, market, circle string) {
	c.t.Helper()
	messages := "/group-chats/" + circle + "/messages/"
	for _, decision := range []string{"true", "false"} {
		bad := ravi.makes("/chats/group/"+circle+"/messages", `{"content":"buy now"}`)
		report := asha.makes("/chats/group/"+circle+"/messages/"+bad+"/reports", `{"reason":"spam"}`)
		asha.calls(http.StatusOK, http.MethodGet, "/communities/"+market+"/reports?open=true")
		asha.says(http.StatusOK, http.MethodPost, "/communities/"+market+"/reports/"+report+"/handle",
			`{"hide":`+decision+`}`)
	}
	hidden := ravi.makes("/chats/group/"+circle+"/messages", `{"content":"buy now"}`)
	asha.calls(http.StatusNoContent, http.MethodPost, messages+hidden+"/hide")
	open := asha.makes("/communities/"+market+"/group-chats", `{"name":"Dal"}`)
	meena.calls(http.StatusOK, http.MethodPost, "/group-chats/"+open+"/join")
	said := meena.makes("/chats/group/"+open+"/messages", `{"content":"Dal is 120"}`)
	meena.says(http.StatusOK, http.MethodPatch, "/chats/group/"+open+"/messages/"+said, `{"content":"Dal is 125"}`)
	meena.calls(http.StatusNoContent, http.MethodPut, "/chats/group/"+open+"/messages/"+said+"/reactions/%F0%9F%91%8D")
	ravi.calls(http.StatusOK, http.MethodPost, "/group-chats/"+open+"/join")
	ravi.calls(http.StatusNoContent, http.MethodPost, "/group-chats/"+open+"/leave")
	asha.says(http.StatusNoContent, http.MethodPost, "/communities/"+market+"/members/"+meena.id+"/ban", `{"reason":"spam"}`)
	asha.calls(http.StatusNoContent, http.MethodPost, "/communities/"+market+"/members/"+meena.id+"/unban")
	meena.calls(http.StatusOK, http.MethodPost, "/communities/"+market+"/join")
	asha.calls(http.StatusNoContent, http.MethodDelete, "/group-chats/"+circle+"/members/"+ravi.id)
	eventually.Holds(c.t, "a banned person leaves the chats", func() bool {
		var chat struct{ NumMembers int }
		asha.do(http.StatusOK, asha.access, http.MethodGet, "/v1/community/chats/group/"+open, "", &chat)
		return chat.NumMembers == 1
	})
	ravi.calls(http.StatusNoContent, http.MethodPost, "/communities/"+market+"/leave")
	gone := asha.makes("/communities/"+market+"/group-chats", `{"name":"Gone"}`)
	asha.calls(http.StatusNoContent, http.MethodDelete, "/group-chats/"+gone)
	doomed := asha.makes("/communities", `{"name":"Doomed","location":{"country":"India"}}`)
	closed := asha.makes("/communities/"+doomed+"/group-chats", `{"name":"Dal","private":true}`)
	meena.calls(http.StatusOK, http.MethodPost, "/communities/"+doomed+"/join")
	meena.makes("/group-chats/"+closed+"/requests", "")
	asha.calls(http.StatusNoContent, http.MethodDelete, "/communities/"+doomed)
	eventually.Holds(c.t, "the doomed community is gone", func() bool {
		rows, err := c.r.engine().Query(c.t.Context(), dynamo.Query{
			Table: tables.Communities, Where: "pk = :pk",
			Values: dynamo.Item{":pk": dynamo.S(keys.Community(model.Name(doomed)).Partition)},
		})
		return err == nil && len(rows.Items) == 0
	})
	meena.calls(http.StatusOK, http.MethodPost, "/group-chats/"+open+"/join") // from which she goes when she is erased
}

// accounts has people change what they say of themselves, and come in and go in every way.
func (c *communityClient) accounts(asha, ravi *neighbour) {
	c.t.Helper()
	var me struct{ Version int }
	asha.do(http.StatusOK, asha.access, http.MethodGet, "/v1/community/me", "", &me)
	asha.says(http.StatusOK, http.MethodPut, "/me", fmt.Sprintf(`{"version":%d,"name":"Asha","bio":"Rice"}`, me.Version))
	asha.signed("refresh", `{"refreshToken":"`+asha.refresh+`"}`)
	asha.do(http.StatusOK, asha.access, http.MethodPost, "/v1/community/me/password",
		`{"password":"correct horse","newPassword":"battery staple"}`, nil)
	asha.signed("sign-in", `{"tenantId":"demo","account":"asha","password":"battery staple"}`)
	zoya := c.forgets("zoya")
	zoya.public(http.StatusAccepted, "reset-password", `{"tenantId":"demo","email":"`+zoya.email+`"}`, nil)
	zoya.public(http.StatusNoContent, "confirm-reset", fmt.Sprintf(
		`{"tenantId":"demo","email":%q,"code":%q,"password":"battery staple"}`, zoya.email, c.code(zoya.email)), nil)
	zoya.signed("sign-in", `{"tenantId":"demo","account":"`+zoya.email+`","password":"battery staple"}`)
	ravi.calls(http.StatusNoContent, http.MethodPost, "/me/sign-out")
	ravi.signed("sign-in", `{"tenantId":"demo","account":"ravi","password":"correct horse"}`)
	ravi.calls(http.StatusNoContent, http.MethodPost, "/me/sign-out-everywhere")
}

// phones has a person prove two numbers, one after the other, and somebody sign up with a number alone.
func (c *communityClient) phones(n *neighbour) {
	c.t.Helper()
	for _, number := range []string{"+919812300001", "+919812300002"} {
		n.do(http.StatusAccepted, n.access, http.MethodPost, "/v1/community/me/phone",
			`{"phone":"`+number+`","password":"correct horse"}`, nil)
		n.do(http.StatusOK, n.access, http.MethodPost, "/v1/community/me/confirm-phone",
			`{"phone":"`+number+`","code":"`+c.code(number)+`"}`, nil)
	}
	const number = "+919812300003"
	zara := &neighbour{c: c}
	zara.public(http.StatusAccepted, "sign-up",
		`{"tenantId":"demo","username":"zara","name":"Zara","phone":"`+number+`","password":"correct horse"}`, nil)
	zara.signed("confirm-sign-up",
		`{"tenantId":"demo","phone":"`+number+`","code":"`+c.code(number)+`","password":"correct horse"}`)
	var said struct {
		Items []struct{ Delivery struct{ Status string } }
	}
	c.r.get(c.t, "/v1/conversations/"+neighboursPhone+":919812300003/messages", &said, func() bool {
		return len(said.Items) == 1 &&
			slices.Contains([]string{"sent", "delivered", "read"}, said.Items[0].Delivery.Status)
	})
	c.want(http.StatusOK, http.MethodGet, "/v1/community-people?tenantId=demo&phone=%2B919812300003", "", nil)
	c.r.export(c.t, number)
}

// addresses has a person remove their number, prove it anew, and prove another address of email.
func (c *communityClient) addresses(n *neighbour) {
	c.t.Helper()
	n.says(http.StatusOK, http.MethodPost, "/me/remove-phone", `{"password":"correct horse"}`)
	const number = "+919812300004"
	n.says(http.StatusAccepted, http.MethodPost, "/me/phone", `{"phone":"`+number+`","password":"correct horse"}`)
	n.says(http.StatusOK, http.MethodPost, "/me/confirm-phone",
		`{"phone":"`+number+`","code":"`+c.code(number)+`"}`)
	n.email = "meena@another.example"
	n.says(http.StatusAccepted, http.MethodPost, "/me/email", `{"email":"`+n.email+`","password":"correct horse"}`)
	n.says(http.StatusOK, http.MethodPost, "/me/confirm-email",
		`{"email":"`+n.email+`","code":"`+c.code(n.email)+`"}`)
}

// digests has people choose a digest by email and over WhatsApp, and get it. One gets none any more.
func (c *communityClient) digests(n, other *neighbour) {
	c.t.Helper()
	other.signed("sign-in", `{"tenantId":"demo","account":"ravi","password":"correct horse"}`)
	for _, by := range []string{"email", "whatsapp"} {
		other.says(http.StatusOK, http.MethodPut, "/me/digest", `{"digest":"email"}`)
		n.says(http.StatusOK, http.MethodPut, "/me/digest", `{"digest":"`+by+`"}`)
		for _, id := range []string{n.id, other.id} {
			c.due(id)
		}
		other.says(http.StatusOK, http.MethodPut, "/me/digest", `{"digest":"none"}`)
		c.must(c.r.engine().PutOnce(c.t.Context(), tables.CommunityNotifications, dynamo.Item{
			"pk": dynamo.S(keys.DigestDue(model.Name(other.id), yesterday()).Partition),
			"sk": dynamo.S(keys.DigestDue(model.Name(other.id), yesterday()).Sort),
		})) // as an earlier run has left it
		if _, err := c.r.Trigger(c.t.Context(), "community-digests"); err != nil {
			c.t.Fatal(err)
		}
		var is struct{ Digest, NextAt string }
		n.do(http.StatusOK, n.access, http.MethodGet, "/v1/community/me/digest", "", &is)
		if is.Digest != by || is.NextAt <= string(model.At(time.Now())) {
			c.t.Errorf("%+v", is)
		}
	}
}

// yesterday is when digests were due yesterday.
func yesterday() model.Time {
	day := time.Now().Add(-24 * time.Hour).Truncate(24 * time.Hour)
	return model.At(day.Add(communitymodel.UsualDigestAt * time.Hour))
}

func (c *communityClient) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// due has somebody's digest be due, with something to tell.
func (c *communityClient) due(id string) {
	c.t.Helper()
	user := model.Name(id)
	var was communitymodel.Digest
	c.must(c.r.engine().Get(c.t.Context(), tables.CommunityNotifications, keys.Digest(user), &was))
	due := communitymodel.NewDigestDue(user, yesterday())
	row, err := dynamo.Marshal(due)
	c.must(err)
	now := model.At(time.Now())
	told := keys.UnreadNotification(user, now, communitymodel.Stamped(now, "digest"))
	c.must(c.r.engine().Transact(c.t.Context(), []dynamo.Write{
		dynamo.Update{
			Table: tables.CommunityNotifications, Key: keys.Digest(user), Do: "SET DueAt = :due", If: "DueAt = :was",
			Values: dynamo.Item{":due": dynamo.S(yesterday()), ":was": dynamo.S(was.DueAt)}},
		dynamo.Delete{
			Table: tables.CommunityNotifications, Key: keys.DigestDue(user, was.DueAt), If: dynamo.Unconditional},
		dynamo.Put{Table: tables.CommunityNotifications, Item: row, If: dynamo.IfAbsent},
		dynamo.Put{Table: tables.CommunityNotifications, If: dynamo.IfAbsent, Item: dynamo.Item{
			"pk": dynamo.S(told.Partition), "sk": dynamo.S(told.Sort), "CreatedAt": dynamo.S(now),
			"NotificationType": dynamo.S("role")}},
	}))
}

// forgets stores a person who does not know their password. Who has got a code a moment ago gets no other one.
func (c *communityClient) forgets(name string) *neighbour {
	c.t.Helper()
	n := &neighbour{c: c, email: name + "@neighbours.example", id: "user-" + name}
	user := communitymodel.User{
		ID: model.Name(n.id), Username: name, Name: name, Email: n.email, TenantID: "demo", Version: 1,
		Role: communitymodel.RoleUser, CreatedAt: model.At(time.Now().Add(-48 * time.Hour)),
	}
	user.SetKey()
	for _, entity := range []any{user, communitymodel.Claim{
		PK: users.EmailRef("demo", n.email).Key.Partition, UserID: user.ID}} {
		item, err := dynamo.Marshal(entity)
		if err == nil {
			err = c.r.engine().PutOnce(c.t.Context(), tables.CommunityUsers, item)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
	return n
}

// erases exports and erases a person by their email address.
func (c *communityClient) erases(n *neighbour) {
	c.t.Helper()
	c.r.export(c.t, n.email)
	c.erased(n.email)
}

// erased erases the person who has an address.
func (c *communityClient) erased(address string) {
	c.t.Helper()
	eventually.Holds(c.t, "the erasure of "+address, func() bool {
		_, body := c.r.call(c.t, http.MethodPost, "/v1/erasures", `{"address":"`+address+`","reason":"asked for it"}`)
		return strings.Contains(body, `"complete":true`)
	})
}
