/** What erasing takes. No session of the page holds it: one signs in for it once more. */
export const eraseScope = 'haatline/customers.erase';

export type Erasure = {
  complete: boolean;
  erased: { conversations: number; messages: number; outboxEvents: number; logEntries: number };
  domains: { domain: string; erased: Record<string, number>; keeps: { what: string; why: string }[] }[];
};
