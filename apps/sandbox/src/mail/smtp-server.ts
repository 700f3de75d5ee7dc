import { setTimeout as pause } from 'node:timers/promises';

import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

import type { MailFaults } from './mail-faults.js';
import type { MailContent, Mailbox } from './mailbox.js';

/** Maximum message size, in bytes of the SMTP DATA. */
export const MESSAGE_BYTES = 1024 * 1024;

/** Maximum recipients per message. */
export const MAX_RECIPIENTS = 100;

/** A refusal with its SMTP reply code: 4xx asks the sender to try again, 5xx tells it not to. */
class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A plain-text SMTP server with optional authentication that stores every message.
 * STARTTLS is not offered: its certificate could only be self-signed, and clients would rightly refuse it.
 */
export function smtpServer(mailbox: Mailbox, faults: MailFaults): SMTPServer {
  const server = new SMTPServer({
    banner: 'Yiqiao sandbox',
    name: 'sandbox.localhost',
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: MESSAGE_BYTES,
    maxRecipients: MAX_RECIPIENTS,
    maxClients: 200,
    socketTimeout: 2 * 60_000,
    closeTimeout: 200,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    // Apply faults before DATA, so that a refused or timed-out mail is never stored as well.
    onMailFrom: (_address, _session, done) => void applyFault(faults).then(() => done(), done),
    onData: (stream, session, done) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      readMessage(stream)
        .then((content) => mailbox.deliver(content, recipients))
        .then(() => done(null, 'Kept'), done);
    },
  });
  // Ignore broken connections and protocol errors; without a listener they would end the process.
  server.on('error', () => undefined);
  return server;
}

async function applyFault(faults: MailFaults): Promise<void> {
  const fault = faults.take();
  if (fault.mode === 'refuse') throw new SmtpRefusal(451, 'Refused for now: a failure switch of the sandbox is on');
  if (fault.mode === 'slow') await pause(fault.delayMs, undefined, { ref: false });
}

async function readMessage(stream: SMTPServerDataStream): Promise<MailContent> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // Drain an oversized message, or its bytes would be parsed as commands.
    if (!stream.sizeExceeded) chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw new SmtpRefusal(552, `Message exceeds ${MESSAGE_BYTES} bytes`);
  try {
    const { subject, text, html } = await PostalMime.parse(Buffer.concat(chunks));
    return { subject: subject ?? '', text: text ?? '', html: html ?? '' };
  } catch {
    throw new SmtpRefusal(554, 'Message cannot be parsed');
  }
}
