import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { Resource } from '@opentelemetry/resources';
import type { Config } from '../config.js';
import { ConfigurationError } from '../configuration-error.js';
import { diskSpaces } from '../disk-space.js';
import type { ProcessKind } from '../process-reports.js';
import { uuid7 } from '../uuid7.js';
import { INSTRUMENTS } from './instrument-table.js';
import { createInstruments, observe, withUnit } from './instruments.js';
import { measureRedis } from './measure-redis.js';
import { startTracing } from './tracing.js';

/** Each sample wakes the process. */
const DELAY_SAMPLE_MS = 100;

/**
 * Begins to measure what METRICS_PORT and OTEL_EXPORTER_OTLP_ENDPOINT ask for; without them nothing is loaded. Called before anything else is
 * built. Throws ConfigurationError when the port is taken.
 */
export async function startTelemetry(config: Config, kind: ProcessKind): Promise<void> {
  await startTracing(config, kind);
  const { METRICS_PORT: port } = config.env;
  if (port === undefined) return;
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({
    'service.namespace': 'yiqiao',
    'service.name': kind,
    'service.instance.id': uuid7(),
  });
  const provider = await servePrometheus({ port, host: config.env.METRICS_HOST }, resource);
  createInstruments(provider.getMeter('yiqiao'));
  measureRedis();
  observeProcess(config);
}

async function servePrometheus(address: { port: number; host: string }, resource: Resource): Promise<MeterProvider> {
  const [{ MeterProvider }, { PrometheusExporter }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-prometheus'),
  ]);
  const reader = new PrometheusExporter({
    ...address,
    preventServerStart: true,
    withoutScopeInfo: true,
    // Rules tell processes apart by it, whatever the scraping job is called.
    withResourceConstantLabels: /^service\.name$/,
  });
  const views = Object.entries(INSTRUMENTS).map(([instrumentName, { unit }]) => ({
    instrumentName,
    name: withUnit(instrumentName, unit),
  }));
  const provider = new MeterProvider({ resource, readers: [reader], views });
  await reader.startServer().catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError([`METRICS_PORT: ${why}`]);
  });
  return provider;
}

/** Processor, memory, event loop and disks. */
function observeProcess(config: Config): void {
  const delay = monitorEventLoopDelay({ resolution: DELAY_SAMPLE_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  observe((note) => {
    const { user, system } = process.cpuUsage();
    note('process.cpu.time', user / 1e6, { 'cpu.mode': 'user' });
    note('process.cpu.time', system / 1e6, { 'cpu.mode': 'system' });
    const { rss, heapUsed } = process.memoryUsage();
    note('process.memory.usage', rss);
    note('v8js.memory.heap.used', heapUsed);
    note('nodejs.eventloop.delay.p99', Math.max(0, delay.percentile(99) / 1e9 - DELAY_SAMPLE_MS / 1e3));
    delay.reset();
    const now = performance.eventLoopUtilization();
    note('nodejs.eventloop.utilization', performance.eventLoopUtilization(now, before).utilization);
    before = now;
  });
  observe(async (note) => {
    for (const { path, freeBytes, freeShare } of await diskSpaces(config)) {
      note('yiqiao.disk.free', freeBytes, { path });
      note('yiqiao.disk.free.ratio', freeShare, { path });
    }
  });
}
