package messagingapi

import (
	"net/http"
	"testing"
)

func TestOnlyThePlatformSaysByWhomANumberSends(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	const path, id = "/v1/numbers/" + number + "/provider", "phone-number-id-976c72a700aac43eaf573ae050example"
	put := func(by *caller, path, body string) answer {
		return w.do(request{By: by, Method: http.MethodPut, Path: path, Body: body})
	}
	put(operator(shop), path, `{"awsPhoneNumberId":"`+id+`"}`).WantProblem(t, http.StatusForbidden)
	put(platformOperator(), "/v1/numbers/106540352242999/provider", `{"awsPhoneNumberId":""}`).
		WantProblem(t, http.StatusNotFound)
	for _, wrong := range []string{"976c72a7", "phone-number-id-", "phone-number-id-a/b", "meta"} {
		put(platformOperator(), path, `{"awsPhoneNumberId":"`+wrong+`"}`).
			WantProblem(t, http.StatusUnprocessableEntity)
	}
	for _, want := range []string{id, id, ""} {
		var out struct{ AWSPhoneNumberID string }
		put(platformOperator(), path, `{"awsPhoneNumberId":"`+want+`"}`).Want(t, http.StatusOK, &out)
		atAWS, err := w.rooms.AWSPhoneNumberID(t.Context(), number)
		var listed struct {
			Items []struct{ AWSPhoneNumberID string }
		}
		w.get(operator(shop), "/v1/numbers", nil).Want(t, http.StatusOK, &listed)
		if err != nil || atAWS != want || out.AWSPhoneNumberID != want || listed.Items[0].AWSPhoneNumberID != want {
			t.Errorf("%q: %q, %q, %+v, %v", want, atAWS, out.AWSPhoneNumberID, listed, err)
		}
	}
}
