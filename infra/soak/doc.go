// Package soak is a randomised model test of one world: a business with two numbers, one of which is a store's, and the
// people who write to them. Seeded histories of customers, notices, operators, a shop with its credit book, and a
// WhatsApp that loses answers run against the real engine in virtual time, with faults at any DynamoDB call. At the end
// the tables, and what WhatsApp was given, are compared with what really happened. A history is a list of steps, each
// with its own seed, so that a failing history can be shrunk by leaving out steps.
//
// The check compares:
//
//   - messages: each is in the conversation of who wrote it, in its order, and every edit, deletion and reaction that
//     WhatsApp tells of shows;
//   - money: each ledger is a chain, its end is the balance, and each entry was meant, once, for the person in whose
//     ledger it is. Every order on credit that was delivered is sold once, and one that was refunded is taken back
//     once. Joining accounts moves nothing to another person;
//   - authority: an entry by chat comes from who had the shop's number, never from a group, and a claim counts after
//     the shop's yes;
//   - cards: a request is decided once, in time, as somebody meant who had the authority then and answered the question
//     that they were asked. It leads to one card or none, and nobody else is asked or told;
//   - limits: nobody owes more than they may, open orders on credit included, at any time;
//   - reminders: one a period, of what was owed then, to nobody who has asked to stop or was erased;
//   - amounts: each that somebody was told of an order, an entry or a debt is that of the books;
//   - what was told: about an order or a debt nothing goes to a number that the shop knew to be somebody else's;
//   - the outbox: each event ended as WhatsApp reported, in order, and was sent twice only if it is marked so.
//
// The test injects what the engine does not show: conflicts, throttles, lost answers, calls that never arrive,
// processes that die in mid-work, records that cannot be used, indexes that are behind their table, answers in part,
// clocks that differ, and lanes that bring records at the same time, twice and in any order. It does not inject
// DynamoDB's partitions. People whom the shop writes down before they have ever written are not part of it: if several
// notices about their numbers come late, nobody can tell whom the shop meant.
//
// A second, smaller world is a company that has conversations with people over WhatsApp, SMS and email, with an
// assistant or without. One thing happens after the other, so that what the tables hold before a message says where it
// belongs. Its check: each message is in the one right conversation or in none, however often and late it comes; each
// turn is answered once; no conversation waits beyond its time; nothing is left of who was erased.
package soak
