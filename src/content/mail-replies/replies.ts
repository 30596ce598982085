// Replies by mail. The address that is answered is the credential, the sender must be the account's own address, and DMARC must not say that it is
// forged. What comes of it is a call of the operation that the site calls, with all that is checked there.
import type { Limit } from '../../budgets/budgets.ts'
import { privateAddressOf } from '../../budgets/network.ts'
import { workerFor } from '../../budgets/work.ts'
import type { Operation } from '../../contract/operation.ts'
import { findUserByEmail } from '../../identity/account-queries.ts'
import { findCaller } from '../../identity/grant-queries.ts'
import { callerOf } from '../../identity/sessions.ts'
import { authenticityOf, MAX_SIGNATURES, saidBy } from '../../mail/incoming/authentication.ts'
import { type Head, isAutomatic, readHead } from '../../mail/incoming/head.ts'
import { type Answer, LATER } from '../../mail/incoming/listener.ts'
import { type TakenMail, wordsIn } from '../../mail/incoming/reading.ts'
import { partsOf, readReplyToken } from '../../mail/signed-address.ts'
import type { Approval, CallActing } from '../../request/acting.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { answerTo, count, countNetwork } from './answers.ts'
import * as queries from './queries.ts'

// Words of a reply that hold what only its account may see: the end of our mail, where a mail program marks it in a way that we do not know.

