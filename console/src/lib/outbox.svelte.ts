import { Refused } from './api';
import { session } from './session.svelte';

/** A message that somebody has written here, until the API has taken it. */
export type Draft = {
  key: string;
  conversation: string;
  kind: 'text' | 'template' | 'image' | 'video' | 'audio' | 'voice' | 'document';
  body: Record<string, unknown>;
  shown: string;
  at: string;
  by: string;
  refused?: string;
};

const prefix = 'outbox ';

/** What waits of this person, of all pages that are open in this browser, in the order in which it was written. */
function stored(): Draft[] {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(prefix))
    .map((name) => JSON.parse(localStorage.getItem(name)!) as Draft)
    .filter((draft) => draft.by === session.subject)
    .sort((a, b) => a.at.localeCompare(b.at));
}

/**
 * What was written here waits in the browser until the API has taken it, also over a reload and without a network. Each
 * message keeps its Idempotency-Key, so that it is sent once however often it is tried, and by however many open pages.
 * The messages of a conversation go in their order, each in the name of who wrote it.
 */
class Outbox {
  waiting = $state<Draft[]>(stored());
  private working = false;

  of(conversation: string): Draft[] {
    return this.waiting.filter((draft) => draft.conversation === conversation);
  }

  add(conversation: string, kind: Draft['kind'], body: Record<string, unknown>, shown: string): void {
    const at = new Date().toISOString();
    this.keep({ key: crypto.randomUUID(), conversation, kind, body, shown, at, by: session.subject });
    void this.work();
  }

  again(draft: Draft): void {
    this.discard(draft.key);
    this.keep({ ...draft, key: crypto.randomUUID(), refused: undefined });
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
          this.keep({ ...draft, refused: error.message });
        }
      }
    } finally {
      this.working = false;
    }
    return taken;
  }

  private keep(draft: Draft): void {
    localStorage.setItem(prefix + draft.key, JSON.stringify(draft));
    this.look();
  }

  /** Shows what waits now, with what another page has written or handed over. */
  private look(): void {
    const now = stored();
    if (JSON.stringify(now) !== JSON.stringify(this.waiting)) this.waiting = now;
  }
}

export const outbox = new Outbox();

/** What somebody has begun to write in a conversation. */
export const drafts = {
  get: (conversation: string) => localStorage.getItem(draftOf(conversation)) ?? '',
  set: (conversation: string, text: string) =>
    text ? localStorage.setItem(draftOf(conversation), text) : localStorage.removeItem(draftOf(conversation)),
};

function draftOf(conversation: string): string {
  return `draft ${session.subject} ${conversation}`;
}
