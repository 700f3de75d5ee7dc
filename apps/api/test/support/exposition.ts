/** What a process tells Prometheus. */
export type Sample = {
  /** With `_bucket`, `_sum` or `_count` for a histogram. */
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
};

export type Exposition = {
  /** Names and types of the families, as their TYPE lines say. */
  types: ReadonlyMap<string, string>;
  samples: readonly Sample[];
};

const LINE = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"/gi;

/** Throws for a line that Prometheus would not understand. */
export function parseExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type) types.set(type[1] ?? '', type[2] ?? '');
    if (line === '' || line.startsWith('#')) continue;
    const found = LINE.exec(line);
    if (!found) throw new Error(`no sample: ${line}`);
    const [, name = '', labels = '', value = ''] = found;
    samples.push({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text.replace(/\\(.)/g, '$1')]),
      ),
      value: Number(value.replace('Inf', 'Infinity')),
    });
  }
  return { types, samples };
}

export async function scrape(port: number): Promise<Exposition> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!answer.ok) throw new Error(`/metrics: ${answer.status}`);
  return parseExposition(await answer.text());
}

/** The family that a sample belongs to. */
export function familyOf({ name }: Sample, types: Exposition['types']): string {
  const histogram = name.replace(/_(bucket|sum|count)$/, '');
  return types.get(histogram) === 'histogram' ? histogram : name;
}

/** The sum of the samples with this name and these labels. */
export const valueOf = ({ samples }: Exposition, name: string, labels: Record<string, string> = {}): number =>
  samples
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
