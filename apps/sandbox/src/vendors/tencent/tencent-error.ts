import { randomUUID } from 'node:crypto';

import { badGateway, VendorRefusal, type VendorAnswer, type VendorWire } from '../vendor-answer.js';

/** A refusal: HTTP 200, as everything that Tencent itself answers. */
export const tencentError = (code: string, message: string): VendorAnswer => ({
  status: 200,
  body: { Response: { Error: { Code: code, Message: message }, RequestId: randomUUID() } },
  error: code,
});

/** A call that is refused: the code is Tencent's, the words are near to its own. */
export const refusal = (code: string, message: string) => new VendorRefusal(tencentError(code, message));

export const TENCENT: VendorWire = {
  vendor: 'tencent',
  refusals: {
    rate: () =>
      tencentError(
        'RequestLimitExceeded',
        'The request frequency of your current api `TextTranslate` exceeded the frequency limit `5/second` of a single account.',
      ),
    quota: () => tencentError('FailedOperation.NoFreeAmount', '本月免费额度已用完'),
    auth: () => tencentError('AuthFailure.SignatureFailure', 'The provided credentials could not be validated.'),
    error: ({ status }) =>
      status === undefined ? tencentError('InternalError', 'An internal error has occurred.') : badGateway(status),
    block: () => tencentError('InvalidParameter', 'The parameter is not valid.'),
  },
};
