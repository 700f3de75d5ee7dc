/** Where a member is signed in, and how it ends that. Not in the specification (docs/decisions/0022). */
import { z } from 'zod';
import { done, endpoint, nothing } from './endpoint.js';
import { clientType, flag, id } from './fields.js';

export const sessionRow = z.object({
  id: z.int(),
  clientType,
  /** From where it was started; null where that was not written down. */
  loginIp: z.string().nullable(),
  loginDateTime: z.string(),
  /** To the minute: not every use is written down. */
  lastUseDateTime: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});

/** The caller's own sessions that live, the one that was used last first; SESSIONS_SHOWN_MAX at most. */
export const listSessions = endpoint({
  method: 'GET',
  path: '/user/sessions',
  access: 'member',
  request: nothing,
  response: z.array(sessionRow),
});

/** Ends one of the caller's own sessions. One that is over, or somebody else's: 404. */
export const endSession = endpoint({
  method: 'POST',
  path: '/user/endSession',
  access: 'member',
  request: z.strictObject({ id }),
  response: done,
});

/** Ends all of the caller's own sessions, this one included unless `keepCurrent` is 1; answers how many lived. */
export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/user/signOutEverywhere',
  access: 'member',
  request: z.strictObject({ keepCurrent: flag.default(0) }),
  response: z.object({ count: z.int() }),
});
