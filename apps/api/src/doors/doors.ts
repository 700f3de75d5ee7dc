/** The APIs of other products that clients already speak, each below a path of its own (docs/decisions/0072). */
import type { FastifyInstance } from 'fastify';
import { deepl } from './deepl/deepl.js';
import { deeplx } from './deeplx.js';
import type { DoorServices } from './door-services.js';
import { openDoor } from './door.js';
import { google } from './google.js';
import { immersive } from './immersive.js';
import { libretranslate } from './libretranslate.js';

export { DoorServices } from './door-services.js';

/** Registers the routes of every door; `services` are needed once a request comes. */
export function serveDoors(fastify: FastifyInstance, services: () => DoorServices): void {
  for (const door of [deepl, google, libretranslate, deeplx, immersive]) openDoor(fastify, door, services);
}
