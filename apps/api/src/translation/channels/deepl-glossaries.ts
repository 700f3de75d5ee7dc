import type { PairTerms } from '@yiqiao/domain/glossary';
import { z } from 'zod';
import { vendorPair } from './language-codes.js';
import type { VendorHttp } from './vendor-call.js';

const PATH = '/v2/glossaries';
const CALL_MS = 10_000;
/** So long a glossary that DeepL would not take is not offered again: its plan has no room for it, or it does not do the pair. */
const REFUSED_MS = 10 * 60_000;

const made = z.object({ glossary_id: z.string(), name: z.string() });
const listed = z.object({ glossaries: z.array(made) });

/** `id` null: it is being made, or was refused; after `until` (ms since 1970) it may be asked for again. */
type Known = { readonly id: string | null; readonly until: number };

/** How glossaries of ours are called: whose, for which pair, with which contents. */
const nameOf = ({ familyId, source, target, digest }: PairTerms): string =>
  `${prefixOf(familyId)}${source}:${target}:${digest}`;
const prefixOf = (familyId: number): string => `yiqiao:${familyId}:`;

/**
 * The glossaries of one account at DeepL. They are made beside the requests that want them, which do without until then, and removed when
 * their family has other terms.
 */
export class DeeplGlossaries {
  readonly #known = new Map<string, Known>();

  constructor(
    private readonly http: VendorHttp,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** The glossary with these very terms; null while DeepL has none, which then is about to change. */
  idOf(terms: PairTerms): string | null {
    const name = nameOf(terms);
    const known = this.#known.get(name);
    if (known && (known.id !== null || Date.now() < known.until)) return known.id;
    this.#known.set(name, { id: null, until: Date.now() + REFUSED_MS });
    this.#make(name, terms).then(
      (id) => id !== null && this.#known.set(name, { id, until: Infinity }),
      () => undefined,
    );
    return null;
  }

  /** DeepL has it no more: it is made again when it is next asked for. */
  forget(terms: PairTerms): void {
    this.#known.delete(nameOf(terms));
  }

  /** Removes what this family has at DeepL beside `current`. Throws VendorFailure. */
  async keepOnly(familyId: number, current: readonly PairTerms[]): Promise<void> {
    const names = new Set(current.map(nameOf));
    for (const { glossary_id: id, name } of await this.#list())
      if (name.startsWith(prefixOf(familyId)) && !names.has(name)) {
        this.#known.delete(name);
        await this.http.delete({ ...this.#call(), path: this.http.path(`${PATH}/${encodeURIComponent(id)}`) });
      }
  }

  /** Null: refused. Another process, or this one before it was started anew, may have made it. */
  async #make(name: string, terms: PairTerms): Promise<string | null> {
    const pair = vendorPair('deepl', terms.source, terms.target);
    if (pair === null) return null;
    const known = (await this.#list()).find((one) => one.name === name);
    if (known) return known.glossary_id;
    const base = (code: string): string => (code.split('-', 1)[0] ?? code).toLowerCase();
    const body = JSON.stringify({
      name,
      source_lang: base(pair.source),
      target_lang: base(pair.target),
      entries: terms.list.map(({ term, translation }) => `${term}\t${translation}`).join('\n'),
      entries_format: 'tsv',
    });
    const reply = await this.http.post({ ...this.#call(), body });
    return made.safeParse(reply.json).data?.glossary_id ?? null;
  }

  async #list(): Promise<readonly z.infer<typeof made>[]> {
    const reply = await this.http.get(this.#call());
    return listed.safeParse(reply.json).data?.glossaries ?? [];
  }

  #call(): { path: string; headers: Readonly<Record<string, string>>; signal: AbortSignal } {
    return { path: this.http.path(PATH), headers: this.headers, signal: AbortSignal.timeout(CALL_MS) };
  }
}
