/** The operators' API, as far as the page uses it. */

export type LastMessage = { id: string; type: string; preview: string; direction?: string; status?: string };

export type WorkState = 'open' | 'waiting' | 'snoozed' | 'resolved';

export type Conversation = {
  id: string;
  phoneNumberId: string;
  customerId: string;
  address: string;
  name?: string;
  groupId?: string;
  receivedAt: string;
  unreadCount: number;
  archived: boolean;
  lastMessage?: LastMessage;
  windowExpiresAt?: string;
  windowOpen: boolean;
  optedOutAt?: string;
  /** Since when somebody wants no marketing. Only a conversation that is read by itself says it. */
  marketingStoppedAt?: string;
  needsPersonSince?: string;
  identityChangedAt?: string;
  assignee?: string;
  assigneeName?: string;
  state: WorkState;
  snoozedUntil?: string;
  priority?: string;
  labels?: string[];
  mergedInto?: string;
  /** What the shop keeps of the customer: open_orders, how many; owed, how much. */
  marks?: Record<string, string>;
};

export type Problem = { code?: number; title?: string; message?: string; details?: string };

export type Message = {
  id: string;
  conversationId?: string;
  direction?: 'inbound' | 'outbound';
  type: string;
  preview?: string;
  text?: string;
  caption?: string;
  receivedAt: string;
  sentAt?: string;
  sentBy?: string;
  sentByName?: string;
  senderName?: string;
  replyTo?: string;
  queuedId?: string;
  revokedAt?: string;
  editedAt?: string;
  failedAt?: string;
  possibleDuplicate?: boolean;
  delivery?: { status: string };
  errors?: Problem[];
  reactions?: { emoji: string; from?: string }[];
  media?: {
    id?: string;
    mimeType?: string;
    fetched?: boolean;
    size?: number;
    /** Of a picture or a video, as it is shown. */
    width?: number;
    height?: number;
    /** Of sound or a video, in seconds. */
    duration?: number;
    /** Whether there is a small picture of it. */
    thumbnail?: boolean;
  };
  order?: { lines?: { productId: string; quantity: number; price?: string }[]; text?: string };
  content?: Record<string, unknown>;
};

export type Order = {
  id: string;
  status: string;
  total: string;
  createdAt: string;
  items: { productId: string; sku?: string; name: string; quantity: string; unit?: string; amount: string }[];
  next?: string[];
  version: number;
  customer?: string;
  customerId?: string;
  customerName?: string;
  fulfilment?: string;
  deliveryAddress?: string;
  paymentMethod?: string;
  paidAt?: string;
  paidAmount?: string;
  wantedAt?: string;
  slot?: { date: string; name: string; from: string; to: string };
  deliveryNotes?: string;
  trackingId?: string;
  reason?: string;
  bill?: Bill;
  oversold?: { productId: string; sku?: string; name: string; missing: string }[];
  history?: { version: number; at: string; by: string; status?: string; reason?: string; totalBefore?: string }[];
};

export type Bill = {
  subtotal: string;
  delivery: string;
  discount: string;
  rounding: string;
  code?: string;
  taxAdded?: boolean;
  taxes?: { rate: string; cgst: string; sgst: string; igst?: string }[];
};

export type Store = {
  id: string;
  name: string;
  status?: string;
  phoneNumberIds: string[];
  latitude?: string;
  longitude?: string;
  address?: { street?: string; landmark?: string; city?: string; state?: string; pincode?: string };
  settings: StoreRules & { currency: string };
};

export type StoreRules = {
  timeZone?: string;
  businessHours?: Record<string, { open: string; close: string }>;
  delivery?: { charge: string; freeFrom?: string };
  deliveryRadiusKm?: string;
  minOrderAmount?: string;
  roundTo?: string;
  tax?: { mode: string };
  paymentMethods?: string[];
  discounts?: { from: string; percent?: string; amount?: string }[];
  slots?: { name: string; from: string; to: string; capacity?: number }[];
};
export type Balance = { balance: string; creditLimit?: string; name?: string; lastEntryAt?: string };
export type Number = {
  phoneNumberId: string;
  tenantId: string;
  wabaId?: string;
  displayPhoneNumber?: string;
  verifiedName?: string;
  stoppedUntil?: string;
  stopMeaning?: string;
};
export type Me = {
  subject: string;
  username: string;
  name?: string;
  tenants: string[];
  scopes: string[];
  roles: string[];
};
export type Person = { subject: string; name?: string; email?: string; roles?: string[] };
export type Template = {
  id: string;
  name: string;
  language: string;
  category: string;
  sendable: boolean;
  status?: string;
  reason?: string;
  detail?: string;
  qualityScore?: string;
  correctCategory?: string;
  asked?: { change: string; at: string; answeredAt?: string; problem?: string };
};
export type TemplatePart = { format?: string; text?: string; variables: string[] };
export type TemplateContent = {
  header?: TemplatePart;
  body?: TemplatePart;
  footer?: string;
  buttons: { type: string; text?: string; variables: string[] }[];
};
export type Sendable = { sendable: { phoneNumberId: string }[]; uploadFailure?: string };
export type Counts = {
  all: number;
  unread: number;
  archived: number;
  open: { mine: number; unassigned: number; waitingForReply: number };
  labels: Record<string, number>;
};
export type Media = { url?: string; contentType?: string; filename?: string; thumbnail?: { url: string } };
export type Note = {
  id: string;
  text: string;
  writtenAt: string;
  writtenBy: string;
  writtenByName?: string;
  mentions?: string[];
};
export type QuickReply = { shortcut: string; text: string };
export type Page<T> = { items: T[]; cursor?: string };

