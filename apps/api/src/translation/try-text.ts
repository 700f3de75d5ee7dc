import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { tryText } from '@yiqiao/contracts/translation';
import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { Refusal } from '@yiqiao/domain/errors';
import { TRY_CACHE_ENTRIES, TRY_CACHE_MS, TRY_MS } from '@yiqiao/domain/limits';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import { textCost } from '@yiqiao/domain/quotes';
import type { ChannelOffer } from '../plans/plans.js';
import { Config } from '../platform/config.js';
import type { ClientInfo } from '../platform/endpoint.js';
import { RateLimits } from '../platform/rate-limits.js';
import { ChannelFailure, type TextAnswer, type TextChannel } from './channels/channel.js';
import { readPair } from './resolve-languages.js';
import { TextChannels } from './text-channels.js';
import { warningText } from './translate-one.js';

type Tried = Answer<typeof tryText>;
type Row = Tried['channels'][number];
type Sentence = { readonly text: string; readonly source: string; readonly target: string };

/** A visitor's sentence on the home page. It goes to the channels and nowhere else: no row, no log line, no count of traffic (docs/decisions/0051). */
export class TryText extends Query<Tried> {
  constructor(
    readonly input: Input<typeof tryText>,
    readonly client: ClientInfo,
  ) {
    super();
  }
}

@QueryHandler(TryText)
export class TryTextHandler implements IQueryHandler<TryText> {
  readonly #answers = new RecentAnswers();

  constructor(
    private readonly channels: TextChannels,
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {}

  async execute({ input, client }: TryText): Promise<Tried> {
    const { TRY_CHANNELS } = this.config.env;
    if (TRY_CHANNELS.length === 0) throw new Refusal('NOT_FOUND');
    const sentence = readSentence(input);
    await this.limits.take('tries', client.ip);
    const offers = await this.channels.offers();
    const allowed = TRY_CHANNELS.flatMap((code) => offers.find((offer) => offer.code === code) ?? []);
    const others = offers.filter((offer) => !allowed.includes(offer));
    if (await this.#costs(allowed, sentence)) await this.limits.take('triesInAll', '');
    const own = offers.find(({ code }) => code === DEFAULT_CHANNEL)?.price ?? CHANNELS[DEFAULT_CHANNEL].price;
    const rows = [
      ...allowed.map((offer) => this.#row(offer, sentence, (channel) => this.#ask(offer.id, channel, sentence))),
      ...others.map((offer) => this.#row(offer, sentence, null)),
    ];
    const { source, target } = sentence;
    const channels = await Promise.all(rows.map(async (row) => priced(await row, codePoints(sentence.text), own)));
    return { source, target, channels: channels.map((row) => inLanguage(row, client)) };
  }

  /** Whether a vendor will be asked. The offline engine and remembered answers cost nothing. */
  async #costs(allowed: readonly ChannelOffer[], sentence: Sentence): Promise<boolean> {
    for (const { id, code, available } of allowed) {
      if (code === 'offline' || !available || this.#answers.has(id, sentence)) continue;
      const quality = await this.channels.channel(id)?.supports(sentence.source, sentence.target);
      if (quality !== undefined && quality !== null) return true;
    }
    return false;
  }

  /** `ask`: null for a channel that only members may use. */
  async #row(
    offer: ChannelOffer,
    { source, target }: Sentence,
    ask: ((channel: TextChannel) => Promise<TextAnswer | null>) | null,
  ): Promise<OpenRow> {
    const channel = offer.available ? this.channels.channel(offer.id) : null;
    if (!channel) return { offer, state: 'unavailable', answer: null, isFree: false };
    const quality = await channel.supports(source, target);
    if (quality === null) return { offer, state: 'unsupported', answer: null, isFree: false };
    if (!ask) return { offer, state: 'signIn', answer: null, isFree: quality === 'gloss' };
    const answer = await ask(channel);
    const isFree = (answer?.quality ?? quality) === 'gloss';
    return { offer, state: answer ? 'answered' : 'failed', answer, isFree };
  }

  /** The channel's answer; null when it failed or took too long. */
  #ask(id: number, channel: TextChannel, sentence: Sentence): Promise<TextAnswer | null> {
    return this.#answers.get(id, sentence, async () => {
      const { text, source, target } = sentence;
      const signal = AbortSignal.timeout(TRY_MS);
      const late = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
      const request = { texts: [text], source, target, signal, deadline: Date.now() + TRY_MS };
      const outcomes = await Promise.race([channel.translate(request), late]);
      const outcome = outcomes?.[0];
      return outcome === undefined || outcome instanceof ChannelFailure ? null : outcome;
    });
  }
}

type OpenRow = {
  readonly offer: ChannelOffer;
  readonly state: Row['state'];
  readonly answer: TextAnswer | null;
  readonly isFree: boolean;
};
type PricedRow = OpenRow & Pick<Row, 'charNum' | 'microYuan'>;

/** Throws VALIDATION_FAILED, TEXT_EMPTY or SAME_LANGUAGE. */
function readSentence(input: Input<typeof tryText>): Sentence {
  const { source, target } = readPair(input);
  if (source === null)
    throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'source', code: 'LANGUAGE_UNKNOWN' }] });
  if (source === target) throw new Refusal('SAME_LANGUAGE', { data: { source } });
  if (!hasVisible(input.text)) throw new Refusal('TEXT_EMPTY');
  return { text: input.text, source, target };
}

/** The cost as a member's: in characters of the channel that new accounts have, whose price is `own`, and in money. */
function priced(row: OpenRow, length: number, own: number): PricedRow {
  if (row.state === 'unsupported') return { ...row, charNum: null, microYuan: null };
  if (row.isFree) return { ...row, charNum: 0, microYuan: 0 };
  const asked = row.offer.price;
  return { ...row, charNum: textCost(length, { asked, own }), microYuan: textCost(length, { asked, own: 1 }) };
}

function inLanguage({ offer, state, answer, charNum, microYuan }: PricedRow, { language }: ClientInfo): Row {
  return {
    channelId: offer.id,
    name: offer.name,
    enName: offer.enName,
    state,
    translated: answer?.translated ?? null,
    quality: answer?.quality ?? null,
    warning: answer && warningText({ warning: answer.warning, servedBy: null, sure: true }, language),
    charNum,
    microYuan,
  };
}

type Kept = { readonly answer: Promise<TextAnswer | null>; readonly until: number };

/** The answers of the last minutes, in memory only: example sentences come again and again. Failures are not kept. */
class RecentAnswers {
  readonly #kept = new Map<string, Kept>();

  has(channelId: number, sentence: Sentence): boolean {
    return (this.#kept.get(keyOf(channelId, sentence))?.until ?? 0) > Date.now();
  }

  get(channelId: number, sentence: Sentence, ask: () => Promise<TextAnswer | null>): Promise<TextAnswer | null> {
    const key = keyOf(channelId, sentence);
    const known = this.#kept.get(key);
    const kept = known && known.until > Date.now() ? known : { answer: ask(), until: Date.now() + TRY_CACHE_MS };
    // Reinsert as the most recent.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > TRY_CACHE_ENTRIES && oldest !== undefined) this.#kept.delete(oldest);
    const drop = (): void => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    };
    kept.answer.then((answer) => answer === null && drop(), drop);
    return kept.answer;
  }
}

const keyOf = (channelId: number, { text, source, target }: Sentence): string =>
  JSON.stringify([channelId, source, target, text]);
