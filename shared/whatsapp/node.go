package whatsapp

import (
	"context"
	"strings"
)

// AboutNode makes a request about an object of Meta's that is no number, such as a catalogue, and returns what Meta
// answers. Every error is a *SendError. A request that was not answered may have had an effect: that is for the caller
// to look up.
func (g *Graph) AboutNode(ctx context.Context, id string, call NumberCall) (Object, error) {
	if !isPhoneNumberID(id) { // ids of all objects have the same form
		return nil, notAnID("object")
	}
	return g.about(ctx, id, call)
}

// AboutGroup makes a request about a group and returns what Meta answers. Every error is a *SendError. A request that
// was not answered may have had an effect: that is for the caller to look up.
func (g *Graph) AboutGroup(ctx context.Context, id string, call NumberCall) (Object, error) {
	if id == "" || strings.Trim(id, ".") == "" { // such a path leads elsewhere
		return nil, &SendError{Class: Never, Meta: Error{Message: "the id of the group is none"}}
	}
	return g.about(ctx, id, call)
}
