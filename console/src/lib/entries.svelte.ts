import { Waiting, type Kept } from './waiting.svelte';

/** An entry of a khata that somebody has written here, until the API has taken it. */
export type Written = Kept & {
  store: string;
  kind: 'sales' | 'payments';
  body: { customer: string; amount: string } & Record<string, string>;
};

/** The entries that wait. Those of a customer go in their order. */
export const entries = new Waiting<Written>(
  'entry ',
  (one) => `/v1/stores/${encodeURIComponent(one.store)}/khata/${one.kind}`,
  (one) => one.store + one.body.customer,
);
