import { channelCodeOf } from '@yiqiao/domain/channels';
import { ChannelFailure } from '../channels/channel.js';

type Asked = { readonly requestId?: string; readonly source: string | null; readonly target: string };

/** How the channels of one request failed: the line of the log that says to an operator what a member met. Never a text, never a key. */
export class FailedLegs {
  readonly #legs: { channel: string; failed: string[]; attempts: string[] }[] = [];

  add(channelId: number, outcomes: readonly unknown[]): void {
    const failures = outcomes.filter((outcome) => outcome instanceof ChannelFailure);
    if (failures.length === 0) return;
    this.#legs.push({
      channel: channelCodeOf(channelId) ?? String(channelId),
      failed: unique(failures.map(({ kind, message }) => `${kind}: ${message}`)),
      attempts: unique(failures.flatMap(({ attempts }) => attempts)),
    });
  }

  line({ requestId, source, target }: Asked, outcomes: readonly unknown[]) {
    const texts = outcomes.length;
    const failed = outcomes.filter((outcome) => outcome instanceof ChannelFailure).length;
    return { msg: 'a translation failed', requestId, source, target, texts, failed, channels: this.#legs };
  }
}

const unique = (all: readonly string[]): string[] => [...new Set(all)];
