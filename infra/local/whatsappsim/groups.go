package whatsappsim

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Of groups.
const (
	mostGroups       = 10_000 // groups of one number
	mostParticipants = 8      // people in one group, and people in one request
	approvalRequired = "approval_required"
)

// groups are the groups of the business's numbers, by their ids.
type groups struct {
	mu sync.Mutex
	of map[string]*group
}

// group is a group of a number.
type group struct {
	phone, subject, description, mode, link string
	at                                      int64 // when it was made
	suspended                               bool
	people                                  []string    // by their numbers, or their user ids
	asking                                  []groupAsks // who asks to join
}

// groupAsks is somebody who asks to join a group.
type groupAsks struct {
	id, who string
	at      int64
}

// newGroupID makes an id of the form that WhatsApp gives to groups.
func newGroupID() string {
	var random [18]byte
	_, _ = rand.Read(random[:]) // documented never to fail
	return base64.StdEncoding.EncodeToString(append([]byte("capi_group:"), random[:]...)) + "ZD"
}

func newInviteLink() string { return "https://chat.whatsapp.com/" + rand.Text()[:22] }

// newRequestID makes the id by which webhooks name a request.
func newRequestID() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // documented never to fail
	return strings.ToUpper(hex.EncodeToString(random[:]))
}

// change changes a group, and returns what is refused.
func (g *groups) change(id string, do func(one *group) *graphError) *graphError {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.of[id]
	if one == nil {
		return refuse(http.StatusBadRequest, 131041,
			"The group was not found, because it does not exist or you are not a member.")
	}
	return do(one)
}

// isGroup reports whether an id has the form of those of groups: all other objects have numbers.
func isGroup(id string) bool { return len(id) > 20 && strings.Trim(id, "0123456789") != "" }

// groupRoutes puts the routes of groups. Those of the group itself are among the objects.
func (s *Server) groupRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{version}/{id}/groups", s.authorized(s.ofNumber(s.handleGroups)))
	mux.HandleFunc("POST /{version}/{id}/groups", s.authorized(s.ofNumber(s.ofGroups(s.createGroup))))
	mux.HandleFunc("GET /{version}/{id}/invite_link", s.authorized(s.handleInviteLink))
	mux.HandleFunc("GET /{version}/{id}/join_requests", s.authorized(s.handleJoinRequests))
	for path, do := range map[string]groupChange{
		"POST /{version}/{id}/invite_link":     s.resetInviteLink,
		"POST /{version}/{id}/join_requests":   s.answersJoin(true),
		"DELETE /{version}/{id}/join_requests": s.answersJoin(false),
		"DELETE /{version}/{id}/participants":  s.removeParticipants,
	} {
		mux.HandleFunc(path, s.authorized(s.ofGroups(do)))
	}
	mux.HandleFunc("POST /simulator/groups", s.handleGroupPerson)
}

// groupChange changes the group of a path, or makes one. It gets the fields of the body.
type groupChange func(id string, fields map[string]any) (any, *graphError)

// ofGroups answers a change of a group, if no fault does.
func (s *Server) ofGroups(do groupChange) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fields, refusal := fieldsOf(w, r)
		if refusal == nil && r.Method == http.MethodPost && fields["messaging_product"] != "whatsapp" {
			refusal = invalidParameter("The parameter messaging_product is required.")
		}
		if refusal != nil {
			writeGraphError(w, refusal)
			return
		}
		id := r.PathValue("id")
		s.answer(w, r, s.faults.take("", "", setting, fields), func() (int, any, *graphError) {
			answer, refusal := do(id, fields)
			return http.StatusOK, answer, refusal
		})
	}
}

// tellsOfGroup posts a webhook about a group of a number.
func (s *Server) tellsOfGroup(field, phone, id, kind string, more map[string]any) {
	told := map[string]any{"timestamp": s.timestamp(), "type": kind}
	if id != "" {
		told["group_id"] = id
	}
	maps.Copy(told, more)
	body, err := s.envelopeOf(field, phone, webhookValue{Groups: []any{told}})
	if err != nil {
		s.options.Logger.Error("group webhook", "error", err)
		return
	}
	s.background(func() { s.postUntilTaken(s.ctx, body, false) })
}

// Fields of webhooks about groups.
const (
	groupLifecycle    = "group_lifecycle_update"
	groupParticipants = "group_participants_update"
	groupSettings     = "group_settings_update"
	groupStatus       = "group_status_update"
)

// namesOf checks the subject and the description of a group. A new group needs a subject.
func namesOf(fields map[string]any, isNew bool, more ...string) (of object, refusal *graphError) {
	c := &check{}
	of = object{fields: fields}
	c.only(of, append(more, "messaging_product", "subject", "description")...)
	if isNew || of.has("subject") {
		if n := utf8.RuneCountInString(strings.TrimSpace(of.text("subject"))); n < 1 || n > 128 {
			c.invalid("subject", "must be 1 to 128 characters long.")
		}
	}
	c.optional(of, "description", 2048)
	return of, c.err
}

