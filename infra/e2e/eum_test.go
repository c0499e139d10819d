package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/eum/eumtest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// numberAtAWS is a number that is at AWS End User Messaging, and idAtAWS is AWS's id of it.
const (
	numberAtAWS = "986540352242922"
	idAtAWS     = "phone-number-id-976c72a700aac43eaf573ae050example"
)

// watchEUM returns the address of a stand-in for AWS End User Messaging. What a function sends there is recorded apart,
// because only a deployment with numbers at AWS lets it.
func (rec *recorder) watchEUM(function string) string {
	standIn := &eumtest.Server{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec.note(function+" to AWS", "social-messaging:SendWhatsAppMessage")
		standIn.ServeHTTP(w, r)
	}))
	rec.t.Cleanup(server.Close)
	return "AWS_ENDPOINT_URL_SOCIALMESSAGING=" + server.URL
}

// conversesByAWS has a customer write to a number at AWS, and answers. The function that takes what AWS tells does
// nothing but append.
func (r *running) conversesByAWS(t *testing.T, rec *recorder) {
	t.Helper()
	phone, err := dynamo.Marshal(model.Phone{
		PK: keys.Phone(numberAtAWS).Partition, ItemType: model.ItemPhone, PhoneNumberID: numberAtAWS,
		TenantID: "demo", WABAMetaID: wt.WABA, AWSPhoneNumberID: idAtAWS})
	if err == nil {
		err = r.engine().Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: phone, If: "attribute_not_exists(pk)"})
	}
	if err != nil {
		t.Fatal(err)
	}
	const customer = "919876500031"
	body := wt.Body(wt.Messages(wt.List{wt.Contact(customer, "Meera")},
		wt.Text(customer, "wamid.AWS", "hello", time.Now())))
	entry := strings.ReplaceAll(eumtest.Entries(body)[0], wt.Phone, numberAtAWS)
	batch, err := json.Marshal(events.SQSEvent{
		Records: []events.SQSMessage{{MessageId: "1", Body: eumtest.Notice(entry), EventSource: "aws:sqs"}}})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := r.Invoke(t.Context(), "eum-webhook", batch)
	if err != nil || string(answer) != `{"batchItemFailures":[]}` {
		t.Fatalf("%s, %v", answer, err)
	}
	const conversation = "/v1/conversations/" + numberAtAWS + ":" + customer
	var found struct{ Address string }
	r.get(t, conversation, &found, func() bool { return found.Address == customer })
	r.want(t, http.StatusAccepted, http.MethodPost, conversation+"/messages/text", `{"body":"by AWS"}`)
	rec.noted(t, "outbox to AWS", "social-messaging:SendWhatsAppMessage")
	rec.mu.Lock()
	defer rec.mu.Unlock()
	want := map[string]bool{"dynamodb:PutItem on Messages": true}
	if diff := cmp.Diff(want, rec.calls["eum-webhook"]); diff != "" {
		t.Errorf("what eum-webhook may do (-) and what it does (+):\n%s", diff)
	}
}
