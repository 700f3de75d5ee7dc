import { createHash } from 'node:crypto';

/**
 * How the length of a text is counted for its signature. Youdao's own examples disagree: two count UTF-16 units, one counts code points.
 * It makes a difference for characters outside the BMP only, such as emoji.
 */
export type Counting = 'utf16' | 'codePoints';

const WHOLE = 20;
const END = 10;

/** What of a text goes into its signature: all of it, or its ends around its length. */
export function signedInput(text: string, counting: Counting): string {
  const units = counting === 'utf16' ? text.split('') : [...text];
  if (units.length <= WHOLE) return text;
  return `${units.slice(0, END).join('')}${units.length}${units.slice(-END).join('')}`;
}

export type YoudaoSigned = {
  readonly appKey: string;
  readonly input: string;
  readonly salt: string;
  /** Unix seconds. */
  readonly curtime: string;
};

/** `sign` of signType v3, in lower-case hex. */
export const youdaoSign = ({ appKey, input, salt, curtime }: YoudaoSigned, appSecret: string): string =>
  createHash('sha256')
    .update(appKey + input + salt + curtime + appSecret, 'utf8')
    .digest('hex');
