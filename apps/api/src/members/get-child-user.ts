import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type SubAccountRow, SubAccountQueries } from './sub-account-queries.js';

export class GetChildUser extends Query<SubAccountRow> {
  constructor(
    readonly mainId: number,
    readonly userId: number,
  ) {
    super();
  }
}

@QueryHandler(GetChildUser)
export class GetChildUserHandler implements IQueryHandler<GetChildUser> {
  constructor(private readonly subAccountQueries: SubAccountQueries) {}

  execute({ mainId, userId }: GetChildUser): Promise<SubAccountRow> {
    return this.subAccountQueries.one(mainId, userId);
  }
}
