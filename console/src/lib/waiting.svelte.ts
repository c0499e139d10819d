import { Refused } from './api';
import { session } from './session.svelte';

/** What somebody has written here, until the API has taken it. */
export type Kept = { key: string; body: Record<string, unknown>; at: string; by: string; refused?: string };

/**
 * What was written here waits in the browser until the API has taken it, also over a reload and without a network. Each
 * keeps its Idempotency-Key, so that it is done once however often it is tried, and by however many open pages. Those of
 * one line go in their order, each in the name of who wrote it. One that is refused holds up nobody: it shows its reason,
 * and is tried again or discarded.
 */
export class Waiting<T extends Kept> {
  waiting = $state<T[]>([]);
  /** Increases when the API has taken one. */
  taken = $state(0);
  private working = false;

  /** `prefix` names the kind in the browser's storage, `path` is where one is posted, and `line` what it waits in. */
  constructor(
    private prefix: string,
    private path: (one: T) => string,
    private line: (one: T) => string,
  ) {
    this.waiting = this.stored();
  }

  /** What waits of this person, of all pages that are open in this browser, in the order in which it was written. */
  private stored(): T[] {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(this.prefix))
      .map((name) => JSON.parse(localStorage.getItem(name)!) as T)
      .filter((one) => one.by === session.subject)
      .sort((a, b) => a.at.localeCompare(b.at));
  }

  add(one: Omit<T, 'key' | 'at' | 'by'>): void {
    const at = new Date().toISOString();
    this.keep({ ...one, key: crypto.randomUUID(), at, by: session.subject } as T);
    void this.work();
  }

  again(one: T): void {
    this.discard(one.key);
    this.keep({ ...one, key: crypto.randomUUID(), refused: undefined });
    void this.work();
  }

  discard(key: string): void {
    localStorage.removeItem(this.prefix + key);
    this.look();
  }

  /** Hands over what waits. Returns whether the API has taken something. */
  async work(): Promise<boolean> {
    if (this.working) return false;
    this.working = true;
    this.look();
    const held = new Set<string>();
    const before = this.taken;
    try {
      for (const one of [...this.waiting]) {
        if (one.refused || held.has(this.line(one))) continue;
        try {
          await session.api.call('POST', this.path(one), { body: one.body, key: one.key });
          this.discard(one.key);
          this.taken++;
          session.online = true;
        } catch (error) {
          if (!(error instanceof Refused) || error.passing) {
            session.online = !(error instanceof Refused && error.status === 0);
            held.add(this.line(one));
            continue;
          }
          this.keep({ ...one, refused: error.message });
        }
      }
    } finally {
      this.working = false;
    }
    return this.taken > before;
  }

  private keep(one: T): void {
    localStorage.setItem(this.prefix + one.key, JSON.stringify(one));
    this.look();
  }

  /** Shows what waits now, with what another page has written or handed over. */
  private look(): void {
    const now = this.stored();
    if (JSON.stringify(now) !== JSON.stringify(this.waiting)) this.waiting = now;
  }
}
