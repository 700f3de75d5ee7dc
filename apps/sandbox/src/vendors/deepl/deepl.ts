import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseVendorAccount, type Account } from '../account.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { bytesOf, headerOf, isObject, isOfType, isTexts, jsonIn } from '../request-body.js';
import { translate } from '../translate.js';
import { languageOf, type Register } from '../translation/language.js';
import { ok, VendorRefusal, type AcceptedCall, type VendorReply } from '../vendor-answer.js';
import { codePoints, type CallKind } from '../vendor-calls.js';
import { englishName, vendorLanguages } from '../vendor-languages.js';
import { DeeplGlossaries } from './deepl-glossaries.js';
import { DEEPL, FORBIDDEN, QUOTA, refuse } from './deepl-error.js';

const MAX_TEXTS = 50;
const MAX_BYTES = 128 * 1024;

/** Character quota of the free plan. */
const FREE_LIMIT = 500_000;
const PRO_LIMIT = 1_000_000_000_000;

/** DeepL API v2, its two hosts as `/vendors/deepl` and, for keys that end in `:fx`, `/vendors/deepl-free`. */
export function deeplRoutes(scope: FastifyInstance, services: VendorServices): void {
  const glossaries = new DeeplGlossaries();
  for (const host of ['deepl', 'deepl-free'] as const) {
    const serve =
      (call: CallKind, work: (request: FastifyRequest, account: Account) => AcceptedCall) =>
      (request: FastifyRequest, reply: FastifyReply) => {
        const checked = () => work(request, accountIn(request, host));
        return serveCall(reply, { ...services, wire: DEEPL, call, name: keyIn(request), handle: checked });
      };
    const used = ({ name }: Account) => services.calls.of(name).chars;
    scope.post(
      `/vendors/${host}/v2/translate`,
      serve('translate', (request, account) => translation(request, { account, used: used(account), glossaries })),
    );
    scope.get(
      `/vendors/${host}/v2/usage`,
      serve('usage', (_request, account) => usage(account, used(account))),
    );
    scope.get(`/vendors/${host}/v2/languages`, serve('languages', listLanguages));
    glossaryRoutes(scope, { path: `/vendors/${host}/v2/glossaries`, serve, glossaries });
  }
}

const keyIn = (request: FastifyRequest): string | null =>
  /^DeepL-Auth-Key (\S+)$/.exec(headerOf(request, 'authorization'))?.[1] ?? null;

function accountIn(request: FastifyRequest, host: 'deepl' | 'deepl-free'): Account {
  const account = parseVendorAccount('deepl', keyIn(request));
  if (!account || account.name.endsWith(':fx') !== (host === 'deepl-free')) throw new VendorRefusal(FORBIDDEN);
  return account;
}

const limitOf = (account: Account): number => (account.name.endsWith(':fx') ? FREE_LIMIT : PRO_LIMIT);

interface Fields {
  readonly texts: unknown;
  readonly target: unknown;
  readonly source: unknown;
  readonly billed: boolean;
  readonly glossary: unknown;
  readonly formality: unknown;
}

/** Parses JSON, or a form in which `text` repeats. */
function fieldsIn(request: FastifyRequest): Fields {
  const bytes = bytesOf(request);
  if (bytes.length > MAX_BYTES) throw refuse(413, 'Request Entity Too Large');
  if (isOfType(request, 'application/x-www-form-urlencoded')) {
    const form = new URLSearchParams(bytes.toString('utf8'));
    return {
      texts: form.getAll('text'),
      target: form.get('target_lang'),
      source: form.get('source_lang') ?? undefined,
      billed: form.get('show_billed_characters') === 'true',
      glossary: form.get('glossary_id') ?? undefined,
      formality: form.get('formality') ?? undefined,
    };
  }
  if (!isOfType(request, 'application/json')) throw refuse(415, 'Unsupported media type');
  const body = jsonIn(bytes);
  if (!isObject(body)) throw refuse(400, 'Bad request. Reason: the body is not valid JSON');
  return {
    texts: body['text'],
    target: body['target_lang'],
    source: body['source_lang'],
    billed: body['show_billed_characters'] === true,
    glossary: body['glossary_id'],
    formality: body['formality'],
  };
}

interface TranslationContext {
  readonly account: Account;
  readonly used: number;
  readonly glossaries: DeeplGlossaries;
}

