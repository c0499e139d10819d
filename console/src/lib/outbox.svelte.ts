import { Refused } from './api';
import { session } from './session.svelte';

/** A message that somebody has written here, until the API has taken it. */
export type Draft = {
  key: string;
  conversation: string;
  kind: 'text' | 'template';
  body: Record<string, unknown>;
  shown: string;
  at: string;
  refused?: string;
};

const place = 'outbox';

/**
 * What was written here waits in the browser until the API has taken it, also over a reload and without a network. Each
 * message keeps its Idempotency-Key, so that it is sent once however often it is tried. The messages of a conversation
 * go in their order.
 */
class Outbox {
  waiting = $state<Draft[]>(JSON.parse(localStorage.getItem(place) ?? '[]'));
  private working = false;

  of(conversation: string): Draft[] {
    return this.waiting.filter((draft) => draft.conversation === conversation);
  }

  add(conversation: string, kind: Draft['kind'], body: Record<string, unknown>, shown: string): void {
    const at = new Date().toISOString();
    this.keep([...this.waiting, { key: crypto.randomUUID(), conversation, kind, body, shown, at }]);
    void this.work();
  }

  again(key: string): void {
    this.keep(
      this.waiting.map((d) => (d.key === key ? { ...d, key: crypto.randomUUID(), refused: undefined } : d)),
    );
    void this.work();
  }

  discard(key: string): void {
    this.keep(this.waiting.filter((d) => d.key !== key));
  }

  /** Hands over what waits. Returns whether the API has taken something. */
  async work(): Promise<boolean> {
    if (this.working) return false;
    this.working = true;
    const held = new Set<string>();
    let taken = false;
    try {
      for (const draft of [...this.waiting]) {
        if (draft.refused || held.has(draft.conversation)) continue;
        const path = `/v1/conversations/${encodeURIComponent(draft.conversation)}/messages/${draft.kind}`;
        try {
          await session.api.call('POST', path, { body: draft.body, key: draft.key });
          this.discard(draft.key);
          taken = session.online = true;
        } catch (error) {
          if (!(error instanceof Refused) || error.passing) {
            session.online = !(error instanceof Refused && error.status === 0);
            held.add(draft.conversation);
            continue;
          }
          this.keep(this.waiting.map((d) => (d.key === draft.key ? { ...d, refused: error.message } : d)));
        }
      }
    } finally {
      this.working = false;
    }
    return taken;
  }

  private keep(all: Draft[]): void {
    this.waiting = all;
    localStorage.setItem(place, JSON.stringify(all));
  }
}

export const outbox = new Outbox();

/** What somebody has begun to write in a conversation. */
export const drafts = {
  get: (conversation: string) => localStorage.getItem('draft ' + conversation) ?? '',
  set: (conversation: string, text: string) =>
    text ? localStorage.setItem('draft ' + conversation, text) : localStorage.removeItem('draft ' + conversation),
};