/** Of links, as programs that rewrite them write them: `https%3A%2F%2Fguild.example%2Funsubscribe%3Ftoken%3D`. */
const decoded = (text: string) =>
  text.replace(/%([2-7][\da-f])/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

const ADDRESS = /(?:reply|bounce)(?:\+|=2b)[a-z2-7]{1,64}@([a-z\d.-]{1,253})/g

interface Private {
  account: { id: string; email: string }
  baseUrl: string
  replyDomain: string | undefined
}

/** Whether words hold the address of their account, a link of our mails that acts for it, or where a mail is answered. Lines may be broken anywhere. */
function isTelling(words: string, { account, baseUrl, replyDomain = '' }: Private): boolean {
  const plain = decoded(decoded(words.toLowerCase().replace(/\s+/g, '')))
  // A token for unsubscribing has the id between two points.
  const secrets = [account.email.toLowerCase(), `.${account.id}.`, `${baseUrl.toLowerCase()}/unsubscribe?token=`]
  if (secrets.some((secret) => plain.includes(secret))) return true
  return [...plain.matchAll(ADDRESS)].some(([, domain = '']) => domain.startsWith(replyDomain))
}

export interface ReplyServices {
  callActing: CallActing
  /** The operation that comments on things of a type; undefined where there are no comments. */
  commentOn(type: string): Operation | undefined
}

const HOUR_SECONDS = 3_600
/** Of an account, beside its budget for comments: mails that are refused count too. */
const OF_ACCOUNT: Limit = { tries: 60, windowSeconds: HOUR_SECONDS }

const taken = (text: string): Answer => ({ code: 250, text })
/** Its sender proved nothing: a refusal would go to whom a forger names. */
const DROPPED = taken('2.0.0 Nothing comes of it')
const OF_PROGRAM = taken('2.0.0 A program wrote it: nothing comes of it')
const GONE: Answer = { code: 550, text: '5.1.6 What you reply to is gone' }
const EMPTY: Answer = { code: 554, text: '5.6.0 There are no words of your own in the mail' }
const UNREADABLE: Answer = { code: 554, text: '5.6.0 The mail cannot be read' }
const SIGNATURES: Answer = { code: 554, text: `5.7.20 A mail has at most ${MAX_SIGNATURES} DKIM signatures here` }
const TELLING: Answer = {
  code: 554,
  text: '5.6.0 The mail holds your address or a link that is yours alone: delete what it quotes, and send it again',
}

interface Reply {
  mail: TakenMail
  head: Head
  account: NonNullable<Awaited<ReturnType<typeof findCaller>>>
  eventId: string
  now: string
}

/** Takes a mail to an address that we gave in a mail. An error of the server is thrown. */
export async function takeReply(dependencies: Dependencies, services: ReplyServices, mail: TakenMail): Promise<Answer> {
  const now = timestamp(dependencies.clock.now())
  try {
    const head = readHead(mail.bytes)
    const own = (address: string) => isOurs(dependencies, address)
    if (head && isAutomatic(head, { sender: mail.sender, own })) {
      await countNetwork(dependencies, { address: mail.address, now })
      return OF_PROGRAM
    }
    const reply = head && (await find(dependencies, { mail, head, now }))
    if (!reply) {
      await countNetwork(dependencies, { address: mail.address, now })
      return dropped(dependencies, head ? 'it is not from the account of its address' : 'its header cannot be read')
    }
    await count(dependencies, { key: `mail account ${reply.account.id}`, limit: OF_ACCOUNT, now })
    return (await authorFlawOf(dependencies, reply)) ?? (await publish(dependencies, services, reply))
  } catch (error) {
    return answerTo(error)
  }
}

function dropped({ log }: Pick<Dependencies, 'log'>, reason: string): Answer {
  log.info({ reason }, 'a reply by mail was dropped')
  return DROPPED
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
  { mail, head, now }: Pick<Reply, 'mail' | 'head' | 'now'>,
): Promise<Reply | undefined> {
  const named = partsOf(mail.recipient)
  const owner = head.from === undefined ? undefined : await findUserByEmail(db, head.from)
  if (!named || !owner?.emailVerifiedAt) return undefined
  const found = await readReplyToken(secretFor, named.token, { userId: owner.id, now })
  const account = found && (await findCaller(db, { id: owner.id }))
  return account && { mail, head, account, eventId: found.eventId, now }
}

/** Why a mail is not believed to be from whom it says; undefined where it is. */
async function authorFlawOf(dependencies: Dependencies, { mail, head, account }: Reply): Promise<Answer | undefined> {
  const { config, resolveDns, log } = dependencies
  if (head.header('dkim-signature').length > MAX_SIGNATURES) return SIGNATURES
  const { trustedAuthserv } = config
  const asked = { ...mail, from: head.from }
  const found = trustedAuthserv ? saidBy(head, trustedAuthserv) : await authenticityOf(asked, resolveDns)
  if (found === 'missing') {
    log.warn({ server: trustedAuthserv }, 'a reply by mail waits: the trusted server said nothing of DMARC')
    return LATER
  }
  if (found === 'later') return LATER
  if (found !== 'fail') return undefined
  log.info({ account: account.id }, 'a reply by mail was dropped: DMARC fails')
  return DROPPED
}

/** Reads the words of a mail, and comments with them. */
async function publish(dependencies: Dependencies, services: ReplyServices, reply: Reply): Promise<Answer> {
  const { config, db } = dependencies
  const { mail, account, now } = reply
  const by = workerFor({ config, db }, { caller: memberOf(reply), address: addressOf(account), now })
  const read = await wordsIn(mail.bytes, by())
  if (!read || read.isTooLong) return UNREADABLE
  if (read.words === '') return EMPTY
  if (isTelling(read.words, { account, baseUrl: config.baseUrl, replyDomain: config.replyDomain })) return TELLING
  return comment(dependencies, services, { ...reply, words: read.words })
}

/** Mails come from servers that forward them: the network of an account is one of its own, as an address that no machine has (RFC 4193). */
const addressOf = ({ id }: Reply['account']) => privateAddressOf(`mail ${id}`)

/** A mailbox gives no role: that takes a session. */
function memberOf({ account }: Pick<Reply, 'account'>) {
  const { role, ...member } = callerOf(account, { session: 'mail' })
  return { ...member, role: 'member' as const, ...(role !== 'member' && { withheld: role }) }
}

async function comment(
  dependencies: Dependencies,
  { callActing, commentOn }: ReplyServices,
  reply: Reply & { words: string },
): Promise<Answer> {
  const { words, account, eventId } = reply
  const on = await queries.findReplied(dependencies.db, eventId)
  const operation = on && commentOn(on.targetType)
  if (!on || !operation) return GONE
  const target = `/api${operation.path.replace(/\{\w+\}/, encodeURIComponent(on.targetId))}`
  const json = JSON.stringify({ body: words, ...(on.commentId !== null && { parentId: on.commentId }) })
  const once = new Once(reply)
  try {
    await callActing({ operation, target, json, address: addressOf(account) }, once.acting())
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
    const { head, mail, account, eventId } = reply
    this.#hash = sha256([account.id, eventId, head.messageId ?? sha256(mail.bytes.toString('latin1'))].join('\n'))
  }

  acting(): Approval {
    const { account, now } = this.#reply
    return {
      caller: memberOf(this.#reply),
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
