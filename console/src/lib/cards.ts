export type CardRequest = {
  id: string;
  userId: string;
  productId: string;
  status: 'pending' | 'approved' | 'rejected';
  code?: string;
  scoreAtRequest: number;
  tierAtRequest: 'low' | 'medium' | 'high';
  createdAt: string;
  expiresAt?: string;
  decision?: { outcome: string; by: string; via: string; adminName?: string; reason?: string; at: string };
};

export type CardUser = {
  id: string;
  name?: string;
  phone?: string;
  score: number;
  tier: string;
  status: string;
  cardSummary: { activeCards: number; totalBalance: string; totalLimit: string };
};

export type Product = { id: string; name: string; limitLow: string; limitMedium: string; limitHigh: string };
export type Program = { phoneNumberId: string; policy: { products?: Product[] } };

export type Notice = {
  id: string;
  type: string;
  recipientName?: string;
  recipient?: string;
  state: string;
  lastError?: string;
  createdAt: string;
};

/** What a product lets a user of a tier owe. */
export function limitOf(product: Product | undefined, tier: string): string | undefined {
  return product && { low: product.limitLow, medium: product.limitMedium, high: product.limitHigh }[tier];
}
