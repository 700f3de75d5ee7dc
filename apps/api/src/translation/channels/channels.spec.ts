import { describe, expect, it } from '@jest/globals';
import { CHANNEL_CODES, CHANNELS, channelCodeOf, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import { unavailableReason } from './vendors.js';

describe('channels', () => {
  it('have unique numbers that never change: ledger entries store them', () => {
    expect(CHANNEL_CODES.map((code) => [code, CHANNELS[code].id])).toEqual([
      ['offline', 1],
      ['google', 2],
      ['microsoft', 3],
      ['tencent', 4],
      ['youdao', 5],
      ['deepl', 6],
      ['chatgpt', 7],
      ['libretranslate', 8],
    ]);
    expect(channelCodeOf(CHANNELS[DEFAULT_CHANNEL].id)).toBe(DEFAULT_CHANNEL);
    expect(channelCodeOf(9)).toBeNull();
  });

  it('cost at least one micro-yuan and translate text', () => {
    for (const code of CHANNEL_CODES) {
      expect(CHANNELS[code].price).toBeGreaterThanOrEqual(1);
      expect(CHANNELS[code].text).toBe(true);
    }
  });

  it('give the reason in both languages when no account is configured', () => {
    for (const code of CHANNEL_CODES) {
      const unavailable = unavailableReason(code);
      if (code === DEFAULT_CHANNEL) expect(unavailable).toBeNull();
      else
        expect([unavailable?.zh, unavailable?.en]).toEqual([
          expect.stringContaining('密钥'),
          expect.stringContaining('key'),
        ]);
    }
  });
});
