import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';

export type SilenceDeadline = { deadline: AbortSignal; renew: () => void; end: () => void };

/** Silence is what ends the transport of a file, not its length: what moves may take its time. */
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
