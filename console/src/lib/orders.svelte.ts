import { query, Refused, type Order, type Page } from './api';
import { inbox } from './inbox.svelte';
import { session } from './session.svelte';
import { texts } from '../pages/texts';
import { shop } from './shop.svelte';
import { words } from './words';

/** The columns of the board. The last one holds what is over. */
export const columns: { name: string; states: string[] }[] = [
  ...['pending', 'confirmed', 'preparing', 'ready', 'out_for_delivery'].map((name) => ({ name, states: [name] })),
  { name: 'over', states: ['delivered', 'cancelled', 'refunded'] },
];
const open = columns.slice(0, -1).map((column) => column.name);

/** The states that need a reason, which the customer is told. */
export const needsReason = (state: string): boolean => ['cancelled', 'refunded'].includes(state);

/** The state that an order comes into with one tap. */
export const onward = (order: Order): string | undefined => order.next?.find((state) => !needsReason(state));

const newest = (a: Order, b: Order) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id);

/** The orders of the chosen store: the latest of all, and all that are still open. */
export class Board {
  orders = $state<Order[]>([]);
  loaded = $state(false);
  problem = $state('');
  /** Whether there are older orders than the latest, and which open state is read in full next. */
  private older = false;
  private turn = 0;
  private known = new Map<string, Order>();

  constructor(readonly path: string) {}

  private read(status = ''): Promise<Page<Order>> {
    return session.api.call<Page<Order>>('GET', `${this.path}/orders` + query({ limit: 100, status }));
  }

  /**
   * Reads the latest orders, and, where those are not all, one open state: all of them at first, then one at a time.
   * Returns whether anything has changed.
   */
  async look(): Promise<boolean> {
    const latest = await this.read();
    session.online = true;
    this.older = !!latest.cursor;
    const states = !this.older ? [] : this.loaded ? [open[this.turn++ % open.length]!] : open;
    const pages = await Promise.all(states.map((state) => this.read(state)));
    // What was moved away from a state that was read in full is not kept in it.
    const seen = new Set([latest, ...pages].flatMap((page) => page.items.map((order) => order.id)));
    for (const [id, order] of this.known)
      if (!seen.has(id) && (!this.older || states.includes(order.status))) this.known.delete(id);
    return this.take([latest, ...pages].flatMap((page) => page.items));
  }

  /** Takes orders as they are now. A list may be a moment behind: an older version replaces no newer one. */
  take(orders: Order[]): boolean {
    for (const order of orders) {
      const have = this.known.get(order.id);
      if (!have || have.version <= order.version) this.known.set(order.id, order);
    }
    const next = [...this.known.values()].sort(newest);
    const changed = JSON.stringify(next) !== JSON.stringify(this.orders);
    if (changed) this.orders = next;
    this.loaded = true;
    return changed;
  }

  private pathOf(order: Order): string {
    return `${this.path}/orders/${encodeURIComponent(order.id)}`;
  }

  /** Brings an order into another state, if it is still as it was read. */
  async move(order: Order, status: string, reason = ''): Promise<boolean> {
    this.problem = '';
    try {
      const body = { status, version: order.version, ...(reason && { reason }) };
      this.take([
        await session.api.call<Order>('POST', this.pathOf(order) + '/move', { body, key: crypto.randomUUID() }),
      ]);
      return true;
    } catch (error) {
      this.problem = (error as Error).message;
      if (error instanceof Refused && error.status === 409) await this.explain(order);
      return false;
    }
  }

  /** Says what has become of an order that somebody else has changed first. */
  private async explain(order: Order): Promise<void> {
    const now = await session.api.call<Order>('GET', this.pathOf(order)).catch(() => undefined);
    if (!now || now.version === order.version) return;
    this.take([now]);
    const said: Record<string, string> = words(texts);
    this.problem = `${said.elsewhere} ${now.id}: ${said['order.' + now.status] ?? now.status}`;
  }
}

/** The conversation of a customer with the store: the one that is known, or else that of the store's first number. */
export function talkOf(customer: string | undefined): string {
  const phones = shop.store?.phoneNumberIds ?? [];
  const address = customer?.replace(/^\+/, '');
  const known = inbox.rows.find((row) => row.address === address && phones.includes(row.phoneNumberId));
  return known?.id ?? (phones[0] && address ? `${phones[0]}:${address}` : '');
}
