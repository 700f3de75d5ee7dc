import { z } from 'zod';
import { endpoint, nothing } from './endpoint.js';
import { id } from './fields.js';

/**
 * A package on sale is a member group (decisions §4). `num`: characters, or minutes for a time package, at the price per character of
 * `referenceChannelId`; on a channel with another price the credited amount follows from the domain's `credited`. Prices in fen.
 */
export const salePlan = z.object({
  id: z.int(),
  name: z.string(),
  enName: z.string(),
  tier: z.string(),
  translationBillingMode: z.enum(['char', 'time']),
  num: z.int(),
  salePrice: z.int(),
  createChildUser: z.boolean(),
  tranChannelId: z.int().nullable(),
  referenceChannelId: z.int(),
  voiceNum: z.int(),
  imageNum: z.int(),
});

export const listSale = endpoint({
  method: 'GET',
  path: '/memberGroup/saleList',
  access: 'public',
  request: nothing,
  response: z.array(salePlan),
});

/** The family's exact quota on another channel: `price` in micro-yuan per character (decisions §4, §9). */
export const channelPreview = z.object({
  id: z.int(),
  name: z.string(),
  enName: z.string(),
  price: z.int(),
  usableCharNum: z.int(),
  expireDateTime: z.string().nullable(),
  children: z.array(z.object({ userId: z.int(), usableCharNum: z.int() })),
});

/** The channels that could be changed to now; empty when there is no other one. */
export const listMapping = endpoint({
  method: 'GET',
  path: '/memberGroup/mappingList',
  access: 'main',
  request: nothing,
  response: z.array(channelPreview),
});

/** Returns the applied row. The current channel: 422; an unknown one: 404; an unavailable one: 422. */
export const changeChannel = endpoint({
  method: 'POST',
  path: '/memberGroup/changeChannel',
  access: 'main',
  request: z.strictObject({ targetChannelId: id }),
  response: channelPreview,
});
