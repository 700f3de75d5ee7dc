import { randomUUID } from 'node:crypto';

import { badGateway, VendorRefusal, type VendorAnswer, type VendorWire } from '../vendor-answer.js';

/** Codes of Youdao that are answered here; each is a text on the wire and comes with HTTP 200. */
export type YoudaoCode =
  | '101' // a parameter is missing
  | '102' // language not supported
  | '103' // text too long
  | '105' // signature type not supported
  | '108' // appKey invalid
  | '110' // the app has no such service
  | '113' // q is empty
  | '202' // signature wrong
  | '206' // timestamp invalid
  | '207' // replayed
  | '303' // server failure
  | '401' // in arrears
  | '411'; // too often

export const youdaoError = (code: YoudaoCode): VendorAnswer => ({
  status: 200,
  body: { errorCode: code, requestId: randomUUID(), l: null },
  error: code,
});

export const refuse = (code: YoudaoCode) => new VendorRefusal(youdaoError(code));

export const YOUDAO: VendorWire = {
  vendor: 'youdao',
  refusals: {
    rate: () => youdaoError('411'),
    quota: () => youdaoError('401'),
    auth: () => youdaoError('202'),
    error: ({ status }) => (status === undefined ? youdaoError('303') : badGateway(status)),
    block: () => youdaoError('101'),
  },
};