/** What the API has refused, in its own words. `status` is 0 if nothing has answered. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    /** What is wrong, fault by fault, where the API names more than one. */
    readonly faults: string[] = [],
  ) {
    super([detail, ...faults].filter(Boolean).join(' · '));
  }
  /** Nobody knows whether the request was carried out. The same one may be sent again under the same key. */
  get passing(): boolean {
    return [0, 401, 429].includes(this.status) || this.status >= 500; // 401: until somebody signs in again
  }
}

/** `csv` is sent as it is, in place of a body. `tag` is that of the answer which is here already. */
export type Asked = { body?: unknown; csv?: string; key?: string; tag?: string };

/** How many answers are kept at most. */
const most = 60;

/** After how many milliseconds nobody answers any more: the gateway itself gives up after 30 seconds. */
const patience = 35_000;

/**
 * The calls of one person. `token` returns an access token: another one than that which was refused. `origin` is that of
 * the API, '' for the page's own.
 */
export class Api {
  constructor(
    private token: (refused?: string) => Promise<string>,
    private origin: () => string,
  ) {}

  /** The latest answers by their paths, with their entity tags: what has not changed is not downloaded again. */
  private known = new Map<string, { tag: string; text: string }>();

  async call<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
    const known = method === 'GET' ? this.known.get(path) : undefined;
    const answer = await this.answer(method, path, known ? { ...asked, tag: known.tag } : asked);
    if (answer.status === 304) return JSON.parse(known!.text) as T;
    if (!isJson(answer)) return undefined as T;
    const text = await answer.text();
    const tag = answer.headers.get('ETag');
    if (method === 'GET' && tag) this.keep(path, tag, text);
    return JSON.parse(text) as T;
  }

  private keep(path: string, tag: string, text: string): void {
    this.known.delete(path); // the latest stand last
    this.known.set(path, { tag, text });
    for (const oldest of this.known.keys()) if (this.known.size > most) this.known.delete(oldest);
  }

  async file(path: string): Promise<Blob> {
    return (await this.answer('GET', path, {})).blob();
  }

  private async answer(method: string, path: string, asked: Asked): Promise<Response> {
    const token = await this.token();
    let answer = await this.send(method, path, asked, token);
    if (answer.status === 401) answer = await this.send(method, path, asked, await this.token(token));
    if (answer.ok || answer.status === 304) return answer;
    const problem = await answer.json().catch(() => ({}));
    const fields = (problem.errors ?? []).map((e: { location?: string; message?: string }) =>
      [e.location?.replace(/^body\./, ''), e.message].filter(Boolean).join(': '),
    );
    throw new Refused(
      answer.status,
      problem.type ?? '',
      problem.detail ?? problem.title ?? answer.statusText,
      fields,
    );
  }

  private async send(method: string, path: string, asked: Asked, token: string): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
    if (asked.body !== undefined) headers['Content-Type'] = 'application/json';
    if (asked.csv !== undefined) headers['Content-Type'] = 'text/csv';
    if (asked.key) headers['Idempotency-Key'] = asked.key;
    if (asked.tag) headers['If-None-Match'] = asked.tag;
    try {
      return await fetch(this.origin() + path, {
        method,
        headers,
        signal: AbortSignal.timeout(patience),
        body: asked.csv ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body)),
      });
    } catch {
      throw new Refused(0, 'offline', 'offline');
    }
  }
}

function isJson(answer: Response): boolean {
  return (answer.headers.get('Content-Type') ?? '').includes('json');
}

export function query(values: Record<string, string | number | boolean | undefined>): string {
  const set = Object.entries(values).filter(([, v]) => v !== undefined && v !== '' && v !== false);
  return set.length ? '?' + new URLSearchParams(set.map(([k, v]) => [k, String(v)])).toString() : '';
}
