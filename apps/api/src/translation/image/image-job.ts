import { Injectable } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { translateImage } from '@yiqiao/contracts/media';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { TEXT_MAX_CODE_POINTS, TEXTS_AT_ONCE } from '@yiqiao/domain/limits';
import { codePoints } from '@yiqiao/domain/members';
import type { VendorUse } from '../../ledger/ledger.js';
import {
  type Answered,
  type Item,
  type Refused,
  requestTranslations,
  type TranslationRequest,
} from '../channel-requests.js';
import { languageOf } from '../channels/languages.js';
import { Engines, MISSING } from '../engines/engines.js';
import { Frame } from '../engines/pictures/frame.js';
import { MediaMetering, type Served } from '../metering.js';
import { type Languages, mediaLanguages } from '../resolve-languages.js';
import { Router } from '../routing/router.js';
import { joinUses } from '../vendor-use.js';
import { type MediaDeadline, within } from '../voice/media-deadline.js';
import { type Block, blocksOf, drawn } from './blocks.js';
import { PictureReaders } from './picture-readers.js';
import { Pictures } from './pictures.js';
import type { Picture, Reading } from './reader.js';

/** The translated texts of a picture, in order. `channelId`: the channel that served most of them. */
export type Rendered = {
  readonly texts: readonly string[];
  readonly channelId: number;
  readonly source: string;
  readonly vendor: VendorUse | null;
};

/** Refusals of a text that needs no translation: a name, a trade mark, a word of the target language. It stays unchanged. */
const STAYS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NOT_TRANSLATED', 'SAME_LANGUAGE']);

/** Translates all texts of a picture, as many per request as allowed. */
@Injectable()
export class ImageTexts {
  constructor(private readonly router: Router) {}

  /** Throws the channels' failure, or a refusal when nothing could be translated. */
  async translate(texts: readonly string[], languages: Languages, context: TranslationRequest): Promise<Rendered> {
    const items = texts.map((text): Item => ({ text, codePoints: codePoints(text), languages }));
    const outcomes: (Answered | Refused)[] = [];
    for (const batch of batchesOf(items)) outcomes.push(...(await requestTranslations(this.router, context, batch)));
    const refused = outcomes.filter((outcome) => 'refusal' in outcome);
    const served = outcomes.filter((outcome) => 'answer' in outcome);
    const failed = refused.find(({ refusal }) => !STAYS.has(refusal.code)) ?? (served.length === 0 ? refused[0] : null);
    if (failed) throw failed.refusal;
    const [most] = [...Map.groupBy(served, ({ answer }) => answer.channelId)].sort(
      ([, a], [, b]) => b.length - a.length,
    );
    const [first] = most?.[1] ?? [];
    if (!most || !first) throw new Refusal('NO_TEXT_FOUND');
    return {
      texts: outcomes.map((outcome) => ('answer' in outcome ? outcome.answer.translated.trim() : outcome.item.text)),
      channelId: most[0],
      source: first.answer.source,
      vendor: joinUses(served.map(({ answer }) => answer.vendor)),
    };
  }
}

function batchesOf(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= TEXTS_AT_ONCE || item.codePoints > room) {
      batches.push([item]);
      room = TEXT_MAX_CODE_POINTS - item.codePoints;
    } else {
      last.push(item);
      room -= item.codePoints;
    }
  }
  return batches;
}

type Shown = Answer<typeof translateImage>;
export type ImageJob = { readonly picture: Picture; readonly timeLimit: MediaDeadline };

const LETTER = /\p{L}/u;

/** A paid job: reads a picture, translates its texts and draws it again. */
@Injectable()
export class ImageJobs {
  constructor(
    private readonly readers: PictureReaders,
    private readonly pictures: Pictures,
    private readonly texts: ImageTexts,
    private readonly metered: MediaMetering,
    private readonly engines: Engines,
  ) {}

  /** Throws refusals before the hold; returns later failures, as in `translate-one.ts`. */
  async translate(job: ImageJob, context: TranslationRequest): Promise<Shown | Refusal> {
    const { choice, pair, client } = context;
    await this.readers.needed(choice.asked, pair.source);
    await this.#refuseWithoutFonts(pair.target, client.language);
    const languages = await mediaLanguages(null, pair, choice.candidates);
    const outcome = await this.metered.serve(context, { kind: 'image' }, () =>
      within(job.timeLimit, this.#serve(job, context, languages)),
    );
    return outcome instanceof Refusal ? outcome : { ...outcome.answer, charged: outcome.charged };
  }

  async #serve(
    { picture, timeLimit }: ImageJob,
    context: TranslationRequest,
    told: Languages | null,
  ): Promise<Served<Omit<Shown, 'charged'>>> {
    const { choice, pair } = context;
    const request = { picture, source: pair.source, ...timeLimit };
    const reading = await this.readers.read(choice.asked, request);
    const blocks = blocksOf(reading.lines).filter(({ text }) => LETTER.test(text));
    if (blocks.length === 0) throw new Refusal('NO_TEXT_FOUND');
    const text = blocks.map((block) => block.text).join('\n');
    const languages = told ?? (await mediaLanguages(text, pair, choice.candidates));
    const { texts, channelId, source, vendor } = await this.texts.translate(
      blocks.map((block) => block.text),
      languages,
      context,
    );
    const changed = blocks.flatMap((block, at) => {
      const translated = texts[at] ?? block.text;
      return translated === block.text ? [] : [drawn(block, translated)];
    });
    const drawing = { turn: reading.turn, language: languages.target, blocks: changed };
    // A picture that stays as it is, is not charged, like a text.
    if (changed.length === 0) throw new Refusal('NOT_TRANSLATED');
    const image = await this.pictures.draw(picture, drawing, timeLimit);
    const shown = blocks.map((block, at) => ({
      box: boxIn(picture, reading, block),
      text: block.text,
      translated: texts[at] ?? block.text,
    }));
    const answer = { text, translated: texts.join('\n'), blocks: shown, image };
    return { channelId, source, vendor: joinUses([reading.vendor, vendor]), answer };
  }

  /** Letters without a font would be drawn as empty squares. */
  async #refuseWithoutFonts(target: string, language: Language): Promise<void> {
    // A language's own name is written in its letters.
    const { nativeName } = languageOf(target) ?? { nativeName: '' };
    if (!(await this.engines.canDraw(nativeName)))
      throw new Refusal('ENGINE_MISSING', { data: { reason: MISSING.fonts[language] } });
  }
}

/** The box of a block in the picture as displayed, clipped to it. */
function boxIn({ width, height }: Picture, { turn }: Reading, { box }: Block): [number, number, number, number] {
  const [x, y, w, h] = new Frame({ width, height, turn }).around(box);
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return [left, top, Math.max(1, Math.min(width, x + w) - left), Math.max(1, Math.min(height, y + h) - top)];
}
