import { ChannelFailure, type TextChannel, type TextOutcome } from '../../src/translation/channels/channel.js';

const LANGUAGES = new Set(['zh-Hans', 'zh-Hant']);

/** A channel that fails texts with 失, unless it is `mended`. `asked`: the texts of every request. */
export function failingVendor(): { mended: boolean; readonly asked: string[][]; readonly channel: TextChannel } {
  const vendor = {
    mended: false,
    asked: [] as string[][],
    channel: {
      availability: () => Promise.resolve({ available: true, reason: null }),
      supports: () => Promise.resolve('translation'),
      languages: () => Promise.resolve({ sources: LANGUAGES, targets: LANGUAGES, auto: false }),
      translate: ({ texts }) => {
        vendor.asked.push([...texts]);
        return Promise.resolve(texts.map(outcomeOf));
      },
      close: () => Promise.resolve(),
    } satisfies TextChannel,
  };
  const outcomeOf = (text: string): TextOutcome => {
    if (text.includes('失') && !vendor.mended) return new ChannelFailure('timeout', 'too slow');
    return { translated: `译${text.replaceAll('失', '好')}`, quality: 'translation', warning: null, detected: null };
  };
  return vendor;
}
