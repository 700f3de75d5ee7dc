import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginTrace, isTraced, traceOfRequest, within } from './tracing.js';

/** Begins a trace with every request but for streams and probes, under the request's id: whoever has X-Request-Id finds it. */
export function traceHttp(fastify: FastifyInstance): void {
  if (!isTraced()) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  fastify.addHook('onRequest', (request, _, done) => {
    const { method, routeOptions, is404 } = request;
    if (is404 || request.headers.accept === 'text/event-stream') {
      done();
      return;
    }
    const route = routeOptions.url ?? '/*';
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = beginTrace(traceOfRequest(request.id), `${method} ${route}`, { attributes, kind: SpanKind.SERVER });
    if (span) spans.set(request, span);
    within(span, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}
