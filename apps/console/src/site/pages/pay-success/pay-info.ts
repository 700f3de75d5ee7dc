const MOST = 2_048; // longest accepted value; a real one has a tenth of it
const ORDER_NO = /^[A-Za-z0-9_-]{1,64}$/;

export type PayInfo = { orderId: number; orderNo: string };

/** Validated by hand: a schema library would weigh more than the page (docs/decisions/0026). */
function isPayInfo(value: unknown): value is PayInfo {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { orderId, orderNo } = value as Partial<Record<keyof PayInfo, unknown>>;
  return Number.isSafeInteger(orderId) && Number(orderId) > 0 && typeof orderNo === 'string' && ORDER_NO.test(orderNo);
}

/** The `payInfo` of an address, already URL-decoded and untrusted. Null unless it names an order. Never throws. */
export function readPayInfo(text: string | null): PayInfo | null {
  if (text === null || text.length > MOST) return null;
  try {
    const said: unknown = JSON.parse(text);
    return isPayInfo(said) ? said : null;
  } catch {
    return null;
  }
}
