import { isObject, type Json } from '../request-body.js';
import { refuse } from './chatgpt-error.js';
import { decodeDataUrl } from './vision.js';

/** The simulated models: a general one, a reasoning one, and one like those of local servers. */
export const MODELS = ['sandbox-gpt', 'sandbox-reasoning', 'sandbox-local'] as const;

const ROLES = ['system', 'developer', 'user', 'assistant'];

/** A parsed chat completion request. */
export interface ChatRequest {
  readonly model: (typeof MODELS)[number];
  readonly system: string;
  readonly user: string;
  /** The attached picture, if any. */
  readonly picture: Buffer | null;
  readonly json: boolean;
  /** Maximum tokens of the reply; null: unlimited. */
  readonly most: number | null;
}

/** Validates a request as strictly as the real API. Throws VendorRefusal. */
export function readChat(body: Json): ChatRequest {
  const model = MODELS.find((name) => name === body['model']);
  if (!model) {
    const message = `The model \`${String(body['model'])}\` does not exist or you do not have access to it.`;
    throw refuse(404, { message, code: 'model_not_found' });
  }
  const messages = messagesIn(body['messages']);
  if (body['stream'] === true) throw unsupported('stream', 'Streaming is not offered here.');
  checkParameters(model, body);
  const said = (roles: readonly string[]) =>
    messages
      .filter(({ role }) => roles.includes(role))
      .map(({ content }) => content)
      .join('\n');
  return {
    model,
    system: said(['system', 'developer']),
    user: said(['user']),
    picture: findPicture(model, body['messages']),
    json: isObject(body['response_format']) && body['response_format']['type'] === 'json_object',
    most: tokenLimit(body),
  };
}

function messagesIn(value: unknown): readonly { readonly role: string; readonly content: string }[] {
  const wrong = (message: string) => refuse(400, { message, param: 'messages', code: 'invalid_type' });
  if (!Array.isArray(value) || value.length === 0) throw wrong("Missing required parameter: 'messages'.");
  return value.map((one: unknown) => {
    if (!isObject(one) || typeof one['role'] !== 'string' || !ROLES.includes(one['role'])) {
      throw wrong("Invalid value for 'role'.");
    }
    return { role: one['role'], content: textOf(one['content']) };
  });
}

/** The first picture of the messages. The local model does not support pictures. */
function findPicture(model: ChatRequest['model'], messages: unknown): Buffer | null {
  const contents = Array.isArray(messages)
    ? messages.map((one: unknown) => (isObject(one) ? one['content'] : null))
    : [];
  const parts = contents.flatMap((content): unknown[] => (Array.isArray(content) ? content : []));
  const image = parts.find((part) => isObject(part) && part['type'] === 'image_url');
  if (!isObject(image)) return null;
  if (model === 'sandbox-local') {
    throw refuse(400, { message: 'This model does not support image input.', param: 'messages', code: null });
  }
  const link = image['image_url'];
  const picture = isObject(link) && typeof link['url'] === 'string' ? decodeDataUrl(link['url']) : null;
  if (!picture) throw refuse(400, { message: 'You uploaded an unsupported image.', code: 'invalid_image_format' });
  return picture;
}

/** The text of a message: a string, or its parts of type text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) =>
    isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  if (texts.length === 0) throw refuse(400, { message: 'Invalid content.', param: 'messages', code: 'invalid_type' });
  return texts.join('\n');
}

const unsupported = (param: string, message: string, code = 'unsupported_value') =>
  refuse(400, { message, param, code });

/** Rejects unsupported parameters: reasoning models take neither a temperature nor `max_tokens`, local ones no `max_completion_tokens`. */
function checkParameters(model: ChatRequest['model'], body: Json): void {
  const { temperature, max_tokens: old, max_completion_tokens: most } = body;
  if (model === 'sandbox-reasoning' && temperature !== undefined && temperature !== 1) {
    throw unsupported('temperature', "Unsupported value: 'temperature' does not support this value with this model.");
  }
  if (model === 'sandbox-reasoning' && old !== undefined) {
    const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    throw unsupported('max_tokens', message, 'unsupported_parameter');
  }
  if (model === 'sandbox-local' && most !== undefined) {
    const message = 'Unrecognized request argument supplied: max_completion_tokens';
    throw unsupported('max_completion_tokens', message, 'unknown_parameter');
  }
}

function tokenLimit({ max_tokens: old, max_completion_tokens: most = old }: Json): number | null {
  return typeof most === 'number' ? most : null;
}
