import { isUtf8 } from 'node:buffer';
import { Refusal } from '@yiqiao/domain/errors';
import { Failure } from './failure.js';

/** The parameters of a request, from its query, a form or JSON. Names that nobody reads are ignored, as the services do. */
export class Fields {
  constructor(private readonly values: ReadonlyMap<string, unknown>) {}

  /** JSON's value; of a form or query a text, or a list of texts when the name repeats. Null counts as absent. */
  get(name: string): unknown {
    return this.values.get(name) ?? undefined;
  }

  /** A text, or the first of several. Numbers and booleans as they are written; undefined for anything else, absent and empty included. */
  text(name: string): string | undefined {
    const value = this.get(name);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'number' || typeof first === 'boolean') return String(first);
    return typeof first === 'string' && first !== '' ? first : undefined;
  }

  /** One text or a list of texts as a list; null when it is absent or holds anything else. Throws for what cannot be written as UTF-8. */
  texts(name: string): readonly string[] | null {
    const value = this.get(name);
    const all: unknown[] | null = typeof value === 'string' ? [value] : Array.isArray(value) ? value : null;
    if (all === null || !all.every((each) => typeof each === 'string')) return null;
    // A lone surrogate would reach the channel as another character than was sent.
    if (!all.every((each) => each.isWellFormed()))
      throw new Failure('input', { message: `Invalid Unicode in parameter '${name}'.` });
    return all;
  }
}

/** A query or a form. */
export const fieldsOfForm = (text: string): Map<string, unknown> => fieldsOf(new URLSearchParams(text));

function fieldsOf(all: Iterable<[name: string, value: unknown]>): Map<string, unknown> {
  const values = new Map<string, string | string[]>();
  // In one pass: `getAll` for each name would take the square of their number, and nobody has shown a key yet.
  for (const [name, value] of all) {
    // A file.
    if (typeof value !== 'string') continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, value);
    else if (Array.isArray(known)) known.push(value);
    else values.set(name, [known, value]);
  }
  return values;
}

const FORM = /^application\/x-www-form-urlencoded\b/i;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;
/** As pages send their forms with `FormData`. */
const MULTIPART = /^multipart\/form-data\b/i;

/** The fields of a body; JSON has to be an object. Throws for other content types, unless the body is empty; `multipart` is one more. */
export async function fieldsOfBody(
  bytes: Buffer,
  contentType = '',
  { multipart = false } = {},
): Promise<Map<string, unknown>> {
  if (bytes.length === 0) return new Map();
  if (multipart && MULTIPART.test(contentType)) return fieldsOf(await multipartIn(bytes, contentType));
  if (!FORM.test(contentType) && !JSON_TYPE.test(contentType)) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  // Decoding would turn each invalid byte into U+FFFD and change the text.
  if (!isUtf8(bytes)) throw new Refusal('MALFORMED_JSON');
  const text = bytes.toString();
  if (FORM.test(contentType)) return fieldsOfForm(text);
  const body = parsed(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal('MALFORMED_JSON');
  return new Map<string, unknown>(Object.entries(body));
}

async function multipartIn(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
  } catch {
    throw new Refusal('MALFORMED_JSON');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('MALFORMED_JSON');
  }
}
