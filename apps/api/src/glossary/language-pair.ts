import { Refusal } from '@yiqiao/domain/errors';
import type { Glossary } from './glossary.js';

export type Languages = Pick<Glossary, 'langCode'>;

type Codes = { readonly source?: string | undefined; readonly target?: string | undefined };
type FieldError = { readonly path: string; readonly code: string };

/** Maps language codes and aliases to langCodes; `errors` lists unknown codes and a pair of the same language. */
export function readCodes(glossary: Languages, codes: Codes): Codes & { readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const read = (path: 'source' | 'target'): string | undefined => {
    const code = codes[path];
    if (code === undefined) return undefined;
    const langCode = glossary.langCode(code);
    if (langCode === null) errors.push({ path, code: 'LANGUAGE_UNKNOWN' });
    return langCode ?? undefined;
  };
  const [source, target] = [read('source'), read('target')];
  if (source !== undefined && source === target) errors.push({ path: 'target', code: 'SAME_LANGUAGES' });
  return { source, target, errors };
}

/** Throws VALIDATION_FAILED. */
export function readPair(
  glossary: Languages,
  codes: { source: string; target: string },
): { source: string; target: string } {
  const { source, target, errors } = readCodes(glossary, codes);
  if (source === undefined || target === undefined || errors.length > 0)
    throw new Refusal('VALIDATION_FAILED', { errors: [...errors] });
  return { source, target };
}

/** For filters: either code may be absent. */
export function readFilter(glossary: Languages, codes: Codes): Codes {
  const { source, target, errors } = readCodes(glossary, codes);
  const unknown = errors.filter(({ code }) => code === 'LANGUAGE_UNKNOWN');
  if (unknown.length > 0) throw new Refusal('VALIDATION_FAILED', { errors: unknown });
  return { source, target };
}
