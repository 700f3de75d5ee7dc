import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { Refusal } from '@yiqiao/domain/errors';
import { TEXT_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { codePoints } from '@yiqiao/domain/members';
import { Ledger, type Usage } from '../ledger/ledger.js';
import type { Caller, ClientInfo } from '../platform/endpoint.js';
import { Idempotency } from '../platform/idempotency.js';
import { ChannelFailure, type TextAnswer, type TextChannel } from './channels/channel.js';
import { MemberChannels } from './member-channels.js';
import { resolveLanguages, type Languages } from './resolve-languages.js';
import { TextChannels } from './text-channels.js';
import { TranslationLimits } from './translation-limits.js';
import { warningText } from './warning-text.js';

type Translated = Answer<typeof translateText>;

export class TranslateText extends Command<Translated> {
  constructor(
    readonly input: Input<typeof translateText>,
    readonly caller: Caller,
    readonly client: ClientInfo,
  ) {
    super();
  }
}

type Request = Pick<TranslateText, 'input' | 'caller' | 'client'>;

/** One translation under way: what is asked of which channel, for whom, under which command id. */
type Job = {
  id: string;
  text: string;
  languages: Languages;
  channel: TextChannel;
  ownChannelId: number;
  usage: Usage;
  caller: Caller;
};

/** Hold the price, ask the channel, settle or release (decisions §4). Whatever can be refused is refused before the hold. */
@CommandHandler(TranslateText)
export class TranslateTextHandler implements ICommandHandler<TranslateText> {
  constructor(
    private readonly ledger: Ledger,
    private readonly memberChannels: MemberChannels,
    private readonly channels: TextChannels,
    private readonly limits: TranslationLimits,
    private readonly idempotency: Idempotency,
  ) {}

  execute({ input, caller, client }: TranslateText): Promise<Translated> {
    const request = { userId: caller.userId, route: '/translation/text', key: client.idempotencyKey, body: input };
    return this.limits.within(caller.userId, () =>
      this.idempotency.once(request, (id) => {
        const attempt = (): Promise<Translated> => this.#translate(id, { input, caller, client });
        // Nothing is held yet: on the new channel it is another translation.
        return attempt().catch((error: unknown) =>
          isChannelChanged(error) ? attempt() : Promise.reject(error as Error),
        );
      }),
    );
  }

  async #translate(id: string, { input, caller, client }: Request): Promise<Translated> {
    const { own, asked: channelId } = await this.#channelFor(input, caller, client);
    const channel = await this.channels.usable(channelId, client.language);
    const languages = await resolveLanguages(input, channel);
    const usage: Usage = {
      tranChannelId: channelId,
      ip: client.ip,
      clientType: caller.clientType,
      source: languages.source,
      target: languages.target,
    };
    const job: Job = { id, text: input.text, languages, channel, ownChannelId: own, usage, caller };
    const { answer, charged } = languages.quality === 'gloss' ? await this.#gloss(job) : await this.#metered(job);
    return {
      translated: answer.translated,
      source: languages.source,
      target: languages.target,
      channelId,
      charged,
      quality: answer.quality,
      warning: warningText(answer.warning, languages, client.language),
    };
  }

  /** The member's own channel. Naming another one for a single request needs a second available channel. */
  async #channelFor(
    { channelId }: Input<typeof translateText>,
    caller: Caller,
    client: ClientInfo,
  ): Promise<{ own: number; asked: number }> {
    const tranChannelId = await this.memberChannels.of(caller.userId);
    const own = tranChannelId ?? channelId;
    if (own === undefined) throw new Error(`member ${caller.userId} has no channel`);
    if (channelId === undefined || channelId === own) return { own, asked: own };
    // Until another channel can be priced against the member's own, asking for one is refused with its reason.
    await this.channels.usable(channelId, client.language);
    throw new Refusal('CHANNEL_UNAVAILABLE', { data: { channelId, reason: null } });
  }

  /** A word gloss is free and makes no entry, only a line of the translation log (decisions §4). */
  async #gloss(job: Job): Promise<{ answer: TextAnswer; charged: number }> {
    const answer = await ask(job);
    const { userId, familyId } = job.caller;
    await this.ledger.note({ id: job.id, userId, familyId, codePoints: codePoints(job.text), usage: job.usage });
    return { answer, charged: 0 };
  }

  async #metered(job: Job): Promise<{ answer: TextAnswer; charged: number }> {
    const command = { id: job.id, userId: job.caller.userId, familyId: job.caller.familyId };
    const price = { kind: 'text', codePoints: codePoints(job.text) } as const;
    await this.ledger.hold({ ...command, ask: price, ownChannelId: job.ownChannelId });
    const answer = await ask(job).catch(async (failure: unknown) => {
      // If even this fails, the sweep gives the hold back within two minutes.
      const { state } = await this.ledger.release({ ...command, usage: job.usage });
      // Paid before a crash: the key must keep this command id, or the next try would pay again.
      if (state === 'settled') throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 2 });
      throw failure;
    });
    const { charged } = await this.ledger.settle({ ...command, usage: job.usage });
    return { answer, charged };
  }
}

const isChannelChanged = (error: unknown): boolean => error instanceof Refusal && error.code === 'CHANNEL_CHANGED';

const ask = async ({ channel, text, languages }: Job): Promise<TextAnswer> => {
  const { source, target } = languages;
  // AbortSignal.timeout would stay for the whole time after every answer.
  const upstream = new AbortController();
  const timer = setTimeout(() => upstream.abort(), TEXT_UPSTREAM_MS);
  try {
    return await channel.translate({ text, source, target, signal: upstream.signal });
  } catch (error) {
    if (!(error instanceof ChannelFailure)) throw error;
    throw new Refusal(error.kind === 'timeout' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_FAILED');
  } finally {
    clearTimeout(timer);
  }
};
