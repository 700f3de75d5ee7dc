/** 128 random bits as hex: an Idempotency-Key. `randomUUID` exists on HTTPS only; a page on a local network has to work too. */
export const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
