// Replies by mail. The address that is answered is the credential, the sender must be the account's own address, and DMARC must not say that it is
// forged. What comes of it is a call of the operation that the site calls, with all that is checked there.
import type { Limit } from '../../budgets/budgets.ts'
import type { Operation } from '../../contract/operation.ts'
import { findUserByEmail } from '../../identity/account-queries.ts'
import { findCaller } from '../../identity/grant-queries.ts'
import { callerOf } from '../../identity/sessions.ts'
import { authenticityOf, saidBy } from '../../mail/incoming/authentication.ts'
import type { Answer } from '../../mail/incoming/listener.ts'
import { isAutomatic, type ReadMail, readMail, type TakenMail } from '../../mail/incoming/reading.ts'
import { partsOf, readReplyToken } from '../../mail/signed-address.ts'
import type { Approval, CallActing } from '../../request/acting.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { answerTo, count, countNetwork, LATER } from './answers.ts'
import * as queries from './queries.ts'

export interface ReplyServices {
  callActing: CallActing
  /** The operation that comments on things of a type; undefined where there are no comments. */
  commentOn(type: string): Operation | undefined
}

const HOUR_SECONDS = 3_600
/** Of an account, beside its budget for comments: mails that are refused count too. */
const OF_ACCOUNT: Limit = { tries: 60, windowSeconds: HOUR_SECONDS }

const taken = (text: string): Answer => ({ code: 250, text })
const NOT_YOURS: Answer = {
  code: 550,
  text: '5.7.1 This address is not for replies from yours, or its time is over: comment on the site',
}
const FORGED: Answer = { code: 550, text: '5.7.26 The mail is not from whom it says (DMARC)' }
const GONE: Answer = { code: 550, text: '5.1.6 What you reply to is gone' }
const EMPTY: Answer = { code: 554, text: '5.6.0 There are no words of your own in the mail' }
const UNREADABLE: Answer = { code: 554, text: '5.6.0 The mail cannot be read' }

interface Reply {
  mail: TakenMail
  read: ReadMail
  account: NonNullable<Awaited<ReturnType<typeof findCaller>>>
  eventId: string
  now: string
}

/** Takes a mail to an address that we gave in a mail. An error of the server is thrown. */
export async function takeReply(dependencies: Dependencies, services: ReplyServices, mail: TakenMail): Promise<Answer> {
  const now = timestamp(dependencies.clock.now())
  try {
    await countNetwork(dependencies, { address: mail.address, now })
    const read = await readMail(mail.bytes)
    if (!read) return UNREADABLE
    const own = (address: string) => isOurs(dependencies, address)
    if (isAutomatic(read, { sender: mail.sender, own })) return taken('2.0.0 A program wrote it: nothing comes of it')
    const reply = await find(dependencies, { mail, read, now })
    if (!reply) return NOT_YOURS
    await count(dependencies, { key: `mail account ${reply.account.id}`, limit: OF_ACCOUNT, now })
    return (await flawOf(dependencies, reply)) ?? (await comment(dependencies, services, reply))
  } catch (error) {
    return answerTo(error)
  }
}

/** Whether we sent a mail with this sender, and it came back. */
function isOurs({ config }: Pick<Dependencies, 'config'>, address: string): boolean {
  const from = /<([^<>]+)>$/.exec(config.mailFrom)?.[1] ?? config.mailFrom
  const sender = address.toLowerCase()
  return sender === from.toLowerCase() || sender.endsWith(`@${config.replyDomain}`)
}

/** The account of the sender, and what the address names for it; undefined where it names nothing. */
async function find(
  { db, secretFor }: Dependencies,
  { mail, read, now }: Pick<Reply, 'mail' | 'read' | 'now'>,
): Promise<Reply | undefined> {
  const named = partsOf(mail.recipient)
  const owner = read.from === undefined ? undefined : await findUserByEmail(db, read.from)
  if (!named || !owner?.emailVerifiedAt) return undefined
  const found = await readReplyToken(secretFor, named.token, { userId: owner.id, now })
  const account = found && (await findCaller(db, { id: owner.id }))
  return account && { mail, read, account, eventId: found.eventId, now }
}

/** Why a mail does not become a comment. */
async function flawOf(
  { config, resolveDns }: Dependencies,
  { mail, read }: Pick<Reply, 'mail' | 'read'>,
): Promise<Answer | undefined> {
  if (read.isTooLong) return UNREADABLE
  if (read.words === '') return EMPTY
  const { trustedAuthserv } = config
  const found = trustedAuthserv ? saidBy(read, trustedAuthserv) : await authenticityOf(mail, resolveDns)
  if (found === 'later') return LATER
  return found === 'fail' ? FORGED : undefined
}

async function comment(
  dependencies: Dependencies,
  { callActing, commentOn }: ReplyServices,
  reply: Reply,
): Promise<Answer> {
  const { read, mail, eventId } = reply
  const on = await queries.findReplied(dependencies.db, eventId)
  const operation = on && commentOn(on.targetType)
  if (!on || !operation) return GONE
  const target = `/api${operation.path.replace(/\{\w+\}/, encodeURIComponent(on.targetId))}`
  const json = JSON.stringify({ body: read.words, ...(on.commentId !== null && { parentId: on.commentId }) })
  const once = new Once(reply)
  try {
    await callActing({ operation, target, json, address: mail.address }, once.acting())
  } catch (error) {
    if (once.wasSeen) return taken('2.0.0 This mail was taken before')
    throw error
  }
  return taken('2.0.0 Your comment is there, or waits for a moderator')
}

/** The account as the caller, for one mail that is taken once. */
class Once {
  wasSeen = false
  readonly #reply: Reply
  readonly #hash: string

  constructor(reply: Reply) {
    this.#reply = reply
    const { read, mail, account, eventId } = reply
    this.#hash = sha256([account.id, eventId, read.messageId ?? sha256(mail.bytes.toString('latin1'))].join('\n'))
  }

  acting(): Approval {
    const { account, now } = this.#reply
    const { role, ...member } = callerOf(account, { session: 'mail' })
    return {
      // A mailbox gives no role: that takes a session.
      caller: { ...member, role: 'member', ...(role !== 'member' && { withheld: role }) },
      blocked: account.blockedAt !== null,
      leaving: account.deletionAt !== null,
      sentAt: now,
      isOwnWrite: true,
      take: async (db) => {
        const isNew = await queries.insertSeen(db, this.#hash, now)
        this.wasSeen = !isNew
        return isNew
      },
      keep: async () => {},
      free: (db) => queries.deleteSeen(db, this.#hash),
    }
  }
}
