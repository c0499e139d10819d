package faq

import (
	"math"
	"slices"
)

// fact is one number by which a way to ask for an answer fits a message, or by which no entry answers it.
type fact int

// The facts of a way to ask. Those from likeExplains to likeSaid are products of two others. leads is the first of
// several: one for each leading fact. misses and extras are too: one for each kind of word, in the order of the kinds.
const (
	explains         fact = iota // how much of the message it explains
	explainsNamed                // how much of what the message names
	explainsRest                 // how much of the rest of the message
	isSaid                       // how much of the way to ask the message says
	explainsAtAll                // how much it explains, however much the message says beside
	shares                       // what people ask of any business: how many of them both have
	asksMore                     // the same, of the entry alone
	ofPeople                     // it is about people, and the message is not
	isUncommon                   // it is about something uncommon, and the message is not
	isCommon                     // the message is about something uncommon, and it is not
	byWords                      // how much of the message it explains by the very words
	byRarest                     // how rare the rarest word is that both have
	isLike                       // how much alike their situations are
	isSame                       // they are most like the same situation
	isUnlike                     // how clearly their situations are others
	answerIsLike                 // how much alike the situations of the message and of the answer's text are
	isOfFields                   // how much alike their fields of meaning are
	answerIsOfFields             // the same, of the message and the answer's text
	means                        // how much alike its meaning and that of the message are
	answerMeans                  // the same, of the answer's text and the message
	meansMore                    // how much likelier it is meant than nothing, by the meanings alone
	wordsMeant                   // how much of the message its words explain, by their meanings
	wordsSaid                    // how much of its words the message explains, by their meanings
	wordsBoth                    // their product
	answerWordsMeant             // how much of the message the words of the answer explain, by their meanings
	meantShare                   // how likely it is meant among all answers, by the meanings alone
	isWhole                      // it has something of every word of the message
	likeExplains
	saidExplains
	wholeExplains
	likeWhole
	likeSaid
	// agree is by how many of the leading facts it is ahead of all other answers, squared.
	agree
	// leads are how far it is ahead of all other answers by each leading fact, or behind the best.
	leads
	misses = leads + fact(len(leading)) // words of the message of which it has nothing
	extras = misses + fact(kinds)       // words of it of which the message has nothing
	facts  = extras + fact(kinds)
)

// The facts of a message that no entry may answer.
const (
	always        fact = iota
	namesElse          // it names something that is known, and of which no entry speaks
	isForeign          // it names what another trade sells
	isStrange          // how clearly no entry is of its situation
	absentThings       // how many words for things no entry has
	absentActions      // the same, of words for what is done
	absentStates       // the same, of words for what has become of a thing
	absentNames        // the same, of words that have no idea
	isUnknown          // how much of it no entry has
	isNoSituation      // it is like no situation
	isShort            // it has one or two words
	meansNothing       // how likely no answer is meant, by the meanings alone
	meansLittle        // how far no answer is likelier than nothing, by the meanings alone
	noneFacts
)

// none returns the facts by which no entry answers a message.
func (m message) none() (f [noneFacts]float64) {
	f[always], f[namesElse], f[isForeign] = 1, number(m.other), number(m.foreign)
	f[isStrange] = m.like.value * (1 - m.nearest)
	f[absentThings], f[absentActions] = min(mostMissed, m.absent[aThing]), min(mostMissed, m.absent[anAction])
	f[absentStates], f[absentNames] = min(mostMissed, m.absent[aState]), min(mostMissed, m.absent[aName])
	f[isUnknown] = share(m.unknown, m.unknown+m.named+m.besides)
	f[meansNothing], f[meansLittle] = m.meant.nothing, -m.meant.most
	f[isNoSituation], f[isShort] = number(m.like.top < 0), number(m.words <= 2)
	return f
}

const (
	most       = 2 // what a way to ask explains at most, in words as rare as can be
	mostMissed = 3 // how many words of a kind are counted at most
)

