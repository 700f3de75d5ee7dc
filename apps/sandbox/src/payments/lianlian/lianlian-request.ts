import { readDenseTime } from '../beijing-time.js';
import { readYuan } from '../yuan.js';

/** The gateway's error messages by code (9901 is from LianLian's sample code). */
export const LIANLIAN_ERRORS = {
  '1001': '商户签名错误',
  '1002': '商户订单号重复',
  '1003': '系统繁忙，请稍后再试',
  '1004': '请求参数错误',
  '2006': '订单已关闭',
  '2007': '订单已支付',
  '3001': '商户不存在',
  '5003': '退款金额大于可退金额',
  '5008': '原订单未支付，不能退款',
  '7017': '金额错误',
  '9901': '未查询到记录',
} as const satisfies Record<string, string>;

/** `detail`: which field, and why. */
export class LianlianError extends Error {
  constructor(
    readonly code: keyof typeof LIANLIAN_ERRORS,
    detail = '',
  ) {
    super(LIANLIAN_ERRORS[code] + (detail && `：${detail}`));
  }
}

/** The fields of a merchant's JSON object. Every reader throws LianlianError naming the field. */
export class Fields {
  constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  /** Parses the body. */
  static read(body: Buffer): Fields {
    try {
      const read: unknown = JSON.parse(body.toString('utf8'));
      if (typeof read === 'object' && read !== null && !Array.isArray(read)) {
        return new Fields(read as Readonly<Record<string, unknown>>);
      }
    } catch {
      // Handled below, like any other body that is not an object.
    }
    throw new LianlianError('1004', '不是 JSON 对象');
  }

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  text(name: string, most: number): string {
    const value = this.values[name];
    if (typeof value !== 'string' || value === '') throw new LianlianError('1004', `${name} 必填`);
    if (value.length > most) throw new LianlianError('1004', `${name} 超过 ${most} 个字符`);
    return value;
  }

  /** In fen; the field holds yuan as a string or a number. */
  amount(name: string): number {
    const value = this.values[name];
    const fen = typeof value === 'string' || typeof value === 'number' ? readYuan(String(value)) : null;
    if (fen === null || fen < 1 || fen > 10_000_000_000) throw new LianlianError('7017', name);
    return fen;
  }

  time(name: string): number {
    const time = readDenseTime(this.text(name, 14));
    if (time === null) throw new LianlianError('1004', `${name} 不是 yyyyMMddHHmmss`);
    return time;
  }

  /** A positive integer; null when the field is missing. */
  count(name: string): number | null {
    const value = this.values[name];
    if (value === undefined) return null;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw new LianlianError('1004', name);
    return value;
  }

  url(name: string): string {
    const value = this.text(name, 256);
    if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new LianlianError('1004', name);
    return value;
  }

  /** The rows of a non-empty list. */
  rows(name: string): Fields[] {
    const value = this.values[name];
    if (!Array.isArray(value) || value.length === 0) throw new LianlianError('1004', `${name} 必填`);
    return value.map((row: unknown) => {
      if (typeof row !== 'object' || row === null) throw new LianlianError('1004', name);
      return new Fields(row as Readonly<Record<string, unknown>>);
    });
  }
}
