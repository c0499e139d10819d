package keys

import (
	"strings"

	"github.com/haatline/haatline/shared/model"
)

// The forms of the keys of the conversations table. The contract has conversations alone. COMPANY, PROJECT, COMPANY_OF,
// HISTORY, MAILBOX, QUESTIONS, SPENT and REPLY are additions. No address of a person has a #, so their partitions meet
// no other ones.
var (
	talkID       = Pattern{"TALK", []string{"{companyId}", "{projectId}", "{requestId}", "{end}"}}
	talkHistory  = Pattern{"HISTORY", append(append([]string{}, talkID.Parts...), "history", "{number}")}
	company      = Pattern{"COMPANY", []string{"COMPANY", "{companyId}"}}
	project      = Pattern{"PROJECT", []string{"PROJECT", "{projectId}"}}
	companiesOf  = Pattern{"COMPANIES_OF", []string{"COMPANIES", "{tenantId}"}}
	questions    = Pattern{"QUESTIONS", []string{"QUESTIONS", "{companyId}", "{projectId}"}}
	questionPart = Pattern{"QUESTIONS_PART", []string{"PART", "{list}", "{number}"}}
	mailbox      = Pattern{"MAILBOX", []string{"MAILBOX", "{address}"}}
	spent        = Pattern{"SPENT", []string{"SPENT", "{companyId}"}}
	spentBy      = Pattern{"SPENT_BY", []string{"SPENT_BY", "{tenantId}"}}
	talkSpent    = Pattern{"TALK_SPENT", append(append([]string{}, talkID.Parts...), "spent")}
	replyMessage = Pattern{"REPLY", []string{"MESSAGE", "{waMessageId}"}}
)

// ItemSort is the sort key of an item of the conversations table that is alone of its kind in its partition.
const ItemSort = "ITEM"

func conversationsKey(partition, sort string) Key {
	return Key{PartitionName: "primary_channel", Partition: partition, SortName: "conversation_id", Sort: sort}
}

// TalkID returns the id of a company's conversation with a person. Its last part is the digits of the person's number,
// or a hash of an email address: such an address may hold anything.
func TalkID(company, project, request, recipient model.Name) string {
	end, isNumber := strings.CutPrefix(string(recipient), "+")
	if !isNumber || strings.Contains(end, "@") {
		end = shortHash(string(recipient))
	}
	return talkID.with(string(company), string(project), string(request), end)
}

// Talk returns the key of a company's conversation with a person. A recipient is a number in E.164 or an email address.
func Talk(company, project, request, recipient model.Name) Key {
	return conversationsKey(string(recipient), TalkID(company, project, request, recipient))
}

// TalkHistory returns the key of a continuation of a conversation. The number has fixed width.
func TalkHistory(company, project, request, recipient, number model.Name) Key {
	key := Talk(company, project, request, recipient)
	parts := strings.Split(key.Sort, "#")
	return conversationsKey(key.Partition, talkHistory.with(append(parts, string(number))...))
}

// TalkHistoryPrefix begins the sort keys of the continuations of a conversation with an id.
func TalkHistoryPrefix(id string) string { return id + "#history#" }

// IsTalk reports whether the sort key of an item is that of a conversation, and not of a continuation.
func IsTalk(sort string) bool {
	_, is := talkID.ids(sort)
	return is
}

// Company returns the key of a company. A company id is one company's of all tenants.
func Company(id model.Name) Key { return conversationsKey(company.with(string(id)), ItemSort) }

// Project returns the key of a project of a company.
func Project(company, id model.Name) Key {
	return conversationsKey(Company(company).Partition, project.with(string(id)))
}

// ProjectPrefix begins the sort keys of projects.
const ProjectPrefix = "PROJECT#"

// CompanyOf returns the key of the item by which a tenant's companies are listed.
func CompanyOf(tenant model.TenantID, id model.Name) Key {
	return conversationsKey(companiesOf.with(string(tenant)), string(id))
}

// CompaniesOf returns the partition of a tenant's companies.
func CompaniesOf(tenant model.TenantID) string { return companiesOf.with(string(tenant)) }

// Questions returns the key of the head of a project's list of questions.
func Questions(company, project model.Name) Key {
	return conversationsKey(questions.with(string(company), string(project)), ItemSort)
}

// QuestionsPart returns the key of a part of a project's list of questions. The number has fixed width.
func QuestionsPart(company, project, list, number model.Name) Key {
	return conversationsKey(Questions(company, project).Partition, questionPart.with(string(list), string(number)))
}

// Spent returns the key of what language models have taken for a company in a day or a month: 2026-11-25 or 2026-11.
func Spent(company, period model.Name) Key {
	return conversationsKey(spent.with(string(company)), string(period))
}

// SpentBy returns the key of what language models have taken for all companies of a tenant in a day.
func SpentBy(tenant model.TenantID, day model.Name) Key {
	return conversationsKey(spentBy.with(string(tenant)), string(day))
}

// TalkSpent returns the key of what language models have taken for a conversation, by the conversation's key.
func TalkSpent(talk Key) Key {
	return conversationsKey(talk.Partition, talkSpent.with(strings.Split(talk.Sort, "#")...))
}

// IsTalkSpent reports whether the sort key of an item is that of what was taken for a conversation.
func IsTalkSpent(sort string) bool {
	_, is := talkSpent.ids(sort)
	return is
}

// Mailbox returns the key of the item that says which company an email address is.
func Mailbox(address model.Name) Key {
	return conversationsKey(mailbox.with(string(address)), ItemSort)
}

// Reply returns the key of the item that says to which conversation a message belongs.
func Reply(id model.MessageID) Key { return conversationsKey(replyMessage.with(string(id)), ItemSort) }
