// Headers by which mail programs sort: mails about one thing refer to one message that was never sent (RFC 5322, 3.6.4), so that they are a thread, and
// mails that come by themselves name their list (RFC 2919).

/** A thing that several mails are about: its type and id. */
export type MailThread = `${string}.${string}`

export const threadOf = ({ targetType, targetId }: { targetType: string; targetId: string }): MailThread =>
  `${targetType}.${targetId}`

const hostOf = (baseUrl: string) => new URL(baseUrl).hostname

/** What a mail is called, for each attempt to send it, and the thread that it is in. */
export function threadHeaders({ id, thread }: { id: string; thread?: MailThread | undefined }, baseUrl: string) {
  const root = thread && `<thread.${thread}@${hostOf(baseUrl)}>`
  return {
    messageId: `<mail.${id}@${hostOf(baseUrl)}>`,
    ...(root && { inReplyTo: root, references: root }),
  }
}

/** Of a mail that its reader can end: the list that it comes from. */
export const listHeaders = (
  { unsubscribeUrl }: { unsubscribeUrl?: string | null | undefined },
  { baseUrl, name }: { baseUrl: string; name: string },
) => (unsubscribeUrl ? { list: { id: { url: `notifications.${hostOf(baseUrl)}`, comment: name } } } : {})

const BEGIN = /^Thread: ([a-z_]+\.[\da-f-]{36})\n\n/

/** The text as it is stored: its thread is in it, for nothing about what a mail tells is stored in the open. */
export const withThread = (body: string, thread: MailThread | undefined): string =>
  thread === undefined ? body : `Thread: ${thread}\n\n${body}`

export function readThread(stored: string): { body: string; thread?: MailThread } {
  const [line, thread] = BEGIN.exec(stored) ?? []
  return line === undefined ? { body: stored } : { body: stored.slice(line.length), thread: thread as MailThread }
}
