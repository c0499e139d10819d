// Command panicking ends before it asks for work, with a stack.
package main

func main() {
	var settings map[string]string
	settings["a"] = "b"
}
