import { z } from 'zod';
import { endpoint, nothing } from './endpoint.js';

/**
 * The channels' real traffic during the last 24 hours; nothing is translated as a probe. `successShare` from 0 to 1; it and the times
 * (milliseconds, of the channel's own responses) are null when there was too little traffic. Not in the specification.
 */
export const listChannelStatus = endpoint({
  method: 'GET',
  path: '/tranChannel/status',
  access: 'member',
  request: nothing,
  response: z.array(
    z.object({
      id: z.int(),
      requests: z.int(),
      successShare: z.number().nullable(),
      medianMs: z.int().nullable(),
      p95Ms: z.int().nullable(),
    }),
  ),
});

/**
 * Real traffic of each available channel in the last 90 days, for the public status page. An incident is a run of half hours in which fewer
 * than 90 % of at least 5 requests succeeded; the newest 100 of each channel, newest first. `updateDateTime`: when the figures were read, at
 * most a minute ago. Not in the specification (docs/decisions/0007).
 */
export const listChannelHistory = endpoint({
  method: 'GET',
  path: '/tranChannel/history',
  access: 'public',
  request: nothing,
  response: z.object({
    updateDateTime: z.string(),
    channels: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        enName: z.string(),
        requests: z.int(),
        successShare: z.number().nullable(),
        medianMs: z.int().nullable(),
        p95Ms: z.int().nullable(),
        days: z.array(z.object({ date: z.string(), requests: z.int(), successShare: z.number().nullable() })),
        incidents: z.array(z.object({ beginDateTime: z.string(), minutes: z.int(), successShare: z.number() })),
      }),
    ),
  }),
});
