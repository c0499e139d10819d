package awstest

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/smithy-go/encoding/cbor"
)

// refusal is an error of a service.
type refusal struct{ code, message string }

func (a *AWS) refused(operation string) *refusal {
	text, refuses := a.Refuse[operation]
	if !refuses {
		return nil
	}
	code, message, _ := strings.Cut(text, ":")
	return &refusal{code, message}
}

// answerQuery answers in the XML of CloudFormation and STS.
func (a *AWS) answerQuery(w http.ResponseWriter, form url.Values) {
	operation := form.Get("Action")
	a.Asked = append(a.Asked, operation)
	result, refused := "", a.refused(operation)
	if refused == nil {
		switch operation {
		case "GetCallerIdentity":
			result = "<Arn>arn:aws:iam::111122223333:user/somebody</Arn>" +
				"<UserId>AID</UserId><Account>111122223333</Account>"
		case "DescribeStacks":
			result, refused = a.describeStack(form.Get("StackName"))
		case "UpdateTerminationProtection":
			name, protected := form.Get("StackName"), form.Get("EnableTerminationProtection")
			a.Asked[len(a.Asked)-1] += " " + name + " " + protected
			stack := a.Stacks[name]
			stack.Protected = protected == "true"
			a.Stacks[name] = stack
		case "GetTopicAttributes":
			for name, count := range map[string]int{"Confirmed": a.Subscribed, "Pending": a.Unconfirmed} {
				result += fmt.Sprintf("<entry><key>Subscriptions%s</key><value>%d</value></entry>", name, count)
			}
			result = "<Attributes>" + result + "</Attributes>"
		case "DescribeStackResource":
			id := form.Get("LogicalResourceId")
			if !a.Resources[form.Get("StackName")+"/"+id] {
				refused = &refusal{
					"ValidationError", "Resource " + id + " does not exist for stack " + form.Get("StackName")}
			}
			result = "<StackResourceDetail><LogicalResourceId>" + escaped(id) +
				"</LogicalResourceId><PhysicalResourceId>" + escaped(Physical(id)) +
				"</PhysicalResourceId></StackResourceDetail>"
		default:
			refused = &refusal{"InvalidAction", operation}
		}
	}
	w.Header().Set("Content-Type", "text/xml")
	if refused != nil {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w,
			"<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code><Message>%s</Message></Error>"+
				"<RequestId>r</RequestId></ErrorResponse>",
			escaped(refused.code), escaped(refused.message))
		return
	}
	fmt.Fprintf(w,
		"<%[1]sResponse><%[1]sResult>%[2]s</%[1]sResult>"+
			"<ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></%[1]sResponse>",
		operation, result)
}

