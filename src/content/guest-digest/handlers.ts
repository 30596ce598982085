// Guests begin and end their digests by links that are mailed to their address. No answer tells whether an address is known.
import { countMail } from '../../budgets/caused.ts'
import { Problem } from '../../contract/problem.ts'
import { isPrivate } from '../../core/readers.ts'
import { lockName } from '../../database/engine.ts'
import type { Db } from '../../database/schema.ts'
import { limit } from '../../identity/guesses.ts'
import { languageIn } from '../../language/choice.ts'
import { isStopped } from '../../mail/queries.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { boardBySlug, findBoard } from '../board-access/boards.ts'
import { isClosed } from '../board-access/rules.ts'
import { digestTimes } from '../notifications/rules.ts'
import type { guestDigest } from './contract.ts'
import { confirmLetter } from './letters.ts'
import * as queries from './queries.ts'
import * as rules from './rules.ts'
import { readToken, tokenOf } from './tokens.ts'

function requireOn({ config }: Pick<Context, 'config'>): void {
  if (!config.guestDigest || isPrivate(config)) throw new Problem('not_found', 'No digests are mailed to guests here')
}

async function topicOf(db: Db, slug: string | undefined): Promise<string> {
  if (slug === undefined) return rules.ALL
  const board = await boardBySlug(db, slug)
  if (isClosed(board)) throw new Problem('not_found', 'No such board')
  return board.id
}

const notValid = () => new Problem('not_found', 'This link is not valid')

export const handlers: Handlers<typeof guestDigest> = {
  async subscribe(context, { email, board }) {
    requireOn(context)
    const { db, config, now, budget, outbox, secretFor } = context
    const topic = await topicOf(db, board)
    outbox.requireDelivery()
    const of = sha256(`guest ${email}`).slice(0, 32)
    await limit(context, `guest-digest:${of}`, rules.ASKED_BY_ADDRESS)
    await db.transaction().execute(async (transaction) => {
      budget.note(await countMail(context, transaction, email))
      const language = languageIn(context) ?? null
      const digest = await queries.askDigest(transaction, { id: newId(), email, topic, language, createdAt: now })
      const isFull = (await queries.countOf(transaction, email)) > rules.MAX_OF_ADDRESS
      if (isFull && digest.confirmedAt === null) await queries.deleteDigest(transaction, digest.id)
      const isWanted = digest.confirmedAt === null && !isFull && !(await isStopped(transaction, email))
      const url = `${config.baseUrl}/digest?token=${await tokenOf(secretFor, 'confirm', digest.id)}`
      const letter = confirmLetter({ baseUrl: config.baseUrl, url })
      await outbox[isWanted ? 'enqueue' : 'pretend'](transaction, { recipient: email, language, ...letter })
    })
    return { message: 'If the address can receive mail, a link is on its way' }
  },

  async confirm(context, { token }) {
    requireOn(context)
    const { db, now, secretFor } = context
    const id = await readToken(secretFor, 'confirm', token)
    if (id === undefined) throw notValid()
    const topic = await db.transaction().execute(async (transaction) => {
      await lockName(transaction, 'guest digests')
      const found = await queries.findDigest(transaction, id)
      if (!found || (found.confirmedAt === null && after(found.createdAt, rules.CONFIRM_SECONDS) <= now)) {
        throw notValid()
      }
      if (found.confirmedAt !== null) return found.topic
      if ((await queries.countConfirmed(transaction)) >= rules.MAX_GUESTS) {
        throw new Problem('conflict', 'As many guests as there can be get the digest already')
      }
      const dueAt = digestTimes(now).daily[0]
      await queries.updateDigest(transaction, id, { confirmedAt: now, toldUntil: now, dueAt })
      return found.topic
    })
    const board = topic === rules.ALL ? undefined : await findBoard(db, topic)
    return { board: board && !isClosed(board) ? board.slug : null }
  },

  async unsubscribe({ db, secretFor }, { token }) {
    const id = await readToken(secretFor, 'unsubscribe', token)
    if (id === undefined) throw notValid()
    await db.transaction().execute((transaction) => queries.deleteDigest(transaction, id))
    return { message: 'The address is removed' }
  },
}
