import { retryAfter, VendorRefusal, type VendorReply, type VendorProtocol } from '../vendor-answer.js';

interface ErrorDetails {
  readonly message: string;
  readonly type?: string;
  readonly param?: string | null;
  readonly code: string | null;
}

export const openaiError = (
  status: number,
  { message, type = 'invalid_request_error', param = null, code }: ErrorDetails,
): VendorReply => ({ status, body: { error: { message, type, param, code } }, error: code ?? type });

export const refuse = (status: number, words: ErrorDetails) => new VendorRefusal(openaiError(status, words));

export const INVALID_KEY = openaiError(401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' });

export const CHATGPT: VendorProtocol = {
  vendor: 'chatgpt',
  refusals: {
    rate: ({ ms }) => ({
      ...openaiError(429, { message: 'Rate limit reached.', type: 'requests', code: 'rate_limit_exceeded' }),
      headers: retryAfter(ms),
    }),
    quota: () => {
      const message = 'You exceeded your current quota, please check your plan and billing details.';
      return openaiError(429, { message, type: 'insufficient_quota', code: 'insufficient_quota' });
    },
    auth: () => INVALID_KEY,
    error: ({ status = 503 }) =>
      openaiError(status, { message: 'The server had an error.', type: 'server_error', code: null }),
    block: () => {
      const message = 'Your request was rejected as a result of our safety system.';
      return openaiError(400, { message, code: 'content_policy_violation' });
    },
  },
};
