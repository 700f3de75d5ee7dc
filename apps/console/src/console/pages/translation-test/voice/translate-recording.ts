import type { Response } from '@yiqiao/contracts/endpoint';
import { transcribe, translateVoice } from '@yiqiao/contracts/media';
import { upload } from '../../../../shared/api/upload.js';
import type { Direction } from '../abilities.js';
import type { Transport } from '../media/use-errand.js';
import type { Sound } from './sound.js';

export type AskedTranscript = { sound: Sound; source: string };
export type Heard = Response<typeof transcribe>;

/** What is said in a recording: free. Throws ApiError. */
export const transcribeRecording = (
  { sound, source }: AskedTranscript,
  { signal, onSent }: Transport,
): Promise<Heard> => upload(transcribe, { file: sound.file, fields: { source } }, { signal, onSent });

export type AskedVoice = Direction & { sound: Sound; transcript: string };
export type Crossed = Response<typeof translateVoice>;

/** Has a transcript translated, and spoken where that is possible; it is charged by the length of its recording. Throws ApiError. */
export const translateRecording = (
  { sound, source, target, transcript }: AskedVoice,
  transport: Transport,
): Promise<Crossed> => upload(translateVoice, { file: sound.file, fields: { source, target, transcript } }, transport);
