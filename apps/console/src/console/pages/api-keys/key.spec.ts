import { describe, expect, it } from '@jest/globals';
import { commandFor, daysLeft, expiryOf, shareOf } from './key.js';

const NOW = '2026-11-28 20:00:00';

describe('the expiry of a key', () => {
  it('is never, so many days from now, or the end of a day', () => {
    expect(expiryOf('never', '', NOW)).toBeNull();
    expect(expiryOf(30, '', NOW)).toBe('2026-12-28 20:00:00');
    expect(expiryOf(365, '', NOW)).toBe('2027-11-28 20:00:00');
    expect(expiryOf('day', '2027-02-01', NOW)).toBe('2027-02-01 23:59:59');
  });

  it('keeps its time of day when its day was not changed', () => {
    expect(expiryOf('day', '2027-02-01', NOW, '2027-02-01 08:30:00')).toBe('2027-02-01 08:30:00');
    expect(expiryOf('day', '2027-02-02', NOW, '2027-02-01 08:30:00')).toBe('2027-02-02 23:59:59');
  });

  it('is announced in its last seven days', () => {
    expect(daysLeft('2026-12-05 20:00:00', NOW)).toBeNull();
    expect(daysLeft('2026-12-05 19:59:59', NOW)).toBe(6);
    expect(daysLeft('2026-11-29 19:59:59', NOW)).toBe(0);
    expect(daysLeft('2026-11-28 19:59:59', NOW)).toBeNull();
  });
});

describe('the caps of a key', () => {
  it('are full at their end, and nothing without one', () => {
    expect([shareOf(0, 100), shareOf(25, 100), shareOf(130, 100), shareOf(5, 0)]).toEqual([0, 0.25, 1, null]);
  });
});

describe('the command to try a key', () => {
  const origin = 'https://yiqiao.example';

  it('sends a secret in a header', () => {
    expect(commandFor({ kind: 'secret' }, 'yq_abc', origin, '你好')).toBe(
      [
        `curl 'https://yiqiao.example/v1/translate' \\`,
        `  -H 'Authorization: Bearer yq_abc' \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '{"text":"你好","target":"en"}'`,
      ].join('\n'),
    );
  });

  it('sends a token in the address, and a quotation mark that the shell keeps', () => {
    const command = commandFor({ kind: 'url' }, 'yqu_abc', origin, "It's here");
    expect(command).toContain(`curl 'https://yiqiao.example/immersive/yqu_abc'`);
    expect(command).not.toContain('Authorization');
    expect(command).toContain(String.raw`"target_lang":"zh-Hans","text_list":["It'\''s here"]`);
  });
});
