import { Espeak } from './espeak.js';
import { Hearings } from './hearings.js';
import { PocketSphinx } from './pocketsphinx.js';
import { Recordings } from './recordings.js';
import { Speaker } from './speaker.js';
import { TranscribeHandler } from './transcribe.js';
import { TranscriptAllowance } from './transcript-allowance.js';
import { TranslateVoiceHandler } from './translate-voice.js';
import { VendorAudio } from './vendor-audio.js';
import { VoiceAbilities } from './voice-abilities.js';
import { VoiceOrders } from './voice-orders.js';

/** What the translation module needs for recordings. */
export const VOICE_PROVIDERS = [
  VendorAudio,
  PocketSphinx,
  Espeak,
  Hearings,
  Speaker,
  VoiceAbilities,
  Recordings,
  VoiceOrders,
  TranscriptAllowance,
  TranslateVoiceHandler,
  TranscribeHandler,
];
