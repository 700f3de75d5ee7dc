import { retryAfter, VendorRefusal, type VendorAnswer, type VendorWire } from '../vendor-answer.js';

export const libreError = (status: number, error: string): VendorAnswer => ({ status, body: { error }, error });

export const refuse = (status: number, error: string) => new VendorRefusal(libreError(status, error));

export const INVALID_KEY = libreError(403, 'Invalid API key');

export const LIBRETRANSLATE: VendorWire = {
  vendor: 'libretranslate',
  refusals: {
    rate: ({ ms }) => ({ ...libreError(429, 'Slowdown: 5 per 1 second'), headers: retryAfter(ms) }),
    // It knows no quota; who asks too much is shut out.
    quota: () => libreError(403, 'Too many request limits violations'),
    auth: () => INVALID_KEY,
    error: ({ status = 500 }) => libreError(status, 'Cannot translate text: the model is gone'),
    block: () => libreError(400, 'Invalid request'),
  },
};
