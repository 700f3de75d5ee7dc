import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { NATIVE_PATH } from '@yiqiao/contracts/envelope';
import * as nativeApi from '@yiqiao/contracts/native-api';
import { fieldMessages } from '@yiqiao/contracts/field-messages';
import { type ErrorCode, errors, statusOf } from '@yiqiao/domain/errors';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

/** What each call is for; the compiler asks for a call that lacks it. */
const SUMMARIES: Record<keyof typeof nativeApi, string> = {
  translate: 'Translate one text or up to 50',
  languages: 'List languages and the channels that translate them',
  readUsage: 'Read what the account and the key have left',
  readGlossary: 'List glossary terms',
  writeGlossary: 'Add or edit a glossary term',
  deleteFromGlossary: 'Delete glossary terms',
};

/** What any call with a key may answer. */
const COMMON: readonly ErrorCode[] = [
  'API_KEY_REQUIRED',
  'API_KEY_UNKNOWN',
  'API_KEY_EXPIRED',
  'API_KEY_REVOKED',
  'API_KEY_SCOPE',
  'API_KEY_ADDRESS',
  'VALIDATION_FAILED',
  'TOO_MANY_REQUESTS',
  'SERVICE_BUSY',
  'SERVER_ERROR',
];
const OF_CALL: Partial<Record<keyof typeof nativeApi, readonly ErrorCode[]>> = {
  translate: [
    'QUOTA_NOT_ENOUGH',
    'API_KEY_CAP_REACHED',
    'CAP_REACHED',
    'PACKAGE_EXPIRED',
    'API_KEY_CHANNEL',
    'CHANNEL_UNAVAILABLE',
    'FORMALITY_NOT_SUPPORTED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  writeGlossary: ['TERM_EXISTS', 'GLOSSARY_FULL', 'NOT_FOUND'],
  deleteFromGlossary: ['NOT_FOUND'],
};

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
};

/** The parameters of a GET: one for each field of its request. */
function parametersOf(request: z.ZodType): Json[] {
  const { properties = {}, required = [] } = schemaOf(request, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** The answers with an error, by status: each lists its codes. */
function failuresOf(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => String(statusOf(code).http));
  const responses = Array.from(byStatus, ([status, all]): [string, Json] => [
    status,
    {
      description: all.map((code) => `\`${code}\` ${errors[code].en}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
    },
  ]);
  return Object.fromEntries(responses);
}

function operationOf(name: keyof typeof nativeApi): Json {
  const { method, request, response, scope }: Endpoint = nativeApi[name];
  const success = {
    type: 'object',
    required: ['success', 'data', 'msg'],
    properties: { success: { const: true }, data: schemaOf(response, 'output'), msg: { const: '' } },
  };
  return {
    operationId: name,
    summary: SUMMARIES[name],
    description: `Scope of the key: \`${scope}\`.`,
    ...(method === 'GET'
      ? { parameters: parametersOf(request) }
      : {
          ...(name === 'translate' && { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] }),
          requestBody: { required: true, content: { 'application/json': { schema: schemaOf(request, 'input') } } },
        }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: success } } },
      ...failuresOf([...(OF_CALL[name] ?? []), ...COMMON]),
    },
  };
}

/** The OpenAPI 3.1 description of the API for members' own software, made from its contracts. `publicUrl`: without a slash at its end. */
export function describeNativeApi(publicUrl: string): Json {
  const names = Object.keys(SUMMARIES) as (keyof typeof nativeApi)[];
  const paths: Record<string, Json> = {};
  for (const name of names) {
    const { path, method }: Endpoint = nativeApi[name];
    const url = `${NATIVE_PATH}${path}`;
    paths[url] = { ...paths[url], [method.toLowerCase()]: operationOf(name) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Yiqiao API', version: '1', description: `See ${publicUrl}/developers` },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the console: `yq_…`' } },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'The same key and body: the first answer again, for 24 hours, charged once.',
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
        },
      },
      schemas: {
        Failure: {
          type: 'object',
          required: ['success', 'data', 'msg', 'code', 'status'],
          properties: {
            success: { const: false },
            data: {},
            msg: { type: 'string', description: 'For people, in the language of Accept-Language (zh-CN, en-US)' },
            code: { type: 'string', description: 'For programs; never changes' },
            status: { type: 'integer' },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                required: ['path', 'code', 'msg'],
                properties: {
                  path: { type: 'string' },
                  code: { type: 'string', enum: Object.keys(fieldMessages) },
                  msg: { type: 'string' },
                },
              },
            },
          },
        },
      },
    },
  };
}

/** Serves it; any site may read it. */
export function serveOpenApi(fastify: FastifyInstance, publicUrl: string): void {
  const text = JSON.stringify(describeNativeApi(publicUrl));
  fastify.get('/openapi.json', (_, reply) =>
    reply
      .header('Cache-Control', 'no-cache')
      .header('Access-Control-Allow-Origin', '*')
      .type('application/json; charset=utf-8')
      .send(text),
  );
}
