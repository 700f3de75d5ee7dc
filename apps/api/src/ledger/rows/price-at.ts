/**
 * SQL for the price of a channel (micro-yuan per character) at a time; both arguments are SQL expressions. NULL before the first price.
 * One index lookup for a history of any length (docs/decisions/0034).
 */
export const priceAtSql = (channel: string, moment: string): string =>
  `(SELECT p.price FROM channel_price p WHERE p.tran_channel_id = ${channel} AND p.effective_at <= ${moment}
    ORDER BY p.effective_at DESC LIMIT 1)`;
