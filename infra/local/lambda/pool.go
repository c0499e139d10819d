package lambda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Pool manages a function's instances. It starts them on demand up to the function's concurrency, reuses them, and
// replaces them when they end. Further invocations wait.
type Pool struct {
	function Function
	log      func(line string)
	slots    chan struct{} // one token per running invocation
	closing  chan struct{}

	mu         sync.Mutex
	generation int // counts programs; instances of older ones get no more work
	closed     bool
	idle       []*instance // a stack: the instance used last is used next
	ending     bool        // whether endIdle will be called
	used       time.Time   // when the function was last invoked; zero if never
	instances  map[*instance]bool
	busy       sync.WaitGroup
}

// NewPool returns a pool without instances. Every line that an instance writes goes to log.
func NewPool(function Function, log func(line string)) *Pool {
	return &Pool{
		function:  function,
		log:       log,
		slots:     make(chan struct{}, max(1, function.MaxConcurrency)),
		closing:   make(chan struct{}),
		instances: map[*instance]bool{},
	}
}

// Function returns the pool's function.
func (p *Pool) Function() Function { return p.function }

// Warm starts an instance and waits until it asks for work, so that a function that cannot start is noticed at once.
func (p *Pool) Warm(ctx context.Context) error {
	if err := p.acquire(ctx); err != nil {
		return err
	}
	i, err := p.take()
	if err != nil {
		p.release()
		return err
	}
	p.putBack(i)
	return nil
}

// Invoke runs the function with the payload and returns its response, or an *Error. ctx bounds only the wait for a free
// instance: as in Lambda, a running function does not stop when its caller gives up.
func (p *Pool) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	if len(payload) > MaxPayload {
		message := fmt.Sprintf("the event has %d bytes, the limit is %d", len(payload), MaxPayload)
		return nil, &Error{Refused, "RequestEntityTooLarge", message}
	}
	if err := p.acquire(ctx); err != nil {
		return nil, err
	}
	p.use()
	if p.function.Invoked != nil {
		p.function.Invoked(payload)
	}
	for {
		i, err := p.take()
		if err != nil {
			p.release()
			return nil, err
		}
		response, err := i.invoke(payload)
		if errors.Is(err, errGone) {
			p.forget(i)
			continue // it ended while idle and never got the event, so another one is used
		}
		if err != nil {
			p.report(err)
		}
		go p.settle(i)
		return response, err
	}
}

func (p *Pool) use() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used = time.Now()
}

// Used returns when the function was last invoked; the zero time if it never was.
func (p *Pool) Used() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}

// Kill ends one instance at once, preferably a busy one, as if its host had crashed.
func (p *Pool) Kill() error {
	p.mu.Lock()
	idle := map[*instance]bool{}
	for _, i := range p.idle {
		idle[i] = true
	}
	var victim *instance
	for i := range p.instances {
		if i.alive() && (victim == nil || !idle[i]) {
			victim = i
		}
	}
	p.mu.Unlock()
	if victim == nil {
		return fmt.Errorf("no instance of %s is running", p.function.Name)
	}
	victim.kill()
	return nil
}

// Close accepts no more invocations, lets running ones end within the grace period, and stops every instance.
func (p *Pool) Close(grace time.Duration) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	close(p.closing)
	p.mu.Unlock()

	done := make(chan struct{})
	go func() { p.busy.Wait(); close(done) }()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	p.stopInstances()
	<-done // every invocation has ended with its instance
	p.stopInstances()
}

func (p *Pool) stopInstances() {
	var stopping sync.WaitGroup
	p.mu.Lock()
	for i := range p.instances {
		stopping.Go(func() { i.stop(stopGrace) })
	}
	p.mu.Unlock()
	stopping.Wait()
}

func (p *Pool) acquire(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
	case <-p.closing:
		return errStopping
	case <-ctx.Done():
		return &Error{Refused, "TooManyRequests", "no instance was free in time"}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		<-p.slots
		return errStopping
	}
	p.busy.Add(1)
	return nil
}

var errStopping = &Error{Refused, "ServiceException", "the pool is closed"}

func (p *Pool) release() {
	<-p.slots
	p.busy.Done()
}

