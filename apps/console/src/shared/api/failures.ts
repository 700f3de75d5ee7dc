/** Failures that the client handles for every call (specification §4, §8). Callers show all others. */
import type { Failure } from '@yiqiao/contracts/envelope';
import { EXPIRED_LOGIN_MS } from '@yiqiao/domain/limits';
import { messagesOf } from '../i18n/messages.js';
import { leaveFor } from '../leave.js';
import { toast } from '../ui/toast.js';
import { ApiError } from './api-error.js';
import { currentSession, currentView, endSession, onEndedElsewhere, subscribe } from './session.js';

const say = messagesOf('shared');
const isExpired = (status: number): boolean => status >= 700 && status <= 777;

/** The session has ended: further refusals are not announced until the next sign-in. */
let over = false;
subscribe(() => {
  over = currentSession() === null;
});
export const sessionIsOver = (): boolean => over;

let leaving = false;
/** The end of the session is being announced and home follows: no other navigation until then. */
export const isLeavingForHome = (): boolean => leaving;

/** Several calls fail together when a session ends: one message, one journey. */
function expire(): void {
  const sentence = say(currentView() ? 'viewOver' : 'loginExpired');
  endSession('expired');
  if (leaving) return;
  leaving = true;
  toast.error(sentence);
  setTimeout(() => {
    leaving = false;
    void leaveFor('/index');
  }, EXPIRED_LOGIN_MS);
}

// The first refused tab notifies all tabs that share the session.
onEndedElsewhere((why) => {
  if (why === 'expired') expire();
});

/** Turns a refused call into an ApiError, after doing what the specification asks for its status. */
export function failureOf(http: number, body: Partial<Failure>, retryAfter: string | null): ApiError {
  const status = isExpired(http) ? http : (body.status ?? http);
  const details = { code: body.code ?? 'SERVER_ERROR', status, errors: body.errors ?? [], data: body.data ?? null };
  if (isExpired(status)) {
    if (currentSession() || leaving) expire();
    return new ApiError(say('loginExpired'), { ...details, announced: true });
  }
  if (status === 401) {
    if (!over) toast.error(say('unauthorized'));
    return new ApiError(say('unauthorized'), { ...details, announced: true });
  }
  if (status === 500) {
    toast.error(say('serverError'));
    return new ApiError(say('serverError'), { ...details, announced: true });
  }
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  return new ApiError(body.msg || say('badAnswer'), {
    ...details,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  });
}
