import type { FastifyRequest } from 'fastify';

/** Where an order can be paid in this sandbox, under the name by which the asker reached it: what a QR code says here. */
export function cashierAddress(request: FastifyRequest, orderNo: string): string {
  return `http://${request.headers.host ?? 'localhost'}/cashier/${encodeURIComponent(orderNo)}`;
}
