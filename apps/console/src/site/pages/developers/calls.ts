/** The calls of the native API as they stand in the examples, in four languages. */
import { language } from '../../../shared/i18n/language.js';
import { SAMPLES } from './samples.js';

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };
export type ExampleCall = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/v1/${string}`;
  /** Sent as the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: { readonly [key: string]: Value };
};

const { source, target, text, term, translation } = SAMPLES[language];

export const CALLS = {
  translate: { method: 'POST', path: '/v1/translate', body: { text, target } },
  languages: { method: 'GET', path: '/v1/languages' },
  usage: { method: 'GET', path: '/v1/usage' },
  listTerms: { method: 'GET', path: '/v1/glossary', query: { source, target, pageSize: '50' } },
  saveTerm: { method: 'POST', path: '/v1/glossary', body: { source, target, term, translation } },
  deleteTerms: { method: 'DELETE', path: '/v1/glossary', body: { ids: [17] } },
} as const satisfies Record<string, ExampleCall>;
export type CallName = keyof typeof CALLS;

export const CODE_LANGUAGES = ['curl', 'node', 'python', 'php'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];
export const CODE_NAMES = { curl: 'curl', node: 'Node.js', python: 'Python', php: 'PHP' } as const;

const urlOf = (origin: string, { path, query = {} }: ExampleCall): string => {
  const search = new URLSearchParams(query).toString();
  return `${origin}${path}${search === '' ? '' : `?${search}`}`;
};

/** Single quotes are the same in JavaScript, Python and PHP, as long as nothing in the text needs an escape. */
const quoted = (text: string): string => {
  if (/['\\\n]/.test(text)) throw new Error(`an example would need an escape: ${text}`);
  return `'${text}'`;
};

type Style = { open: string; close: string; key: (name: string) => string };
const STYLES = {
  node: { open: '{ ', close: ' }', key: (name) => `${name}: ` },
  python: { open: '{', close: '}', key: (name) => `${quoted(name)}: ` },
  php: { open: '[', close: ']', key: (name) => `${quoted(name)} => ` },
} as const satisfies Record<string, Style>;

function literal(value: Value, style: Style): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map((each) => literal(each, style)).join(', ')}]`;
  const fields = Object.entries(value).map(([name, each]) => style.key(name) + literal(each, style));
  return style.open + fields.join(', ') + style.close;
}

const isLine = (line: string | null): line is string => line !== null;
const lines = (...all: (string | null)[]): string => all.filter(isLine).join('\n');

function curl(origin: string, call: ExampleCall): string {
  const { method, body } = call;
  return [
    `curl ${method === 'DELETE' ? '-X DELETE ' : ''}${quoted(urlOf(origin, call))}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

function node(origin: string, call: ExampleCall): string {
  const { method, body } = call;
  return lines(
    `const response = await fetch(${quoted(urlOf(origin, call))}, {`,
    method === 'GET' ? null : `  method: '${method}',`,
    '  headers: {',
    '    Authorization: `Bearer ${process.env.API_KEY}`,',
    body ? `    'Content-Type': 'application/json',` : null,
    '  },',
    body ? `  body: JSON.stringify(${literal(body, STYLES.node)}),` : null,
    '});',
    'const answer = await response.json();',
    'if (!answer.success) throw new Error(`${answer.code}: ${answer.msg}`);',
    'console.log(answer.data);',
  );
}

function python(origin: string, call: ExampleCall): string {
  const { method, body } = call;
  return lines(
    'import os',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${quoted(urlOf(origin, call))},`,
    `    headers={'Authorization': 'Bearer ' + os.environ['API_KEY']},`,
    body ? `    json=${literal(body, STYLES.python)},` : null,
    '    timeout=60,',
    ')',
    'answer = response.json()',
    `if not answer['success']:`,
    `    raise RuntimeError(f"{answer['code']}: {answer['msg']}")`,
    `print(answer['data'])`,
  );
}

function php(origin: string, call: ExampleCall): string {
  const { method, body } = call;
  return lines(
    '<?php',
    `$request = curl_init(${quoted(urlOf(origin, call))});`,
    'curl_setopt_array($request, [',
    method === 'GET' ? null : `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_HTTPHEADER => [',
    `        'Authorization: Bearer ' . getenv('API_KEY'),`,
    body ? `        'Content-Type: application/json',` : null,
    '    ],',
    body ? `    CURLOPT_POSTFIELDS => json_encode(${literal(body, STYLES.php)}),` : null,
    ']);',
    '$answer = json_decode(curl_exec($request), true);',
    `if (!$answer['success']) {`,
    `    throw new RuntimeException("{$answer['code']}: {$answer['msg']}");`,
    '}',
    `print_r($answer['data']);`,
  );
}

const WRITERS = { curl, node, python, php } as const;

/** One call in one language. `origin`: the site's address. The key is in the environment, as `API_KEY`. */
export const exampleOf = (codeLanguage: CodeLanguage, origin: string, call: ExampleCall): string =>
  WRITERS[codeLanguage](origin, call);
