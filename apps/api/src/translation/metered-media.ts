import { Injectable } from '@nestjs/common';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import type { Ask } from '@yiqiao/domain/ledger';
import { Ledger, type Usage } from '../ledger/ledger.js';
import type { Asking } from './asking.js';

/** What a picture or a recording was turned into: through which channel and out of which language goes into the log. */
export type Served<T> = { readonly channelId: number; readonly source: string; readonly answer: T };

export type MediaAsk = Exclude<Ask, { kind: 'text' }>;

/** Beside the answer what it cost: pictures or voice minutes. */
export type Paid<T> = { readonly answer: T; readonly charged: number };

/** Holds what a picture or a recording costs, has it worked on, and settles or gives back (decisions §4). */
@Injectable()
export class MeteredMedia {
  constructor(private readonly ledger: Ledger) {}

  /**
   * Throws what a hold or a settlement refuses: then nothing was charged, or, with SERVICE_BUSY, asking again under the same id finds out.
   * A Refusal that `work` throws is answered, free of charge: the request is over then, and must not be tried again under its id.
   */
  async serve<T>(asking: Asking, ask: MediaAsk, work: () => Promise<Served<T>>): Promise<Paid<T> | Refusal> {
    await this.ledger.hold({ ...commandOf(asking), ask, ownChannelId: asking.choice.own });
    let served: Served<T>;
    try {
      served = await work();
    } catch (error) {
      await this.#giveBack(asking, error);
      if (error instanceof Refusal) return error;
      throw error;
    }
    const { charged } = await this.ledger.settle({ ...commandOf(asking), usage: usageOf(asking, served) });
    return { answer: served.answer, charged };
  }

  async #giveBack(asking: Asking, error: unknown): Promise<void> {
    const isFailure = !(error instanceof Refusal) || !NO_FAILURE.has(error.code);
    const { choice, pair } = asking;
    const usage = isFailure ? usageOf(asking, { channelId: choice.asked, source: pair.source ?? 'auto' }) : null;
    // If even this fails, the sweep gives the hold back within two minutes.
    const { state } = await this.ledger.release({ ...commandOf(asking), usage });
    // Paid before a crash: the key must keep this command id, or the next try would pay again.
    if (state === 'settled') throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 2 });
  }
}

/** Nobody has failed: there was nothing to read, or nothing to translate it into. Leaves no line in the log. */
const NO_FAILURE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NO_TEXT_FOUND',
  'NO_SPEECH_FOUND',
  'SAME_LANGUAGE',
  'PAIR_NOT_SUPPORTED',
  'ONLY_GLOSS',
  'LANGUAGE_NOT_DETECTED',
  'MEDIA_LANGUAGE_NOT_SUPPORTED',
  'ENGINE_MISSING',
  'VOICE_TOO_LONG',
  'SERVICE_BUSY',
]);

const commandOf = ({ id, caller: { userId, familyId } }: Asking): { id: string; userId: number; familyId: number } => ({
  ...{ id, userId, familyId },
});

const usageOf = (
  { pair, caller, client }: Asking,
  { channelId, source }: Pick<Served<unknown>, 'channelId' | 'source'>,
): Usage => ({
  tranChannelId: channelId,
  ip: client.ip,
  clientType: caller.clientType,
  source,
  target: pair.target,
});
