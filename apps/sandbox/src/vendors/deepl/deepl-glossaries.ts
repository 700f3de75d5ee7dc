import { randomUUID } from 'node:crypto';

import type { Json } from '../request-body.js';
import { languageOf } from '../translation/language.js';
import type { Term } from '../translate.js';
import { refuse } from './deepl-error.js';

/** Languages supported in glossaries, in any pair. */
const LANGUAGES = 'ar da de en es fr it ja ko nb nl pl pt ro ru sv tr uk zh'.split(' ');
/** Per account. */
const MAX_GLOSSARIES = 1_000;

interface Glossary {
  readonly glossary_id: string;
  readonly name: string;
  readonly source_lang: string;
  readonly target_lang: string;
  readonly creation_time: string;
  readonly entry_count: number;
  readonly terms: readonly Term[];
}

export type GlossaryView = Omit<Glossary, 'terms'> & { readonly ready: true };

const view = ({ terms: _, ...glossary }: Glossary): GlossaryView => ({ ...glossary, ready: true });

/** DeepL's glossaries per account: API v2, as strict as the real one. */
export class DeeplGlossaries {
  readonly #accounts = new Map<string, Map<string, Glossary>>();

  list(account: string): readonly GlossaryView[] {
    return [...this.#of(account).values()].map(view);
  }

  /** Throws VendorRefusal. */
  add(account: string, body: Json): GlossaryView {
    const { name, source_lang: source, target_lang: target, entries, entries_format: format } = body;
    if (typeof name !== 'string' || name === '' || name.length > 1024) throw refuse(400, 'Bad request. Reason: name');
    const [from, to] = [codeOf(source), codeOf(target)];
    if (from === null || to === null || from === to)
      throw refuse(400, 'Unsupported glossary source and target language pair');
    if (format !== 'tsv' || typeof entries !== 'string') throw refuse(400, 'Bad request. Reason: entries_format');
    const known = this.#of(account);
    if (known.size >= MAX_GLOSSARIES) throw refuse(456, 'Quota for this request has been exceeded');
    const terms = termsIn(entries);
    const glossary: Glossary = {
      glossary_id: randomUUID(),
      name,
      source_lang: from,
      target_lang: to,
      creation_time: new Date().toISOString(),
      entry_count: terms.length,
      terms,
    };
    known.set(glossary.glossary_id, glossary);
    return view(glossary);
  }

  /** Throws VendorRefusal when it does not exist. */
  remove(account: string, id: string): void {
    if (!this.#of(account).delete(id)) throw refuse(404, 'Not found, no glossary found for the given ID');
  }

  /** The terms of a glossary for this pair of DeepL's codes. Throws VendorRefusal. */
  terms(
    account: string,
    id: string,
    pair: { readonly source: string | null; readonly target: string },
  ): readonly Term[] {
    const glossary = this.#of(account).get(id);
    if (!glossary) throw refuse(404, 'Not found, no glossary found for the given ID');
    if (pair.source === null) throw refuse(400, 'Use of a glossary requires the source_lang parameter to be specified');
    if (glossary.source_lang !== languageOf(pair.source).base || glossary.target_lang !== languageOf(pair.target).base)
      throw refuse(400, 'The language pair of the glossary does not match the language pair of the request');
    return glossary.terms;
  }

  #of(account: string): Map<string, Glossary> {
    const known = this.#accounts.get(account) ?? new Map<string, Glossary>();
    this.#accounts.set(account, known);
    return known;
  }
}

const codeOf = (code: unknown): string | null =>
  typeof code === 'string' && LANGUAGES.includes(code.toLowerCase()) ? code.toLowerCase() : null;

/** Parses TSV: a term and its translation on each line; rejects duplicate terms. */
function termsIn(entries: string): readonly Term[] {
  const terms = new Map<string, Term>();
  for (const line of entries.split('\n')) {
    const [term = '', translation = '', ...more] = line.split('\t');
    if (term.trim() !== term || term === '' || translation === '' || more.length > 0 || terms.has(term))
      throw refuse(400, 'Invalid glossary entries provided');
    terms.set(term, { term, translation });
  }
  return [...terms.values()];
}
