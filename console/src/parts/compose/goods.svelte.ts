import { query, type Page } from '../../lib/api';
import type { Product } from '../../lib/catalogue';
import { session } from '../../lib/session.svelte';

/** A product as a message can show it: `id` is the business's own in Meta's catalogue. */
export type Good = { id: string; name: string; price?: string; currency: string; gone?: boolean };
type AtMeta = {
  retailerId: string;
  name?: string;
  price?: string;
  currency?: string;
  availability?: string;
  problem?: string;
  readAt?: string;
};

/** How many pages of a catalogue that no store keeps are read at most: a thousand products. */
const mostPages = 10;

/**
 * The products of the catalogue that customers see. Where a store keeps it, its own search finds them in any script and
 * spelling, and they have the store's ids. Another one is read, and searched here.
 */
export class Goods {
  found = $state<Good[]>([]);
  read = $state(false);
  private all?: Promise<Good[]>;
  private asked = '';

  constructor(private catalogue: { catalogId: string; storeId?: string }) {}

  async search(text: string): Promise<void> {
    const asked = (this.asked = text.trim());
    const next = this.catalogue.storeId ? await this.ofStore(asked) : await this.ofMeta(asked);
    if (asked === this.asked) [this.found, this.read] = [next, true];
  }

  private async ofStore(asked: string): Promise<Good[]> {
    const path = `/v1/stores/${encodeURIComponent(this.catalogue.storeId!)}/products`;
    const page = await session.api.call<Page<Product>>('GET', path + query({ q: asked, limit: 50 }));
    const store = session.stores.find((one) => one.id === this.catalogue.storeId);
    const currency = store?.settings.currency ?? 'INR';
    return page.items
      .filter((one) => one.active !== false)
      .flatMap((one) =>
        one.variants?.length
          ? one.variants.map((variant) => ({
              id: `${one.id}/${variant.sku}`,
              name: `${one.name} ${variant.size}`,
              price: variant.price,
              currency,
              gone: variant.stockQuantity === '0',
            }))
          : [
              {
                id: one.id,
                name: [one.name, one.packSize].filter(Boolean).join(' '),
                price: one.price,
                currency,
                gone: one.stockQuantity === '0',
              },
            ],
      );
  }

  private async ofMeta(asked: string): Promise<Good[]> {
    const all = await (this.all ??= this.readAll());
    const words = folded(asked).split(/\s+/).filter(Boolean);
    return all.filter((one) => words.every((word) => folded(`${one.name} ${one.id}`).includes(word)));
  }

  private async readAll(): Promise<Good[]> {
    const all: Good[] = [];
    let cursor: string | undefined;
    for (let i = 0; i < mostPages; i++) {
      const path = `/v1/catalogues/${encodeURIComponent(this.catalogue.catalogId)}/products`;
      const page: Page<AtMeta> = await session.api.call('GET', path + query({ limit: 100, cursor }));
      for (const one of page.items)
        if (one.readAt && one.availability !== 'discontinued')
          all.push({
            id: one.retailerId,
            name: one.name ?? one.retailerId,
            price: one.price,
            currency: one.currency ?? 'INR',
            gone: one.availability === 'out_of_stock',
          });
      cursor = page.cursor;
      if (!cursor) break;
    }
    return all;
  }
}

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
