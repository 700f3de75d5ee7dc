import { describe, expect, it } from '@jest/globals';
import { type Column, csvHead, csvLines } from './csv.js';

type Row = { text: string | null; number: number };
const columns: Column<Row>[] = [
  { zh: '文字', en: 'Text', value: (row) => row.text },
  { zh: '数', en: 'Number', value: (row) => row.number },
];
const line = (text: string | null, number = 0): string => csvLines(columns, [{ text, number }]);

it('starts with a BOM and headings in the language of the request', () => {
  expect(csvHead(columns, 'zh')).toBe('\uFEFF文字,数\r\n');
  expect(csvHead(columns, 'en')).toBe('\uFEFFText,Number\r\n');
});

it('writes numbers as numbers and missing values as empty cells, and quotes where necessary', () => {
  expect(line(null, -5)).toBe(',-5\r\n');
  expect(line('a,"b"\r\nc', 1.5)).toBe('"a,""b""\r\nc",1.5\r\n');
  expect(csvLines(columns, [])).toBe('');
});

describe('text that a spreadsheet reads as a formula', () => {
  it.each([
    '=1+1',
    '+1',
    '-5',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\0=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    ' =1',
    '\u200B=1',
  ])('prefixes %j with an apostrophe', (text) => {
    const cell = line(text).split(/,0\r\n$/, 1)[0];
    expect(cell?.replace(/^"/, '').startsWith("'")).toBe(true);
  });

  it.each(['a=1', '–', '2026-11-21 10:00:00', '离线引擎', "it's -5"])('leaves %j as it is', (text) => {
    expect(line(text)).toBe(`${text},0\r\n`);
  });
});
