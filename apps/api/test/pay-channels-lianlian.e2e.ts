import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { LianlianNotifications, digestOf, signatureData } from '../src/orders/pay-channels/lianlian.js';
import { flips, textFlips, vectorKey, vectors } from './support/vectors.js';

type Signed = { headers: Record<string, string>; body: string; md5hex: string };
type Vectors = { openPlatform: Signed & { notify: Signed & { reply: string } } };

const v = vectors<Vectors>('lianlian').openPlatform;
const mchId = v.headers['mch_id'] ?? '';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('a request to LianLian', () => {
  it('is signed like the test vector', () => {
    expect(digestOf(v.body)).toBe(v.md5hex);
    const signature = Buffer.from(v.headers['Signature-Data'] ?? '', 'base64');
    expect(verify('RSA-MD5', Buffer.from(digestOf(v.body)), vectorKey('llMerchant'), signature)).toBe(true);
    const ours = Buffer.from(signatureData(v.body, privateKey), 'base64');
    expect(verify('RSA-MD5', Buffer.from(v.md5hex), publicKey, ours)).toBe(true);
  });
});

describe('a LianLian notification', () => {
  const reader = new LianlianNotifications({ mchId, publicKey: vectorKey('llPlatform') });
  const body = Buffer.from(v.notify.body);
  const signature = v.notify.headers['Signature-Data'] ?? '';
  const read = (of: { body?: Buffer; signature?: string | undefined }) =>
    reader.read({ headers: { 'signature-data': 'signature' in of ? of.signature : signature }, body: of.body ?? body });

  it('is parsed as the payment of the test vector, and acknowledged as LianLian expects', async () => {
    expect(digestOf(body)).toBe(v.notify.md5hex);
    expect(await read({})).toEqual({
      kind: 'payment',
      subject: '2026010100000002:SUCCESS',
      payment: {
        gateway: 'lianlian',
        orderNo: 'T20260101000000000004',
        tradeNo: '2026010100000002',
        amount: 9900,
        currency: 'CNY',
        paidAt: new Date('2026-01-01T00:01:00Z'),
      },
    });
    expect(reader.accepted).toMatchObject({ status: 200, body: v.notify.reply });
  });

  it('is refused as forged with any bit of its body or signature flipped, or unsigned', async () => {
    for (const flipped of flips(body)) expect((await read({ body: flipped })).kind).toBe('forged');
    for (const flipped of textFlips(signature)) expect((await read({ signature: flipped })).kind).toBe('forged');
    expect((await read({ signature: undefined })).kind).toBe('forged');
    expect((await read({ signature: '' })).kind).toBe('forged');
  });

  it('is ignored as foreign for another merchant', async () => {
    const other = new LianlianNotifications({ mchId: '402000000000000002', publicKey: vectorKey('llPlatform') });
    expect(await other.read({ headers: { 'signature-data': signature }, body })).toEqual({
      kind: 'stranger',
      subject: '2026010100000002:SUCCESS',
      orderNo: 'T20260101000000000004',
    });
  });
});

describe('a correctly signed notification of LianLian', () => {
  const reader = new LianlianNotifications({ mchId, publicKey });
  const read = (content: unknown) => {
    const body = typeof content === 'string' ? content : JSON.stringify(content);
    return reader.read({ headers: { 'signature-data': signatureData(body, privateKey) }, body: Buffer.from(body) });
  };
  const paid = JSON.parse(v.notify.body) as Record<string, unknown>;

  it('may have its amount as a number or a string', async () => {
    for (const [order_amount, amount] of [
      [99, 9900],
      [0.1, 10],
      [99.99, 9999],
      ['0.01', 1],
    ])
      expect(await read({ ...paid, order_amount })).toMatchObject({ payment: { amount } });
    for (const order_amount of [0.001, -1, 'many', '1e3', null, undefined])
      expect(await read({ ...paid, order_amount })).toMatchObject({ kind: 'forged' });
  });

  it('has no effect unless it reports success, and none for refunds', async () => {
    for (const txn_status of ['WAITING', 'CLOSED', 'success'])
      expect(await read({ ...paid, txn_status })).toMatchObject({ kind: 'other', orderNo: paid['txn_seqno'] });
    const refund = { mch_id: mchId, refund_seqno: 'R1', refund_status: 'SUCCESS' };
    expect(await read(refund)).toEqual({ kind: 'other', subject: 'refund:R1:SUCCESS', orderNo: null });
    expect(await read({ ...paid, refund_status: 'SUCCESS' })).toMatchObject({ kind: 'other' });
  });

  it('is ignored as foreign without a merchant', async () => {
    expect(await read({ ...paid, mch_id: undefined })).toMatchObject({ kind: 'stranger' });
  });

  it('is refused as forged if it cannot be parsed', async () => {
    for (const content of ['', '{', '[]', 'null', '1', { ...paid, platform_txno: 1 }, { ...paid, platform_txno: '' }])
      expect(await read(content)).toMatchObject({ kind: 'forged' });
  });
});
