import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  links?: { traceId: string }[];
  attributes: { key: string; value: object }[];
  process: string;
};
type Export = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<Span, 'process'>[] }[];
  }[];
};

/** `received`: everything that was exported to it, as it came. `env`: for processes that export every trace to it. */
export type TraceCollector = {
  readonly spans: readonly Span[];
  received: () => string;
  readonly env: Record<string, string>;
  close: () => void;
};

/** An OTLP collector over HTTP. */
export async function traceCollector(): Promise<TraceCollector> {
  const spans: Span[] = [];
  let received = '';
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      received += text;
      for (const { resource, scopeSpans } of (JSON.parse(text) as Export).resourceSpans) {
        const process = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, process }))));
      }
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    spans,
    received: () => received,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_TRACES_SAMPLER_ARG: '1' },
    close: () => void server.close(),
  };
}
