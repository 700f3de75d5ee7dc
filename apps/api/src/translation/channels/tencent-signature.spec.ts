import { describe, expect, it } from '@jest/globals';
import { vectors } from '../../../test/support/vectors.js';
import { tc3Authorization, tc3StringToSign } from './tencent.js';

type Vector = {
  name: string;
  input: { service: string; host: string; action: string; ts: number; payload: string; ct: string } & (
    { secretId: string; secretKey: string } | { id: string; key: string }
  );
  expect: { canonicalRequest: string; stringToSign: string; signature: string; authorization: string };
};

const { documented, tmt } = vectors<{ documented: Vector[]; tmt: Vector[] }>('tencent-tc3');

describe("Tencent's signature v3", () => {
  it.each([...documented, ...tmt])('$name', ({ input, expect: wanted }) => {
    const { service, host, action, ts, payload, ct } = input;
    const withAction = wanted.authorization.includes('x-tc-action');
    const request = {
      service,
      path: '/',
      headers: { 'Content-Type': ct, Host: host, ...(withAction && { 'X-TC-Action': action }) },
      body: payload,
      timestamp: ts,
    };
    const key =
      'secretId' in input ? { id: input.secretId, secret: input.secretKey } : { id: input.id, secret: input.key };
    expect(tc3StringToSign(request)).toMatchObject({
      canonicalRequest: wanted.canonicalRequest,
      stringToSign: wanted.stringToSign,
    });
    expect(tc3Authorization(request, key)).toBe(wanted.authorization);
    expect(wanted.authorization.endsWith(`Signature=${wanted.signature}`)).toBe(true);
  });

  it('covers the request path and the UTC date', () => {
    const request = {
      service: 'tmt',
      path: '/vendors/tencent/',
      headers: { host: '127.0.0.1:6392' },
      body: '',
      timestamp: Date.UTC(2026, 0, 1, 23, 59, 59) / 1_000,
    };
    const { canonicalRequest, scope } = tc3StringToSign(request);
    expect(canonicalRequest.split('\n').slice(0, 4)).toEqual(['POST', '/vendors/tencent/', '', 'host:127.0.0.1:6392']);
    expect(scope).toBe('2026-01-01/tmt/tc3_request');
    expect(tc3StringToSign({ ...request, timestamp: request.timestamp + 1 }).scope).toBe('2026-01-02/tmt/tc3_request');
  });
});
