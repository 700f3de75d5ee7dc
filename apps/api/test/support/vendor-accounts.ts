import { type VendorAccount, type VendorRequest } from '../../src/translation/channels/vendor.js';
import { VendorFailure } from '../../src/translation/channels/vendor-failure.js';
import { type VendorCode } from '../../src/translation/channels/vendor-settings.js';

/** An account at a test server or at the sandbox, without any caps. */
export const accountAt = (code: VendorCode, given: Partial<VendorAccount> & { baseUrl: string }): VendorAccount => ({
  code,
  name: 'test',
  key: 'a-secret-key',
  secret: null,
  region: null,
  model: null,
  weight: 1,
  requestsPerSecond: null,
  charsPerMinute: null,
  charsPerDay: null,
  sandbox: false,
  ...given,
});

/** From English to simplified Chinese, with a long deadline; the texts must be given. */
export const asked = (given: Partial<VendorRequest> & { texts: readonly string[] }): VendorRequest => ({
  source: 'en',
  target: 'zh-Hans',
  signal: AbortSignal.timeout(30_000),
  ...given,
});

/** The failure of a call; throws if it did not fail, or failed with anything but a VendorFailure. */
export async function failureOf(call: Promise<unknown>): Promise<VendorFailure> {
  try {
    await call;
  } catch (error) {
    if (error instanceof VendorFailure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** The kind of a failure; checks that it reveals neither key nor text. */
export async function kindOf(call: Promise<unknown>, secrets: readonly string[]): Promise<VendorFailure['kind']> {
  const failure = await failureOf(call);
  const told = `${failure.message} ${failure.stack ?? ''} ${String(failure.cause)} ${JSON.stringify(failure)}`;
  for (const secret of secrets) if (told.includes(secret)) throw new Error(`a ${failure.kind} tells what it must not`);
  return failure.kind;
}
