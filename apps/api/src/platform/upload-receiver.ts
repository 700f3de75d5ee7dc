import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import type { FastifyReply } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { Config } from './config.js';
import { CONTRACT } from './contract-of.js';
import { networkOf } from './rate-limits.js';
import { receive, type UploadRequest } from './uploads.js';

type Sender = { userId: number; familyId: number; address: string };

/** Places for uploads, of one member, one family, one address and of all. Whoever comes then is told before a byte is read. */
@Injectable()
export class UploadPlaces {
  readonly #underWay = new Map<string, number>();
  readonly #most: { member: number; family: number; address: number; all: number };

  constructor({ env }: Config) {
    this.#most = {
      member: env.LIMIT_UPLOADS_PER_MEMBER,
      family: env.LIMIT_UPLOADS_PER_FAMILY,
      address: env.LIMIT_UPLOADS_PER_IP,
      all: env.LIMIT_UPLOADS,
    };
  }

  /** Answers how to leave again. */
  enter({ userId, familyId, address }: Sender): () => void {
    const own = [
      [`member ${userId}`, this.#most.member],
      [`family ${familyId}`, this.#most.family],
      [`address ${networkOf(address)}`, this.#most.address],
    ] as const;
    if (own.some(([key, most]) => this.#count(key) >= most))
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 3 });
    if (this.#count(ALL) >= this.#most.all) throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 3 });
    const keys = [ALL, ...own.map(([key]) => key)];
    for (const key of keys) this.#underWay.set(key, this.#count(key) + 1);
    return () => {
      for (const key of keys) {
        const left = this.#count(key) - 1;
        if (left > 0) this.#underWay.set(key, left);
        else this.#underWay.delete(key);
      }
    };
  }

  #count(key: string): number {
    return this.#underWay.get(key) ?? 0;
  }
}

const ALL = 'all';

/** Receives what a member uploads, after the guards and before the pipes, and removes it when the request is over: nothing is kept. */
@Injectable()
export class UploadReceiver implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly places: UploadPlaces,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    if (!contract?.upload) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<UploadRequest & { caller?: { userId: number; familyId: number } }>();
    const { userId = 0, familyId = 0 } = request.caller ?? {};
    const leave = this.places.enter({ userId, familyId, address: request.ip });
    try {
      const { fields, upload, discard } = await receive(request, contract.upload);
      request.body = fields;
      request.upload = upload;
      return next.handle().pipe(
        finalize(() => {
          leave();
          void discard();
        }),
      );
    } catch (error) {
      leave();
      // What was not read of the form goes with its connection.
      if (error instanceof Refusal && error.code === 'UPLOAD_TOO_SLOW')
        void http.getResponse<FastifyReply>().header('Connection', 'close');
      throw error;
    }
  }
}