// take returns an idle instance, or a new one that is ready. The caller holds a slot, which bounds their number.
func (p *Pool) take() (*instance, error) {
	p.mu.Lock()
	for len(p.idle) > 0 {
		i := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		if i.alive() {
			p.mu.Unlock()
			return i, nil
		}
		delete(p.instances, i)
	}
	if p.closed {
		p.mu.Unlock()
		return nil, errStopping
	}
	generation := p.generation
	p.mu.Unlock()
	i, err := start(p.function, p.log) // of this generation or a later one
	if err != nil {
		return nil, &Error{Crashed, "Runtime.ExitError", err.Error()}
	}
	i.generation = generation
	p.mu.Lock()
	p.instances[i] = true
	p.mu.Unlock()
	if err := i.ready(); err != nil {
		p.forget(i)
		return nil, err
	}
	return i, nil
}

// settle waits until the instance asks for work again or has ended, and releases its slot.
func (p *Pool) settle(i *instance) {
	timer := time.NewTimer(p.function.Timeout)
	defer timer.Stop()
	select {
	case <-i.idle:
		p.putBack(i)
		return
	case <-timer.C: // it answered, but did not ask for more work
		i.kill()
	case <-i.exited:
	}
	p.forget(i)
	p.release()
}

func (p *Pool) putBack(i *instance) {
	p.mu.Lock()
	current := i.generation == p.generation
	if current {
		i.rests = time.Now()
		p.idle = append(p.idle, i)
		p.endLater()
	}
	p.mu.Unlock()
	if !current {
		i.stop(stopGrace)
		p.forget(i)
	}
	p.release()
}

// endLater has idle instances ended when the one that has been idle for longest has been so for its time. The caller
// holds the lock.
func (p *Pool) endLater() {
	if p.function.Idle == 0 || p.ending || p.closed || len(p.idle) == 0 {
		return
	}
	p.ending = true
	time.AfterFunc(time.Until(p.idle[0].rests.Add(p.function.Idle)), p.endIdle)
}

// endIdle ends the instances that have been idle for their time. They are the first of the stack.
func (p *Pool) endIdle() {
	p.mu.Lock()
	p.ending = false
	if p.closed {
		p.mu.Unlock()
		return // Close ends them all
	}
	n := 0
	for ; n < len(p.idle) && time.Since(p.idle[n].rests) >= p.function.Idle; n++ {
		delete(p.instances, p.idle[n])
	}
	ended := slices.Clone(p.idle[:n])
	p.idle = slices.Delete(p.idle, 0, n)
	p.endLater()
	p.busy.Add(1) // Close waits for it
	p.mu.Unlock()
	defer p.busy.Done()
	for _, i := range ended {
		i.stop(stopGrace)
	}
}

// stopGrace is how long an instance that is no longer needed may take to end.
const stopGrace = 500 * time.Millisecond

// Renew replaces the function's program. It first starts an instance of the new program; if that fails, it returns the
// reason and changes nothing. Then it calls adopt, which puts the program into place, and stops the old instances when
// they are idle.
func (p *Pool) Renew(bootstrap string, adopt func() error) error {
	function := p.function
	function.Bootstrap = bootstrap
	i, err := start(function, p.log)
	if err != nil {
		return err
	}
	if err := i.ready(); err != nil {
		return err
	}
	if err := adopt(); err != nil {
		i.kill()
		return err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		i.kill()
		return errStopping
	}
	old := p.idle
	p.generation++
	i.generation = p.generation
	p.instances[i] = true
	i.rests = time.Now()
	p.idle = []*instance{i}
	p.endLater()
	for _, o := range old {
		delete(p.instances, o)
	}
	p.mu.Unlock()
	for _, o := range old {
		o.stop(stopGrace)
	}
	return nil
}

func (p *Pool) forget(i *instance) {
	p.mu.Lock()
	delete(p.instances, i)
	p.mu.Unlock()
}

// report logs a failure on behalf of Lambda. Errors that the function itself reported are already logged by its
// runtime.
func (p *Pool) report(err error) {
	var failure *Error
	if errors.As(err, &failure) && failure.Kind != Failed {
		p.log(failure.Message)
	}
}
