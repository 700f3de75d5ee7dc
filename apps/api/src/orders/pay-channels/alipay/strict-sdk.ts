import { isDeepStrictEqual } from 'node:util';
import { AlipaySdk } from 'alipay-sdk';
import { isCanonicalBase64 } from '../rsa-signature.js';

/**
 * The official SDK, which verifies a piece of the answer's text and hands out what JSON.parse makes of all of it. With a name written
 * twice these could be two things, so here they must be one.
 */
export class StrictAlipaySdk extends AlipaySdk {
  override checkResponseSign(raw: string, name: string, signature: string, traceId: string): void {
    if (typeof signature !== 'string' || !isCanonicalBase64(signature)) throw new Error('the answer is not signed');
    super.checkResponseSign(raw, name, signature, traceId);
    const answer = JSON.parse(raw) as Record<string, unknown>;
    if (!isDeepStrictEqual(answer[name], JSON.parse(this.getSignStr(raw, name))))
      throw new Error('the answer is not what was signed');
  }
}
