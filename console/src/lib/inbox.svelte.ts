import { query, type Conversation, type Counts, type Page } from './api';
import { wholeEvery } from './poll';
import { session } from './session.svelte';

export type View = 'waiting' | 'mine' | 'unassigned' | 'all' | 'archived';
export const views: View[] = ['waiting', 'mine', 'unassigned', 'all', 'archived'];

/** The list of conversations that somebody looks at, and which one is open. */
class Inbox {
  view = $state<View>((localStorage.getItem('view') as View) || 'all');
  number = $state(localStorage.getItem('number') ?? '');
  rows = $state<Conversation[]>([]);
  counts = $state<Counts>();
  cursor = $state<string>();
  search = $state('');
  chosen = $state(location.hash.slice(1) && decodeURIComponent(location.hash.slice(1)));
  loaded = $state(false);
  private wholeAt = 0;
  private countedAt = 0;

  readonly shown = $derived.by(() => {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    return this.rows.filter((row) => {
      const text = [row.name, row.address, row.lastMessage?.preview, ...(row.labels ?? [])].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
  });

  private path(more: { cursor?: string; since?: string } = {}): string {
    const mine = this.view === 'mine' ? 'me' : this.view === 'unassigned' ? 'none' : undefined;
    return (
      '/v1/conversations' +
      query({
        limit: 50,
        ...more,
        phoneNumberId: this.number,
        assignee: mine,
        archived: this.view === 'archived',
        waitingForReply: this.view === 'waiting',
        state: this.view === 'archived' || this.view === 'all' ? undefined : 'open',
      })
    );
  }

  /** Asks for what is new. Returns whether anything has changed. */
  async look(): Promise<boolean> {
    const since = this.rows[0]?.receivedAt;
    if (!since || Date.now() - this.wholeAt > wholeEvery) return this.refresh();
    const asked = this.path();
    const page = await session.api.call<Page<Conversation>>('GET', this.path({ since }));
    if (asked !== this.path()) return true; // somebody has chosen another view meanwhile
    if (page.cursor) return this.refresh();
    session.online = true;
    const fresh = new Set(page.items.map((row) => row.id));
    return this.take([...page.items, ...this.rows.filter((row) => !fresh.has(row.id))]);
  }

  private take(next: Conversation[]): boolean {
    const changed = JSON.stringify(next) !== JSON.stringify(this.rows);
    if (changed) this.rows = next;
    return changed;
  }

  /** Reads the first page anew. Returns whether anything has changed. */
  async refresh(): Promise<boolean> {
    const asked = this.path();
    const page = await session.api.call<Page<Conversation>>('GET', asked);
    if (asked !== this.path()) return true;
    this.wholeAt = Date.now();
    if (this.wholeAt - this.countedAt > 2 * wholeEvery) void this.count();
    const fresh = new Set(page.items.map((row) => row.id));
    const last = page.items.at(-1)?.receivedAt ?? '';
    const older = page.cursor ? this.rows.filter((row) => !fresh.has(row.id) && row.receivedAt < last) : [];
    if (!older.length) this.cursor = page.cursor;
    this.loaded = session.online = true;
    return this.take([...page.items, ...older]);
  }

  async more(): Promise<void> {
    const page = await session.api.call<Page<Conversation>>('GET', this.path({ cursor: this.cursor }));
    const known = new Set(this.rows.map((row) => row.id));
    this.rows = [...this.rows, ...page.items.filter((row) => !known.has(row.id))];
    this.cursor = page.cursor;
  }

  private async count(): Promise<void> {
    this.countedAt = Date.now();
    const path = '/v1/conversation-counts' + query({ phoneNumberId: this.number });
    this.counts = await session.api.call<Counts>('GET', path);
  }

  show(view: View, number = this.number): void {
    if (view === this.view && number === this.number) return;
    [this.view, this.number, this.rows, this.cursor, this.loaded] = [view, number, [], undefined, false];
    this.countedAt = 0;
    localStorage.setItem('view', view);
    localStorage.setItem('number', number);
    void this.refresh().catch(() => (session.online = false));
  }

  choose(id: string): void {
    this.chosen = id;
    history.replaceState(null, '', id ? '#' + encodeURIComponent(id) : location.pathname);
  }

  /** Opens the conversation above or below the open one. */
  step(by: number): void {
    const at = this.shown.findIndex((row) => row.id === this.chosen);
    const row = this.shown[at < 0 ? 0 : Math.min(this.shown.length - 1, Math.max(0, at + by))];
    if (row) this.choose(row.id);
  }

  /** Puts what the API has said of a conversation into the list at once. */
  put(row: Conversation): void {
    this.rows = this.rows.map((old) => (old.id === row.id ? row : old));
  }
}

export const inbox = new Inbox();
