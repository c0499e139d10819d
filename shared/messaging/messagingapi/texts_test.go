package messagingapi

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/domain"
	"github.com/haatline/haatline/shared/sms"
)

func TestATenantSaysHowItSendsBySMS(t *testing.T) {
	const path = "/v1/tenants/" + shop + "/sms"
	w := open(t)
	w.rooms.Join(domain.Part{Name: "test", Wordings: []sms.Wording{{Name: "owes", Texts: map[string]string{
		"en": "{store:60}: you owe {amount:30}.", "hi": "{store:30}: {amount:30} बाकी"}}}})
	shown := func(answer []wording) (all [][4]string) {
		for _, one := range answer {
			all = append(all, [4]string{one.Wording, one.Language, one.Text, one.TemplateID})
		}
		return all
	}
	var before, after struct {
		Sender, EntityID string
		Wordings         []wording
	}
	w.get(operator(shop), path, nil).Want(t, http.StatusOK, &before)
	unregistered := [][4]string{
		{"owes", "en", "{#var#}{#var#}: you owe {#var#}.", ""}, {"owes", "hi", "{#var#}: {#var#} बाकी", ""}}
	if diff := cmp.Diff(unregistered, shown(before.Wordings)); diff != "" || before.Sender+before.EntityID != "" {
		t.Errorf("before: %+v\n%s", before, diff)
	}
	template := func(wording, language, id string) string {
		return fmt.Sprintf(`{"wording":%q,"language":%q,"templateId":%q}`, wording, language, id)
	}
	put := func(by *caller, template string) answer {
		return w.do(request{By: by, Method: http.MethodPut, Path: path,
			Body: `{"sender":"HAATLN","entityId":"1201159041234567890","templates":[` + template + `]}`})
	}
	for _, wrong := range []string{
		template("owed", "en", "1207161234567890123"), template("owes", "ta", "1207161234567890123"),
		template("owes", "en", "12"), template("owes", "en", "twelve"),
	} {
		put(operator(shop), wrong).WantProblem(t, http.StatusUnprocessableEntity)
	}
	put(operator("other"), template("owes", "en", "1207161234567890123")).WantProblem(t, http.StatusNotFound)
	put(operator(shop), template("owes", "en", "1207161234567890123")).Want(t, http.StatusOK)
	w.get(operator(shop), path, nil).Want(t, http.StatusOK, &after)
	unregistered[0][3] = "1207161234567890123"
	if diff := cmp.Diff(unregistered, shown(after.Wordings)); diff != "" || after.Sender != "HAATLN" ||
		after.EntityID != "1201159041234567890" {
		t.Errorf("after: %+v\n%s", after, diff)
	}
	var numbers numberList
	w.get(operator(shop), "/v1/numbers", nil).Want(t, http.StatusOK, &numbers)
	if len(numbers.Items) != 1 {
		t.Errorf("the tenant has %d numbers", len(numbers.Items))
	}
	w.get(operator("other"), path, nil).WantProblem(t, http.StatusNotFound)
}
