/** What is repeated: `wake` does it soon, `end` ends it. */
export type Repeated = { wake: () => void; end: () => void };

/**
 * Repeats work while the page is seen: soon after it was needed, then ever less often. A page that wakes up works at
 * once, so that nobody reads what is hours old. `slowest` says how often it is repeated at least, in milliseconds.
 */
export function repeat(work: () => Promise<boolean>, fastest: number, slowest: () => number): Repeated {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = fastest;
  let ended = false;
  let working = false;
  let wanted = false;
  const again = async () => {
    clearTimeout(timer);
    if (ended || document.hidden) return;
    if (working) {
      wanted = true;
      return;
    }
    [working, wanted] = [true, false];
    const changed = await work().catch(() => false);
    working = false;
    pause = changed || wanted ? fastest : Math.min(slowest(), pause * 1.25);
    if (!ended) timer = setTimeout(again, pause);
  };
  const wake = () => {
    pause = fastest;
    void again();
  };
  const events: [EventTarget, string][] = [
    [document, 'visibilitychange'],
    [window, 'focus'],
    [window, 'online'],
  ];
  for (const [target, name] of events) target.addEventListener(name, wake);
  void again();
  return {
    wake,
    end: () => {
      ended = true;
      clearTimeout(timer);
      for (const [target, name] of events) target.removeEventListener(name, wake);
    },
  };
}
