package lambda

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Pool is a function's instances: started on demand up to the function's concurrency, reused, and replaced when they
// die. An invocation beyond the concurrency waits for its turn.
type Pool struct {
	function Function
	log      func(line string)
	slots    chan struct{} // one token for each invocation that may run
	closing  chan struct{}

	mu         sync.Mutex
	generation int // of the program; an instance of an older one takes no more work
	closed     bool
	idle       []*instance // the one used last comes last and is used first
	instances  map[*instance]bool
	busy       sync.WaitGroup
}

// NewPool starts nothing yet. Every line that an instance writes goes to log.
func NewPool(function Function, log func(line string)) *Pool {
	return &Pool{
		function:  function,
		log:       log,
		slots:     make(chan struct{}, max(1, function.MaxConcurrency)),
		closing:   make(chan struct{}),
		instances: map[*instance]bool{},
	}
}

// Function is what the pool runs.
func (p *Pool) Function() Function { return p.function }

// Warm starts an instance and waits until it asks for work, so that a function which cannot start is seen at once.
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

// Invoke runs the function on the payload and returns its response, or an *Error. The context bounds the wait for a
// free instance only: as in Lambda, a caller that goes away does not stop a function that has begun.
func (p *Pool) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	if len(payload) > MaxPayload {
		return nil, &Error{Refused, "RequestEntityTooLarge", fmt.Sprintf("the event has %d bytes, the limit is %d", len(payload), MaxPayload)}
	}
	if err := p.acquire(ctx); err != nil {
		return nil, err
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
			continue // it died while idle and never saw the event: another one takes it
		}
		if err != nil {
			p.report(err)
		}
		go p.settle(i)
		return response, err
	}
}

// Kill ends one instance at once, a working one where there is one, as a crash of its host would.
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

// Close takes no more work, lets running invocations end within the grace, and stops every instance.
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

var errStopping = &Error{Refused, "ServiceException", "the local cloud is stopping"}

func (p *Pool) release() {
	<-p.slots
	p.busy.Done()
}

// take is an idle instance, or a new one that is ready. The caller holds a slot, so there are never too many.
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
	p.mu.Unlock()

	p.mu.Lock()
	generation := p.generation
	p.mu.Unlock()
	i, err := start(p.function, p.log) // of this generation or a later one, which is as good
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

// settle waits until the instance asks for work again, or is gone, and gives its slot back.
func (p *Pool) settle(i *instance) {
	timer := time.NewTimer(p.function.Timeout)
	defer timer.Stop()
	select {
	case <-i.idle:
		p.putBack(i)
		return
	case <-timer.C: // it answered, but never came back
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
		p.idle = append(p.idle, i)
	}
	p.mu.Unlock()
	if !current {
		i.stop(stopGrace)
		p.forget(i)
	}
	p.release()
}

// stopGrace is how long an instance that is not needed any more may take to end.
const stopGrace = 500 * time.Millisecond

// Renew has the function run another program. It starts an instance of it first: where that cannot start, it returns why, and
// nothing has changed. Then it calls adopt, which puts the program where later instances are started from, and lets
// the instances of the program before end as they become idle.
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
	p.idle = []*instance{i}
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

// report writes what the platform knows of a failure to the function's log. What the function reported itself, its
// runtime has already logged.
func (p *Pool) report(err error) {
	var failure *Error
	if errors.As(err, &failure) && failure.Kind != Failed {
		p.log(failure.Message)
	}
}
