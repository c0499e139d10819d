import { inbox } from './inbox.svelte';
import { pages, type PageName } from './pages';

/**
 * Which page is shown: `#/orders/ORD-1` is an order on the board, and `#` with the id of a conversation is that
 * conversation in the inbox.
 */
class Route {
  page = $state<PageName>('inbox');
  /** What of the page is open: an order, a customer. */
  open = $state('');

  constructor() {
    this.read();
    for (const name of ['hashchange', 'popstate']) addEventListener(name, () => this.read());
  }

  private read(): void {
    const [, name, open] = /^#\/([a-z]+)(?:\/(.*))?$/.exec(location.hash) ?? [];
    const page = pages.find((one) => one.name === name);
    [this.page, this.open] = [page?.name ?? 'inbox', page ? decoded(open ?? '') : ''];
    if (location.hash.startsWith('#/')) return;
    const chosen = decoded(location.hash.slice(1));
    if (chosen !== inbox.chosen) inbox.chosen = chosen;
  }

  go(page: PageName, open = ''): void {
    if (page === this.page && open === this.open) return;
    const chosen = inbox.chosen ? '#' + encodeURIComponent(inbox.chosen) : location.pathname;
    history.pushState(null, '', page === 'inbox' ? chosen : hashOf(page, open));
    [this.page, this.open] = [page, open];
  }

  /** Opens a conversation in the inbox. */
  talk(conversation: string): void {
    this.go('inbox');
    inbox.choose(conversation);
  }
}

export function hashOf(page: PageName, open = ''): string {
  return `#/${page}` + (open && '/' + encodeURIComponent(open));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = new Route();
