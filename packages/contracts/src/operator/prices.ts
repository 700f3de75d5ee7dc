/** The price list as operators see it: every channel and every plan, on sale or not (operators §9). */
import { z } from 'zod';
import { nothing } from '../endpoint.js';
import { page, paging } from '../fields.js';
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
        /** The only channel that it can be used with; null: any. */
        tranChannelId: z.int().nullable(),
        onSale: z.boolean(),
        sold: count,
        request: z.int().nullable(),
      }),
    ),
  }),
});

/** What a version of a price may hold: fen, micro-yuan, quantities, and ids of channels. */
export const PRICE_FIELDS = [
  'price',
  'salePrice',
  'num',
  'minutePrice',
  'voiceNum',
  'imageNum',
  'referenceChannelId',
] as const;

/** Every price that replaced another one, newest first. `approval`: the request that two operators decided. */
export const listPriceVersions = operatorEndpoint({
  method: 'GET',
  path: '/prices/versions',
  action: 'read',
  request: z.strictObject({ ...paging }),
  response: page(
    z.object({
      at: z.string(),
      kind: z.enum(['channel', 'plan']),
      subjectId: z.int(),
      name: z.string(),
      changes: z.array(z.object({ field: z.enum(PRICE_FIELDS), was: count, is: count })),
      manager: z.string().nullable(),
      reason: z.string(),
      approval: z.int().nullable(),
    }),
  ),
});
