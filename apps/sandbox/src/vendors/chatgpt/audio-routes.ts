import type { FastifyInstance } from 'fastify';

import type { VendorWorld } from '../exchange.js';
import { BASE, serving } from './serving.js';
import { speech } from './speech.js';
import { transcription } from './transcription.js';

/** OpenAI's audio: recordings to text, and text to speech. */
export function audioRoutes(scope: FastifyInstance, world: VendorWorld): void {
  const serve = serving(world);
  scope.post(`${BASE}/audio/transcriptions`, serve('transcribe', transcription));
  scope.post(`${BASE}/audio/speech`, serve('speak', speech));
}
