/** Which parameters a server takes: OpenAI's newer models refuse what local servers know alone, and the other way round. */
export type Manners = {
  readonly temperature: boolean;
  readonly length: 'max_completion_tokens' | 'max_tokens' | null;
  readonly jsonMode: boolean;
};

/** What is tried first. */
export const MANNERS: Manners = { temperature: true, length: 'max_completion_tokens', jsonMode: true };

export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** Code points to translate. */
  readonly size: number;
  readonly json: boolean;
};

/** Enough for any translation and for a model that thinks first; an end to one that was talked into writing novels. */
const TOKENS_ALWAYS = 2_048;
const TOKENS_PER_CHARACTER = 3;

export function bodyOf(
  { model, messages, size, json }: ChatRequest,
  manners: Manners,
): Readonly<Record<string, unknown>> {
  return {
    model,
    messages,
    ...(manners.temperature && { temperature: 0 }),
    ...(manners.length && { [manners.length]: TOKENS_ALWAYS + TOKENS_PER_CHARACTER * size }),
    ...(json && manners.jsonMode && { response_format: { type: 'json_object' } }),
  };
}

/** What a request says that did not fit into a model's memory together with the answer it may write. */
export const CONTEXT = /context (length|window|size)/i;

/**
 * The manners for the next try after a refusal with 400, or null when it is about nothing that was sent by choice. Every step gives up
 * something, so there is an end.
 */
export function adjusted(
  sent: Readonly<Record<string, unknown>>,
  manners: Manners,
  { param, message }: { readonly param: string; readonly message: string },
): Manners | null {
  const about = (name: string): boolean =>
    name in sent && (param === name || new RegExp(`\\b${name}\\b`).test(message));
  // The length first: its refusal may name the other name of it too. It also counts against a small model's memory.
  if (manners.length && (about(manners.length) || CONTEXT.test(message)))
    return { ...manners, length: manners.length === 'max_completion_tokens' ? 'max_tokens' : null };
  if (about('temperature')) return { ...manners, temperature: false };
  if (about('response_format')) return { ...manners, jsonMode: false };
  return null;
}
