import { createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { isCanonicalBase64 } from '../rsa-signature.js';

/** Something that WeChat Pay encrypted for us: a notification's content, a platform certificate. */
export const encryptedResource = z.object({
  algorithm: z.literal('AEAD_AES_256_GCM'),
  /** The data, and behind it the tag of 16 bytes. */
  ciphertext: z.string().refine(isCanonicalBase64),
  nonce: z.string().length(12),
  associated_data: z.string().default(''),
});

const TAG_BYTES = 16;

/** `v3Key`: the 32 characters of the APIv3 key. Null when anything of it is not what was encrypted. */
export function decrypted(resource: z.output<typeof encryptedResource>, v3Key: string): string | null {
  const bytes = Buffer.from(resource.ciphertext, 'base64');
  if (bytes.length < TAG_BYTES) return null;
  const data = bytes.subarray(0, -TAG_BYTES);
  try {
    const opening = createDecipheriv('aes-256-gcm', v3Key, resource.nonce, { authTagLength: TAG_BYTES });
    opening.setAuthTag(bytes.subarray(-TAG_BYTES)).setAAD(Buffer.from(resource.associated_data));
    // Only the end tells whether the tag was right.
    return Buffer.concat([opening.update(data), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}
