import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { nothing, type Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { CONTRACT } from './endpoint.js';
import { refusalOf } from './input-pipe.js';

/** Endpoints that take nothing have no `@Input` that would be validated: here whatever is sent to them all the same is refused. */
@Injectable()
export class InputLess implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    if (contract?.request === nothing) {
      const { query, body } = context.switchToHttp().getRequest<FastifyRequest>();
      const { error } = nothing.safeParse((contract.method === 'GET' ? query : body) ?? {});
      if (error) throw refusalOf(error.issues);
    }
    return next.handle();
  }
}
