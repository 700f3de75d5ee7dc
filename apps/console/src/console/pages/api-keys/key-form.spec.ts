import { describe, expect, it } from '@jest/globals';
import { createApiKey, updateApiKey } from '@yiqiao/contracts/api-keys';
import { areTooMany, fieldsOf, variablesOf, wrongAddressIn } from './key-form.js';
import type { ApiKey } from './key.js';

const NOW = '2026-11-28 20:00:00';
const KEY: ApiKey = {
  id: 7,
  userId: 3,
  owner: '小王',
  name: '店铺客服',
  kind: 'secret',
  prefix: 'yq_7k3m9x2a',
  state: 'active',
  scopes: ['text', 'usage'],
  tranChannelId: 2,
  dayCap: 1_000,
  monthCap: 0,
  usedToday: 10,
  usedThisMonth: 20,
  requestsPerSecond: 5,
  allowedIps: ['203.0.113.7'],
  expireDateTime: '2027-02-01 08:30:00',
  lastUseDateTime: null,
  oldSecretUntil: null,
  createDateTime: NOW,
};

describe('the form of a key', () => {
  it('sends an edited key as it was when nothing was changed', () => {
    const { name, scopes, tranChannelId, dayCap, monthCap, requestsPerSecond, allowedIps, expireDateTime } = KEY;
    const settings = { name, scopes, tranChannelId, dayCap, monthCap, requestsPerSecond, allowedIps, expireDateTime };
    const variables = variablesOf(fieldsOf(KEY), KEY, NOW);
    expect(variables).toEqual(settings);
    expect(updateApiKey.request.parse({ id: KEY.id, ...variables })).toEqual({ id: KEY.id, ...settings });
  });

  it('begins with a key that translates, without caps and expiry', () => {
    const variables = variablesOf({ ...fieldsOf(undefined), name: '店铺' }, undefined, NOW);
    expect(createApiKey.request.parse(variables)).toEqual({
      kind: 'secret',
      name: '店铺',
      scopes: ['text'],
      tranChannelId: null,
      dayCap: 0,
      monthCap: 0,
      requestsPerSecond: 0,
      allowedIps: [],
      expireDateTime: null,
    });
  });

  it('leaves a token for addresses one scope, whatever was ticked before', () => {
    const fields = { ...fieldsOf(undefined), name: '插件', kind: 'url', scopes: ['text', 'usage'] } as const;
    expect(variablesOf({ ...fields, scopes: [...fields.scopes] }, undefined, NOW)).toMatchObject({
      kind: 'url',
      scopes: ['text'],
    });
  });

  it('names the address that is none', () => {
    const good = ['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/48'];
    expect(wrongAddressIn(good)).toBeNull();
    for (const bad of ['203.0.113', '203.0.113.0/33', 'localhost', 'fe80::1%eth0', '2001:db8::/129'])
      expect(wrongAddressIn([...good, bad])).toBe(bad);
    expect([areTooMany(good), areTooMany(Array.from({ length: 51 }, () => '203.0.113.7'))]).toEqual([false, true]);
  });
});
