package whatsapp

import "strings"

// SameRecipient reports whether a status can belong to a message that was sent to one of the addresses: numbers, user
// ids or groups. It compares only identifiers of the same kind, because Meta names a person by number, by user id, or
// by both. A status without a comparable identifier is accepted.
func SameRecipient(status Status, addresses ...string) bool {
	comparable := false
	for _, shown := range []string{status.RecipientID, status.RecipientUserID} {
		for _, address := range addresses {
			if shown == "" || address == "" || kindOfAddress(shown) != kindOfAddress(address) {
				continue
			}
			if shown == address ||
				kindOfAddress(shown) == "number" && CanonicalNumber(shown) == CanonicalNumber(address) {
				return true
			}
			comparable = true
		}
	}
	return !comparable
}

// kindOfAddress returns the kind of an identifier: a number, a user id, a parent company's user id, or anything else,
// which is a group.
func kindOfAddress(id string) string {
	switch {
	case Digits(id) != "" && strings.Trim(id, "+0123456789 -().") == "":
		return "number"
	case isUserID(id) && strings.Count(id, ".") > 1:
		return "parent"
	case isUserID(id):
		return "user"
	}
	return "group"
}

// Digits returns the digits of a text.
func Digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
}

// CanonicalNumber returns the digits of a phone number with its country code. Where Meta uses two forms of one number,
// it returns the same for both: Brazilian mobiles with or without the ninth digit, Argentine ones with or without the 9
// after the 54, and Mexican ones with or without the 1 after the 52.
func CanonicalNumber(text string) string {
	digits := Digits(text)
	if len(digits) != 13 {
		return digits
	}
	switch {
	case strings.HasPrefix(digits, "55") && digits[4] == '9':
		return digits[:4] + digits[5:]
	case strings.HasPrefix(digits, "549"), strings.HasPrefix(digits, "521"):
		return digits[:2] + digits[3:]
	}
	return digits
}

// SameNumber reports whether two texts are one phone number with its country code, in whichever form Meta uses.
func SameNumber(a, b string) bool { return a != "" && CanonicalNumber(a) == CanonicalNumber(b) }

// OtherForms returns the other forms that Meta uses of a number with its country code; none for most countries. See
// CanonicalNumber. A user id has none, although digits are in it.
func OtherForms(digits string) []string {
	var longer string
	switch {
	case Digits(digits) != digits:
		return nil
	case len(digits) == 13:
		if short := CanonicalNumber(digits); short != digits {
			return []string{short}
		}
		return nil
	case len(digits) == 12 && strings.HasPrefix(digits, "55"):
		longer = digits[:4] + "9" + digits[4:]
	case len(digits) == 12 && strings.HasPrefix(digits, "54"):
		longer = digits[:2] + "9" + digits[2:]
	case len(digits) == 12 && strings.HasPrefix(digits, "52"):
		longer = digits[:2] + "1" + digits[2:]
	default:
		return nil
	}
	return []string{longer}
}
