import {
  type VendorAccount,
  type VendorAnswer,
  type VendorClient,
  type VendorLimits,
  type VendorRequest,
} from '../../src/translation/channels/vendor.js';
import { VendorFailure } from '../../src/translation/channels/vendor-failure.js';
import { accountAt } from './vendor-accounts.js';

const LIMITS: VendorLimits = {
  charsPerRequest: 5_000,
  bytesPerRequest: null,
  textsPerRequest: 50,
  requestsPerSecond: null,
  charsPerMinute: null,
  inFlight: 100,
  requestMs: 10_000,
};

/** A vendor's reaction to a request; `hang`: none until it is aborted. */
export type Deed = 'hang' | VendorFailure | ((request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>);

/** A scripted vendor: `deeds` one after the other, then `always`. */
export class ScriptedVendor implements VendorClient {
  readonly asked: VendorRequest[] = [];
  deeds: Deed[] = [];
  always: Deed = translating;
  readonly limits: VendorLimits;

  constructor(limits: Partial<VendorLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  supports(source: string | null, target: string): boolean {
    return source !== 'xx' && target !== 'xx';
  }

  languages() {
    const all = new Set(['en', 'zh-Hans', 'fr']);
    return { sources: all, targets: all, auto: true };
  }

  async translate(request: VendorRequest): Promise<VendorAnswer> {
    this.asked.push(request);
    const deed = this.deeds.shift() ?? this.always;
    if (deed instanceof VendorFailure) throw deed;
    if (deed !== 'hang') return deed(request);
    await new Promise((resolve) => {
      request.signal.addEventListener('abort', resolve);
    });
    throw new VendorFailure('timeout', 'no answer in time');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Every word becomes 译; masks stay. */
export const translating = ({ texts }: VendorRequest): VendorAnswer => ({
  texts: texts.map((text) => text.replace(/[A-Za-z]+/g, '译')),
  detected: texts.map(() => 'en'),
});

export const vendorAccount = (name: string, more: Partial<VendorAccount> = {}): VendorAccount =>
  accountAt('google', { baseUrl: 'http://127.0.0.1:1', name, ...more });
