package faq

// kind is what an idea is. An answer to another thing than the one that is asked for is worse than one to another way
// of asking for it.
type kind uint8

const (
	aThing   kind = iota
	anAction      // what is done: to cancel, to pay
	aState        // what has become of a thing: late, broken
	anAspect      // what is asked of any thing: its price, its place
	aName         // a word that has no idea
	kinds
)

// actions, states and aspects are the ideas that are no things.
var (
	actions = setOf(`cancel return exchange reschedule refund pay order buy sell install installation repair clean move
		change update download apply join join-add register registration admission renew upgrade downgrade pause stop
		close open start begin transfer share correct correction track delivery deliver pickup pickupdrop collect
		arrive reach book book-in-advance admit donate withdraw deposit learn teach drive eat survey visit sign fill
		form choose like claim complaint talk call connect charge print cook iron laundry dryclean travel remove
		uninstall bring carry customise personalise stitch tailor alteration wrap packing shipping block login forgot
		feedback deduct overcharge vacate leave checkin checkout understand explain recharge topup port activate
		reconnect disconnection reconnection rent rentout hire prepay settle wait help send receive notice verify
		verification surrender finish complete postpone select approve reject`)
	states = setOf(`late delay delayed early lost missing damaged broken notworking wrong wrongitem notarrived failed
		stuck rude urgent free new old big small expired expire expiry fresh safe slow bad less more extra empty hot
		cold dry wet strong easy mix single double tight cheap expensive alone away nobody noshow miss missed second
		last first again half red lowoutput redlight fade stain leak noise dormant blocked used senior emergency
		sameday fault faulty faded included shared online available stock original genuine automatic beginner partial
		hole`)
	aspects = setOf(`price hours time duration date method address distance area quantity status reason eligible
		document proof permission allowed forbidden minimum maximum brand quality size colour limit weight why age name
		discount money today tomorrow morning evening afternoon night weekend weekday month week year hour daily often
		period lastdate due near outside other policy rule home house person phone mobile email man woman child family
		friend guest staff customer owner self office shop service product item human city rupaye day compare model
		plan type contact`)
)

// kind returns what a term is, by its usual idea.
func (t term) kind() kind {
	switch {
	case len(t.ideas) == 0:
		return aName
	case actions[t.ideas[0]]:
		return anAction
	case states[t.ideas[0]]:
		return aState
	case aspects[t.ideas[0]], t.asks():
		return anAspect
	}
	return aThing
}
