import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { compactTime } from '../beijing-time.js';
import { NoAnswer, SaidNo } from '../calls.js';
import { exchange, jsonOf } from '../exchange.js';
import { isLianlians, signatureData } from './signature.js';

export type LianlianSettings = {
  url: string;
  mchId: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** Of one try. */
  patienceMs: number;
  now: () => number;
};

const said = z.looseObject({ ret_code: z.string(), ret_msg: z.string().default('') });
/** System errors, and "in processing": what came of it is not known yet. */
const BUSY = ['1003', '1007', '2005', '2008', '5005', '6601'];

/** LianLian's open platform: JSON both ways, a signature of the body in a header both ways. */
export class LianlianClient {
  constructor(readonly settings: LianlianSettings) {}

  /** One try. Answers what was said with ret_code 0000. Throws NoAnswer, SaidNo. */
  async ask(path: string, content: object): Promise<Record<string, unknown>> {
    const { url, mchId, privateKey, publicKey, patienceMs, now } = this.settings;
    const body = JSON.stringify({ mch_id: mchId, ...content });
    const headers = {
      'Content-Type': 'application/json;charset=UTF-8',
      timestamp: compactTime(now()),
      mch_id: mchId,
      'Signature-Type': 'RSA',
      'Signature-Data': signatureData(body, privateKey),
    };
    const target = new URL(`${url.replace(/\/$/, '')}${path}`);
    const answer = await exchange({ method: 'POST', url: target, headers, body }, patienceMs);
    const { data: told } = said.safeParse(jsonOf(answer.body));
    const status = `HTTP ${answer.status} ${told?.ret_code ?? ''}`;
    if (!isLianlians(answer.body, answer.header('signature-data'), publicKey))
      throw new NoAnswer(`${status}: not signed by LianLian`);
    if (answer.status !== 200 || !told || BUSY.includes(told.ret_code)) throw new NoAnswer(status);
    if (told.ret_code !== '0000') throw new SaidNo(told.ret_code, told.ret_msg);
    return told;
  }
}
