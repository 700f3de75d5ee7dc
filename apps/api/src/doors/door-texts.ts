import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { errors, Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import type { Formality } from '@yiqiao/domain/formality';
import { TEXT_MAX_CODE_POINTS, TEXTS_AT_ONCE } from '@yiqiao/domain/limits';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import type { KeyCaller } from '../platform/api-key-reader.js';
import type { ClientInfo } from '../platform/endpoint.js';
import { BASE_OF, detectLanguage, TRANSIENT, TranslateText } from '../translation/translation.js';
import { Failure } from './failure.js';

/** langCodes; source null: each text's language is detected. */
export type TextsToTranslate = {
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly target: string;
  readonly format?: 'text' | 'html' | 'xml';
  readonly formality?: Formality | undefined;
};

/** `source`: given or detected, null while unknown. `charged`: characters of the caller's account. */
export type DoorText = { readonly text: string; readonly source: string | null; readonly charged: number };

type Item = Extract<Answer<typeof translateText>, { items: unknown }>['items'][number];
type Who = { readonly caller: KeyCaller; readonly client: ClientInfo };

/** A text with its place in the request. */
type Placed = { readonly at: number; readonly text: string };

@Injectable()
export class DoorTexts {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Translates any number of texts, one command after the other, in their order. One failed text fails the request, as it does at the other
   * services; what was charged before it is remembered by the commands, which repeat it for nothing. Throws Refusal, and Failure for a
   * text that is too long: then before anything is translated.
   */
  async translate(asked: TextsToTranslate, who: Who): Promise<DoorText[]> {
    const { texts, source } = asked;
    const done: DoorText[] = texts.map((text) => ({ text, source, charged: 0 }));
    for (const group of grouped(texts))
      for (const [{ at, text }, item] of await this.#outcomes(group, asked, who))
        done[at] = outcomeOf(item, text, asked);
    return done;
  }

  /**
   * What failed beside others that were translated is asked for once more, by a command of its own: the first one is paid and repeats its
   * answer, the second one is tried again whenever the client repeats the request.
   */
  async #outcomes(group: readonly Placed[], asked: TextsToTranslate, who: Who): Promise<Map<Placed, Item>> {
    const outcomes = await this.#command(group, asked, who);
    const failed = group.filter((placed) => TRANSIENT.has(outcomes.get(placed)?.code ?? null));
    if (failed.length === 0 || failed.length === group.length) return outcomes;
    return new Map([...outcomes, ...(await this.#command(failed, asked, who))]);
  }

  async #command(
    group: readonly Placed[],
    { source, target, format, formality }: TextsToTranslate,
    { caller, client }: Who,
  ): Promise<Map<Placed, Item>> {
    const input = {
      source: source ?? 'auto',
      target,
      text: group.map(({ text }) => text),
      ...(format !== undefined && format !== 'text' && { format }),
      ...(formality !== undefined && { formality }),
    };
    const answer = await this.commands.execute(new TranslateText(input, caller, client));
    if (!('items' in answer)) throw new Error('several texts were answered like one');
    const { items } = answer;
    return new Map(
      group.map((placed, nth) => {
        const item = items[nth];
        if (!item) throw new Error('a text was left without an outcome');
        return [placed, item];
      }),
    );
  }
}

/** The visible texts in groups that one command takes. Throws for a text that none takes. */
function grouped(texts: readonly string[]): Placed[][] {
  const groups: Placed[][] = [];
  let group: Placed[] = [];
  let size = 0;
  for (const [at, text] of texts.entries()) {
    if (!hasVisible(text)) continue;
    const length = codePoints(text);
    if (length > TEXT_MAX_CODE_POINTS)
      throw new Failure('tooLong', {
        detail: `A text has ${length} characters; ${TEXT_MAX_CODE_POINTS} is the most.`,
      });
    if (group.length === TEXTS_AT_ONCE || size + length > TEXT_MAX_CODE_POINTS || group.length === 0) {
      group = [];
      groups.push(group);
      size = 0;
    }
    group.push({ at, text });
    size += length;
  }
  return groups;
}

/** Nothing to translate: it is in the target language already, or has no words. */
const UNCHANGED: ReadonlySet<string | null> = new Set<ErrorCode>(['SAME_LANGUAGE', 'LANGUAGE_NOT_DETECTED']);

function outcomeOf(item: Item, text: string, { source: told, target }: TextsToTranslate): DoorText {
  const source = item.source ?? told;
  if (item.success) return { text: item.translated ?? '', source, charged: item.charged };
  // The other services return a text as it is, too, where only the variant of its language differs.
  const isVariant = item.code === 'PAIR_NOT_SUPPORTED' && source !== null && baseOf(source) === baseOf(target);
  if (isVariant || UNCHANGED.has(item.code)) return { text, source, charged: 0 };
  throw new Refusal(isErrorCode(item.code) ? item.code : 'SERVER_ERROR', { data: { source, target } });
}

const baseOf = (langCode: string): string => BASE_OF.get(langCode) ?? langCode;

const isErrorCode = (code: string | null): code is ErrorCode => code !== null && Object.hasOwn(errors, code);

/** The source of a text for dialects that always name one: as it was detected on the way, else by us, else English. */
export const namedSource = async ({ text, source }: Pick<DoorText, 'text' | 'source'>): Promise<string> =>
  source ?? (await detectLanguage(text)).langCode ?? 'en';
