/**
 * Kubernetes manifests held, without a cluster, against what they describe. Those of Kubernetes itself and of the Prometheus operator against
 * published types: the compiler finds unknown fields, wrong values and what is missing, and says what was meant. Those of CloudNativePG against its
 * own schema, with patterns and ranges, as a cluster checks them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { infra, schemaCheck } from './packaging.js';

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels?: Record<string, string> };
};

/** Groups of custom resources whose types come as those of Kubernetes itself. */
const PACKAGES = new Map([['monitoring.coreos.com', '@kubernetes-models/prometheus-operator']]);
/** Groups whose definitions are kept here. */
const DEFINED = new Set(['postgresql.cnpg.io']);

/** One line for each problem, beginning with kind and name. `tools`: the folder whose node_modules have the types. */
export function problemsIn(manifests: readonly Manifest[], tools: string): string[] {
  const isDefined = ({ apiVersion }: Manifest): boolean => DEFINED.has(apiVersion.split('/')[0] ?? '');
  return [
    ...againstTypes(
      manifests.filter((each) => !isDefined(each)),
      tools,
    ),
    ...manifests.filter(isDefined).flatMap(againstDefinition),
  ];
}

function againstTypes(manifests: readonly Manifest[], tools: string): string[] {
  const folder = path.join(tools, `manifests-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    const files = manifests.map((manifest, n) => {
      const file = path.join(folder, `${n}.ts`);
      writeFileSync(file, sourceOf(manifest));
      return file;
    });
    return compile(files).flatMap(({ file, text, line }) => {
      const at = manifests[Number(path.basename(file, '.ts'))];
      return at ? [`${nameOf(at)}: ${line} ${text}`] : [`${file}: ${text}`];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const nameOf = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`;

function sourceOf(manifest: Manifest): string {
  const { apiVersion, kind } = manifest;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const module = [PACKAGES.get(group) ?? 'kubernetes-models', group, version, kind].filter(Boolean).join('/');
  return `import type { I${kind} } from '${module}';\nexport const manifest: I${kind} = ${JSON.stringify(manifest, null, 2)};\n`;
}

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema };
type Definition = { spec: { versions: { name: string; schema: { openAPIV3Schema: Schema } }[] } };

const checks = new Map<string, ReturnType<typeof schemaCheck>>();

function againstDefinition(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const type = `${apiVersion} ${kind}`;
  const check = checks.get(type) ?? schemaCheck(strictly(schemaOf(manifest)));
  checks.set(type, check);
  return check(manifest).map((problem) => `${nameOf(manifest)}: ${problem}`);
}

/** Throws for a kind that is not kept. */
function schemaOf({ apiVersion, kind }: Manifest): Schema {
  const [group, version] = apiVersion.split('/');
  const text = readFileSync(infra('packaging/crds', `${group}_${kind.toLowerCase()}s.yaml`), 'utf8');
  const found = (parse(text) as Definition).spec.versions.find(({ name }) => name === version);
  if (!found) throw new Error(`there is no ${apiVersion} of ${kind}`);
  return found.schema.openAPIV3Schema;
}

/** A cluster drops unknown fields without a word unless it is asked to be strict; metadata is not described here. */
function strictly(schema: Schema): Schema {
  const { properties, items } = schema;
  const inside = Object.entries(properties ?? {}).map(([name, each]) => [name, strictly(each)] as const);
  const closed = properties && !schema['x-kubernetes-preserve-unknown-fields'] && { additionalProperties: false };
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(inside) }),
    ...(items && { items: strictly(items) }),
    ...closed,
  };
}

type Problem = { file: string; line: string; text: string };

function compile(files: string[]): Problem[] {
  const program = ts.createProgram(files, {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  return ts.getPreEmitDiagnostics(program).map((found) => {
    const at = found.file && found.start !== undefined ? found.file.getLineAndCharacterOfPosition(found.start) : null;
    return {
      file: found.file?.fileName ?? '',
      line: at ? (found.file?.text.split('\n')[at.line] ?? '').trim() : '',
      text: ts.flattenDiagnosticMessageText(found.messageText, ' '),
    };
  });
}
