import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';

export type SilenceDeadline = { deadline: AbortSignal; renew: () => void; end: () => void };

/** A deadline for the transfer of a file: it expires when nothing has moved for a while, however long the transfer takes. */
export function silenceDeadline(): SilenceDeadline {
  const controller = new AbortController();
  const giveUp = (): void => controller.abort(new DOMException('silence', 'TimeoutError'));
  let timer = setTimeout(giveUp, CLIENT_TIMEOUT_MS);
  const end = (): void => clearTimeout(timer);
  const renew = (): void => {
    end();
    timer = setTimeout(giveUp, CLIENT_TIMEOUT_MS);
  };
  return { deadline: controller.signal, renew, end };
}
