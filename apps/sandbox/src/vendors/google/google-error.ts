import { retryAfter, VendorRefusal, type VendorAnswer, type VendorWire } from '../vendor-answer.js';

interface Words {
  readonly message: string;
  readonly reason: string;
  readonly domain?: string;
  readonly status?: string;
  /** A reason of google.rpc.ErrorInfo. */
  readonly info?: string;
}

/** An error in the shape of the v2 API. */
export function googleError(code: number, { message, reason, domain = 'global', status, info }: Words): VendorAnswer {
  const details = info && [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: info, domain: 'googleapis.com' },
  ];
  const error = { code, message, errors: [{ message, domain, reason }], status, details };
  return { status: code, body: { error }, error: info ?? reason };
}

const INVALID_KEY = googleError(400, {
  message: 'API key not valid. Please pass a valid API key.',
  reason: 'badRequest',
  status: 'INVALID_ARGUMENT',
  info: 'API_KEY_INVALID',
});
const INVALID = googleError(400, { message: 'Invalid Value', reason: 'invalid' });
const limit = (message: string, reason: string) => googleError(403, { message, reason, domain: 'usageLimits' });

/** The refusals of a request as it stands. */
export const GOOGLE_ERRORS = {
  key: INVALID_KEY,
  noKey: googleError(403, {
    message: "Method doesn't allow unregistered callers (callers without established identity).",
    reason: 'forbidden',
    status: 'PERMISSION_DENIED',
  }),
  notJson: googleError(400, { message: 'Invalid JSON payload received.', reason: 'parseError' }),
  invalid: INVALID,
  noText: googleError(400, { message: 'Required Text', reason: 'required' }),
  tooMany: googleError(400, { message: 'Too many text segments', reason: 'invalid' }),
  tooLong: googleError(400, { message: 'Text too long', reason: 'invalid', status: 'INVALID_ARGUMENT' }),
  tooLarge: googleError(413, {
    message: 'Request payload size exceeds the limit: 102400 bytes.',
    reason: 'uploadTooLarge',
  }),
} as const satisfies Record<string, VendorAnswer>;

export const refuse = (error: keyof typeof GOOGLE_ERRORS) => new VendorRefusal(GOOGLE_ERRORS[error]);

/** Throws the refusal of a pair that Google does not translate. */
export function refusePair(source: string, target: string): never {
  const message = `Bad language pair: ${source}|${target}`;
  throw new VendorRefusal(googleError(400, { message, reason: 'badRequest' }));
}

export const GOOGLE: VendorWire = {
  vendor: 'google',
  refusals: {
    rate: ({ ms, status }) => ({
      ...(status === 403
        ? limit('User Rate Limit Exceeded', 'userRateLimitExceeded')
        : googleError(429, { message: 'Quota exceeded.', reason: 'rateLimitExceeded', status: 'RESOURCE_EXHAUSTED' })),
      headers: retryAfter(ms),
    }),
    quota: () => limit('Daily Limit Exceeded', 'dailyLimitExceeded'),
    auth: () => INVALID_KEY,
    error: ({ status = 503 }) => googleError(status, { message: 'Backend Error', reason: 'backendError' }),
    block: () => INVALID,
  },
};
