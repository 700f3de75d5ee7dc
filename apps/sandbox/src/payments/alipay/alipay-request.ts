import { readSpacedTime } from '../beijing-time.js';
import type { AlipayKeys } from '../gateway-keys.js';
import { verify } from '../rsa.js';
import { AlipayError, type AlipaySubCode } from './alipay-error.js';

/** The parameters of a request as raw bytes, whatever their character set. */
export type Parameters = ReadonlyMap<string, Buffer>;

/** A repeated name makes the request ambiguous. */
export interface ReadParameters {
  readonly parameters: Parameters;
  readonly repeated: string | null;
}

/**
 * Parses the common parameters in the query and the business content in the form. Signatures cover bytes, so values stay
 * bytes: a form posted in another character set than was signed fails verification, as at the real gateway.
 */
export function readParameters(query: string, body: Buffer): ReadParameters {
  const parameters = new Map<string, Buffer>();
  let repeated: string | null = null;
  for (const pair of [...query.split('&'), ...body.toString('latin1').split('&')]) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = percentDecode(at < 0 ? pair : pair.slice(0, at)).toString('utf8');
    if (parameters.has(name)) repeated ??= name;
    parameters.set(name, percentDecode(at < 0 ? '' : pair.slice(at + 1)));
  }
  return { parameters, repeated };
}

/** `text` is latin1: one byte per character. */
function percentDecode(text: string): Buffer {
  const bytes = text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1');
}

/** The bytes to sign: all parameters except `left` and empty ones, sorted by name. */
export function bytesToSign(parameters: Parameters, left: readonly string[]): Buffer {
  const names = [...parameters.keys()].filter((name) => !left.includes(name) && parameters.get(name)?.length);
  names.sort((one, other) => (one < other ? -1 : 1));
  const parts = names.flatMap((name, index) => [
    Buffer.from(`${index === 0 ? '' : '&'}${name}=`),
    parameters.get(name) ?? Buffer.alloc(0),
  ]);
  return Buffer.concat(parts);
}

const REQUIRED = {
  app_id: 'isv.missing-app-id',
  method: 'isv.missing-method',
  sign: 'isv.missing-signature',
  sign_type: 'isv.missing-signature-type',
  timestamp: 'isv.missing-timestamp',
  version: 'isv.missing-version',
} as const satisfies Record<string, AlipaySubCode>;

/** Checks the common parameters and the signature. Throws AlipayError. */
export function checkParameters({ parameters, repeated }: ReadParameters, keys: AlipayKeys): void {
  if (repeated !== null) throw new AlipayError('isv.invalid-parameter', `${repeated} 重复`);
  const value = (name: string) => parameters.get(name)?.toString('utf8') ?? '';
  for (const [name, code] of Object.entries(REQUIRED)) if (value(name) === '') throw new AlipayError(code);
  if (value('app_id') !== keys.appId) throw new AlipayError('isv.invalid-app-id');
  if (value('version') !== '1.0') throw new AlipayError('isv.invalid-version');
  if (value('sign_type') !== 'RSA2') throw new AlipayError('isv.invalid-signature-type');
  if (!/^(?:|utf-8|gbk|gb2312)$/i.test(value('charset'))) throw new AlipayError('isv.invalid-charset');
  if (!/^(?:|json)$/i.test(value('format'))) throw new AlipayError('isv.invalid-format');
  const signed = { key: keys.merchantPublicKey, signature: value('sign') };
  if (!verify('RSA-SHA256', bytesToSign(parameters, ['sign']), signed)) throw new AlipayError('isv.invalid-signature');
  if (readSpacedTime(value('timestamp')) === null) throw new AlipayError('isv.invalid-timestamp');
}

/** Parses `biz_content`. Throws AlipayError when it is not a JSON object. */
export function businessOf(parameters: Parameters): Business {
  const bytes = parameters.get('biz_content') ?? Buffer.alloc(0);
  const charset = parameters.get('charset')?.toString('latin1') ?? '';
  let read: unknown;
  try {
    read = JSON.parse(new TextDecoder(/^gb/i.test(charset) ? 'gbk' : 'utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AlipayError('ACQ.INVALID_PARAMETER', 'biz_content 不是 JSON');
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new AlipayError('ACQ.INVALID_PARAMETER', 'biz_content 不是对象');
  }
  return new Business(read as Readonly<Record<string, unknown>>);
}

/** The fields of `biz_content`. */
export class Business {
  constructor(private readonly fields: Readonly<Record<string, unknown>>) {}

  /** '' when missing. Throws AlipayError for anything but a string, or one that is too long. */
  text(name: string, most: number): string {
    const value = this.fields[name] ?? '';
    if (typeof value !== 'string') throw new AlipayError('ACQ.INVALID_PARAMETER', `${name} 不是字符串`);
    if (value.length > most) throw new AlipayError('ACQ.INVALID_PARAMETER', `${name} 超过 ${most} 个字符`);
    return value;
  }

  /** Throws AlipayError when it is missing or does not match. */
  required(name: string, like: RegExp): string {
    const value = this.text(name, 256);
    if (!like.test(value)) throw new AlipayError('ACQ.INVALID_PARAMETER', value === '' ? `缺少 ${name}` : name);
    return value;
  }

  /** An amount as a string or a number. */
  amount(name: string): string {
    const value = this.fields[name];
    return typeof value === 'number' ? String(value) : this.required(name, /^.{1,14}$/);
  }
}
