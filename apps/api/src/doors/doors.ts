/** The APIs of other products that clients already speak, each below a path of its own (docs/decisions/0072). */
import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import type { FastifyInstance } from 'fastify';
import { deepl } from './deepl/deepl.js';
import { deeplx } from './deeplx.js';
import type { DoorServices } from './door-services.js';
import type { DialectAt } from '../platform/door-paths.js';
import { dialectOf, type Door, openDoor } from './door.js';
import { google } from './google.js';
import { immersive } from './immersive.js';
import { libretranslate } from './libretranslate.js';

export { DoorServices } from './door-services.js';

const deeplAtRoot: Door = {
  ...deepl,
  prefix: DOOR_PATHS.deeplRoot,
  routes: deepl.routes.map((route) => ({ ...route, path: route.path.slice(DOOR_PATHS.deeplRoot.length) })),
};

const doors = [deepl, deeplAtRoot, google, libretranslate, deeplx, immersive] as const;

/** Registers the routes of every door; `services` are needed once a request comes. */
export function serveDoors(fastify: FastifyInstance, services: () => DoorServices): void {
  for (const door of doors) openDoor(fastify, door, services);
}

const dialects = doors.map(dialectOf);

/** The dialect of the door that an address belongs to. */
export const dialectAt: DialectAt = (url) =>
  dialects.find(({ prefix }) => url.startsWith(prefix) && ENDS_PREFIX.has(url[prefix.length]));
const ENDS_PREFIX: ReadonlySet<string | undefined> = new Set(['/', '?', undefined]);
