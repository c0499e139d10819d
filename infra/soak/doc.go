// Package soak is a randomised model test of the core. Seeded histories of customers, notices, operators and a WhatsApp that
// loses answers run against the real engine in virtual time, with faults at any DynamoDB call. At the end the tables are
// compared with what really happened. A history is a list of steps, each with its own seed, so that a failing history can be
// shrunk by leaving out steps.
//
// The test injects what the engine does not show: conflicts, throttles, lost answers, calls that never arrive, and
// concurrent lanes that deliver webhook entries in any order. It does not inject indexes that lag behind their table, nor
// DynamoDB's partitions.
package soak
