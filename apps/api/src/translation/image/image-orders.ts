import { Injectable } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { translateImage } from '@yiqiao/contracts/media';
import { Refusal } from '@yiqiao/domain/errors';
import type { TranslationRequest } from '../channel-requests.js';
import { languageOf } from '../channels/languages.js';
import { Engines, MISSING } from '../engines/engines.js';
import { Frame } from '../engines/pictures/frame.js';
import { MediaMetering, type Served } from '../metering.js';
import { type Languages, mediaLanguages } from '../resolve-languages.js';
import { type Patience, within } from '../voice/patience.js';
import { type Block, blocksOf, drawn } from './blocks.js';
import { ImageTexts } from './image-texts.js';
import { PictureReaders } from './picture-readers.js';
import { Pictures } from './pictures.js';
import type { Picture, Reading } from './reader.js';

type Shown = Answer<typeof translateImage>;
export type ImageOrder = { readonly picture: Picture; readonly patience: Patience };

const LETTER = /\p{L}/u;

/** A picture that is paid for: read, translated, and drawn again. */
@Injectable()
export class ImageOrders {
  constructor(
    private readonly readers: PictureReaders,
    private readonly pictures: Pictures,
    private readonly texts: ImageTexts,
    private readonly metered: MediaMetering,
    private readonly engines: Engines,
  ) {}

  /** Throws what is refused before anything is held; what fails afterwards is answered, as in `translate-one.ts`. */
  async translate(order: ImageOrder, asking: TranslationRequest): Promise<Shown | Refusal> {
    const { choice, pair, client } = asking;
    await this.readers.needed(choice.asked, pair.source);
    await this.#refuseWithoutFonts(pair.target, client.language);
    const languages = await mediaLanguages(null, pair, choice.candidates);
    const outcome = await this.metered.serve(asking, { kind: 'image' }, () =>
      within(order.patience, this.#serve(order, asking, languages)),
    );
    return outcome instanceof Refusal ? outcome : { ...outcome.answer, charged: outcome.charged };
  }

  async #serve(
    { picture, patience }: ImageOrder,
    asking: TranslationRequest,
    told: Languages | null,
  ): Promise<Served<Omit<Shown, 'charged'>>> {
    const { choice, pair } = asking;
    const request = { picture, source: pair.source, ...patience };
    const reading = await this.readers.read(choice.asked, request);
    const blocks = blocksOf(reading.lines).filter(({ text }) => LETTER.test(text));
    if (blocks.length === 0) throw new Refusal('NO_TEXT_FOUND');
    const text = blocks.map((block) => block.text).join('\n');
    const languages = told ?? (await mediaLanguages(text, pair, choice.candidates));
    const { texts, channelId, source } = await this.texts.translate(
      blocks.map((block) => block.text),
      languages,
      asking,
    );
    const changed = blocks.flatMap((block, at) => {
      const translated = texts[at] ?? block.text;
      return translated === block.text ? [] : [drawn(block, translated)];
    });
    const drawing = { turn: reading.turn, language: languages.target, blocks: changed };
    const image = await this.pictures.draw(picture, drawing, patience);
    const shown = blocks.map((block, at) => ({
      box: boxIn(picture, reading, block),
      text: block.text,
      translated: texts[at] ?? block.text,
    }));
    return { channelId, source, answer: { text, translated: texts.join('\n'), blocks: shown, image } };
  }

  /** Letters that no font has would be drawn as empty squares. */
  async #refuseWithoutFonts(target: string, language: Language): Promise<void> {
    // What a language calls itself is written in its own letters.
    const { nativeName } = languageOf(target) ?? { nativeName: '' };
    if (!(await this.engines.canDraw(nativeName)))
      throw new Refusal('ENGINE_MISSING', { data: { reason: MISSING.fonts[language] } });
  }
}

/** In the picture as it is seen, and within it. */
function boxIn({ width, height }: Picture, { turn }: Reading, { box }: Block): [number, number, number, number] {
  const [x, y, w, h] = new Frame({ width, height, turn }).around(box);
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return [left, top, Math.max(1, Math.min(width, x + w) - left), Math.max(1, Math.min(height, y + h) - top)];
}
