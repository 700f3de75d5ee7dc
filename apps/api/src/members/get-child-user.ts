import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type ChildRow, ChildRows } from './child-rows.js';

export class GetChildUser extends Query<ChildRow> {
  constructor(
    readonly mainId: number,
    readonly userId: number,
  ) {
    super();
  }
}

@QueryHandler(GetChildUser)
export class GetChildUserHandler implements IQueryHandler<GetChildUser> {
  constructor(private readonly rows: ChildRows) {}

  execute({ mainId, userId }: GetChildUser): Promise<ChildRow> {
    return this.rows.one(mainId, userId);
  }
}
