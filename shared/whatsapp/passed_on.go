package whatsapp

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// codeIn finds Meta's code in a text such as "(#131030) Recipient phone number not in allowed list".
var codeIn = lazy.Regexp(`\(#([0-9]{1,9})\)`)

// ErrorIn returns the error of Meta's that a text of another service passes on: as the object that Meta answers, or by
// its code. It reports false if the text holds none.
func ErrorIn(text string) (Error, bool) {
	if from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}'); from >= 0 && from < to {
		refusal := asObject([]byte(text[from : to+1]))
		if inner := refusal.Object("error"); inner != nil {
			refusal = inner
		}
		if code, has := refusal.int("code"); has {
			return errorOf(refusal, code), true
		}
	}
	found := codeIn.Get().FindStringSubmatchIndex(text)
	if found == nil {
		return Error{}, false
	}
	code, err := strconv.ParseInt(text[found[2]:found[3]], 10, 64)
	return Error{Code: code, Message: strings.TrimSpace(text[found[1]:])}, err == nil
}

// errorOf returns Meta's error with a code as its answer describes it.
func errorOf(refusal Object, code int64) Error {
	return Error{
		Code: code, Title: refusal.Text("type"), Message: refusal.Text("message"),
		Details: cmp.Or(refusal.Object("error_data").Text("details"), refusal.Text("error_user_msg")),
	}
}
