package whatsappsim

import (
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
)

// GroupPerson is what POST /simulator/groups takes: what somebody does about a group.
type GroupPerson struct {
	GroupID string `json:"groupId"`
	Who     string `json:"who,omitempty"` // their number, or their user id
	// Does is join, by the link; leave; or withdraw, of somebody who has asked to join. WhatsApp suspends a group, or
	// ends that: suspend and resume.
	Does string `json:"does"`
}

// handleGroupPerson plays somebody who joins or leaves a group.
func (s *Server) handleGroupPerson(w http.ResponseWriter, r *http.Request) {
	var did GroupPerson
	err := decodeControl(w, r, &did)
	if err == nil && !slices.Contains([]string{"join", "leave", "withdraw", "suspend", "resume"}, did.Does) {
		err = errors.New("does must be join, leave, withdraw, suspend or resume")
	}
	if err == nil {
		if refusal := s.inGroupDoes(did); refusal != nil {
			err = errors.New(refusal.title + ": " + refusal.details)
		}
	}
	if err != nil {
		writeControlError(w, http.StatusBadRequest, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// inGroupDoes changes a group as somebody does, and tells of it by a webhook.
func (s *Server) inGroupDoes(did GroupPerson) *graphError {
	field, kind, phone, more := groupParticipants, "", "", map[string]any{}
	refusal := s.groups.change(did.GroupID, func(g *group) *graphError {
		phone = g.phone
		switch did.Does {
		case "join":
			if g.mode == approvalRequired {
				asks := groupAsks{rand.Text(), did.Who, s.options.Now().Unix()}
				g.asking = append(g.asking, asks)
				kind, more = "group_join_request_created", inGroup(did.Who)
				more["join_request_id"] = asks.id
				return nil
			}
			kind = "group_participants_add"
			more = map[string]any{"reason": "invite_link", "added_participants": []any{inGroup(did.Who)}}
			return g.takes(did.Who)
		case "leave":
			g.people = slices.DeleteFunc(g.people, func(who string) bool { return who == did.Who })
			kind = "group_participants_remove"
			more = map[string]any{
				"removed_participants": []any{inGroup(did.Who)}, "initiated_by": "participant"}
		case "withdraw":
			at := slices.IndexFunc(g.asking, func(a groupAsks) bool { return a.who == did.Who })
			if at < 0 {
				return refuse(http.StatusBadRequest, 131009, "Nobody of this name asks to join.")
			}
			kind, more = "group_join_request_revoked", inGroup(did.Who)
			more["join_request_id"] = g.asking[at].id
			g.asking = slices.Delete(g.asking, at, at+1)
		case "suspend":
			g.suspended, field, kind = true, groupStatus, "group_suspend"
		default:
			g.suspended, field, kind = false, groupStatus, "group_suspend_cleared"
		}
		return nil
	})
	if refusal == nil {
		s.tellsOfGroup(field, phone, did.GroupID, kind, more)
	}
	return refusal
}

// takes adds somebody to a group.
func (g *group) takes(who string) *graphError {
	switch {
	case slices.Contains(g.people, who):
	case len(g.people) >= mostParticipants:
		return refuse(http.StatusBadRequest, 131204, "A group has at most %d participants.", mostParticipants)
	default:
		g.people = append(g.people, who)
	}
	return nil
}

// handleJoinRequests answers a page of those who ask to join a group.
func (s *Server) handleJoinRequests(w http.ResponseWriter, r *http.Request) {
	all := []any{}
	refusal := s.groups.change(r.PathValue("id"), func(g *group) *graphError {
		for _, a := range g.asking {
			shown := inGroup(a.who)
			shown["join_request_id"], shown["creation_timestamp"] = a.id, a.at
			all = append(all, shown)
		}
		return nil
	})
	if refusal != nil {
		writeGraphError(w, refusal)
		return
	}
	writePage(w, r, all)
}

// answersJoin approves or rejects those who ask to join, and says for each whether it did. A webhook tells of each
// person who is approved.
func (s *Server) answersJoin(approve bool) groupChange {
	return func(id string, fields map[string]any) (any, *graphError) {
		c := &check{}
		requests := listIn(c, object{fields: fields}, "join_requests", mostGroups)
		if len(requests) == 0 {
			c.missing("join_requests")
		}
		if c.err != nil {
			return nil, c.err
		}
		decided, failed, added, phone := []any{}, []any{}, []any{}, ""
		refusal := s.groups.change(id, func(g *group) *graphError {
			phone = g.phone
			for _, one := range requests {
				who, refusal := g.decides(one, approve)
				if refusal != nil {
					failed = append(failed, map[string]any{
						"join_request_id": one, "errors": []any{failureOf(refusal)}})
					continue
				}
				decided, added = append(decided, one), append(added, inGroup(who))
			}
			return nil
		})
		if refusal != nil {
			return nil, refusal
		}
		name := "rejected_join_requests"
		if approve {
			name = "approved_join_requests"
		}
		if approve && len(added) > 0 {
			s.tellsOfGroup(groupParticipants, phone, id, "group_participants_add",
				map[string]any{"reason": "join_request", "added_participants": added})
		}
		answer := map[string]any{"messaging_product": "whatsapp", name: decided}
		if len(failed) > 0 {
			answer["failed_join_requests"] = failed
		}
		return answer, nil
	}
}

// decides approves or rejects somebody who asks to join.
func (g *group) decides(request any, approve bool) (who string, refusal *graphError) {
	at := slices.IndexFunc(g.asking, func(a groupAsks) bool { return a.id == request })
	if at < 0 {
		return "", refuse(http.StatusBadRequest, 131009, "The join request is not known.")
	}
	who = g.asking[at].who
	if approve {
		refusal = g.takes(who)
	}
	if refusal == nil {
		g.asking = slices.Delete(g.asking, at, at+1)
	}
	return who, refusal
}

// removeParticipants removes people from a group, and tells by a webhook whom.
func (s *Server) removeParticipants(id string, fields map[string]any) (any, *graphError) {
	c := &check{}
	people := c.objects(object{fields: fields}, "participants", 1, mostParticipants)
	if c.err != nil {
		return nil, c.err
	}
	request, phone := newRequestID(), ""
	removed, failed := []any{}, []any{}
	refusal := s.groups.change(id, func(g *group) *graphError {
		phone = g.phone
		for i, person := range people {
			who := firstNonEmpty(person.text("user"), person.text("user_id"))
			if slices.ContainsFunc(people[:i], func(p object) bool {
				return firstNonEmpty(p.text("user"), p.text("user_id")) == who
			}) {
				return refuse(http.StatusBadRequest, 131202, "There are duplicate participants.")
			}
			shown := inGroup(who)
			shown["input"] = who
			if !slices.Contains(g.people, who) {
				shown["errors"] = []any{failureOf(refuse(http.StatusBadRequest, 131212,
					"The participant is not a part of the group."))}
				failed = append(failed, shown)
				continue
			}
			removed = append(removed, shown)
		}
		for _, person := range people {
			who := firstNonEmpty(person.text("user"), person.text("user_id"))
			g.people = slices.DeleteFunc(g.people, func(has string) bool { return has == who })
		}
		return nil
	})
	if refusal != nil {
		return nil, refusal
	}
	told := map[string]any{"request_id": request, "initiated_by": "business", "removed_participants": removed}
	if len(failed) > 0 {
		told["failed_participants"] = failed
	}
	s.tellsOfGroup(groupParticipants, phone, id, "group_participants_remove", told)
	return map[string]any{"messaging_product": "whatsapp", "request_id": request}, nil
}
