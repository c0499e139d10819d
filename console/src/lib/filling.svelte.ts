import type { Page, Template, TemplateContent } from './api';
import { session } from './session.svelte';
import { filled } from './templates';
import { put } from './uploads.svelte';

/** A template that somebody chooses and fills, for a message or for a campaign. */
export class Filling {
  templates = $state<Template[]>();
  chosen = $state('');
  content = $state<TemplateContent>();
  body = $state<string[]>([]);
  header = $state('');
  links = $state<string[]>([]);
  file = $state<File>();
  problem = $state('');
  busy = $state(false);

  readonly template = $derived(this.templates?.find((one) => one.id === this.chosen));
  readonly media = $derived(
    ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(this.content?.header?.format ?? '')
      ? this.content?.header?.format
      : undefined,
  );
  readonly linked = $derived(
    this.content?.buttons
      .map((b, i) => ({ ...b, i }))
      .filter((b) => b.variables.length || b.type === 'COPY_CODE') ?? [],
  );
  readonly complete = $derived(
    !!this.content?.body &&
      this.content.body.variables.every((_, i) => this.body[i]?.trim()) &&
      (!this.content.header?.variables.length || !!this.header.trim()) &&
      (!this.media || !!this.file) &&
      this.linked.every((b) => this.links[b.i]?.trim()),
  );
  readonly shown = $derived(
    this.content?.body ? filled(this.content.body.text ?? '', this.content.body.variables, this.body) : '',
  );
  private readonly account: string;

  /** `first` says what a variable is filled with at first, by its name. */
  constructor(
    private phone: string,
    private first: (name: string) => string,
  ) {
    this.account = session.numbers.find((n) => n.phoneNumberId === phone)?.wabaId ?? '';
  }

  private async list(): Promise<Template[]> {
    const path = '/v1/templates?limit=100&wabaId=' + encodeURIComponent(this.account);
    return (await session.api.call<Page<Template>>('GET', path)).items;
  }

  async begin(): Promise<void> {
    try {
      const all = await this.list();
      this.templates = all.filter((one) => one.sendable);
      if (!all.length) await this.ask(); // nobody has listed them yet
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  /** Has Meta list the templates anew, and waits for them for a while. */
  async ask(): Promise<void> {
    [this.busy, this.problem] = [true, ''];
    try {
      const before = JSON.stringify(await this.list());
      await session.api.call('POST', '/v1/template-syncs', { body: { wabaId: this.account } });
      let now = await this.list();
      // They come one after the other: all are here when there is news and no more of it.
      for (let i = 0, last = before; i < 20 && (last === before || JSON.stringify(now) !== last); i++) {
        last = JSON.stringify(now);
        await new Promise((resolve) => setTimeout(resolve, 1000));
        now = await this.list();
      }
      this.templates = now.filter((one) => one.sendable);
    } catch (error) {
      this.problem = (error as Error).message;
    } finally {
      this.busy = false;
    }
  }

  async choose(): Promise<void> {
    [this.content, this.body, this.header, this.links, this.file, this.problem] = [
      undefined,
      [],
      '',
      [],
      undefined,
      '',
    ];
    if (!this.template) return;
    try {
      const whole = await session.api.call<{ content: TemplateContent }>(
        'GET',
        '/v1/templates/' + encodeURIComponent(this.template.id),
      );
      this.content = whole.content;
      this.body = whole.content.body?.variables.map(this.first) ?? [];
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  /** What is sent of it. A file is brought to WhatsApp before. */
  async made(): Promise<Record<string, unknown>> {
    const { template, content } = this;
    if (!template || !content || !this.complete) throw new Error('the template is not filled');
    const out: Record<string, unknown> = {
      name: template.name,
      language: template.language,
      category: template.category.toLowerCase(),
    };
    if (content.body?.variables.length)
      out.body = content.body.variables.map((name, i) => ({ ...named(name), text: this.body[i]!.trim() }));
    if (content.header?.variables.length)
      out.header = { type: 'text', ...named(content.header.variables[0]!), text: this.header.trim() };
    if (this.media && this.file) {
      const id = await put(this.phone, this.file, new AbortController().signal, () => undefined);
      out.header = {
        type: this.media.toLowerCase(),
        mediaId: id,
        ...(this.media === 'DOCUMENT' && { filename: this.file.name }),
      };
    }
    if (this.linked.length)
      out.buttons = this.linked.map((b) => ({
        index: b.i,
        type: b.type.toLowerCase(),
        value: this.links[b.i]!.trim(),
      }));
    return out;
  }
}

/** A variable without a number is named. */
const named = (name: string) => (/^\d+$/.test(name) ? {} : { name });
