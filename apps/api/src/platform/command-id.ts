import { hash } from 'node:crypto';

/** A UUID (version 8) derived from `text`: the command id of an effect that is applied once per `text`, however often its job runs. */
export function commandIdOf(text: string): string {
  const bytes = Buffer.from(hash('sha256', text, 'hex'), 'hex').subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
