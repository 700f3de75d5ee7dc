/** The pictures' program: decodes and draws what strangers sent, one job at a time, in a process of its own (picture-worker.ts). */
import type { JobMessage, JobReply } from './jobs.js';
import { Fault, inspect } from './open.js';
import { prepareForOcr } from './prepare-for-ocr.js';

const isJob = (message: unknown): message is JobMessage =>
  typeof message === 'object' && message !== null && 'job' in message && 'ask' in message;

// What a job does not need is not loaded: most need no recognition of ours.
async function done(message: JobMessage): Promise<unknown> {
  switch (message.job) {
    case 'inspect':
      return inspect(message.ask);
    case 'prepare':
      return prepareForOcr(message.ask);
    case 'read':
      return (await import('./read.js')).read(message.ask);
    case 'draw':
      return (await import('./draw.js')).draw(message.ask);
  }
}

/** The picture's own library says what is wrong with a file in words only. */
const replyTo = (error: unknown): JobReply => {
  if (error instanceof Fault) return { fault: error.why };
  return { fault: error instanceof Error && IS_BROKEN.test(error.message) ? 'not-a-picture' : 'failed' };
};
const IS_BROKEN = /unsupported image format|corrupt|invalid|premature|bad|pngload|jpegload|webpload|vips|pixel limit/i;

process.on('message', (message: unknown) => {
  if (!isJob(message)) return;
  void done(message)
    .then((answer): JobReply => ({ answer }), replyTo)
    .then((reply) => process.send?.(reply));
});
// Whoever started this is gone.
process.on('disconnect', () => process.exit(0));
