import { Refusal } from '@yiqiao/domain/errors';

/**
 * Whether a refusal leaves open what became of the request: it may have been done, and asking again, under the same command id, is
 * how one finds out. Every other refusal is an answer.
 */
export const isOpen = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'SERVICE_BUSY' || error.code === 'GATEWAY_UNKNOWN');
