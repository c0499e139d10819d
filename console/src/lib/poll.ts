/**
 * Repeats work while the page is seen: soon after it was needed, then ever less often. A page that wakes up works at
 * once, so that nobody reads what is hours old. Returns what ends it.
 */
export function repeat(work: () => Promise<boolean>, fastest = 700, slowest = 3000): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = fastest;
  let ended = false;
  let working = false;
  const again = async () => {
    clearTimeout(timer);
    if (ended || working || document.hidden) return;
    working = true;
    const changed = await work().catch(() => false);
    working = false;
    pause = changed ? fastest : Math.min(slowest, pause * 1.25);
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
  return () => {
    ended = true;
    clearTimeout(timer);
    for (const [target, name] of events) target.removeEventListener(name, wake);
  };
}
