import { z } from 'zod';

const MOST = 2_048; // what a link may carry; an order's own is a tenth of it
const payInfo = z.strictObject({ orderId: z.int().positive(), orderNo: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) });

export type PayInfo = z.infer<typeof payInfo>;

/** The `payInfo` of an address, already URL-decoded: anybody may have written it. Null for whatever is not an order's. Never throws. */
export function readPayInfo(text: string | null): PayInfo | null {
  if (text === null || text.length > MOST) return null;
  try {
    return payInfo.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
