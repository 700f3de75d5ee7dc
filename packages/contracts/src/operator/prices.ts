/** The price list as operators see it: every channel and every plan, on sale or not (operators §9). */
import { z } from 'zod';
import { nothing } from '../endpoint.js';
import { operatorEndpoint } from './endpoint.js';

const count = z.int();

/** Prices of channels in micro-yuan per character; `sold`: orders paid in the last 30 days. `request`: the open request that would change it. */
export const listPrices = operatorEndpoint({
  method: 'GET',
  path: '/prices',
  action: 'read',
  request: nothing,
  response: z.object({
    channels: z.array(
      z.object({
        id: z.int(),
        code: z.string(),
        name: z.string(),
        price: count,
        enabled: z.boolean(),
        since: z.string(),
        request: z.int().nullable(),
      }),
    ),
    plans: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        billingMode: z.enum(['char', 'time']),
        /** Characters, or minutes. */
        num: count,
        voiceNum: count,
        imageNum: count,
        /** Fen. */
        salePrice: count,
        /** Micro-yuan. */
        minutePrice: count,
        referenceChannelId: z.int(),
        onSale: z.boolean(),
        sold: count,
        request: z.int().nullable(),
      }),
    ),
  }),
});
