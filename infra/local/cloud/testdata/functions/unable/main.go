// Command unable ends before it asks for work.
package main

import "log"

func main() { log.Fatal("a variable is missing") }
