// Package eum is a stand-in for AWS End User Messaging Social over a simulated WhatsApp: what AWS hands to Meta goes to
// the Graph API of that, so that there is one truth of messages, files and templates. It refuses what AWS refuses by
// its form, and passes on what Meta refuses. It checks that a request is signed, and not the signature.
//
// One WhatsApp Business Account is linked, with all its numbers. AWS's ids of both are made of Meta's ids; see
// [NumberID] and [AccountID].
//
// AWS does not document in which words it passes on an error of Meta's. The stand-in writes Meta's own words, with
// Meta's code before them.
package eum

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

const (
	// Path is where the stand-in is, under the address that functions get for AWS End User Messaging Social.
	Path = "/eum"
	// AWSAccount is the account of AWS.
	AWSAccount = "000000000000"
	// maxRequest bounds a request: a message has at most 2,048,000 bytes, in base64.
	maxRequest = 3 << 20
)

// Server answers as AWS does.
type Server struct {
	WhatsApp http.Handler // the Graph API of the simulated WhatsApp
	Token    string       // the access token for it
	WABA     string       // Meta's id of the account that is linked
	Region   string
	Files    string       // the address of the stand-in for S3
	Client   *http.Client // which gets files from there, and puts them there
}

// NumberID returns AWS's id of a number, by Meta's.
func NumberID(phone string) string { return numberPrefix + padded(phone) }

// AccountID returns AWS's id of an account, by Meta's.
func AccountID(waba string) string { return accountPrefix + padded(waba) }

// NumberARN returns AWS's ARN of a number, by Meta's id.
func NumberARN(region, phone string) string { return arn(region) + "phone-number-id/" + padded(phone) }

// AccountARN returns AWS's ARN of an account, by Meta's id.
func AccountARN(region, waba string) string { return arn(region) + "waba/" + padded(waba) }

// TopicARN returns the ARN of the topic by which AWS tells of the account.
func TopicARN(region string) string { return "arn:aws:sns:" + region + ":" + AWSAccount + ":whatsapp" }

const (
	numberPrefix  = "phone-number-id-"
	accountPrefix = "waba-"
)

func arn(region string) string { return "arn:aws:social-messaging:" + region + ":" + AWSAccount + ":" }

// padded returns an id of Meta's with the 32 characters of an id of AWS's.
func padded(id string) string { return strings.Repeat("0", max(0, 32-len(id))) + id }

// metaID returns Meta's id in AWS's id, or in AWS's ARN, of something. It reports false for what has another form.
func metaID(id, prefix string) (string, bool) {
	of := strings.TrimSuffix(prefix, "-")
	if begin, end, is := strings.Cut(id, ":"+of+"/"); is && strings.HasPrefix(begin, "arn:") {
		id = prefix + end
	}
	digits, is := strings.CutPrefix(id, prefix)
	meta := strings.TrimLeft(digits, "0")
	return meta, is && padded(meta) == digits
}

// operation is one of the API.
type operation struct {
	name   string
	answer func(*Server, *http.Request) (any, *refusal)
}

// operations are those that haatline calls, by method and path, and those that are beside them.
var operations = map[string]operation{
	"POST /v1/whatsapp/send":              {"SendWhatsAppMessage", (*Server).send},
	"POST /v1/whatsapp/media/get":         {"GetWhatsAppMessageMedia", (*Server).getMedia},
	"POST /v1/whatsapp/media":             {"PostWhatsAppMessageMedia", (*Server).postMedia},
	"DELETE /v1/whatsapp/media":           {"DeleteWhatsAppMessageMedia", (*Server).deleteMedia},
	"GET /v1/whatsapp/waba/list":          {"ListLinkedWhatsAppBusinessAccounts", (*Server).listAccounts},
	"GET /v1/whatsapp/waba/details":       {"GetLinkedWhatsAppBusinessAccount", (*Server).getAccount},
	"GET /v1/whatsapp/waba/phone/details": {"GetLinkedWhatsAppBusinessAccountPhoneNumber", (*Server).getNumber},
	"GET /v1/whatsapp/template/list":      {"ListWhatsAppMessageTemplates", (*Server).listTemplates},
	"GET /v1/whatsapp/template":           {"GetWhatsAppMessageTemplate", (*Server).getTemplate},
	"POST /v1/whatsapp/template/put":      {"CreateWhatsAppMessageTemplate", (*Server).createTemplate},
	"POST /v1/whatsapp/template/create":   {"CreateWhatsAppMessageTemplateFromLibrary", (*Server).createFromLibrary},
	"POST /v1/whatsapp/template/media":    {"CreateWhatsAppMessageTemplateMedia", (*Server).createSample},
	"POST /v1/whatsapp/template":          {"UpdateWhatsAppMessageTemplate", (*Server).updateTemplate},
	"DELETE /v1/whatsapp/template":        {"DeleteWhatsAppMessageTemplate", (*Server).deleteTemplate},
	"POST /v1/whatsapp/template/library":  {"ListWhatsAppTemplateLibrary", (*Server).listLibrary},
}

