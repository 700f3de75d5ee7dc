import { createDecipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { bytesToSign, readParameters } from './alipay/alipay-request.js';
import { isSigned } from './lianlian/lianlian.js';
import { verify } from './rsa.js';
import { isSignedBy } from './wechat/wechat-signature.js';

/** Messages signed independently by the gateways' published rules, with test-only keys. */
const read = (name: string): Json =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors', name), 'utf8')) as Json;
const [alipay, wechat, lianlian] = [read('alipay-rsa2.json'), read('wechat-v3.json'), read('lianlian.json')];
const key = (name: string): string => at(read('test-keys.json'), name, 'publicKey');

describe('the vectors of WeChat Pay', () => {
  const requests = wechat['requests'] as Record<string, Record<string, string>>;

  it.each(Object.entries(requests))('%s: its signature is valid, and invalid for any other byte', (_name, request) => {
    const { method = '', urlPathAndQuery: url = '', body = '', authorization = '' } = request;
    const signed = { method, url, body: Buffer.from(body), authorization };
    expect(isSignedBy(key('wxMerchant'), signed)).toBe(true);
    forEachFlippedByte(signed.body, (bytes) =>
      expect(isSignedBy(key('wxMerchant'), { ...signed, body: bytes })).toBe(false),
    );
    forEachFlippedByte(Buffer.from(url), (bytes) => {
      expect(isSignedBy(key('wxMerchant'), { ...signed, url: bytes.toString('latin1') })).toBe(false);
    });
    expect(isSignedBy(key('wxMerchant'), { ...signed, method: 'PUT' })).toBe(false);
    expect(isSignedBy(key('wxPlatform'), signed)).toBe(false);
  });

  it.each(['response', 'notify'])('%s: signed by the gateway', (name) => {
    const message = Buffer.from(at(wechat, name, 'message'));
    const signed = { key: key('wxPlatform'), signature: at(wechat, name, 'headers', 'Wechatpay-Signature') };
    expect(verify('RSA-SHA256', message, signed)).toBe(true);
    forEachFlippedByte(message, (bytes) => expect(verify('RSA-SHA256', bytes, signed)).toBe(false));
  });

  it('notify: decrypts with the APIv3 key, and not when a byte was changed', () => {
    const { resource } = JSON.parse(at(wechat, 'notify', 'body')) as { resource: Record<string, string> };
    const sealed = Buffer.from(resource['ciphertext'] ?? '', 'base64');
    const open = (bytes: Buffer) => {
      const cipher = createDecipheriv('aes-256-gcm', at(wechat, 'notify', 'apiV3Key'), resource['nonce'] ?? '')
        .setAAD(Buffer.from(resource['associated_data'] ?? ''))
        .setAuthTag(bytes.subarray(-16));
      return Buffer.concat([cipher.update(bytes.subarray(0, -16)), cipher.final()]).toString('utf8');
    };
    expect(JSON.parse(open(sealed))).toEqual((wechat['notify'] as Json)['decryptedResource']);
    forEachFlippedByte(sealed, (bytes) => expect(() => open(bytes)).toThrow());
  });
});

describe('the vectors of Alipay', () => {
  it('pagePay: the signature over query and form is valid, and invalid for any other byte', () => {
    const url = at(alipay, 'pagePay', 'gatewayUrlWithCommonParams');
    const form = Buffer.from(`biz_content=${encodeURIComponent(at(alipay, 'pagePay', 'formField', 'value'))}`);
    const { parameters } = readParameters(url.slice(url.indexOf('?') + 1), form);
    const bytes = bytesToSign(parameters, ['sign']);
    expect(bytes.toString('utf8')).toBe(at(alipay, 'pagePay', 'stringToSign'));
    const signed = { key: key('alipayApp'), signature: parameters.get('sign')?.toString('utf8') ?? '' };
    expect(verify('RSA-SHA256', bytes, signed)).toBe(true);
    forEachFlippedByte(bytes, (flipped) => expect(verify('RSA-SHA256', flipped, signed)).toBe(false));
  });

  it('precreate: request and response', () => {
    const params = new URLSearchParams((alipay['precreate'] as Json)['params'] as Record<string, string>);
    const { parameters } = readParameters('', Buffer.from(params.toString()));
    const signature = at(alipay, 'precreate', 'sign');
    expect(verify('RSA-SHA256', bytesToSign(parameters, ['sign']), { key: key('alipayApp'), signature })).toBe(true);
    const node = Buffer.from(at(alipay, 'precreate', 'responseStringToVerify'));
    const answer = JSON.parse(at(alipay, 'precreate', 'responseBody')) as { sign: string };
    expect(verify('RSA-SHA256', node, { key: key('alipayPlatform'), signature: answer.sign })).toBe(true);
  });

  it('notify: the fields without the signature and its type', () => {
    const { parameters } = readParameters('', Buffer.from(at(alipay, 'notify', 'body')));
    const bytes = bytesToSign(parameters, ['sign', 'sign_type']);
    expect(bytes.toString('utf8')).toBe(at(alipay, 'notify', 'stringToVerify'));
    const signed = { key: key('alipayPlatform'), signature: parameters.get('sign')?.toString('utf8') ?? '' };
    expect(verify('RSA-SHA256', bytes, signed)).toBe(true);
    forEachFlippedByte(bytes, (flipped) => expect(verify('RSA-SHA256', flipped, signed)).toBe(false));
  });

  it('openapiV3: the lines signed by its headers', () => {
    const text = Buffer.from(at(alipay, 'openapiV3', 'stringToSign'));
    const [, fields = '', signature = ''] =
      /^ALIPAY-SHA256withRSA (.*),sign=(.*)$/.exec(at(alipay, 'openapiV3', 'authorization')) ?? [];
    expect(text.toString().startsWith(`${fields}\nPOST\n`)).toBe(true);
    const signed = { key: key('alipayApp'), signature };
    expect(verify('RSA-SHA256', text, signed)).toBe(true);
    forEachFlippedByte(text, (bytes) => expect(verify('RSA-SHA256', bytes, signed)).toBe(false));
  });
});

describe('the vectors of LianLian', () => {
  // An older API generation that is not implemented; it signs sorted pairs as Alipay does, with MD5.
  it.each([
    ['a request', 'llMerchant', (lianlian['legacyCombinePay'] as Json)['request'] as Record<string, string>],
    [
      'a notification',
      'llPlatform',
      JSON.parse(at(lianlian, 'legacyCombinePay', 'notify', 'body')) as Record<string, string>,
    ],
  ])('%s of the older generation: its signature is valid, and invalid for any other byte', (what, owner, message) => {
    const { sign: signature = '', ...fields } = message;
    const text = bytesToSign(new Map(Object.entries(fields).map(([name, value]) => [name, Buffer.from(value)])), []);
    const path = what === 'a request' ? ['stringToSign'] : ['notify', 'stringToVerify'];
    expect(text.toString()).toBe(at(lianlian, 'legacyCombinePay', ...path));
    const signed = { key: key(owner), signature };
    expect(verify('RSA-MD5', text, signed)).toBe(true);
    forEachFlippedByte(text, (bytes) => expect(verify('RSA-MD5', bytes, signed)).toBe(false));
  });

  it.each([
    ['a request', 'llMerchant', ['openPlatform']],
    ['a notification', 'llPlatform', ['openPlatform', 'notify']],
  ])('%s: its signature is valid, and invalid for any other byte', (_what, owner, path) => {
    const body = Buffer.from(at(lianlian, ...path, 'body'));
    const signed = { key: key(owner), signature: at(lianlian, ...path, 'headers', 'Signature-Data') };
    expect(isSigned(body, signed)).toBe(true);
    forEachFlippedByte(body, (bytes) => expect(isSigned(bytes, signed)).toBe(false));
  });
});

type Json = Readonly<Record<string, unknown>>;

/** The string at a path of keys. */
function at(from: Json, ...path: readonly string[]): string {
  return path.reduce<unknown>((value, name) => (value as Json)[name], from) as string;
}

/** Calls `check` with each byte flipped in turn. */
function forEachFlippedByte(bytes: Buffer, check: (flipped: Buffer) => void): void {
  for (const index of bytes.keys()) {
    const flipped = Buffer.from(bytes);
    flipped[index] = (flipped[index] ?? 0) ^ 1;
    check(flipped);
  }
}
