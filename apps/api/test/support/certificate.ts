import { sign, type KeyObject } from 'node:crypto';

/** One element of DER: its tag, its length, its content. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const sha256WithRsa = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05));
const nameOf = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(commonName)))));
const timeOf = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`));

type Wish = { keys: { publicKey: KeyObject; privateKey: KeyObject }; issuer: string; serial: string; validTo?: Date };

/** A self-signed certificate in PEM. `serial`: hexadecimal, beginning with a digit from 1 to 7. */
export function certificate({ keys, issuer, serial, validTo = new Date('2049-01-01') }: Wish): string {
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from(serial, 'hex')),
    sha256WithRsa,
    nameOf(issuer),
    sequence(timeOf(new Date('2020-01-01')), timeOf(validTo)),
    nameOf(issuer),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('RSA-SHA256', content, keys.privateKey);
  const whole = sequence(content, sha256WithRsa, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
