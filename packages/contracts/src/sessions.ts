/** A member's sessions. Not in the specification (docs/decisions/0022). */
import { z } from 'zod';
import { done, endpoint, nothing } from './endpoint.js';
import { clientType, device, flag, id, orAbsent } from './fields.js';

export const sessionRow = z.object({
  id: z.int(),
  clientType,
  /** The address it was started from; null when it was not recorded. */
  loginIp: z.string().nullable(),
  ...device,
  loginDateTime: z.string(),
  /** To the minute: not every use is recorded. */
  lastUseDateTime: z.string(),
  /** Whether it is the session of this request. */
  current: z.boolean(),
});

/** The caller's live sessions, most recently used first; SESSIONS_SHOWN_MAX at most. */
export const listSessions = endpoint({
  method: 'GET',
  path: '/user/sessions',
  access: 'member',
  request: nothing,
  response: z.array(sessionRow),
});

/** Ends one of the caller's own sessions. 404 for an ended or foreign one. */
export const endSession = endpoint({
  method: 'POST',
  path: '/user/endSession',
  access: 'member',
  request: z.strictObject({ id }),
  response: done,
});

/** Ends all of the caller's sessions, this one included unless `keepCurrent` is 1; returns how many were live. */
export const signOutEverywhere = endpoint({
  method: 'POST',
  path: '/user/signOutEverywhere',
  access: 'member',
  request: z.strictObject({ keepCurrent: flag.default(0) }),
  response: z.object({ count: z.int() }),
});

/**
 * Exchanges the link of an operator for a session that may only read, until `until` (docs/decisions/0058). 422 VIEW_LINK_USED for a link that
 * is used or older than a minute.
 */
export const openView = endpoint({
  method: 'POST',
  path: '/user/openView',
  access: 'public',
  request: z.strictObject({
    token: z.string({ error: orAbsent }).min(1, { error: 'REQUIRED' }).max(64, { error: 'TOO_LONG' }),
  }),
  response: z.object({ userId: z.int(), sk: z.string(), viewedBy: z.string(), until: z.string(), seconds: z.int() }),
});
