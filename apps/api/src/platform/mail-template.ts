/** The layout of our mails: one narrow column that every mail program can show, without pictures or scripts. */

export const mailParagraph = (text: string): string => `<p style="margin:0 0 12px">${text}</p>`;

/** The whole document. `lang`: the language it begins with. */
export const mailTemplate = (lang: 'zh-CN' | 'en', body: string): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"></head>` +
  `<body style="margin:0;padding:24px;background:#F5F8F8"><div style="max-width:520px;margin:0 auto;padding:32px;background:#FFFFFF;` +
  `border:1px solid #D5DEE1;border-radius:8px;font:16px/1.7 system-ui,'PingFang SC','Microsoft YaHei',sans-serif;color:#12242B">` +
  `${body}</div></body></html>`;
