package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// step is one event in a history. Its details depend on its seed and on what has happened before, so a history is still
// valid if steps are left out.
type step struct {
	kind kind
	who  int // which customer
	gap  time.Duration
	seed uint64
}

func (s step) String() string {
	return fmt.Sprintf("%s(customer %d, after %s, seed %x)", s.kind, s.who, s.gap, s.seed)
}

type kind int

const (
	say kind = iota
	changeNumber
	changeUserID
	repeatNotice
	sayInGroup
	echo
	importHistory
	redeliver
	read
	markUnread
	archive
	unarchive
	accept
	erase
	forge
	passNumber
	shopSay
	shopTap
	ownerTap
	command
	strangerCommand
	groupCommand
	claim
	entry
	reversal
	buy
	move
	remind
	shopErase
	ownerMoves
	askCard
	adminTap
	adminWrite
	strangerWrite
	decideByAPI
	expireCards
	adminMoves
	confirmAdmin
	confirmStore
	shopChange
	shopPicture
	meet
	restart
)

func (k kind) String() string {
	return strings.Fields(
		"says changes-number changes-user-id repeats-notice says-in-group echo import redelivery read mark-unread " +
			"archive unarchive accept erase forged-status passes-number-on writes-to-shop taps owner-taps command " +
			"strangers-command command-in-group claims-payment entry reversal buys moves-order reminders " +
			"erasure-at-shop owner-moves asks-for-card admin-taps admin-writes stranger-writes-as-admin " +
			"decides-by-api expires-requests admin-moves confirms-admin confirms-store changes-message-at-shop " +
			"sends-picture-to-shop becomes-one-person restart")[k]
}

// weights says how frequent each kind of step is.
var weights = map[kind]int{
	say: 40, changeNumber: 8, changeUserID: 5, repeatNotice: 5, sayInGroup: 4, echo: 4, importHistory: 3, redeliver: 7,
	read: 7, markUnread: 2, archive: 5, unarchive: 1, accept: 12, erase: 1, forge: 2, restart: 1,
	passNumber: 4,
	shopSay:    36, shopTap: 8, ownerTap: 8, command: 9, strangerCommand: 2, groupCommand: 2, claim: 8, entry: 7,
	reversal: 3, buy: 9, move: 16, remind: 9, shopErase: 1, ownerMoves: 1,
	askCard: 9, adminTap: 9, adminWrite: 4, strangerWrite: 2, decideByAPI: 2, expireCards: 4, adminMoves: 1,
	confirmAdmin: 2, confirmStore: 1, shopChange: 5, shopPicture: 2, meet: 2,
}

const customers = 4

// themes are kinds of steps that are frequent in a history together, so that long courses of events come about. One
// history in five has no theme.
var themes = [][]kind{
	{},
	{say, changeNumber, changeUserID, repeatNotice, echo, importHistory, read, archive, accept, passNumber},
	{shopSay, shopTap, buy, move, shopChange, shopPicture, changeNumber},
	{shopSay, claim, ownerTap, entry, command, reversal, remind, meet},
	{shopSay, askCard, adminTap, adminWrite, strangerWrite, expireCards, confirmAdmin, adminMoves},
}

// historyOf returns the steps of a seed.
func historyOf(seed uint64) []step {
	rng := rand.New(rand.NewPCG(seed, 1))
	theme := themes[rng.IntN(len(themes))]
	var kinds []kind
	for k := say; k <= restart; k++ {
		times := weights[k]
		if slices.Contains(theme, k) {
			times *= 4
		}
		for range times {
			kinds = append(kinds, k)
		}
	}
	steps := make([]step, 30+rng.IntN(50))
	for i := range steps {
		steps[i] = step{kind: kinds[rng.IntN(len(kinds))], who: rng.IntN(customers), gap: gap(rng), seed: rng.Uint64()}
	}
	return steps
}

// gap returns how much time passes before a step: often less than a second, sometimes hours.
func gap(rng *rand.Rand) time.Duration {
	switch rng.IntN(10) {
	case 0:
		return time.Duration(rng.IntN(180)) * time.Minute
	case 1, 2:
		return time.Duration(rng.IntN(60)) * time.Second
	}
	return time.Duration(rng.IntN(1200)) * time.Millisecond
}
