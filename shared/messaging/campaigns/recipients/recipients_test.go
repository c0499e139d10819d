package recipients

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
)

func asUTF16(text string, order binary.ByteOrder) []byte {
	var b bytes.Buffer
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		_ = binary.Write(&b, order, unit)
	}
	return b.Bytes()
}

// One list, as programs write it.
func TestAFileIsReadHoweverAProgramWritesIt(t *testing.T) {
	want := File{
		Columns: []string{"name", "what"},
		Recipients: []model.CampaignRecipient{
			{To: "919876543210", Values: []string{"Asha, the first", `1" pipe`}},
			{To: "447700900123", Values: []string{"José", "=SUM(A1)"}},
			{To: "IN.123456789", Values: []string{"", "x"}},
		},
	}
	comma := "Name,Phone,What\n\"Asha, the first\",98765 43210,\"1\"\" pipe\"\n" +
		"José,+44 7700 900123,'=SUM(A1)\n,IN.123456789,x\n"
	semicolon := "Name;Phone;What\nAsha, the first;098765-43210;\"1\"\" pipe\"\n" +
		"José;'+447700900123;=SUM(A1)\n;IN.123456789;x"
	for name, file := range map[string][]byte{
		"commas":             []byte(comma),
		"semicolons":         []byte(semicolon),
		"tabs":               []byte(strings.ReplaceAll(semicolon, ";", "\t")),
		"line ends of DOS":   []byte(strings.ReplaceAll(comma, "\n", "\r\n")),
		"a byte-order mark":  []byte("\ufeff" + comma),
		"UTF-16":             asUTF16(comma, binary.LittleEndian),
		"UTF-16 the other":   asUTF16(comma, binary.BigEndian),
		"a number that ends": []byte(strings.Replace(comma, "98765 43210", "9876543210", 1)),
	} {
		got, err := Read(file, "IN")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestALineThatIsWrongIsNamedAndTheOthersCount(t *testing.T) {
	file := "to,name\n" +
		"919876543210,Asha\n" +
		"9.19877E+11,Excel\n" +
		",nobody\n" +
		"+91 98765 43210,again\n" +
		"919876543211,too,many\n" +
		"call me,maybe\n" +
		"919876543212," + strings.Repeat("x", 1025) + "\n" +
		"919876543213,\"a quote \" within\n" +
		"919876543214\n"
	got, err := Read([]byte(file), "")
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, line := range got.Wrong {
		lines = append(lines, line.Number)
		if strings.Contains(line.Why, "maybe") || strings.Contains(line.Why, "9.19") {
			t.Errorf("line %d tells what stands there: %s", line.Number, line.Why)
		}
	}
	if diff := cmp.Diff([]int{3, 4, 6, 7, 8}, lines); diff != "" || got.Repeated != 1 {
		t.Errorf("%+v\n%s", got, diff)
	}
	if len(got.Recipients) != 2 && len(got.Recipients) != 3 {
		t.Errorf("%+v", got.Recipients)
	}
}

func TestAFileThatIsNoneIsRefused(t *testing.T) {
	for name, file := range map[string]string{
		"empty": "", "without numbers": "name,city\nAsha,Pune\n", "a column twice": "to,a,A\n1,2,3\n",
		"a column without a name": "to,\n1,2\n", "a picture": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"half a character": "\xff\xfea", "too many columns": "to," + strings.Repeat("x,", 20) + "y\n",
		"a column with a brace": "to,{{name}}\n1,2\n",
	} {
		if got, err := Read([]byte(file), "IN"); !errors.Is(err, ErrFile) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	var long strings.Builder
	long.WriteString("to\n")
	for i := range MaxLines {
		fmt.Fprintf(&long, "91987%07d\n", i)
	}
	if got, err := Read([]byte(long.String()), ""); err != nil || len(got.Recipients) != MaxLines {
		t.Errorf("%d recipients, %v", len(got.Recipients), err)
	}
	long.WriteString("919999999999\n")
	if _, err := Read([]byte(long.String()), ""); !errors.Is(err, ErrFile) {
		t.Errorf("one line too many: %v", err)
	}
}

// Whatever somebody uploads, every recipient has an identifier and no more values than there are columns.
func FuzzRead(f *testing.F) {
	f.Add([]byte("to,name\n919876543210,Asha\n"))
	f.Add([]byte("\ufeffphone;a;b\n'+447700900123;\"x\"\"y\";=1\n"))
	f.Add(asUTF16("to\n919876543210\n", binary.BigEndian))
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := Read(file, "IN")
		if err != nil {
			return
		}
		for _, r := range got.Recipients {
			if _, err := model.ParseCustomer(string(r.To)); err != nil || len(r.Values) > len(got.Columns) {
				t.Fatalf("%+v of %v", r, got.Columns)
			}
		}
	})
}