func (a *AWS) describeStack(name string) (string, *refusal) {
	stack, there := a.Stacks[name]
	if !there {
		return "", &refusal{"ValidationError", "Stack with id " + name + " does not exist"}
	}
	outputs := ""
	for key, value := range stack.Outputs {
		outputs += "<member><OutputKey>" + escaped(key) + "</OutputKey><OutputValue>" + escaped(value) +
			"</OutputValue></member>"
	}
	return "<Stacks><member><StackName>" + escaped(name) +
		"</StackName><CreationTime>2026-11-01T09:00:00Z</CreationTime><StackStatus>" +
		escaped(stack.Status) + "</StackStatus><EnableTerminationProtection>" + strconv.FormatBool(stack.Protected) +
		"</EnableTerminationProtection><Outputs>" + outputs + "</Outputs></member></Stacks>", nil
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

// answerLambda answers an operation of Lambda; nil for something that is not there.
func (a *AWS) answerLambda(w http.ResponseWriter, operation string, answer func() any) {
	a.Asked = append(a.Asked, operation)
	w.Header().Set("Content-Type", "application/json")
	if refused := a.refused(operation); refused != nil {
		w.Header().Set("X-Amzn-Errortype", refused.code)
		w.WriteHeader(http.StatusForbidden)
		_ = json.NewEncoder(w).Encode(map[string]string{"Message": refused.message})
		return
	}
	said := answer()
	if said == nil {
		w.Header().Set("X-Amzn-Errortype", "ResourceNotFoundException")
		w.WriteHeader(http.StatusNotFound)
		said = map[string]string{"Message": "Function not found"}
	}
	_ = json.NewEncoder(w).Encode(said)
}

// linkedNumber returns a number at AWS End User Messaging that a request names; nil if there is none.
func (a *AWS) linkedNumber(r *http.Request) any {
	phone, is := a.WhatsAppNumbers[r.URL.Query().Get("id")]
	if !is {
		return nil
	}
	return map[string]any{
		"linkedWhatsAppBusinessAccountId": "waba-1", "phoneNumber": map[string]string{"metaPhoneNumberId": phone}}
}

// linkedAccount returns the WhatsApp account at AWS End User Messaging.
func (a *AWS) linkedAccount() any {
	destinations := []any{}
	if a.WhatsAppTopic != "" {
		destinations = append(destinations, map[string]string{"eventDestinationArn": a.WhatsAppTopic})
	}
	numbers := []any{}
	for id, phone := range a.WhatsAppNumbers {
		numbers = append(numbers, map[string]string{"phoneNumberId": id, "metaPhoneNumberId": phone})
	}
	return map[string]any{"account": map[string]any{
		"id": "waba-1", "eventDestinations": destinations, "phoneNumbers": numbers}}
}

// runs returns what the account may run.
func (a *AWS) runs() any {
	n := cmp.Or(a.Runs, 1000)
	return map[string]any{
		"AccountLimit": map[string]int{"ConcurrentExecutions": n, "UnreservedConcurrentExecutions": n}}
}

// configuration returns what is set of the function that a path names; nil if there is none.
func (a *AWS) configuration(path string) any {
	parts := strings.Split(path, "/")
	variables, is := a.Variables[parts[len(parts)-2]]
	if !is {
		return nil
	}
	return map[string]any{"Environment": map[string]any{"Variables": variables}}
}

// answerJSON answers in the JSON of DynamoDB, Secrets Manager and Cognito.
func (a *AWS) answerJSON(w http.ResponseWriter, operation string, body []byte) {
	var in struct {
		KeyID                                                                 string `json:"KeyId"`
		Plaintext                                                             []byte
		EncryptionContext                                                     map[string]string
		TransactItems                                                         []map[string]map[string]any
		TableName, SecretId, SecretString, GroupName, Username, MessageAction string
		UserAttributes                                                        []struct{ Name, Value string }
		Key                                                                   map[string]struct{ S string }
		RequestItems                                                          map[string]struct {
			Keys []map[string]struct{ S string }
		}
	}
	_ = json.Unmarshal(body, &in)
	out, refused := any(map[string]any{}), cmp.Or(a.refused(operation), a.refused(operation+" "+in.TableName))
	if refused == nil {
		switch operation {
		case "DescribeTable", "DescribeContinuousBackups":
			a.Asked = append(a.Asked, operation)
			out, refused = a.describeTable(operation, in.TableName)
		case "GetItem":
			a.Asked = append(a.Asked, operation)
			out, refused = a.readItem(in.TableName, in.Key)
		case "BatchGetItem":
			a.Asked = append(a.Asked, operation)
			out, refused = a.readItems(in.RequestItems)
		case "Query": // of whatever index: a table holds the items of one answer
			a.Asked = append(a.Asked, operation)
			out = map[string]any{"Items": slices.Collect(maps.Values(a.Tables[in.TableName].Items))}
		case "TransactWriteItems":
			for _, item := range in.TransactItems {
				for part, write := range item {
					item := cmp.Or(write["Key"], write["Item"])
					a.Asked = append(a.Asked, fmt.Sprintf("%s of a transaction: %v", part, item))
				}
			}
		case "UpdateItem":
			for _, key := range in.Key {
				a.Asked = append(a.Asked, operation+" "+in.TableName+" "+key.S)
			}
		case "Encrypt": // reversed, for a test that looks at it
			a.Asked = append(a.Asked, fmt.Sprintf("%s %s %v", operation, in.KeyID, in.EncryptionContext))
			slices.Reverse(in.Plaintext)
			out = map[string]any{"CiphertextBlob": in.Plaintext}
		case "PutSecretValue":
			a.Asked = append(a.Asked, operation)
			secret := a.Secrets[in.SecretId]
			a.Secrets[in.SecretId] = Secret{Value: in.SecretString, Versions: secret.Versions + 1}
		case "DescribeSecret", "GetSecretValue":
			a.Asked = append(a.Asked, operation)
			out, refused = a.readSecret(operation, in.SecretId)
		default:
			out, refused = a.people(operation, in.Username, in.GroupName, in.MessageAction)
		}
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	if refused != nil {
		w.WriteHeader(http.StatusBadRequest)
		out = map[string]string{"__type": refused.code, "message": refused.message}
	}
	_ = json.NewEncoder(w).Encode(out)
}

func (a *AWS) describeTable(operation, name string) (any, *refusal) {
	table, there := a.Tables[name]
	if !there {
		return nil, &refusal{"ResourceNotFoundException", "Requested resource not found: Table: " + name + " not found"}
	}
	if operation == "DescribeTable" {
		return map[string]any{
			"Table": map[string]any{
				"TableName": name, "TableStatus": table.Status, "DeletionProtectionEnabled": table.Protected}}, nil
	}
	recovery := "DISABLED"
	if table.Recoverable {
		recovery = "ENABLED"
	}
	return map[string]any{"ContinuousBackupsDescription": map[string]any{
		"ContinuousBackupsStatus":        "ENABLED",
		"PointInTimeRecoveryDescription": map[string]string{"PointInTimeRecoveryStatus": recovery},
	}}, nil
}

// restore makes a table beside another one.
func (a *AWS) restore(w http.ResponseWriter, body []byte) {
	var in struct{ SourceTableName, TargetTableName string }
	_ = json.Unmarshal(body, &in)
	a.Asked = append(a.Asked, "RestoreTableToPointInTime")
	a.Restore(in.SourceTableName, in.TargetTableName)
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	_, _ = w.Write([]byte("{}"))
}

func (a *AWS) readItem(name string, key map[string]struct{ S string }) (any, *refusal) {
	table, there := a.Tables[name]
	if !there {
		return nil, &refusal{"ResourceNotFoundException", "Requested resource not found"}
	}
	for _, value := range key {
		if item := table.Items[value.S]; item != nil {
			return map[string]any{"Item": item}, nil
		}
	}
	return map[string]any{}, nil
}

func (a *AWS) readItems(asked map[string]struct {
	Keys []map[string]struct{ S string }
}) (any, *refusal) {
	found := map[string][]any{}
	for name, of := range asked {
		for _, key := range of.Keys {
			out, refused := a.readItem(name, key)
			if refused != nil {
				return nil, refused
			}
			if item := out.(map[string]any)["Item"]; item != nil {
				found[name] = append(found[name], item)
			}
		}
	}
	return map[string]any{"Responses": found}, nil
}

func (a *AWS) readSecret(operation, name string) (any, *refusal) {
	secret, there := a.Secrets[name]
	if !there {
		return nil, &refusal{"ResourceNotFoundException", "Secrets Manager can't find the specified secret."}
	}
	if operation == "GetSecretValue" {
		return map[string]any{"Name": name, "VersionId": "v1", "SecretString": secret.Value}, nil
	}
	versions := map[string][]string{"v1": {"AWSCURRENT"}}
	if secret.Versions > 1 {
		versions["v0"] = []string{"AWSPREVIOUS"}
	}
	return map[string]any{"Name": name, "VersionIdsToStages": versions}, nil
}

// subjectOf is the attribute by which a token names a user.
func subjectOf(user string) []map[string]string {
	return []map[string]string{{"Name": "sub", "Value": "sub-of-" + user}}
}

// people answers for a user pool.
func (a *AWS) people(operation, user, group, action string) (any, *refusal) {
	a.Asked = append(a.Asked, strings.Join(strings.Fields(operation+" "+user+" "+group+" "+action), " "))
	switch operation {
	case "ListUsers":
		users := []any{}
		for _, user := range a.Users {
			users = append(users, map[string]string{"Username": user})
		}
		return map[string]any{"Users": users}, nil
	case "AdminCreateUser":
		if there := slices.Contains(a.Users, user); there && action != "RESEND" {
			return nil, &refusal{"UsernameExistsException", "User account already exists"}
		} else if !there {
			a.Users = append(a.Users, user)
		}
		return map[string]any{
			"User": map[string]any{
				"Username": user, "UserStatus": "FORCE_CHANGE_PASSWORD", "Attributes": subjectOf(user)}}, nil
	case "AdminGetUser":
		return map[string]any{"Username": user, "UserAttributes": subjectOf(user)}, nil
	case "CreateGroup":
		if _, there := a.Groups[group]; there {
			return nil, &refusal{"GroupExistsException", "A group with the name already exists."}
		}
		a.Groups[group] = nil
		return map[string]any{"Group": map[string]string{"GroupName": group}}, nil
	case "AdminAddUserToGroup":
		if _, there := a.Groups[group]; !there {
			return nil, &refusal{"ResourceNotFoundException", "Group not found."}
		}
		if !slices.Contains(a.Groups[group], user) {
			a.Groups[group] = append(a.Groups[group], user)
		}
		return map[string]any{}, nil
	}
	return nil, &refusal{"UnknownOperationException", operation}
}

// answerCBOR answers in the CBOR of CloudWatch, one alarm a page.
func (a *AWS) answerCBOR(w http.ResponseWriter, operation string, body []byte) {
	a.Asked = append(a.Asked, operation)
	w.Header().Set("Content-Type", "application/cbor")
	w.Header().Set("Smithy-Protocol", "rpc-v2-cbor")
	in := cbor.Map{}
	if decoded, err := cbor.Decode(body); err == nil {
		in, _ = decoded.(cbor.Map)
	}
	refused := a.refused(operation)
	if operation != "DescribeAlarms" {
		refused = &refusal{"UnknownOperation", operation}
	}
	if refused != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(
			cbor.Encode(cbor.Map{"__type": cbor.String(refused.code), "message": cbor.String(refused.message)}))
		return
	}
	prefix, _ := in["AlarmNamePrefix"].(cbor.String)
	after, _ := in["NextToken"].(cbor.String)
	page, next := cbor.List{}, ""
	for _, alarm := range a.Alarms {
		if !strings.HasPrefix(alarm.Name, string(prefix)) || after != "" && alarm.Name <= string(after) {
			continue
		}
		if len(page) == 1 {
			next = string(page[0].(cbor.Map)["AlarmName"].(cbor.String))
			break
		}
		page = append(page, cbor.Map{
			"AlarmName": cbor.String(alarm.Name), "StateValue": cbor.String(alarm.State),
			"AlarmDescription": cbor.String(alarm.Says),
		})
	}
	out := cbor.Map{"MetricAlarms": page}
	if next != "" {
		out["NextToken"] = cbor.String(next)
	}
	_, _ = w.Write(cbor.Encode(out))
}
