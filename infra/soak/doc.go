// Package soak owns the randomised model test of the core: seeded histories of customers, notices, operators and a platform
// that loses answers run against the real engine with faults at any DynamoDB call, in virtual time, and the tables are
// compared with what really happened. A history is a list of steps, each with a seed of its own, so that a failing history
// is shrunk by leaving steps out.
//
// What the engine hides is injected: conflicts, throttles, lost answers, calls that never arrive, and several lanes that
// bring entries of the log in any order. Not injected: indexes that lag behind their table, and DynamoDB's partitions.
package soak
