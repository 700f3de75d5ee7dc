import type { Language } from '@yiqiao/contracts/envelope';

/** The layout of our mails: one narrow column that every mail program can show, without pictures or scripts. */

export const mailParagraph = (text: string): string => `<p style="margin:0 0 12px">${text}</p>`;

/** The whole document. `lang`: the language it begins with. */
export const mailTemplate = (lang: 'zh-CN' | 'en', body: string): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"></head>` +
  `<body style="margin:0;padding:24px;background:#F5F8F8"><div style="max-width:520px;margin:0 auto;padding:32px;background:#FFFFFF;` +
  `border:1px solid #D5DEE1;border-radius:8px;font:16px/1.7 system-ui,'PingFang SC','Microsoft YaHei',sans-serif;color:#12242B">` +
  `${body}</div></body></html>`;

/** A mail to one member: a sentence, labelled facts, remarks, a link to our own site, and who sends it. */
export type AccountMail = {
  language: Language;
  subject: string;
  lead: string;
  facts: readonly (readonly [label: string, value: string])[];
  remarks: readonly string[];
  link?: { label: string; address: string };
  sender: string;
};

/** Every text is escaped: names of packages and companies are operators' data. */
export function accountMail(mail: AccountMail): { subject: string; text: string; html: string } {
  const { language, subject, lead, facts, remarks, link, sender } = mail;
  const colon = language === 'zh' ? '：' : ': ';
  const paragraphs = (texts: readonly string[]): string => texts.map((text) => mailParagraph(escaped(text))).join('');
  const anchor =
    link &&
    mailParagraph(
      `${escaped(link.label + colon)}<a href="${escaped(link.address)}" style="color:#086F7D">${escaped(link.address)}</a>`,
    );
  return {
    subject,
    text: [
      lead,
      facts.map(([label, value]) => label + colon + value).join('\n'),
      ...remarks,
      link && link.label + colon + link.address,
      sender,
    ]
      .filter(Boolean)
      .join('\n\n'),
    html: mailTemplate(
      language === 'zh' ? 'zh-CN' : 'en',
      paragraphs([lead]) +
        (facts.length > 0 ? factTable(facts) : '') +
        paragraphs(remarks) +
        (anchor ?? '') +
        paragraphs([sender]),
    ),
  };
}

const factTable = (facts: AccountMail['facts']): string =>
  '<table role="presentation" style="width:100%;margin:4px 0 16px;border-collapse:collapse;font-size:15px">' +
  facts
    .map(
      ([label, value]) =>
        `<tr><td style="padding:6px 12px 6px 0;border-bottom:1px solid #E6ECEE;color:#4B5F67;white-space:nowrap;vertical-align:top">${escaped(label)}</td>` +
        `<td style="padding:6px 0;border-bottom:1px solid #E6ECEE;text-align:right;overflow-wrap:anywhere">${escaped(value)}</td></tr>`,
    )
    .join('') +
  '</table>';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
