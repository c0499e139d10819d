package whatsappsim

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	mostCodes   = 2000   // QR codes of a number
	mostBlocked = 64_000 // people whom a number has blocked
	mostAtOnce  = 1000   // people in one request
	listPage    = 25     // entries of a page, unless asked otherwise
)

// qrCode is a message that people find written when they scan a code or follow a link.
type qrCode struct{ code, message, image string }

// show is a code as Meta shows it. Its image shows where it is asked for.
func (q qrCode) show(image bool) map[string]any {
	shown := map[string]any{
		"code": q.code, "prefilled_message": q.message, "deep_link_url": "https://wa.me/message/" + q.code}
	if image {
		shown["qr_image_url"] = "https://scontent.xx.fbcdn.net/m1/v/t6/" + q.code + "." + strings.ToLower(q.image)
	}
	return shown
}

// setCode makes a code, or changes the message of the one that is named.
func (s *Server) setCode(phone string, _ *http.Request, fields map[string]any) (answer any, refusal *graphError) {
	c, of := &check{}, object{fields: fields}
	c.only(of, "prefilled_message", "generate_qr_image", "code")
	if n := utf8.RuneCountInString(of.text("prefilled_message")); n < 1 || n > 140 {
		c.invalid("prefilled_message", "must be 1 to 140 characters long.")
	}
	c.optionalOneOf(of, "generate_qr_image", "SVG", "PNG")
	if c.err != nil {
		return nil, c.err
	}
	refusal = s.settings.change(phone, func(n *numberSettings) *graphError {
		if code := of.text("code"); code != "" {
			at := slices.IndexFunc(n.codes, func(q qrCode) bool { return q.code == code })
			if at < 0 {
				return notThere(code)
			}
			n.codes[at].message = of.text("prefilled_message")
			answer = n.codes[at].show(false)
			return nil
		}
		if len(n.codes) >= mostCodes {
			return invalidParameter("A phone number can have at most %d QR codes.", mostCodes)
		}
		made := qrCode{
			rand.Text()[:14], of.text("prefilled_message"), firstNonEmpty(of.text("generate_qr_image"), "SVG")}
		n.codes = append(n.codes, made)
		answer = made.show(of.has("generate_qr_image"))
		return nil
	})
	return answer, refusal
}

func (s *Server) deleteCode(phone string, r *http.Request, _ map[string]any) (any, *graphError) {
	return nil, s.settings.change(phone, func(n *numberSettings) *graphError {
		at := slices.IndexFunc(n.codes, func(q qrCode) bool { return q.code == r.PathValue("code") })
		if at < 0 {
			return notThere(r.PathValue("code"))
		}
		n.codes = slices.Delete(n.codes, at, at+1)
		return nil
	})
}

// lists answers a page of what a number has several of.
func (s *Server) lists(has func(n *numberSettings, fields string) []any) http.HandlerFunc {
	return s.authorized(s.ofManaged(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		var all []any
		_ = s.settings.change(r.PathValue("id"), func(n *numberSettings) *graphError {
			all = has(n, query.Get("fields"))
			return nil
		})
		limit, err := strconv.Atoi(firstNonEmpty(query.Get("limit"), strconv.Itoa(listPage)))
		from, ok := templateCursor(query.Get("after"))
		if err != nil || limit < 1 || !ok {
			writeGraphError(w, invalidParameter("Invalid cursors values"))
			return
		}
		from = min(from, len(all))
		to := min(from+limit, len(all))
		paging := map[string]any{"cursors": map[string]string{"before": cursorText(from), "after": cursorText(to)}}
		if to < len(all) {
			paging["next"] = "http://" + r.Host + r.URL.Path + "?" + url.Values{"after": {cursorText(to)}}.Encode()
		}
		writeJSON(w, http.StatusOK, map[string]any{"data": all[from:to], "paging": paging})
	}))
}

func shownCodes(n *numberSettings, fields string) []any {
	all := []any{}
	for _, q := range n.codes {
		all = append(all, q.show(strings.Contains(fields, "qr_image_url")))
	}
	return all
}

func shownBlocked(n *numberSettings, _ string) []any {
	all := []any{}
	for _, who := range n.blocked {
		all = append(all, person(who))
	}
	return all
}

// person names somebody by their number, or by their user id.
func person(id string) map[string]any {
	shown := map[string]any{"messaging_product": "whatsapp"}
	if strings.Trim(id, "0123456789") == "" {
		shown["wa_id"] = id
	} else {
		shown["user_id"] = id
	}
	return shown
}

// blocks blocks people, or unblocks them, and says for each whether it did.
func (s *Server) blocks(block bool) func(string, *http.Request, map[string]any) (any, *graphError) {
	return func(phone string, _ *http.Request, fields map[string]any) (any, *graphError) {
		c, of := &check{}, object{fields: fields}
		c.oneOf(of, "messaging_product", "whatsapp")
		people, _ := fields["block_users"].([]any)
		if len(people) < 1 || len(people) > mostAtOnce {
			c.invalid("block_users", "must have 1 to %d elements.", mostAtOnce)
		}
		if c.err != nil {
			return nil, c.err
		}
		done, failed := []any{}, []any{}
		_ = s.settings.change(phone, func(n *numberSettings) *graphError {
			for _, one := range people {
				fields, _ := one.(map[string]any)
				input := firstNonEmpty(object{fields: fields}.text("user"), object{fields: fields}.text("user_id"))
				who := person(strings.TrimPrefix(input, "+"))
				who["input"] = input
				if refusal := s.block(n, phone, strings.TrimPrefix(input, "+"), block); refusal != nil {
					who["errors"] = []any{map[string]any{
						"code": refusal.code, "message": fmt.Sprintf("(#%d) %s", refusal.code, refusal.title),
						"error_data": map[string]string{"details": refusal.details}}}
					failed = append(failed, who)
					continue
				}
				done = append(done, who)
			}
			return nil
		})
		name := "removed_users"
		if block {
			name = "added_users"
		}
		answer := map[string]any{"messaging_product": "whatsapp"}
		users := map[string]any{name: done}
		if len(failed) > 0 {
			users["failed_users"] = failed
			answer["error"] = map[string]any{
				"message": "(#139100) Failed to block or unblock some users", "type": "OAuthException", "code": 139100}
		}
		answer["block_users"] = users
		return answer, nil
	}
}

// block blocks somebody who has written within 24 hours, or unblocks somebody.
func (s *Server) block(n *numberSettings, phone, who string, block bool) *graphError {
	at := slices.Index(n.blocked, who)
	switch {
	case !block && at >= 0:
		n.blocked = slices.Delete(n.blocked, at, at+1)
	case !block || at >= 0:
	case !s.limits.open(s.options.Now(), phone, userOf(who)):
		return refuse(http.StatusBadRequest, 131047,
			"Only people who have messaged in the last 24 hours can be blocked.")
	case len(n.blocked) >= mostBlocked:
		return refuse(http.StatusBadRequest, 139101, "The blocklist is full.")
	default:
		n.blocked = append(n.blocked, who)
	}
	return nil
}
