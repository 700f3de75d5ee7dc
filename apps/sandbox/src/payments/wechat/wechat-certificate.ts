import { createHash, createPublicKey, sign } from 'node:crypto';

const DAY = 86_400_000;

/** The gateway's key as a certificate, for merchants that use one instead of a public key. */
export interface PlatformCertificate {
  /** Upper-case hexadecimal; responses name it. */
  readonly serial: string;
  readonly effectiveAt: number;
  readonly expiresAt: number;
  readonly pem: string;
}

/** Creates a self-signed X.509 v3 certificate for five years. The serial number is derived from the key. */
export function platformCertificate(privateKey: string): PlatformCertificate {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  // The first digit keeps the number positive and its length fixed.
  const serial = `5${createHash('sha1').update(publicKey).digest('hex').slice(1)}`.toUpperCase();
  const effectiveAt = Date.now() - DAY;
  const expiresAt = effectiveAt + 5 * 365 * DAY;
  const content = node(
    SEQUENCE,
    node(0xa0, node(INTEGER, Buffer.from([2]))),
    node(INTEGER, Buffer.from(serial, 'hex')),
    SHA256_WITH_RSA,
    NAME,
    node(SEQUENCE, time(effectiveAt), time(expiresAt)),
    NAME,
    publicKey,
  );
  const signature = sign('RSA-SHA256', content, privateKey);
  const der = node(SEQUENCE, content, SHA256_WITH_RSA, node(BIT_STRING, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  return { serial, effectiveAt, expiresAt, pem };
}

const [SEQUENCE, SET, INTEGER, BIT_STRING, OBJECT_ID, UTF8, UTC_TIME, NULL] = [
  0x30, 0x31, 0x02, 0x03, 0x06, 0x0c, 0x17, 0x05,
] as const;

const SHA256_WITH_RSA = node(SEQUENCE, node(OBJECT_ID, Buffer.from('2a864886f70d01010b', 'hex')), node(NULL));

/** CN=Yiqiao sandbox */
const NAME = node(
  SEQUENCE,
  node(SET, node(SEQUENCE, node(OBJECT_ID, Buffer.from('550403', 'hex')), node(UTF8, Buffer.from('Yiqiao sandbox')))),
);

/** One DER value: tag, length, contents. */
function node(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

/** `260101000000Z`: UTCTime has two-digit years until 2049. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return node(UTC_TIME, Buffer.from(`${digits}Z`));
}
