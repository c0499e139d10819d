package signin

import (
	_ "embed"
	"html/template"
	"net/http"
	"regexp"
	"slices"

	"github.com/haatline/haatline/shared/httpapi"
)

// Person is somebody who can sign in.
type Person struct {
	Subject, Username, Name string
	About                   string // what sets them apart
	Groups                  []string
}

var (
	//go:embed page.html
	pageText string
	page     = template.Must(template.New("page").Parse(pageText))
	//go:embed style.css
	styleText []byte
)

const stylePath = under + "style.css"

// shown is what the page shows: the people, or what is wrong.
type shown struct {
	Wrong  string
	Asked  map[string]string
	People []Person
	Tenant string
	Roles  []httpapi.Role
	Style  string
}

// asked are the parameters of a request for a code.
var asked = []string{"client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge",
	"code_challenge_method"}

// choose shows the people to choose from.
func (s *Server) choose(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	_, back, wrong := s.check(values)
	if back != "" {
		secure(w.Header())
		http.Redirect(w, r, back, http.StatusSeeOther)
		return
	}
	if wrong != "" {
		s.show(w, http.StatusBadRequest, shown{Wrong: wrong})
		return
	}
	form := map[string]string{}
	for _, name := range asked {
		form[name] = values.Get(name)
	}
	s.show(w, http.StatusOK, shown{Asked: form, People: s.People, Tenant: s.Tenant, Roles: httpapi.Roles()})
}

// chosen sends the browser back to the page with a code for the person that was chosen.
func (s *Server) chosen(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		s.show(w, http.StatusBadRequest, shown{Wrong: "The form could not be read."})
		return
	}
	checked, back, wrong := s.check(r.PostForm)
	person, is := s.person(r.PostForm.Get)
	if wrong == "" && back == "" && !is {
		wrong = "There is nobody of this name: a name and a tenant have letters, digits and dashes."
	}
	if wrong != "" {
		s.show(w, http.StatusBadRequest, shown{Wrong: wrong})
		return
	}
	if back == "" {
		back = withQuery(checked.Page, "code", s.issue(checked, person), "state", checked.State)
	}
	secure(w.Header())
	http.Redirect(w, r, back, http.StatusSeeOther)
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// person returns who was chosen: one of the list, or somebody else with a name, a tenant and a role. They have the
// subject that make token gives a name.
func (s *Server) person(value func(string) string) (Person, bool) {
	if subject := value("person"); subject != "" {
		at := slices.IndexFunc(s.People, func(p Person) bool { return p.Subject == subject })
		if at < 0 {
			return Person{}, false
		}
		return s.People[at], true
	}
	name, tenant, role := value("name"), value("tenant"), value("role")
	known := slices.ContainsFunc(httpapi.Roles(), func(r httpapi.Role) bool { return r.Group == role })
	if !plainName.MatchString(name) || !plainName.MatchString(tenant) || !known {
		return Person{}, false
	}
	return Person{
		Subject: "local-" + name, Username: name, Name: name, Groups: []string{"tenant:" + tenant, role}}, true
}

func (s *Server) show(w http.ResponseWriter, status int, what shown) {
	what.Style = stylePath
	secure(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = page.Execute(w, what)
}

func (s *Server) style(w http.ResponseWriter, _ *http.Request) {
	secure(w.Header())
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = w.Write(styleText)
}

// secure keeps foreign code out of the pages, and the pages out of foreign frames. With no referrer at all a browser
// would not say from where the form comes.
func secure(header http.Header) {
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "+
		"frame-ancestors 'self'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
}
