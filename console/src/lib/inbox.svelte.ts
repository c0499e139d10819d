import { query, type Conversation, type Counts, type Page } from './api';
import { session } from './session.svelte';

export type View = 'waiting' | 'mine' | 'unassigned' | 'all' | 'archived';
export const views: View[] = ['waiting', 'mine', 'unassigned', 'all', 'archived'];

/** A view that somebody has saved under a name. */
export type SavedFilter = {
  name: string;
  phoneNumberId?: string;
  waitingForReply?: boolean;
  archived?: boolean;
  assignee?: string;
  label?: string;
  marked?: string;
};

/** What the shop keeps of customers, by which the list is filtered: at one number, and with nothing else. */
export const marks = ['open_orders', 'owed'] as const;

/** Where a note names whoever looks, who has not looked yet. It is of all numbers. */
export const mentions = 'mentions';

/** How often conversations are counted at most, in milliseconds. */
const countEvery = 30_000;

const newest = (a: Conversation, b: Conversation) =>
  b.receivedAt.localeCompare(a.receivedAt) || b.id.localeCompare(a.id);

/** The list of conversations that somebody looks at, and which one is open. */
class Inbox {
  view = $state<View>((localStorage.getItem('view') as View) || 'all');
  number = $state(localStorage.getItem('number') ?? '');
  label = $state(localStorage.getItem('label') ?? '');
  marked = $state(localStorage.getItem('marked') ?? '');
  /** The conversations with notes that name whoever looks. */
  mentions = $state<string[]>([]);
  saved = $state<SavedFilter[]>([]);
  rows = $state<Conversation[]>([]);
  counts = $state<Counts>();
  cursor = $state<string>();
  search = $state('');
  chosen = $state(''); // the route reads it out of the address
  loaded = $state(false);
  private countedAt = 0;
  private counting?: ReturnType<typeof setTimeout>;
  private mentioning?: ReturnType<typeof setTimeout>;