// fits returns the facts by which a way to ask for an answer fits a message.
func (x *Index) fits(s *sheet, m message, a int) (f [facts]float64) {
	way, rest, said := x.asks[a], 1.0, 0.0
	if m.things {
		rest = besides
	}
	for i := way.first; i < way.end; i++ {
		said += s.said[i] * x.weights[i]
		f[extras+fact(x.kinds[i])] += 1 - s.said[i]
	}
	explained, all := s.named[a]+rest*s.besides[a], m.named+rest*m.besides+m.unknown
	f[explains] = share(explained, all)
	f[explainsNamed], f[explainsRest] = share(s.named[a], m.named), share(s.besides[a], m.besides)
	f[isSaid], f[explainsAtAll] = share(said, way.weight), min(most, explained/x.rarity(1))
	f[byWords], f[byRarest] = share(s.strong[a], all), s.rarest[a]/x.rarity(1)
	missed := 0.0
	for k := range s.matched {
		n := min(mostMissed, max(0, m.kinds[k]-s.matched[k][a]))
		f[misses+fact(k)] = n
		missed += n
	}
	f[isWhole] = math.Exp(-missed)
	f[isLike] = way.like.to(m.values, m.like.length)
	f[isSame] = number(m.like.top >= 0 && m.like.top == way.like.top)
	f[isUnlike] = m.like.value * way.like.value * (1 - f[isLike])
	f[answerIsLike] = x.answers[way.answer].like.to(m.values, m.like.length)
	f[isOfFields] = m.scope.to(way.scope, x.says)
	f[answerIsOfFields] = m.scope.to(x.answers[way.answer].scope, x.says)
	f[means] = float64(way.meaning.dot(&m.meant.vector))
	f[answerMeans] = float64(x.answers[way.answer].meaning.dot(&m.meant.vector))
	f[meansMore] = x.learned.likelihood(f[means], f[answerMeans])
	f[meantShare] = m.meant.shares[way.answer]
	if f[meantShare] >= m.meant.near {
		f[wordsMeant] = byMeaning(m.meant.words, way.meanings)
		f[wordsSaid] = byMeaning(way.meanings, m.meant.words)
		f[wordsBoth] = f[wordsMeant] * f[wordsSaid]
		f[answerWordsMeant] = byMeaning(m.meant.words, x.answers[way.answer].words)
	}
	m.share(way, &f)
	for _, p := range pairs {
		f[p.both] = f[p.one] * f[p.other]
	}
	return f
}

// pairs are the facts that are products of two others.
var pairs = [...]struct{ both, one, other fact }{
	{likeExplains, explains, isLike}, {saidExplains, explains, isSaid}, {wholeExplains, explains, isWhole},
	{likeWhole, isLike, isWhole}, {likeSaid, isLike, isSaid},
}

// leading are the facts by which answers are compared with each other. An answer is likelier if it is ahead by several:
// they look at different things, and each alone is often ahead by chance.
var leading = [...]fact{
	explains, explainsAtAll, isSaid, isLike, answerIsLike, isOfFields, answerIsOfFields, byRarest, meansMore,
	wordsMeant, wordsSaid,
}

// allFits returns the facts of each way to ask, by answer. An answer that cannot be meant has none.
func (x *Index) allFits(s *sheet, m message) [][][facts]float64 {
	all := make([][][facts]float64, len(x.answers))
	var tops, seconds [len(leading)]float64
	var of [len(leading)]int
	least := x.leastExplained(s)
	for n, any := range s.all {
		if !any || m.meant.shares[n] < m.meant.near && s.explained(x, n) <= least {
			continue
		}
		for _, a := range x.answers[n].asks {
			all[n] = append(all[n], x.fits(s, m, a))
		}
		for i, k := range leading {
			best := 0.0
			for _, f := range all[n] {
				best = max(best, f[k])
			}
			if best > tops[i] {
				tops[i], seconds[i], of[i] = best, tops[i], n
			} else {
				seconds[i] = max(seconds[i], best)
			}
		}
	}
	for n, ways := range all {
		for w := range ways {
			f, ahead := &ways[w], 0.0
			for i, k := range leading {
				other := tops[i]
				if of[i] == n {
					other = seconds[i]
				}
				f[leads+fact(i)] = f[k] - other
				ahead += number(f[k] > other)
			}
			f[agree] = ahead * ahead / float64(len(leading)*len(leading))
		}
	}
	return all
}

// leastExplained is how much an answer explains at most if many explain more. Such an answer may be meant only if its
// meaning is near.
func (x *Index) leastExplained(s *sheet) float64 {
	if len(x.answers) <= mostCompared {
		return -1
	}
	all := make([]float64, len(x.answers))
	for n := range all {
		all[n] = s.explained(x, n)
	}
	slices.Sort(all)
	return all[len(all)-mostCompared]
}

// explained returns how much an answer explains of a message, by the way to ask for it that explains most.
func (s *sheet) explained(x *Index, n int) (most float64) {
	for _, a := range x.answers[n].asks {
		most = max(most, s.named[a]+s.besides[a])
	}
	return most
}

// share adds the facts about what people ask of any business, about people, and about what is uncommon.
func (m message) share(way asking, f *[facts]float64) {
	for _, t := range m.asked {
		if t.isIntent() && slices.Contains(way.intents, t.key) {
			f[shares]++
		}
		same := func(idea string) bool { return slices.Contains(way.marked, idea) }
		if t.marked() && !slices.ContainsFunc(t.ideas, same) {
			f[isCommon] = 1
		}
	}
	for _, intent := range way.intents {
		f[asksMore] += number(!m.speaksOf(intent))
	}
	f[ofPeople] = number(slices.ContainsFunc(way.people, func(key string) bool { return !m.speaksOf(key) }))
	f[isUncommon] = number(slices.ContainsFunc(way.marked, func(idea string) bool { return !m.means(idea) }))
}
