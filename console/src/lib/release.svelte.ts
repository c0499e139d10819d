/** How often an open page asks whether there is a new release, in milliseconds. */
const every = 60 * 60_000;

/** Whether a newer release of this page is here, which shows when the page is loaded anew. */
class Release {
  newer = $state(false);

  /** Has the service worker hold the shell. The development server has none. */
  async follow(): Promise<void> {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    let seen = !!navigator.serviceWorker.controller; // the first one is no newer release
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      if (seen) this.newer = true;
      seen = true;
    });
    const worker = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    setInterval(() => void worker.update().catch(() => undefined), every);
  }
}

export const release = new Release();
