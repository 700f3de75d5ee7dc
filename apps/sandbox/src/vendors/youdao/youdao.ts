import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountAt, type Account } from '../account.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { bytesOf, isOfType } from '../request-body.js';
import { translate, type Done } from '../translate.js';
import { answered, type AcceptedCall } from '../vendor-answer.js';
import { codePoints } from '../vendor-calls.js';
import { vendorLanguages } from '../vendor-languages.js';
import { refuse, YOUDAO } from './youdao-error.js';
import { isFresh, Salts, signatureOf, type Counting } from './youdao-signature.js';

const MAX_CHARS = 5000;

const NEEDED = ['q', 'from', 'to', 'appKey', 'salt', 'sign', 'signType', 'curtime'];

/** Youdao's text translation: a form with signature v3, one text at `/api`, several at `/v2/api`; HTTP is always 200. */
export function youdaoRoutes(scope: FastifyInstance, services: VendorServices): void {
  const salts = new Salts();
  for (const [path, answer] of [
    ['/vendors/youdao/api', oneAnswer],
    ['/vendors/youdao/v2/api', batchAnswer],
  ] as const) {
    scope.post(path, (request, reply) => {
      const form = formIn(request);
      const work = () => accepted(form, { salts, answer });
      return serveCall(reply, { ...services, wire: YOUDAO, call: 'translate', name: form.get('appKey'), work });
    });
  }
}

const formIn = (request: FastifyRequest): URLSearchParams =>
  new URLSearchParams(isOfType(request, 'application/x-www-form-urlencoded') ? bytesOf(request).toString('utf8') : '');

interface Asked {
  readonly texts: readonly string[];
  /** Null: `auto`. */
  readonly source: string | null;
  readonly target: string;
}

type Answer = (asked: Asked, done: readonly Done[]) => object;

function accepted(form: URLSearchParams, { salts, answer }: { salts: Salts; answer: Answer }): AcceptedCall {
  const texts = form.getAll('q');
  const account = verified(form, salts);
  if (answer === batchAnswer && account.suffix.endsWith('-single')) throw refuse('110');
  const [from = '', target] = [form.get('from') ?? '', YOUDAO_LANGUAGES.find(form.get('to') ?? '')];
  const source = from === 'auto' ? null : YOUDAO_LANGUAGES.find(from);
  if (target === null || (source === null && from !== 'auto') || source === target) throw refuse('102');
  if (answer === oneAnswer && texts.length > 1) texts.length = 1;
  if (texts.every((text) => text.trim() === '')) throw refuse('113');
  if (texts.reduce((sum, text) => sum + codePoints(text), 0) > MAX_CHARS) throw refuse('103');
  return {
    account,
    asked: { call: 'translate', texts, source, target },
    answer: (corruptions) => {
      const done = translate({ vendor: 'youdao', texts, source, target }, corruptions);
      return answered({ errorCode: '0', requestId: randomUUID(), ...answer({ texts, source, target }, done) });
    },
  };
}

/** The account whose secret signed the form. Throws what Youdao answers otherwise. */
function verified(form: URLSearchParams, salts: Salts): Account {
  if (NEEDED.some((name) => !form.has(name))) throw refuse('101');
  const value = (name: string) => form.get(name) ?? '';
  if (value('signType') !== 'v3') throw refuse('105');
  const account = accountAt('youdao', value('appKey'));
  if (!account) throw refuse('108');
  const signed = {
    text: form.getAll('q').join(''),
    appKey: account.name,
    salt: value('salt'),
    curtime: value('curtime'),
  };
  // The C# sample writes its digits as capitals.
  const sign = value('sign').toLowerCase();
  if (!countingsOf(account).some((counting) => signatureOf(signed, account.secret, counting) === sign)) {
    throw refuse('202');
  }
  if (!isFresh(signed.curtime)) throw refuse('206');
  if (!salts.take(`${account.name} ${signed.salt} ${signed.curtime}`)) throw refuse('207');
  return account;
}

/** Both, except for accounts whose suffix ends in `-points`: those know code points alone. */
const countingsOf = ({ suffix }: Account): readonly Counting[] =>
  suffix.endsWith('-points') ? ['points'] : ['utf16', 'points'];

const directionOf = ({ source, target }: Asked, found: Done | undefined): string =>
  `${source ?? YOUDAO_LANGUAGES.codeFor(found?.found?.tag ?? 'en')}2${target}`;

function oneAnswer(asked: Asked, done: readonly Done[]): object {
  return {
    query: asked.texts[0],
    translation: done.map(({ text }) => text),
    l: directionOf(asked, done[0]),
    isWord: false,
    dict: { url: 'yddict://m.youdao.com/dict' },
    webdict: { url: 'http://mobile.youdao.com/dict' },
  };
}

function batchAnswer(asked: Asked, done: readonly Done[]): object {
  return {
    errorIndex: [],
    translateResults: done.map((one, index) => ({
      query: asked.texts[index],
      translation: one.text,
      type: directionOf(asked, one),
    })),
  };
}

export const YOUDAO_LANGUAGES = vendorLanguages(
  `zh-CHS zh-CHT en ja ko fr de es pt ru ar vi th id ms it tr hi af sq am hy az bn eu be bs bg yue ca ceb co hr cs da nl eo et fj
  tl fi gl ka el gu ht ha haw he mww hu is ig ga jw kn kk km tlh ku ky lo la lv lt lb mk mg ml mt mi mr mn my ne no ny ps fa pa
  otq ro sm gd sr-Cyrl sr-Latn sn sd si sk sl so st su sw sv ty tg ta te to uk ur uz cy fy xh yi yo yua zu`,
);
