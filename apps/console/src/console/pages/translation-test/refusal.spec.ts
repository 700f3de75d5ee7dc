import { describe, expect, it } from '@jest/globals';
import { errors } from '@yiqiao/domain/errors';
import { channelNote, detectedIn, keyOf, MESSAGES_WITHOUT_ADVICE, readRefusal, stepsFor } from './refusal.js';

describe('what to do about a refusal', () => {
  it('leads to a recharge when the quota is the reason', () => {
    expect(readRefusal('QUOTA_NOT_ENOUGH').next).toEqual(['recharge']);
    expect(readRefusal('PACKAGE_EXPIRED').next).toEqual(['recharge']);
  });

  it('knows every refusal that a translation can end with', () => {
    for (const code of Object.keys(errors).filter((c) =>
      /^QUOTA_NOT|PACKAGE|(?<!MEDIA_)LANGUAGE|PAIR|^CHANNEL_|UPSTREAM|NOT_TRANSLATED|CONTENT|MANY_REQUESTS|MAIN_ACCOUNT_ONLY|NOT_FOUND/.test(
        c,
      ),
    ))
      expect([code, readRefusal(code).charged]).not.toEqual([code, 'unknown']);
  });

  it('does not offer a retry first where it would fail again', () => {
    expect(readRefusal('NOT_TRANSLATED').next).toEqual(['language', 'channel']);
    expect(readRefusal('CONTENT_REFUSED').next).toEqual(['text', 'channel']);
    expect(readRefusal('UPSTREAM_FAILED').next).toEqual(['retry', 'channel']);
  });

  it('offers no other channel to a sub-account, unless there is nothing else to look at', () => {
    const sub = { main: false, others: true };
    expect(stepsFor(readRefusal('NOT_TRANSLATED'), { main: true, others: true })).toEqual(['language', 'channel']);
    expect(stepsFor(readRefusal('NOT_TRANSLATED'), sub)).toEqual(['language']);
    expect(stepsFor(readRefusal('PAIR_NOT_SUPPORTED'), sub)).toEqual(['language']);
    expect(stepsFor(readRefusal('CHANNEL_UNAVAILABLE'), sub)).toEqual(['channel']);
  });

  it('offers another channel only where one can do it, and says so where none can', () => {
    const alone = { main: true, others: false };
    const failed = readRefusal('UPSTREAM_FAILED');
    expect(stepsFor(failed, alone)).toEqual(['retry']);
    expect(channelNote(failed, { ...alone, mode: 'char' })).toBe('noOther');
    expect(channelNote(failed, { ...alone, mode: 'time' })).toBe('noOtherIncluded');
    expect(channelNote(failed, { main: false, others: false, mode: 'char' })).toBe('noOther');
    expect(channelNote(failed, { main: false, others: true, mode: 'char' })).toBe('askMainChannel');
    expect(channelNote(failed, { main: true, others: true, mode: 'char' })).toBeNull();
    expect(channelNote(readRefusal('QUOTA_NOT_ENOUGH'), { ...alone, mode: 'char' })).toBeNull();
  });

  it('makes no claim about the cost when the outcome is unknown', () => {
    for (const code of ['NETWORK', 'TIMEOUT', 'SERVICE_BUSY', 'SOMETHING_NEW'])
      expect(readRefusal(code).charged).toBe('unknown');
  });
});

describe('the detected language of a refusal', () => {
  it('is what the server found, where it was asked to find it', () => {
    expect(detectedIn('auto', { source: 'de', target: 'zh-Hant' })).toBe('de');
    expect(detectedIn('de', { source: 'de', target: 'zh-Hant' })).toBeNull();
    expect(detectedIn('auto', {})).toBeNull();
  });
});

describe('the idempotency key', () => {
  const last = { body: 'a', key: 'old' };

  it('is fresh for each attempt', () => {
    expect(keyOf('a', undefined, 'new')).toBe('new');
    expect(keyOf('a', { ...last, outcome: 'known' }, 'new')).toBe('new');
  });

  it('is kept for the same text after an unknown outcome, and only for that', () => {
    expect(keyOf('a', { ...last, outcome: 'unknown' }, 'new')).toBe('old');
    expect(keyOf('b', { ...last, outcome: 'unknown' }, 'new')).toBe('new');
  });
});

describe('the messages without another channel', () => {
  it('exist for every refusal that advises another channel', () => {
    const advising = Object.entries(errors).filter(
      ([, { zh, en }]) => /换翻译通道|翻译通道。/.test(zh) || /another channel/.test(en),
    );
    expect(Object.keys(MESSAGES_WITHOUT_ADVICE).sort()).toEqual(advising.map(([code]) => code).sort());
  });
});
