import { retryAfter, VendorRefusal, type VendorReply, type VendorProtocol } from '../vendor-answer.js';

export const deeplError = (status: number, message: string): VendorReply => ({
  status,
  body: { message },
  error: String(status),
});

export const refuse = (status: number, message: string) => new VendorRefusal(deeplError(status, message));

export const QUOTA = deeplError(456, 'Quota Exceeded');

export const FORBIDDEN = deeplError(403, 'Authorization failure');

export const DEEPL: VendorProtocol = {
  vendor: 'deepl',
  refusals: {
    rate: ({ ms, status = 429 }) => ({ ...deeplError(status, 'Too many requests'), headers: retryAfter(ms) }),
    quota: () => QUOTA,
    auth: () => FORBIDDEN,
    error: ({ status = 503 }) => deeplError(status, 'Resource currently unavailable. Try again later.'),
    block: () => deeplError(400, 'Bad request.'),
  },
};
