import { describe, expect, it } from '@jest/globals';
import { formTargets } from '../src/web/content-policy.js';

const targets = (gatewayUrl: string, appId?: string): string[] =>
  formTargets({ env: { ALIPAY_APP_ID: appId, ALIPAY_GATEWAY_URL: gatewayUrl } } as Parameters<typeof formTargets>[0]);

describe('the form-action policy of our pages', () => {
  it('allows no other host without Alipay, and otherwise the hosts that the real gateway redirects to', () => {
    expect(targets('https://openapi.alipay.com/gateway.do')).toEqual([]);
    expect(targets('http://localhost:8081/gateway.do', '2021')).toEqual(['http://localhost:8081']);
    expect(targets('https://openapi.alipay.com/gateway.do', '2021')).toEqual([
      'https://openapi.alipay.com',
      'https://*.alipay.com',
    ]);
    expect(targets('https://notalipay.com/gateway.do', '2021')).toEqual(['https://notalipay.com']);
  });
});