  readonly shown = $derived.by(() => {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    return this.rows.filter((row) => {
      const text = [row.name, row.address, row.lastMessage?.preview, ...(row.labels ?? [])].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
  });

  /** The number whose customers may be filtered by what the shop keeps of them; "" for none. */
  get one(): string {
    return this.number || (session.numbers.length === 1 ? session.numbers[0]!.phoneNumberId : '');
  }

  /** By which mark the list is filtered; "" for none. */
  private get by(): string {
    return this.one || this.marked === mentions ? this.marked : '';
  }

  private path(more: { cursor?: string } = {}): string {
    if (this.by)
      return '/v1/conversations' + query({ limit: 50, ...more, phoneNumberId: this.one, marked: this.by });
    const mine = this.view === 'mine' ? 'me' : this.view === 'unassigned' ? 'none' : undefined;
    return (
      '/v1/conversations' +
      query({
        limit: 50,
        ...more,
        marks: true,
        phoneNumberId: this.number,
        label: this.label,
        assignee: mine,
        archived: this.view === 'archived',
        waitingForReply: this.view === 'waiting',
        state: this.view === 'archived' || this.view === 'all' ? undefined : 'open',
      })
    );
  }

  /** Whether the chosen view shows a conversation: what the API decides for whole lists. */
  private shows(row: Conversation): boolean {
    if (this.number && row.phoneNumberId !== this.number) return false;
    if (row.archived !== (this.view === 'archived')) return false;
    if (this.label && !row.labels?.includes(this.label)) return false;
    switch (this.view) {
      case 'mine':
        return row.state === 'open' && row.assignee === session.me?.subject;
      case 'unassigned':
        return row.state === 'open' && !row.assignee;
      case 'waiting':
        return row.state === 'open' && row.lastMessage?.direction === 'inbound';
    }
    return true;
  }

  /** Puts conversations as they are now where they belong in the list. */
  take(changed: Conversation[], gone: string[] = []): void {
    const old = new Map(this.rows.map((row) => [row.id, row]));
    // Only a list that is read says what the shop keeps of the customers.
    const news = changed
      .map((row) => ({ ...row, marks: row.marks ?? old.get(row.id)?.marks }))
      .filter((row) => JSON.stringify(old.get(row.id)) !== JSON.stringify(row));
    if (news.length) this.count();
    // What changes nothing that the list shows may be a note.
    if (news.length < changed.length || news.some((row) => !old.has(row.id))) this.mention();
    if (this.by) {
      const now = new Map(news.map((row) => [row.id, row]));
      this.rows = this.rows.filter((row) => !gone.includes(row.id)).map((row) => now.get(row.id) ?? row);
      return;
    }
    const last = this.cursor ? (this.rows.at(-1)?.receivedAt ?? '') : '';
    const out = new Set([...gone, ...news.map((row) => row.id)]);
    const stay = this.rows.filter((row) => !out.has(row.id));
    const come = news.filter((row) => this.shows(row) && row.receivedAt >= last);
    if (come.length || stay.length !== this.rows.length) this.rows = [...stay, ...come].sort(newest);
  }

  /** Reads the first page anew. Returns whether anything has changed. */
  async refresh(): Promise<boolean> {
    const asked = this.path();
    const page = await session.api.call<Page<Conversation>>('GET', asked);
    if (asked !== this.path()) return true;
    this.count();
    this.mention();
    const fresh = new Set(page.items.map((row) => row.id));
    const last = page.items.at(-1)?.receivedAt ?? '';
    const older =
      page.cursor && !this.by ? this.rows.filter((row) => !fresh.has(row.id) && row.receivedAt < last) : [];
    if (!older.length) this.cursor = page.cursor;
    this.loaded = session.online = true;
    const next = [...page.items, ...older];
    const changed = JSON.stringify(next) !== JSON.stringify(this.rows);
    if (changed) this.rows = next;
    return changed;
  }

  async more(): Promise<void> {
    const page = await session.api.call<Page<Conversation>>('GET', this.path({ cursor: this.cursor }));
    const known = new Set(this.rows.map((row) => row.id));
    this.rows = [...this.rows, ...page.items.filter((row) => !known.has(row.id))];
    this.cursor = page.cursor;
  }

  /** Counts anew, but no more often than a count is worth. */
  private count(): void {
    if (this.counting) return;
    this.counting = setTimeout(
      () => {
        this.counting = undefined;
        this.countedAt = Date.now();
        const path = '/v1/conversation-counts' + query({ phoneNumberId: this.number });
        void session.api.call<Counts>('GET', path).then(
          (counts) => (this.counts = counts),
          () => undefined,
        );
      },
      Math.max(0, this.countedAt + countEvery - Date.now()),
    );
  }

  /** Reads where notes name whoever looks, soon. */
  private mention(): void {
    this.mentioning ??= setTimeout(() => {
      this.mentioning = undefined;
      const path = '/v1/conversations' + query({ limit: 100, marked: mentions });
      void session.api.call<Page<Conversation>>('GET', path).then(
        (page) => (this.mentions = page.items.map((row) => row.id)),
        () => undefined,
      );
    }, session.pace);
  }

  show(view: View, number = this.number, label = this.label, marked = ''): void {
    if (view === this.view && number === this.number && label === this.label && marked === this.marked) return;
    [this.view, this.number, this.label, this.marked] = [view, number, label, marked];
    [this.rows, this.cursor, this.loaded] = [[], undefined, false];
    clearTimeout(this.counting);
    [this.countedAt, this.counting] = [0, undefined];
    localStorage.setItem('view', view);
    localStorage.setItem('number', number);
    localStorage.setItem('label', label);
    localStorage.setItem('marked', marked);
    void this.refresh().catch(() => (session.online = false));
  }

  private get filtersPath(): string {
    return `/v1/tenants/${encodeURIComponent(session.me?.tenants[0] ?? '')}/filters`;
  }

  async readSaved(): Promise<void> {
    const page = await session.api.call<Page<SavedFilter>>('GET', this.filtersPath + '?limit=100');
    this.saved = page.items;
  }

  /** Saves what is shown now under a name. */
  async save(name: string): Promise<void> {
    const body = {
      phoneNumberId: this.number || undefined,
      label: this.label || undefined,
      assignee: this.view === 'mine' ? 'me' : this.view === 'unassigned' ? 'none' : undefined,
      waitingForReply: this.view === 'waiting' || undefined,
      archived: this.view === 'archived' || undefined,
      marked: this.marked || undefined,
    };
    await session.api.call('PUT', `${this.filtersPath}/${encodeURIComponent(name)}`, { body });
    await this.readSaved();
  }

  async forget(name: string): Promise<void> {
    await session.api.call('DELETE', `${this.filtersPath}/${encodeURIComponent(name)}`);
    await this.readSaved();
  }

  /** Shows what a saved filter says. */
  apply(filter: SavedFilter): void {
    let view: View = filter.archived ? 'archived' : filter.waitingForReply ? 'waiting' : 'all';
    if (filter.assignee) view = filter.assignee === 'none' ? 'unassigned' : 'mine';
    this.show(view, filter.phoneNumberId ?? '', filter.label ?? '', filter.marked ?? '');
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
}

export const inbox = new Inbox();
