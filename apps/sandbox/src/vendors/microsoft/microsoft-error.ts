import { randomUUID } from 'node:crypto';

import { retryAfter, VendorRefusal, type VendorAnswer, type VendorWire } from '../vendor-answer.js';

/** Microsoft's six-digit codes: the first three are the HTTP status. */
const MESSAGES = {
  400000: 'One of the request inputs is not valid.',
  400021: 'The API version parameter is missing or invalid.',
  400035: 'The source language is not valid.',
  400036: 'The target language is not valid.',
  400050: 'The input text is too long.',
  400072: 'The number of elements in the input array exceeds the limit.',
  400074: 'The body of the request is not valid JSON.',
  400077: 'The maximum request size has been exceeded.',
  401000: 'The request is not authorized because credentials are missing or invalid.',
  403001: 'The operation is not allowed because the subscription has exceeded its free quota.',
  415000: 'The Content-Type header is missing or invalid.',
  429001: 'The server rejected the request because the client has exceeded request limits.',
  503000: 'Service is temporarily unavailable. Please retry.',
} as const;

export function microsoftError(code: keyof typeof MESSAGES): VendorAnswer {
  return errorOf(Math.floor(code / 1000), { code, message: MESSAGES[code] });
}

const errorOf = (status: number, error: { readonly code: number; readonly message: string }): VendorAnswer => ({
  status,
  headers: { 'x-requestid': randomUUID() },
  body: { error },
  error: String(error.code),
});

export const refuse = (code: keyof typeof MESSAGES) => new VendorRefusal(microsoftError(code));

export const MICROSOFT: VendorWire = {
  vendor: 'microsoft',
  refusals: {
    rate: ({ ms }) => ({ ...microsoftError(429001), headers: retryAfter(ms) }),
    quota: () => microsoftError(403001),
    auth: () => microsoftError(401000),
    error: ({ status = 503 }) => errorOf(status, { code: status * 1000, message: MESSAGES[503000] }),
    block: () => microsoftError(400000),
  },
};
