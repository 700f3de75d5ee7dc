import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { type Account, parseVendorAccount } from '../account.js';
import { bytesOf, isOfType } from '../request-body.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { type TranslatedText, translate } from '../translate.js';
import {
  type AcceptedCall,
  ok,
  badGateway,
  type VendorReply,
  VendorRefusal,
  type VendorProtocol,
} from '../vendor-answer.js';
import { codePoints } from '../vendor-calls.js';
import { vendorLanguages } from '../vendor-languages.js';
import { type Counting, isFresh, UsedSalts, signatureOf } from './youdao-signature.js';

const MAX_CHARS = 5000;

const REQUIRED = ['q', 'from', 'to', 'appKey', 'salt', 'sign', 'signType', 'curtime'];

/** Youdao's text translation: a form with a v3 signature; one text at `/api`, several at `/v2/api`; always HTTP 200. */
export function youdaoRoutes(scope: FastifyInstance, services: VendorServices): void {
  const salts = new UsedSalts();
  for (const [path, answer] of [
    ['/vendors/youdao/api', oneAnswer],
    ['/vendors/youdao/v2/api', batchAnswer],
  ] as const) {
    scope.post(path, (request, reply) => {
      const form = formIn(request);
      const handle = () => acceptCall(form, { salts, answer });
      return serveCall(reply, { ...services, wire: YOUDAO, call: 'translate', name: form.get('appKey'), handle });
    });
  }
}

const formIn = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(isOfType(request, 'application/x-www-form-urlencoded') ? bytesOf(request).toString('utf8') : '');

interface TextRequest {
  readonly texts: readonly string[];
  /** Null: `auto`. */
  readonly source: string | null;
  readonly target: string;
}

type Answer = (request: TextRequest, done: readonly TranslatedText[]) => object;

function acceptCall(form: URLSearchParams, { salts, answer }: { salts: UsedSalts; answer: Answer }): AcceptedCall {
  const texts = form.getAll('q');
  const account = verifyAccount(form, salts);
  if (answer === batchAnswer && account.suffix.endsWith('-single')) throw refuse('110');
  const [from = '', target] = [form.get('from') ?? '', YOUDAO_LANGUAGES.find(form.get('to') ?? '')];
  const source = from === 'auto' ? null : YOUDAO_LANGUAGES.find(from);
  if (target === null || (source === null && from !== 'auto') || source === target) throw refuse('102');
  if (answer === oneAnswer && texts.length > 1) texts.length = 1;
  if (texts.every((text) => text.trim() === '')) throw refuse('113');
  if (texts.reduce((sum, text) => sum + codePoints(text), 0) > MAX_CHARS) throw refuse('103');
  return {
    account,
    details: { call: 'translate', texts, source, target },
    respond: (corruptions) => {
      const done = translate({ vendor: 'youdao', texts, source, target }, corruptions);
      return ok({ errorCode: '0', requestId: randomUUID(), ...answer({ texts, source, target }, done) });
    },
  };
}

/** Verifies the signature and returns the account. Throws Youdao's error. */
function verifyAccount(form: URLSearchParams, salts: UsedSalts): Account {
  if (REQUIRED.some((name) => !form.has(name))) throw refuse('101');
  const value = (name: string) => form.get(name) ?? '';
  if (value('signType') !== 'v3') throw refuse('105');
  const account = parseVendorAccount('youdao', value('appKey'));
  if (!account) throw refuse('108');
  const signed = {
    text: form.getAll('q').join(''),
    appKey: account.name,
    salt: value('salt'),
    curtime: value('curtime'),
  };
  // The C# sample sends upper-case hexadecimal.
  const sign = value('sign').toLowerCase();
  if (!countingsOf(account).some((counting) => signatureOf(signed, account.secret, counting) === sign)) {
    throw refuse('202');
  }
  if (!isFresh(signed.curtime)) throw refuse('206');
  if (!salts.take(`${account.name} ${signed.salt} ${signed.curtime}`)) throw refuse('207');
  return account;
}

/** Accepts both ways of counting; accounts whose suffix ends in `-points` accept code points only. */
const countingsOf = ({ suffix }: Account): readonly Counting[] =>
  suffix.endsWith('-points') ? ['points'] : ['utf16', 'points'];

const directionOf = ({ source, target }: TextRequest, found: TranslatedText | undefined): string =>
  `${source ?? YOUDAO_LANGUAGES.codeFor(found?.detected?.tag ?? 'en')}2${target}`;

function oneAnswer(request: TextRequest, done: readonly TranslatedText[]): object {
  return {
    query: request.texts[0],
    translation: done.map(({ text }) => text),
    l: directionOf(request, done[0]),
    isWord: false,
    dict: { url: 'yddict://m.youdao.com/dict' },
    webdict: { url: 'http://mobile.youdao.com/dict' },
  };
}

function batchAnswer(request: TextRequest, done: readonly TranslatedText[]): object {
  return {
    errorIndex: [],
    translateResults: done.map((one, index) => ({
      query: request.texts[index],
      translation: one.text,
      type: directionOf(request, one),
    })),
  };
}

export const YOUDAO_LANGUAGES = vendorLanguages(
  `zh-CHS zh-CHT en ja ko fr de es pt ru ar vi th id ms it tr hi af sq am hy az bn eu be bs bg yue ca ceb co hr cs da nl eo et fj
  tl fi gl ka el gu ht ha haw he mww hu is ig ga jw kn kk km tlh ku ky lo la lv lt lb mk mg ml mt mi mr mn my ne no ny ps fa pa
  otq ro sm gd sr-Cyrl sr-Latn sn sd si sk sl so st su sw sv ty tg ta te to uk ur uz cy fy xh yi yo yua zu`,
);

/** Youdao's error codes in use; strings on the wire, always with HTTP 200. */
export type YoudaoCode =
  | '101' // a parameter is missing
  | '102' // language not supported
  | '103' // text too long
  | '105' // signature type not supported
  | '108' // appKey invalid
  | '110' // the app has no such service
  | '113' // q is empty
  | '202' // signature wrong
  | '206' // timestamp invalid
  | '207' // replayed
  | '303' // server failure
  | '401' // in arrears
  | '411'; // too often

export const youdaoError = (code: YoudaoCode): VendorReply => ({
  status: 200,
  body: { errorCode: code, requestId: randomUUID(), l: null },
  error: code,
});

export const refuse = (code: YoudaoCode) => new VendorRefusal(youdaoError(code));

export const YOUDAO: VendorProtocol = {
  vendor: 'youdao',
  refusals: {
    rate: () => youdaoError('411'),
    quota: () => youdaoError('401'),
    auth: () => youdaoError('202'),
    error: ({ status }) => (status === undefined ? youdaoError('303') : badGateway(status)),
    block: () => youdaoError('101'),
  },
};
