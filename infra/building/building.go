// Package building says how the functions are compiled.
package building

// Flags are the flags of go build with which every function is compiled. The Makefile sets the same for all that it
// compiles, so that the functions, the commands and the tests share what is compiled.
//
// The compiler does not copy small functions of this module, and of the AWS SDK, into their callers. Without this
// module's, the zip of the function inbound is 4 % smaller and reading an order takes about 5 % longer. Without the
// SDK's, it is another 0.9 % smaller, and a call to DynamoDB takes less than 1 % more CPU time.
func Flags() []string {
	return []string{
		"-tags=lambda.norpc", "-trimpath", "-buildvcs=false", "-gcflags=github.com/haatline/haatline/...=-l",
		"-gcflags=github.com/aws/aws-sdk-go-v2/...=-l"}
}
