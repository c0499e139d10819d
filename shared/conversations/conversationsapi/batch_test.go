package conversationsapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
)

// A batch tells of each line what has become of it, and a repeated batch does nothing twice.
func TestABatchTellsOfEachLine(t *testing.T) {
	w := firm(t)
	file := `\ufeffrequest_id,channel,tel,first_name,consent,data.job_ref\n` +
		`r1,whatsapp,+91 98765 43210,Asha,yes,JR1\n` +
		`r2,whatsapp,+919876543210,Asha,yes,JR2\n` +
		`r3,whatsapp,+919876543211,Ravi,no,\n` +
		`r4,fax,+919876543211,Ravi,yes,\n` +
		`r#5,whatsapp,+919876543211,Ravi,yes,\n` +
		`r6,whatsapp,12,Ravi,yes,\n` +
		`r1,whatsapp,+919876543210,Asha,yes,JR9`
	var first, again batchOutput
	for _, out := range []*batchOutput{&first, &again} {
		w.do(http.MethodPost, project+"/conversation-batches", "k", `{"csv":"`+file+`"}`).Want(t, http.StatusOK, &out.Body)
	}
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Errorf("%+v, and again %+v", first, again)
	}
	var codes []string
	for _, line := range first.Body.Lines {
		codes = append(codes, line.Outcome+line.Code)
	}
	if got := strings.Join(codes, " "); got != "begun begun refusedno-consent refusedchannel-not-allowed refused "+
		"refused refusedconversation-exists" || first.Body.Begun != 2 || first.Body.Refused != 5 {
		t.Errorf("%s: %+v", got, first.Body)
	}
	stored := 0
	for _, item := range w.db.Items(t, tables.Conversations) {
		if dynamo.Text(item, "company_id") != "" {
			stored++
		}
	}
	if stored != 2 || !strings.Contains(string(w.stored(asha, "r2").ProjectData), "JR2") {
		t.Errorf("%d are stored", stored)
	}
}

func TestAFileThatIsNoBatchIsRefusedByItsLine(t *testing.T) {
	many := "request_id\n" + strings.Repeat("r1\n", opening.MaxBatch+1)
	for text, why := range map[string]string{
		"": "line 1", "request_id,colour\n": `"colour"`, "tel,tel\n": "twice", "tel\n1,2\n": "line 2", "tel\n\"1\n": "no CSV",
		many: "at most 1000",
	} {
		if _, err := opening.ReadCSV(text); err == nil || !strings.Contains(problemOf(err), why) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("request_id,channel,tel,consent,data.a\nr1,sms,+447123456789,yes,\"x\ny\"")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := opening.ReadCSV(text)
		if err != nil {
			return
		}
		for _, row := range rows {
			_, _ = row.Parse("demo", "ci-1", "pi-1")
		}
	})
}

// problemOf returns what a caller is told about an error.
func problemOf(err error) string {
	var rule *problem.Error
	if !errors.As(err, &rule) {
		return ""
	}
	return rule.Detail
}
