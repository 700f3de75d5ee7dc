import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { nothing, type Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import type { FastifyRequest } from 'fastify';
import { CONTRACT } from './endpoint-metadata.js';
import { refusalOf } from './input-pipe.js';

/**
 * Refuses input to endpoints that take none: they have no `@Input`, so the pipe would not validate it. Also refuses files where the contract
 * has no upload.
 */
@Injectable()
export class NoBodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (contract && !contract.upload && request.isMultipart()) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
    if (contract?.request === nothing) {
      const { error } = nothing.safeParse((contract.method === 'GET' ? request.query : request.body) ?? {});
      if (error) throw refusalOf(error.issues);
    }
    return true;
  }
}
