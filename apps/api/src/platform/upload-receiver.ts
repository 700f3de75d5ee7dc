import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import type { FastifyReply } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { Config } from './config.js';
import { CONTRACT } from './endpoint-metadata.js';
import { networkOf } from './rate-limits.js';
import { receiveUpload, type UploadRequest } from './uploads.js';

type Sender = { userId: number; familyId: number; address: string };

/** Limits concurrent uploads per member, family, address and in total. Excess uploads are refused before a byte is read. */
@Injectable()
export class UploadSlots {
  readonly #active = new Map<string, number>();
  readonly #max: { member: number; family: number; address: number; all: number };

  constructor({ env }: Config) {
    this.#max = {
      member: env.LIMIT_UPLOADS_PER_MEMBER,
      family: env.LIMIT_UPLOADS_PER_FAMILY,
      address: env.LIMIT_UPLOADS_PER_IP,
      all: env.LIMIT_UPLOADS,
    };
  }

  /** Takes a slot and returns the function that frees it. */
  acquire({ userId, familyId, address }: Sender): () => void {
    const own = [
      [`member ${userId}`, this.#max.member],
      [`family ${familyId}`, this.#max.family],
      [`address ${networkOf(address)}`, this.#max.address],
    ] as const;
    if (own.some(([key, max]) => this.#count(key) >= max))
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 3 });
    if (this.#count(ALL) >= this.#max.all) throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 3 });
    const keys = [ALL, ...own.map(([key]) => key)];
    for (const key of keys) this.#active.set(key, this.#count(key) + 1);
    return () => {
      for (const key of keys) {
        const left = this.#count(key) - 1;
        if (left > 0) this.#active.set(key, left);
        else this.#active.delete(key);
      }
    };
  }

  #count(key: string): number {
    return this.#active.get(key) ?? 0;
  }
}

const ALL = 'all';

/** Receives an upload after the guards and before the pipes, and removes it when the request is over. */
@Injectable()
export class UploadReceiver implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly slots: UploadSlots,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    if (!contract?.upload) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<UploadRequest & { caller?: { userId: number; familyId: number } }>();
    const { userId = 0, familyId = 0 } = request.caller ?? {};
    const release = this.slots.acquire({ userId, familyId, address: request.ip });
    try {
      const { fields, upload, discard } = await receiveUpload(request, contract.upload);
      request.body = fields;
      request.upload = upload;
      return next.handle().pipe(
        finalize(() => {
          release();
          void discard();
        }),
      );
    } catch (error) {
      release();
      // Drops the unread rest of the form with its connection.
      if (error instanceof Refusal && error.code === 'UPLOAD_TOO_SLOW')
        void http.getResponse<FastifyReply>().header('Connection', 'close');
      throw error;
    }
  }
}
