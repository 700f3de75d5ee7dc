import { SANDBOX_URL } from './environment.js';

type Mail = { to: string; subject: string; text: string; at: string };

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 250;

const mailsTo = async (address: string): Promise<Mail[]> => {
  const response = await fetch(`${SANDBOX_URL}/mail?to=${encodeURIComponent(address)}`);
  return (await response.json()) as Mail[];
};

/** The newest code mailed to `address` after its first `seen` mails. A notice may overtake a code on its way. */
export async function mailedCode(address: string, seen = 0): Promise<string> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const mails = await mailsTo(address);
    const fresh = mails.slice(0, Math.max(0, mails.length - seen));
    const code = fresh.map(({ text }) => /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0]).find(Boolean);
    if (code) return code;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`no code for ${address}`);
}

/** The mails to `address` that contain `words`, once there is one. */
export async function mailsContaining(address: string, words: string): Promise<{ subject: string; text: string }[]> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const mails = (await mailsTo(address)).filter(({ text }) => text.includes(words));
    if (mails.length > 0) return mails;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`no letter about ${words} for ${address}`);
}
