import { UsageError } from '../platform/cli-messages.js';

/** The arguments after the command: words in order, `--name value` or `--name=value`, and `key=value`. */
export type ParsedArguments = { words: string[]; options: Map<string, string>; settings: Map<string, string> };

/** Reads `args`. An option always takes a value, so `--chars -500` needs no quoting. Throws UsageError for unknown options. */
export function readArguments(
  args: readonly string[],
  known: { options?: readonly string[]; settings?: readonly string[] },
): ParsedArguments {
  const parsed: ParsedArguments = { words: [], options: new Map(), settings: new Map() };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const option = /^--([A-Za-z]+)(?:=(.*))?$/s.exec(arg);
    const setting = known.settings && /^([A-Za-z]+)=(.*)$/s.exec(arg);
    if (option) {
      const [, name = '', inline] = option;
      const value = inline ?? args[++at];
      if (value === undefined) throw new UsageError({ zh: `--${name} 后面需要一个值`, en: `--${name} needs a value.` });
      put(parsed.options, name, { value, known: known.options ?? [], as: `--${name}` });
    } else if (setting) {
      const [, name = '', value = ''] = setting;
      put(parsed.settings, name, { value, known: known.settings ?? [], as: name });
    } else parsed.words.push(arg);
  }
  return parsed;
}

function put(
  into: Map<string, string>,
  name: string,
  { value, known, as }: { value: string; known: readonly string[]; as: string },
): void {
  if (!known.includes(name)) {
    const list = known.map((each) => (as.startsWith('--') ? `--${each}` : each)).join(' ');
    throw new UsageError({ zh: `不认识 ${as}，可用：${list}`, en: `Unknown argument ${as}. Available: ${list}` });
  }
  if (into.has(name)) throw new UsageError({ zh: `${as} 出现了两次`, en: `${as} was given twice.` });
  into.set(name, value);
}

/** Requires exactly as many words as `names`. */
export function requireWords(parsed: ParsedArguments, names: readonly string[]): string[] {
  const { words } = parsed;
  const missing = names[words.length];
  if (missing !== undefined) throw new UsageError({ zh: `缺少 <${missing}>`, en: `Missing <${missing}>.` });
  const extra = words[names.length];
  if (extra !== undefined) throw new UsageError({ zh: `多余的内容：${extra}`, en: `Unexpected argument: ${extra}` });
  return words;
}

/** A whole number within a range, both ends included. */
export function integer(name: string, text: string, [least, most]: readonly [number, number]): number {
  const n = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(n) || n < least || n > most) {
    const range = `${least.toLocaleString('en-US')} … ${most.toLocaleString('en-US')}`;
    throw new UsageError({
      zh: `${name} 应为 ${range} 之间的整数，而不是 ${text}`,
      en: `${name} must be a whole number (${range}), not ${text}`,
    });
  }
  return n;
}

export function flag(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new UsageError({
      zh: `${name} 应为 true 或 false，而不是 ${text}`,
      en: `${name} must be true or false, not ${text}`,
    });
  return text === 'true';
}

/** A name or a reason: one line of text. */
export function sentence(name: string, text: string, most: number): string {
  const tidied = text.normalize('NFC').trim();
  if (tidied === '' || tidied.length > most || /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u.test(tidied))
    throw new UsageError({
      zh: `${name} 应为 1–${most} 个可见字符`,
      en: `${name} must have 1–${most} visible characters.`,
    });
  return tidied;
}

/** The parser of each value of a row. */
export type Readers<T> = { [K in keyof T]: (key: string, text: string) => T[K] };

/** The given values, each parsed by its reader; the others are absent. */
export function readSettings<T extends object>(readers: Readers<T>, settings: ReadonlyMap<string, string>): Partial<T> {
  const change: Partial<T> = {};
  for (const [key, text] of settings) {
    const name = key as keyof T & string;
    change[name] = readers[name](key, text);
  }
  return change;
}
