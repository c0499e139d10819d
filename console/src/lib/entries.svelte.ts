import { Refused } from './api';
import { session } from './session.svelte';

/** An entry of a khata that somebody has written here, until the API has taken it. */
export type Written = {
  key: string;
  store: string;
  kind: 'sales' | 'payments';
  body: { customer: string; amount: string } & Record<string, string>;
  at: string;
  by: string;
  refused?: string;
};

const prefix = 'entry ';

function stored(): Written[] {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(prefix))
    .map((name) => JSON.parse(localStorage.getItem(name)!) as Written)
    .filter((one) => one.by === session.subject)
    .sort((a, b) => a.at.localeCompare(b.at));
}

/**
 * The entries that wait, as messages do in the outbox: over a reload and without a network, each under its
 * Idempotency-Key, so that none is written twice. Those of a customer go in their order. One that is refused holds up
 * nobody: it shows its reason, and is tried again or discarded.
 */
class Entries {
  waiting = $state<Written[]>(stored());
  /** Increases when the API has taken one. */
  taken = $state(0);
  private working = false;

  add(store: string, kind: Written['kind'], body: Written['body']): void {
    this.keep({ key: crypto.randomUUID(), store, kind, body, at: new Date().toISOString(), by: session.subject });
    void this.work();
  }

  again(one: Written): void {
    this.discard(one.key);
    this.keep({ ...one, key: crypto.randomUUID(), refused: undefined });
    void this.work();
  }

  discard(key: string): void {
    localStorage.removeItem(prefix + key);
    this.look();
  }

  /** Hands over what waits. Returns whether the API has taken something. */
  async work(): Promise<boolean> {
    if (this.working) return false;
    this.working = true;
    this.look();
    const held = new Set<string>();
    let taken = false;
    try {
      for (const one of [...this.waiting]) {
        const customer = one.store + one.body.customer;
        if (one.refused || held.has(customer)) continue;
        const path = `/v1/stores/${encodeURIComponent(one.store)}/khata/${one.kind}`;
        try {
          await session.api.call('POST', path, { body: one.body, key: one.key });
          this.discard(one.key);
          this.taken++;
          taken = session.online = true;
        } catch (error) {
          if (!(error instanceof Refused) || error.passing) {
            session.online = !(error instanceof Refused && error.status === 0);
            held.add(customer);
            continue;
          }
          this.keep({ ...one, refused: error.message });
        }
      }
    } finally {
      this.working = false;
    }
    return taken;
  }

  private keep(one: Written): void {
    localStorage.setItem(prefix + one.key, JSON.stringify(one));
    this.look();
  }

  private look(): void {
    const now = stored();
    if (JSON.stringify(now) !== JSON.stringify(this.waiting)) this.waiting = now;
  }
}

export const entries = new Entries();
