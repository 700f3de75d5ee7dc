import type { MarkupFormat } from '@yiqiao/domain/text-formats';
import type { Tokenizer } from 'htmlparser2';
import type { TextRange } from '../text/ranges.js';

/** The attributes that say whether the text of an element is translated. */
export type TranslateAttributes = { readonly translate?: string; readonly className?: string };

/**
 * A part of a source. `text` with its entities decoded; `cdata` is the text of a CDATA section, which has no entities; `single` an element
 * without an end tag; `other` is anything else: comments, declarations, instructions, CDATA wrappers, and what is no markup either.
 */
export type Token = TextRange &
  (
    | { readonly kind: 'text' | 'cdata'; readonly text: string }
    | { readonly kind: 'open'; readonly name: string; readonly attributes: TranslateAttributes }
    | { readonly kind: 'close'; readonly name: string }
    | { readonly kind: 'single'; readonly name: string }
    | { readonly kind: 'other' }
  );

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const VOID = words(
  'area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen',
);

/** Elements whose content is no markup: the tokenizer reads it as text up to the end tag, even after `<script/>`. */
export const VERBATIM = words('script style title textarea iframe xmp noembed noframes plaintext');

/** The tokens of a source, in order and without gaps: joined they are the source, whatever it is. Linear in its length. */
export const tokensOf = async (source: string, format: MarkupFormat): Promise<readonly Token[]> => {
  // Loaded on demand: sanitize-html requires the same module, and a module cannot be required while it is being linked.
  const { Tokenizer } = await import('htmlparser2');
  const reader = new Reader(source, format);
  const tokenizer = new Tokenizer({ xmlMode: format === 'xml' }, reader);
  tokenizer.write(source);
  reader.isEnding = true;
  tokenizer.end();
  return reader.tokens;
};

type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

/** Turns the events of the tokenizer into tokens. Its `end` indexes of tags and comments are those of their last character. */
class Reader implements Callbacks {
  readonly tokens: Token[] = [];
  /** What the tokenizer reports now is the unfinished rest. */
  isEnding = false;
  #tag = { start: 0, name: '' };
  #attributes: { translate?: string; className?: string } = {};
  #attribute: { name: string; value: string } = { name: '', value: '' };

  constructor(
    private readonly source: string,
    private readonly format: MarkupFormat,
  ) {}

  ontext(start: number, end: number): void {
    // What follows an unfinished declaration is not text.
    if (this.isEnding && start > this.#at) return;
    this.#add({ kind: 'text', start, end, text: this.source.slice(start, end) });
  }

  ontextentity(codePoint: number, end: number): void {
    const text = String.fromCodePoint(codePoint);
    const last = this.tokens.at(-1);
    // An entity of two characters comes in two events.
    if (last?.kind === 'text' && last.end === end) {
      this.tokens[this.tokens.length - 1] = { ...last, text: last.text + text };
      return;
    }
    this.#add({ kind: 'text', start: this.source.lastIndexOf('&', end - 1), end, text });
  }

  onopentagname(start: number, end: number): void {
    this.#tag = { start: start - 1, name: this.#name(start, end) };
    this.#attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.#attribute = { name: this.#name(start, end), value: '' };
  }

  onattribdata(start: number, end: number): void {
    this.#attribute.value += this.source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#attribute.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    const { name, value } = this.#attribute;
    const key = ATTRIBUTES[this.format][name];
    if (key !== undefined) this.#attributes[key] ??= value;
  }

  onopentagend(end: number): void {
    const { start, name } = this.#tag;
    const attributes = this.#attributes;
    if (this.format === 'html' && VOID.has(name)) this.#add({ kind: 'single', start, end: end + 1, name });
    else this.#add({ kind: 'open', start, end: end + 1, name, attributes });
  }

  onselfclosingtag(end: number): void {
    const { start, name } = this.#tag;
    if (this.format === 'html' && VERBATIM.has(name)) this.onopentagend(end);
    else this.#add({ kind: 'single', start, end: end + 1, name });
  }

  onclosetag(start: number, end: number): void {
    const close = this.source.indexOf('>', end);
    const range = { start: this.source.lastIndexOf('</', start), end: close < 0 ? this.source.length : close + 1 };
    this.#add({ kind: 'close', ...range, name: this.#name(start, end) });
  }

  oncdata(start: number, end: number, offset: number): void {
    const range = { start, end: end - offset };
    if (this.format === 'xml') this.#add({ kind: 'cdata', ...range, text: this.source.slice(range.start, range.end) });
    this.#fillTo(end + 1);
  }

  oncomment(_start: number, end: number): void {
    this.#fillTo(end + 1);
  }

  ondeclaration(_start: number, end: number): void {
    this.#fillTo(end + 1);
  }

  onprocessinginstruction(_start: number, end: number): void {
    this.#fillTo(end + 2);
  }

  onend(): void {
    this.#fillTo(this.source.length);
  }

  get #at(): number {
    return this.tokens.at(-1)?.end ?? 0;
  }

  #name(start: number, end: number): string {
    const name = this.source.slice(start, end);
    return this.format === 'html' ? name.toLowerCase() : name;
  }

  #add(token: Token): void {
    this.#fillTo(token.start);
    if (token.start === this.#at && token.start < token.end) this.tokens.push(token);
  }

  /** Everything up to here that is no token yet is one now. */
  #fillTo(end: number): void {
    const to = Math.min(end, this.source.length);
    if (this.#at < to) this.tokens.push({ kind: 'other', start: this.#at, end: to });
  }
}

const ATTRIBUTES: Readonly<Record<MarkupFormat, Readonly<Record<string, keyof TranslateAttributes>>>> = {
  html: { translate: 'translate', class: 'className' },
  xml: { translate: 'translate', 'its:translate': 'translate' },
};
