import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formTargets } from '../src/platform/web.js';
import { startApi, type TestApi } from './support/api.js';

const targets = (gatewayUrl: string, appId?: string): string[] =>
  formTargets({ env: { ALIPAY_APP_ID: appId, ALIPAY_GATEWAY_URL: gatewayUrl } } as Parameters<typeof formTargets>[0]);

describe('where a page of ours may post a form to', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());

  it('is ourselves and Alipay’s gateway', async () => {
    const policy = (await fetch(`${api.url}/robots.txt`)).headers.get('content-security-policy') ?? '';
    const { origin } = new URL(api.env['ALIPAY_GATEWAY_URL'] ?? '');
    expect(policy.split(';').find((part) => part.trim().startsWith('form-action'))).toBe(
      `form-action 'self' ${origin}`,
    );
  });

  it('is only ourselves without Alipay, and includes the hosts that the real gateway redirects to', () => {
    expect(targets('https://openapi.alipay.com/gateway.do')).toEqual([]);
    expect(targets('http://localhost:8081/gateway.do', '2021')).toEqual(['http://localhost:8081']);
    expect(targets('https://openapi.alipay.com/gateway.do', '2021')).toEqual([
      'https://openapi.alipay.com',
      'https://*.alipay.com',
    ]);
    expect(targets('https://notalipay.com/gateway.do', '2021')).toEqual(['https://notalipay.com']);
  });
});
