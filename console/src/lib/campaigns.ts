export type Counts = {
  total: number;
  waiting: number;
  queued: number;
  sent: number;
  delivered: number;
  read: number;
  replied: number;
  failed: number;
  cancelled: number;
  skipped: Record<string, number>;
};
export type List = {
  id: string;
  source: string;
  recipients: number;
  columns: string[];
  whole: boolean;
  addedAt: string;
};
export type Campaign = {
  campaignId: string;
  name: string;
  status: 'draft' | 'scheduled' | 'running' | 'paused' | 'completed' | 'cancelled';
  phoneNumberId: string;
  createdAt: string;
  scheduledAt?: string;
  startedAt?: string;
  completedAt?: string;
  countedAt?: string;
  problem?: string;
  waitsFor?: string;
  waitsUntil?: string;
  hours?: { from: string; to: string; timeZone: string };
  templates: { name: string; language: string; body?: { text?: string; name?: string }[] }[];
  lists: List[];
  counts: Counts;
};
export type Estimate = {
  recipients: number;
  amount?: string;
  currency: string;
  category?: string;
  optedOut: number;
  marketingStopped: number;
  minutes: number;
  limit?: number;
  left?: number;
  pricesFrom: string;
};
export type Added = {
  added: number;
  known: number;
  repeated: number;
  wrong: number;
  wrongLines: { line: number; why: string }[];
};
export type Recipient = { to?: string; outcome: string; reason?: string; replied: boolean };

/** How many recipients get no message. */
export const skipped = (counts: Counts): number => Object.values(counts.skipped).reduce((sum, one) => sum + one, 0);

/** How many recipients were dealt with. */
export const done = (counts: Counts): number => Math.max(0, counts.total - counts.waiting - counts.queued);

/** What may be done with a campaign as it is. */
export function acts(of: Campaign): ('start' | 'pause' | 'resume' | 'cancel')[] {
  switch (of.status) {
    case 'draft':
      return ['start'];
    case 'scheduled':
      return ['start', 'cancel'];
    case 'running':
      return ['pause', 'cancel'];
    case 'paused':
      return ['resume', 'cancel'];
  }
  return [];
}
