import type { Message } from './gateway.js';

/** Time a merchant has to answer, in ms: the shortest that the gateways demand. */
const PATIENCE = 5_000;

/** Characters of an answer that are read and kept: a gateway wants one word. */
const ANSWER_KEPT = 400;

/** Posts a message to a merchant. A redirect is an answer like any other: no gateway follows one. `status` null: no answer in time. */
export async function postMessage(
  url: string,
  message: Message,
  stop: AbortSignal,
): Promise<{ readonly status: number | null; readonly answer: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: message.headers,
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(PATIENCE)]),
    });
    return { status: response.status, answer: (await response.text()).slice(0, ANSWER_KEPT) };
  } catch (error) {
    const { message: words, cause } = error as Error;
    return { status: null, answer: cause instanceof Error ? cause.message : words };
  }
}
