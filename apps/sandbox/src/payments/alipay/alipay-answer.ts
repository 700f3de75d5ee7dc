import { sign, spoilt } from '../rsa.js';
import { AlipayError } from './alipay-error.js';

type Node = Readonly<Record<string, string>>;

/** What the work answers, or why it was refused: both are answered with HTTP 200. */
export function nodeOf(work: () => Node): Node {
  try {
    return { code: '10000', msg: 'Success', ...work() };
  } catch (error) {
    if (error instanceof AlipayError) return error.node;
    throw error;
  }
}

/**
 * The answer around its node, signed over the very bytes of the node. Slashes are written `\/`, as the real gateway does: whoever
 * verifies what a parser wrote anew will fail.
 */
export function signedAnswer(
  node: Node,
  { method, privateKey, signature }: { method: string; privateKey: string; signature: 'right' | 'wrong' },
): string {
  const bytes = JSON.stringify(node).replaceAll('/', String.raw`\/`);
  const right = sign('RSA-SHA256', bytes, privateKey);
  const name = /^[\w.]{1,64}$/.test(method) ? `${method.replaceAll('.', '_')}_response` : 'error_response';
  return `{"${name}":${bytes},"sign":"${signature === 'wrong' ? spoilt(right) : right}"}`;
}
