import { hash } from 'node:crypto';
import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { Config } from '../config.js';
import type { ProcessKind } from '../process-reports.js';

/** Absent while traces go nowhere. */
let tracer: Tracer | undefined;
/** Whether a trace is kept: asked before anything is made for it. */
let isKept = (_traceId: string): boolean => false;
/** The id of the trace that is being begun. */
let begun = '';

/** Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT; one of OTEL_TRACES_SAMPLER_ARG is kept, decided by its id, so by every process alike. */
export async function startTracing({ env }: Config, kind: ProcessKind): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = env;
  if (endpoint === undefined) return;
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const random = new sdk.RandomIdGenerator();
  const sampler = new sdk.TraceIdRatioBasedSampler(share);
  isKept = (traceId) =>
    sampler.shouldSample(ROOT_CONTEXT, traceId).decision === sdk.SamplingDecision.RECORD_AND_SAMPLED;
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.namespace': 'yiqiao', 'service.name': kind }),
    sampler: new sdk.AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => begun, generateSpanId: () => random.generateSpanId() },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  tracer = provider.getTracer('yiqiao');
}

export const isTraced = (): boolean => tracer !== undefined;

/** A trace that a request begins has the id of the request. */
export const traceOfRequest = (requestId: string): string => requestId.replaceAll('-', '');
/** Whatever is done for the same thing, in whichever process and whenever, is one trace: `order 7`. */
export const traceOf = (thing: string): string => hash('sha256', thing).slice(0, 32);

/** Begins a span without a parent, in this trace; undefined when the trace is not kept. It links to what runs now. */
export function beginTrace(
  traceId: string,
  name: string,
  {
    attributes = {},
    since,
    kind = SpanKind.INTERNAL,
  }: { attributes?: Attributes; since?: number; kind?: SpanKind } = {},
): Span | undefined {
  if (!tracer || !isKept(traceId)) return undefined;
  begun = traceId;
  const cause = trace.getActiveSpan()?.spanContext();
  return tracer.startSpan(name, {
    root: true,
    kind,
    attributes,
    ...(since !== undefined && { startTime: since }),
    links: cause ? [{ context: cause }] : [],
  });
}

/** Runs `work` with this span as the parent of what it begins; without a span as it is. */
export const within = <T>(span: Span | undefined, work: () => T): T =>
  span ? context.with(trace.setSpan(context.active(), span), work) : work();

/** A span below what is traced now; undefined without a trace. */
export const beginStep = (name: string, attributes: Attributes): Span | undefined =>
  tracer && trace.getActiveSpan() ? tracer.startSpan(name, { attributes, kind: SpanKind.CLIENT }) : undefined;

/** A step of what is traced now; without a trace just the work. A failure is told by its kind alone: messages may quote texts. */
export function step<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const span = beginStep(name, attributes);
  return span ? ending(span, () => within(span, work)) : work();
}

/** Ends the span with the work. */
export async function ending<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span
      ?.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER')
      .setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span?.end();
  }
}
