import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { translateNotice } from '@yiqiao/contracts/operator/notices';
import { Refusal } from '@yiqiao/domain/errors';
import {
  NOTICE_NAME_MAX,
  NOTICE_SUBTITLE_MAX,
  NOTICE_TITLE_MAX,
  TEXT_MAX_CODE_POINTS,
  TEXT_UPSTREAM_MS,
  TEXTS_AT_ONCE,
} from '@yiqiao/domain/limits';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import type { Language } from '@yiqiao/contracts/envelope';
import { cleanHtml } from '../../notices/clean-html.js';
import { ChannelFailure, type TextChannel } from '../../translation/channels/channel.js';
import { TextChannels } from '../../translation/text-channels.js';

type Translated = Answer<typeof translateNotice>;

/** The languages of the site as the channels name them. */
const CODES = { zh: 'zh-Hans', en: 'en' } as const;

/** A draft of a notice's other language. Nobody is charged, and nothing is kept or recorded (operators §10). */
export class TranslateNotice extends Query<Translated> {
  constructor(
    readonly input: Input<typeof translateNotice>,
    readonly language: Language,
  ) {
    super();
  }
}

@QueryHandler(TranslateNotice)
export class TranslateNoticeHandler implements IQueryHandler<TranslateNotice> {
  constructor(private readonly channels: TextChannels) {}

  async execute({ input: { from, texts }, language }: TranslateNotice): Promise<Translated> {
    const pair = { source: CODES[from], target: CODES[from === 'zh' ? 'en' : 'zh'] };
    const pieces = piecesOf(cleanHtml(texts.content));
    const wanted = [texts.name, texts.title, texts.subTitle, ...pieces];
    for (const { offer, channel } of await this.#able(pair)) {
      const said = await translateAll(channel, wanted, pair);
      if (!said) continue;
      const [name = '', title = '', subTitle = '', ...rest] = said;
      const content = cleanHtml(rest.join(''));
      const cut = (text: string, most: number): string =>
        [...text.replaceAll(/[<>]/g, '').trim()].slice(0, most).join('');
      return {
        texts: {
          name: cut(name, NOTICE_NAME_MAX),
          title: cut(title, NOTICE_TITLE_MAX),
          subTitle: cut(subTitle, NOTICE_SUBTITLE_MAX),
          content,
        },
        channel: language === 'zh' ? offer.name : offer.enName,
      };
    }
    throw new Refusal('CHANNEL_UNAVAILABLE');
  }

  /** The channels that really translate this pair, in the order of the price list. */
  async #able({ source, target }: { source: string; target: string }) {
    const found = await Promise.all(
      (await this.channels.offers()).map(async (offer) => {
        const channel = offer.available ? this.channels.channel(offer.id) : null;
        const quality = await channel?.supports(source, target);
        return channel && quality === 'translation' ? [{ offer, channel }] : [];
      }),
    );
    return found.flat();
  }
}

/** HTML at its paragraphs and list items: what is between is translated, with the emphasis and links in it. */
const piecesOf = (html: string): string[] =>
  html.split(/(<\/?(?:p|ul|ol|li|h3|h4|blockquote|br)\b[^>]*>)/).filter(Boolean);

const isWords = (piece: string): boolean => hasVisible(piece.replaceAll(/<[^>]*>/g, '')) && !/^<[^>]*>$/.test(piece);

/** In as few requests as the limits of one allow; null when the channel fails. */
async function translateAll(
  channel: TextChannel,
  pieces: readonly string[],
  pair: { source: string; target: string },
): Promise<string[] | null> {
  const said = [...pieces];
  let batch: number[] = [];
  let size = 0;
  const flush = async (): Promise<boolean> => {
    if (batch.length === 0) return true;
    const signal = AbortSignal.timeout(TEXT_UPSTREAM_MS);
    const texts = batch.map((at) => pieces[at] ?? '');
    const outcomes = await channel.translate({ texts, ...pair, signal, deadline: Date.now() + TEXT_UPSTREAM_MS });
    for (const [n, at] of batch.entries()) {
      const outcome = outcomes[n];
      if (outcome === undefined || outcome instanceof ChannelFailure) return false;
      said[at] = outcome.translated;
    }
    [batch, size] = [[], 0];
    return true;
  };
  for (const [at, piece] of pieces.entries()) {
    const length = codePoints(piece);
    if (!isWords(piece) || length > TEXT_MAX_CODE_POINTS) continue;
    if ((batch.length === TEXTS_AT_ONCE || size + length > TEXT_MAX_CODE_POINTS) && !(await flush())) return null;
    batch.push(at);
    size += length;
  }
  return (await flush()) ? said : null;
}