function translation(request: FastifyRequest, { account, used, glossaries }: TranslationContext): AcceptedCall {
  const { texts, target: to, source: from, billed, glossary, formality } = fieldsIn(request);
  if (!isTexts(texts) || texts.length === 0) throw refuse(400, "Bad request. Reason: Parameter 'text' not specified.");
  if (texts.length > MAX_TEXTS) throw refuse(400, 'Bad request. Reason: Too many texts.');
  const target = typeof to === 'string' ? DEEPL_TARGETS.find(to) : null;
  if (target === null) throw refuse(400, "Value for 'target_lang' not supported.");
  const source = typeof from === 'string' && from !== '' ? DEEPL_SOURCES.find(from) : null;
  if (source === null && from !== undefined && from !== null && from !== '') {
    throw refuse(400, "Value for 'source_lang' not supported.");
  }
  const register = registerIn(formality, target);
  const chars = texts.reduce((sum, text) => sum + codePoints(text), 0);
  if (used + chars > limitOf(account)) throw new VendorRefusal(QUOTA);
  const terms = typeof glossary === 'string' ? glossaries.terms(account.name, glossary, { source, target }) : [];
  const same = source !== null && languageOf(source).base === languageOf(target).base;
  return {
    account,
    details: { call: 'translate', texts, source, target },
    respond: (corruptions) => {
      // Translating between two variants of a language returns the text as it is.
      const done = translate(
        { vendor: 'deepl', texts, source, target, terms, register },
        same ? ['echo', ...corruptions] : corruptions,
      );
      const translations = done.map(({ text, detected }, index) => ({
        detected_source_language: source ?? DEEPL_SOURCES.codeFor(languageOf(detected?.tag ?? 'en').base),
        text,
        billed_characters: billed ? codePoints(texts[index] ?? '') : undefined,
      }));
      return ok({ translations });
    },
  };
}

/** The targets with a formality. */
const FORMAL: ReadonlySet<string> = new Set('DE FR IT ES ES-419 NL PL PT-BR PT-PT JA RU'.split(' '));

/** Throws VendorRefusal. */
function registerIn(formality: unknown, target: string): Register | null {
  if (formality === undefined || formality === 'default') return null;
  const [, prefers, side] = /^(prefer_)?(more|less)$/.exec(typeof formality === 'string' ? formality : '') ?? [];
  if (side === undefined) throw refuse(400, "Value for 'formality' not supported.");
  if (FORMAL.has(target)) return side === 'more' ? 'formal' : 'informal';
  if (prefers === undefined) throw refuse(400, "'formality' is not supported for given 'target_lang'.");
  return null;
}

type Serve = (
  call: CallKind,
  work: (request: FastifyRequest, account: Account) => AcceptedCall,
) => (request: FastifyRequest, reply: FastifyReply) => unknown;

interface GlossaryRoutes {
  readonly path: string;
  readonly serve: Serve;
  readonly glossaries: DeeplGlossaries;
}

function glossaryRoutes(scope: FastifyInstance, { path, serve, glossaries }: GlossaryRoutes): void {
  const work = (make: (request: FastifyRequest, account: string) => VendorReply) =>
    serve('glossary', (request, account) => {
      const answer = make(request, account.name);
      return { account, details: { call: 'glossary', texts: [], source: null, target: null }, respond: () => answer };
    });
  scope.get(
    path,
    work((_request, account) => ok({ glossaries: glossaries.list(account) })),
  );
  scope.post(
    path,
    work((request, account) => {
      const body = jsonIn(bytesOf(request));
      if (!isObject(body)) throw refuse(400, 'Bad request. Reason: the body is not valid JSON');
      return { ...ok(glossaries.add(account, body)), status: 201 };
    }),
  );
  scope.delete<{ Params: { id: string } }>(`${path}/:id`, (request, reply) =>
    work((_request, account) => {
      glossaries.remove(account, request.params.id);
      return { ...ok(''), status: 204 };
    })(request, reply),
  );
}

const usage = (account: Account, used: number): AcceptedCall => ({
  account,
  details: { call: 'usage', texts: [], source: null, target: null },
  respond: () => ok({ character_count: used, character_limit: limitOf(account) }),
});

function listLanguages(request: FastifyRequest, account: Account): AcceptedCall {
  const targets = new URLSearchParams(request.url.split('?')[1]).get('type') === 'target';
  return {
    account,
    details: { call: 'languages', texts: [], source: null, target: null },
    respond: () =>
      ok(
        (targets ? DEEPL_TARGETS : DEEPL_SOURCES).codes.map((language) => ({
          language,
          name: englishName(language),
          ...(targets ? { supports_formality: FORMAL.has(language) } : {}),
        })),
      ),
  };
}

/** Languages without variants; they are both sources and targets. */
const BASES = `JA KO FR DE ES RU AR VI TH ID MS IT TR HI ACE AF SQ AN HY AS AY AZ BN BA EU BE BHO BS BR BG YUE CA CEB HR CS DA PRS
  NL EO ET TL FI GL KA EL GN GU HT HA HE HU IS IG GA JV KK GOM KMR CKB KY LA LV LN LT LMO LB MK MAI MG ML MT MI MR MN MY NE NB
  OC OM PAM PAG PS FA PL PA QU RO SA SR SCN SK SL ST SU SW SV TG TA TT TE TS TN TK UK UR UZ CY WO XH YI ZU`;

export const DEEPL_TARGETS = vendorLanguages(`ZH-HANS ZH-HANT EN-US EN-GB PT-BR PT-PT ES-419 ${BASES}`, {
  ZH: 'ZH-HANS',
  EN: 'EN-US',
  PT: 'PT-PT',
});

export const DEEPL_SOURCES = vendorLanguages(`ZH EN PT ${BASES}`);
