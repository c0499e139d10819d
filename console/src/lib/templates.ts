import type { Message, TemplateContent } from './api';
import { session } from './session.svelte';

/** A text with its variables filled, as far as they are. */
export function filled(text: string, names: string[], values: (string | undefined)[]): string {
  return names.reduce(
    (all, name, i) => (values[i]?.trim() ? all.replaceAll(`{{${name}}}`, values[i]!.trim()) : all),
    text,
  );
}

const known = new Map<string, Promise<TemplateContent | undefined>>();

/** What a template says. Each is asked for once. */
function contentOf(id: string): Promise<TemplateContent | undefined> {
  if (!known.has(id)) {
    const asked = session.api
      .call<{ content: TemplateContent }>('GET', '/v1/templates/' + encodeURIComponent(id))
      .then(
        (template) => template.content,
        () => undefined,
      );
    known.set(id, asked);
  }
  return known.get(id)!;
}

type Parameter = { text?: string; parameter_name?: string; currency?: Shown; date_time?: Shown };
type Shown = { fallback_value?: string };
type Sent = {
  name: string;
  language?: { code?: string };
  components?: { type: string; parameters?: Parameter[] }[];
};

/** The text that a customer got by a template; empty if nobody knows the template any more. */
export async function textOf(message: Message): Promise<string> {
  const sent = message.content?.template as Sent | undefined;
  const phone = message.conversationId?.split(':')[0];
  const waba = session.numbers.find((number) => number.phoneNumberId === phone)?.wabaId;
  if (!sent || !waba) return '';
  const content = await contentOf([waba, sent.name, sent.language?.code ?? ''].join(':'));
  const part = (kind: string, of?: { text?: string; variables: string[] }) => {
    const parameters = sent.components?.find((c) => c.type.toLowerCase() === kind)?.parameters ?? [];
    const shown = (p?: Parameter) => p?.text ?? p?.currency?.fallback_value ?? p?.date_time?.fallback_value;
    const values = of?.variables.map((name, i) =>
      shown(parameters.find((p) => p.parameter_name === name) ?? parameters[i]),
    );
    return of?.text ? filled(of.text, of.variables, values ?? []) : '';
  };
  const title = part('header', content?.header);
  return [title && `*${title}*`, part('body', content?.body), content?.footer].filter(Boolean).join('\n');
}