// createGroup makes a group, and tells of it by a webhook.
func (s *Server) createGroup(phone string, fields map[string]any) (any, *graphError) {
	of, refusal := namesOf(fields, true, "join_approval_mode")
	c := &check{err: refusal}
	c.optionalOneOf(of, "join_approval_mode", approvalRequired, "auto_approve")
	if c.err != nil {
		return nil, c.err
	}
	made := &group{
		phone: phone, subject: strings.TrimSpace(of.text("subject")), description: of.text("description"),
		mode: firstNonEmpty(of.text("join_approval_mode"), "auto_approve"), link: newInviteLink(),
		at: s.options.Now().Unix()}
	id, request := newGroupID(), newRequestID()
	told := map[string]any{
		"request_id": request, "subject": made.subject, "description": made.description,
		"invite_link": made.link, "join_approval_mode": made.mode}
	s.groups.mu.Lock()
	count := 0
	for _, g := range s.groups.of {
		if g.phone == phone {
			count++
		}
	}
	full := count >= mostGroups
	if !full {
		s.groups.of[id] = made
	}
	s.groups.mu.Unlock()
	if full {
		return nil, refuse(http.StatusBadRequest, 131211, "The number has reached its limit of groups.")
	}
	if strings.Contains(made.subject, "reject") { // WhatsApp takes the request and tells later that it cannot
		s.groups.mu.Lock()
		delete(s.groups.of, id)
		s.groups.mu.Unlock()
		id, told = "", map[string]any{"request_id": request, "subject": made.subject,
			"errors": []any{failureOf(refuse(http.StatusBadRequest, 131000, "The group could not be made."))}}
	}
	s.tellsOfGroup(groupLifecycle, phone, id, "group_create", told)
	return map[string]any{"messaging_product": "whatsapp", "request_id": request}, nil
}

// handleGroups answers a page of the active groups of a number.
func (s *Server) handleGroups(w http.ResponseWriter, r *http.Request) {
	s.groups.mu.Lock()
	all := []any{}
	for _, id := range slices.Sorted(maps.Keys(s.groups.of)) {
		if g := s.groups.of[id]; g.phone == r.PathValue("id") {
			all = append(all, map[string]any{
				"id": id, "subject": g.subject, "created_at": strconv.FormatInt(g.at, 10)})
		}
	}
	s.groups.mu.Unlock()
	page, paging, refusal := pageOf(r, all)
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": map[string]any{"groups": page}, "paging": paging})
}

// handleGroup answers a group with the fields that the request names.
func (s *Server) handleGroup(w http.ResponseWriter, r *http.Request) {
	id, shown := r.PathValue("id"), map[string]any{}
	refusal := s.groups.change(id, func(g *group) *graphError {
		people := []any{}
		for _, who := range g.people {
			people = append(people, inGroup(who))
		}
		shown = chosenOf(map[string]any{
			"messaging_product": "whatsapp", "id": id, "subject": g.subject, "description": g.description,
			"suspended": g.suspended, "creation_timestamp": g.at, "join_approval_mode": g.mode,
			"total_participant_count": len(g.people), "participants": people,
		}, firstNonEmpty(r.URL.Query().Get("fields"), "id"))
		shown["id"] = id
		return nil
	})
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	writeJSON(w, http.StatusOK, shown)
}

// inGroup names somebody in a group by their number, or by their user id.
func inGroup(who string) map[string]any {
	if strings.Trim(who, "0123456789") == "" {
		return map[string]any{"wa_id": who}
	}
	return map[string]any{"user_id": who}
}

// changeGroup gives a group another subject or description, and tells of it by a webhook.
func (s *Server) changeGroup(id string, fields map[string]any) (any, *graphError) {
	of, refusal := namesOf(fields, false)
	if refusal != nil {
		return nil, refusal
	}
	request := newRequestID()
	told, phone := map[string]any{"request_id": request}, ""
	refusal = s.groups.change(id, func(g *group) *graphError {
		if phone = g.phone; g.suspended {
			return refuse(http.StatusForbidden, 131207, "The group is suspended.")
		}
		if of.has("subject") {
			g.subject = strings.TrimSpace(of.text("subject"))
			told["group_subject"] = map[string]any{"text": g.subject, "update_successful": true}
		}
		if of.has("description") {
			g.description = of.text("description")
			told["group_description"] = map[string]any{"text": g.description, "update_successful": true}
		}
		return nil
	})
	if refusal != nil {
		return nil, refusal
	}
	s.tellsOfGroup(groupSettings, phone, id, "group_settings_update", told)
	return map[string]any{"messaging_product": "whatsapp", "request_id": request, "success": true}, nil
}

// deleteGroup deletes a group, and tells of it by a webhook.
func (s *Server) deleteGroup(id string, _ map[string]any) (any, *graphError) {
	request, phone := newRequestID(), ""
	refusal := s.groups.change(id, func(g *group) *graphError {
		phone = g.phone
		delete(s.groups.of, id)
		return nil
	})
	if refusal != nil {
		return nil, refusal
	}
	s.tellsOfGroup(groupLifecycle, phone, id, "group_delete", map[string]any{"request_id": request})
	return map[string]any{"messaging_product": "whatsapp", "request_id": request}, nil
}

func (s *Server) handleInviteLink(w http.ResponseWriter, r *http.Request) {
	link := ""
	if refusal := s.groups.change(r.PathValue("id"), func(g *group) *graphError {
		link = g.link
		return nil
	}); refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"messaging_product": "whatsapp", "invite_link": link})
}

// resetInviteLink makes another link. The former one leads nowhere any more.
func (s *Server) resetInviteLink(id string, _ map[string]any) (any, *graphError) {
	link := newInviteLink()
	refusal := s.groups.change(id, func(g *group) *graphError {
		g.link = link
		return nil
	})
	return map[string]any{"messaging_product": "whatsapp", "invite_link": link}, refusal
}
