import { z } from 'zod';
import { endpoint, nothing } from './endpoint.js';
import { id } from './fields.js';

/**
 * A package on sale IS a member group (decisions §4). `num`: characters, or minutes for a time package, where a character costs what it
 * costs through `referenceChannelId`; on a channel of another price as many arrive as `credited` of the domain says. Prices in fen.
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

/** What the family would have on another channel, to the digit: `price` in micro-yuan per character (decisions §4, §9). */
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

/** Answers the row that was applied. The channel in use: 422; an unknown one: 404; one that is not available: 422. */
export const changeChannel = endpoint({
  method: 'POST',
  path: '/memberGroup/changeChannel',
  access: 'main',
  request: z.strictObject({ targetChannelId: id }),
  response: channelPreview,
});
