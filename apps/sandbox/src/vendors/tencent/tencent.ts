import { randomUUID } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { accountAt, type Account } from '../account.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { bytesOf, headerOf, isObject, jsonIn, type Json } from '../request-body.js';
import type { AcceptedCall } from '../vendor-answer.js';
import type { CallKind } from '../vendor-calls.js';
import { TENCENT_ACTIONS } from './tencent-actions.js';
import { refusal, TENCENT } from './tencent-error.js';
import { dayOf, expectedSignature, isFresh, readCredential } from './tencent-signature.js';

const VERSION = '2018-03-21';
const SERVICE = 'tmt';

/** Tencent Machine Translation: one address, the action is a header, everything signed with TC3. */
export function tencentRoutes(scope: FastifyInstance, services: VendorServices): void {
  for (const path of ['/vendors/tencent', '/vendors/tencent/']) {
    scope.post(path, (request, reply) => {
      const name = readCredential(headerOf(request, 'authorization'))?.secretId ?? null;
      return serveCall(reply, {
        ...services,
        wire: TENCENT,
        call: callOf(request),
        name,
        work: () => accepted(request),
      });
    });
  }
}

const callOf = (request: FastifyRequest): CallKind =>
  headerOf(request, 'x-tc-action') === 'LanguageDetect' ? 'detect' : 'translate';

function accepted(request: FastifyRequest): AcceptedCall {
  const account = verified(request);
  const action = TENCENT_ACTIONS[headerOf(request, 'x-tc-action')];
  if (!action) throw refusal('InvalidAction', 'The requested API does not exist.');
  if (headerOf(request, 'x-tc-version') !== VERSION) {
    throw refusal('NoSuchVersion', 'The requested API version does not exist.');
  }
  const region = headerOf(request, 'x-tc-region');
  if (region === '') throw refusal('MissingParameter', 'The request is missing the parameter `Region`.');
  if (!/^(?:ap|na|eu|sa)-[a-z]+(?:-\d)?$/.test(region)) throw refusal('UnsupportedRegion', 'Region is not supported.');
  const { asked, answer } = action(account, bodyIn(request));
  return {
    account,
    asked,
    answer: (corruptions) => ({
      status: 200,
      body: { Response: { ...answer(corruptions), RequestId: randomUUID() } },
      error: null,
    }),
  };
}

/** The account whose secret signed the request as it was received. Throws AuthFailure. */
function verified(request: FastifyRequest): Account {
  const credential = readCredential(headerOf(request, 'authorization'));
  const wrong = (code: string, message: string) => refusal(`AuthFailure.${code}`, message);
  if (!credential) throw wrong('SignatureFailure', 'The Authorization header is missing or not TC3-HMAC-SHA256.');
  const timestamp = headerOf(request, 'x-tc-timestamp');
  if (!isFresh(timestamp))
    throw wrong('SignatureExpire', 'The X-TC-Timestamp is more than five minutes away from now.');
  const account = accountAt('tencent', credential.secretId);
  if (!account) throw wrong('SecretIdNotFound', 'The SecretId is not found.');
  const names = ['content-type', 'host'].every((name) => credential.signedHeaders.includes(name));
  const sorted = credential.signedHeaders.toSorted().join() === credential.signedHeaders.join();
  const scoped = credential.date === dayOf(timestamp) && credential.service === SERVICE;
  const { method = '', url = '', headers } = request.raw;
  const expected = expectedSignature(
    { method, url, headers, body: bytesOf(request) },
    { ...credential, timestamp, secretKey: account.secret },
  );
  if (!names || !sorted || !scoped || expected !== credential.signature) {
    throw wrong('SignatureFailure', 'The provided credentials could not be validated.');
  }
  return account;
}

function bodyIn(request: FastifyRequest): Json {
  const body = jsonIn(bytesOf(request));
  if (!isObject(body)) throw refusal('InvalidRequest', 'The body is not a JSON object.');
  return body;
}
