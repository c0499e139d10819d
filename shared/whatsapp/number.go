package whatsapp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// NumberCall is a request about a number, or about another object of Meta's, that is no message.
type NumberCall struct {
	Method string     // GET if it is empty
	Edge   string     // what follows the id of the number, such as message_qrdls; "" for the number itself
	Query  url.Values // nil for none
	Body   any        // is written as JSON; nil for none
}

// AboutNumber makes a request about a number and returns what Meta answers. Every error is a *SendError. A request that
// was not answered may have had an effect: that is for the caller to look up.
func (g *Graph) AboutNumber(ctx context.Context, phone string, call NumberCall) (Object, error) {
	if !isPhoneNumberID(phone) {
		return nil, notAnID("number")
	}
	return g.about(ctx, phone, call)
}

// about makes a request about an object of Meta's.
func (g *Graph) about(ctx context.Context, id string, call NumberCall) (Object, error) {
	path := url.PathEscape(id)
	if call.Edge != "" {
		path += "/" + call.Edge
	}
	if len(call.Query) > 0 {
		path += "?" + call.Query.Encode()
	}
	var body []byte
	if call.Body != nil {
		var err error
		if body, err = json.Marshal(call.Body); err != nil {
			return nil, &SendError{Class: Never, Cause: err, Meta: Error{Message: "the request cannot be written"}}
		}
	}
	method := call.Method
	if method == "" {
		method = http.MethodGet
	}
	status, answer, err := g.exchange(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	o := asObject(answer)
	if refused := refusedPerson(status, o); refused != nil {
		return nil, refused
	}
	if status < http.StatusMultipleChoices && o != nil && o.Object("error") == nil {
		return o, nil
	}
	return nil, refusalOf(status, answer)
}

// refusedPerson returns the refusal of a person whom Meta does not block or unblock; nil for none. Meta names it beside
// those of the request that it has blocked.
func refusedPerson(status int, answer Object) error {
	all := answer.Object("block_users").List("failed_users").Objects()
	if len(all) == 0 {
		return nil
	}
	e := Error{Message: "Meta does not say why"}
	if reasons := all[0].List("errors").Objects(); len(reasons) > 0 {
		e = Error{
			Code: reasons[0].Int("code"), Message: reasons[0].Text("message"),
			Details: reasons[0].Object("error_data").Text("details")}
	}
	return &SendError{Class: Never, HTTP: status, Meta: e}
}