// Operation returns AWS's name of what a request asks for, as IAM names it; "" for nothing that is here.
func Operation(r *http.Request) string {
	return operations[r.Method+" "+strings.TrimPrefix(r.URL.Path, Path)].name
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, known := operations[r.Method+" "+strings.TrimPrefix(r.URL.Path, Path)]
	signature := r.Header.Get("Authorization")
	var answer any
	var refused *refusal
	switch {
	case !known:
		refused = refuse(http.StatusNotFound, "UnknownOperationException", "")
	case !strings.HasPrefix(signature, "AWS4-HMAC-SHA256 ") ||
		!strings.Contains(signature, "/"+s.Region+"/social-messaging/aws4_request"):
		refused = refuse(http.StatusForbidden, "MissingAuthenticationTokenException", "The request is not signed.")
	default:
		r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
		answer, refused = asked.answer(s, r)
	}
	w.Header().Set("Content-Type", "application/json")
	if refused != nil {
		w.Header().Set("X-Amzn-ErrorType",
			refused.exception+":http://internal.amazon.com/coral/com.amazonaws.socialmessaging/")
		w.WriteHeader(refused.status)
		answer = map[string]string{"message": refused.message}
	}
	_ = json.NewEncoder(w).Encode(answer) // the client may have gone
}

// refusal is an exception of AWS's.
type refusal struct {
	status             int
	exception, message string
}

func refuse(status int, exception, message string) *refusal {
	return &refusal{status, exception, message}
}

// invalid refuses a value by its form.
func invalid(format string, args ...any) *refusal {
	return refuse(http.StatusBadRequest, "ValidationException", fmt.Sprintf(format, args...))
}

// wrong refuses values that do not go together, or that say nothing that there is.
func wrong(message string) *refusal {
	return refuse(http.StatusBadRequest, "InvalidParametersException", message)
}

func notFound(what string) *refusal {
	return refuse(http.StatusNotFound, "ResourceNotFoundException", "The "+what+" was not found.")
}

// read decodes what a request gives, in its body and in its query.
func read(r *http.Request, into any) *refusal {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return refuse(http.StatusRequestEntityTooLarge, "RequestEntityTooLargeException", "The request is too large.")
	}
	given := map[string]json.RawMessage{}
	if len(text) > 0 {
		err = json.Unmarshal(text, &given)
	}
	if given == nil { // the body is null
		return invalid("1 validation error detected: the request has another form.")
	}
	for name, values := range r.URL.Query() {
		switch name {
		case "maxResults", "deleteAllTemplates": // a number and a boolean
			given[name] = json.RawMessage(values[0])
		default:
			given[name], _ = json.Marshal(values[0])
		}
	}
	if err == nil {
		text, err = json.Marshal(given)
	}
	if err != nil || json.Unmarshal(text, into) != nil {
		return invalid("1 validation error detected: the request has another form.")
	}
	return nil
}

// number returns Meta's id of the number that a request names.
func (s *Server) number(id string) (string, *refusal) {
	if id == "" || len(id) > 100 || !numberForm.MatchString(id) {
		return "", invalid("Value at 'originationPhoneNumberId' failed to satisfy constraint: it is no id of a number.")
	}
	phone, is := metaID(id, numberPrefix)
	if !is {
		return "", notFound("phone number")
	}
	return phone, nil
}

// account refuses a request that names another account than the one that is linked.
func (s *Server) account(id string) *refusal {
	if id == "" || len(id) > 115 || !accountForm.MatchString(id) {
		return invalid("Value at 'id' failed to satisfy constraint: it is no id of a WhatsApp Business Account.")
	}
	if waba, is := metaID(id, accountPrefix); !is || waba != s.WABA {
		return notFound("WhatsApp Business Account")
	}
	return nil
}

// The forms that AWS documents.
var (
	numberForm   = regexp.MustCompile(`^phone-number-id-.*$|^arn:.*:phone-number-id/[0-9a-zA-Z]+$`)
	accountForm  = regexp.MustCompile(`^waba-.*$|^arn:.*:waba/[0-9a-zA-Z]+$`)
	mediaForm    = regexp.MustCompile(`^[A-Za-z0-9]{1,100}$`)
	templateForm = regexp.MustCompile(`^[0-9]{1,100}$`)
	versionForm  = regexp.MustCompile(`^v[0-9]{1,3}\.[0-9]$`)
)
