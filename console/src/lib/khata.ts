export type Account = {
  customer: string;
  name?: string;
  balance: string;
  creditLimit?: string;
  openOrders?: string;
  lastEntryAt?: string;
  nextReminderAt?: string;
  entries: number;
};

/** What a customer says that they have paid. */
export type Claim = {
  id: string;
  customer: string;
  amount: string;
  referenceId?: string;
  saidAt: string;
};

export type Entry = {
  id: string;
  customer: string;
  type: 'credit_sale' | 'payment' | 'adjustment' | 'reversal';
  amount: string;
  balanceAfter: string;
  version: number;
  date: string;
  occurredOn?: string;
  createdAt: string;
  createdBy: string;
  method?: string;
  notes?: string;
  reason?: string;
  orderId?: string;
  items?: { name: string; quantity: string; price: string }[];
};

/** A number as the API takes it, or undefined if it is none. Ten digits are a number of India. */
export function numberOf(text: string): string | undefined {
  const digits = text.replace(/[\s()-]/g, '');
  if (!/^\+?\d{10,15}$/.test(digits)) return undefined;
  if (digits.startsWith('+')) return digits;
  return digits.length === 10 ? '+91' + digits : '+' + digits;
}

/** A day as the API takes it, some months before today or today itself, by this device's clock. */
export function dayBefore(months: number): string {
  const at = new Date();
  const day = months ? new Date(at.getFullYear(), at.getMonth() - months, 1) : at;
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}
