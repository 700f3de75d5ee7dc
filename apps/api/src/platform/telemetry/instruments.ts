import type { BatchObservableResult, Counter, Histogram, Meter, Observable } from '@opentelemetry/api';

import { INSTRUMENTS, type Instrument, type Kind } from './instrument-table.js';

type Named = typeof INSTRUMENTS;
type NameOf<K extends Kind> = { [Name in keyof Named]: Named[Name]['kind'] extends K ? Name : never }[keyof Named];
/** Only the labels of the table; what is undefined is left out. */
type Labels<Name extends keyof Named> = { readonly [Label in Named[Name]['labels'][number]]?: string | number };

/** Notes a gauge or a total. */
export type Note = <Name extends NameOf<'gauge' | 'total'>>(name: Name, value: number, labels?: Labels<Name>) => void;
/** Reads them when somebody asks. What it does not note is absent then; when it rejects, so is the rest. */
export type Observe = (note: Note) => void | Promise<void>;

/** The name in Prometheus, by OpenTelemetry's rules for it: with the unit, and `_total` for what only grows. */
export function prometheusName(name: string): string {
  const { unit, kind } = (INSTRUMENTS as Readonly<Record<string, Instrument>>)[name] ?? { unit: '', kind: 'gauge' };
  const grows = kind === 'counter' || kind === 'total';
  return `${withUnit(name, unit).replaceAll('.', '_')}${grows ? '_total' : ''}`;
}

export const withUnit = (name: string, unit: string): string =>
  unit === 's' ? `${name}.seconds` : unit === 'By' ? `${name}.bytes` : name;

type Live = {
  readonly counters: Readonly<Record<string, Counter>>;
  readonly histograms: Readonly<Record<string, Histogram>>;
  readonly observe: (observe: Observe) => void;
};
/** Absent while nobody collects figures: then nothing is recorded, and nothing is kept. */
let live: Live | undefined;

const namesOf = (kind: Kind): [name: string, instrument: Instrument][] =>
  Object.entries<Instrument>(INSTRUMENTS).filter(([, instrument]) => instrument.kind === kind);

/** Creates them with the meter of this process, before anything else is built. */
export function createInstruments(meter: Meter): void {
  const options = ({ unit, is, buckets }: Instrument) => ({
    unit,
    description: is,
    ...(buckets && { advice: { explicitBucketBoundaries: [...buckets] } }),
  });
  const all = <T>(kind: Kind, make: (name: string, instrument: Instrument) => T): Record<string, T> =>
    Object.fromEntries(namesOf(kind).map(([name, instrument]) => [name, make(name, instrument)]));
  const observed: Record<string, Observable> = {
    ...all('gauge', (name, one) => meter.createObservableGauge(name, options(one))),
    ...all('total', (name, one) => meter.createObservableCounter(name, options(one))),
  };
  live = {
    counters: all('counter', (name, one) => meter.createCounter(name, options(one))),
    histograms: all('histogram', (name, one) => meter.createHistogram(name, options(one))),
    observe: (observe) => {
      const read = (result: BatchObservableResult): void | Promise<void> =>
        observe((name, value, labels) => {
          const instrument = observed[name];
          if (instrument) result.observe(instrument, value, labels);
        });
      meter.addBatchObservableCallback(read, Object.values(observed));
    },
  };
}

/** Whether somebody collects figures: what is expensive to prepare need not be prepared otherwise. */
export const isMeasured = (): boolean => live !== undefined;

export function record<Name extends NameOf<'histogram'>>(name: Name, value: number, labels?: Labels<Name>): void {
  live?.histograms[name]?.record(value, labels);
}

export function count<Name extends NameOf<'counter'>>(name: Name, by: number, labels?: Labels<Name>): void {
  live?.counters[name]?.add(by, labels);
}

export function observe(read: Observe): void {
  live?.observe(read);
}
