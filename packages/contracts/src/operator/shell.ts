/** The frame around every page of the operator console. */
import { z } from 'zod';
import { nothing } from '../endpoint.js';
import { operatorEndpoint } from './endpoint.js';

export const ENVIRONMENTS = ['production', 'staging', 'drill', 'development'] as const;

/** Where the console runs, the address of the members' site, and the service's clock (`now`, in `timeZone`). */
export const getShell = operatorEndpoint({
  method: 'GET',
  path: '/shell',
  action: 'read',
  request: nothing,
  response: z.object({
    environment: z.enum(ENVIRONMENTS),
    site: z.string(),
    timeZone: z.string(),
    now: z.string(),
  }),
});
