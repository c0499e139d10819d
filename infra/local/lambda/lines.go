package lambda

import "bytes"

// maxLine is the length at which a line is cut, as in CloudWatch.
const maxLine = 256 << 10

// lines is a writer that emits a process's output line by line. Only one goroutine may write to it.
type lines struct {
	emit func(line string)
	rest []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		end := bytes.IndexByte(l.rest, '\n')
		if end < 0 && len(l.rest) < maxLine {
			return len(p), nil
		}
		if end < 0 {
			end = maxLine - 1
		}
		if line := bytes.TrimRight(l.rest[:end+1], "\r\n"); len(line) > 0 {
			l.emit(string(line))
		}
		l.rest = l.rest[end+1:]
	}
}

func (l *lines) flush() {
	if len(l.rest) > 0 {
		l.emit(string(l.rest))
		l.rest = nil
	}
}
