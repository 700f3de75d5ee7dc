import { describe, expect, it } from '@jest/globals';
import { errors } from '@yiqiao/domain/errors';
import { detectedIn, keyOf, readRefusal, stepsFor, SUB_ACCOUNT_MESSAGES } from './refusal.js';

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
    expect(stepsFor(readRefusal('NOT_TRANSLATED'), true)).toEqual(['language', 'channel']);
    expect(stepsFor(readRefusal('NOT_TRANSLATED'), false)).toEqual(['language']);
    expect(stepsFor(readRefusal('PAIR_NOT_SUPPORTED'), false)).toEqual(['language']);
    expect(stepsFor(readRefusal('CHANNEL_UNAVAILABLE'), false)).toEqual(['channel']);
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

describe('the messages for a sub-account', () => {
  it('exist for every refusal that advises another channel', () => {
    const advising = Object.entries(errors).filter(
      ([, { zh, en }]) => /换翻译通道|翻译通道。/.test(zh) || /another channel/.test(en),
    );
    expect(Object.keys(SUB_ACCOUNT_MESSAGES).sort()).toEqual(advising.map(([code]) => code).sort());
  });
});
