import type { Store } from './api';
import { session } from './session.svelte';

const place = 'store';

/** The store that the pages of the shop show. */
class Shop {
  private chosen = $state(localStorage.getItem(place) ?? '');
  readonly store: Store | undefined = $derived(
    session.stores.find((one) => one.id === this.chosen) ?? session.stores[0],
  );
  readonly path = $derived(this.store ? `/v1/stores/${encodeURIComponent(this.store.id)}` : '');
  readonly currency = $derived(this.store?.settings.currency ?? 'INR');

  choose(id: string): void {
    this.chosen = id;
    localStorage.setItem(place, id);
  }
}

export const shop = new Shop();
