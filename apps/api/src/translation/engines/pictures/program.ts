/** The picture program: decodes and draws untrusted pictures, one job at a time, in a separate process (picture-workers.ts). */
import type { JobMessage, JobReply } from './jobs.js';
import { Fault, inspect } from './open.js';
import { prepareForOcr } from './prepare-for-ocr.js';

const isJob = (message: unknown): message is JobMessage =>
  typeof message === 'object' && message !== null && 'job' in message && 'ask' in message;

// Loads only what the job needs: most need no built-in OCR.
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

/** The picture library reports faults of a file only by message. */
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
// The parent has exited.
process.on('disconnect', () => process.exit(0));
