// Appeals: a reply to a notice, once, by the account itself or by the link in a mail about a block, which needs no sign-in.

import { noticed } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, ModerationActTable, Transaction } from '../../database/schema.ts'
import { letter, quotedLines } from '../../mail/words.ts'
import type { Context } from '../../request/handler.ts'
import { keyedHash, type SecretFor, sameHash } from '../../runtime/hash.ts'
import { required } from '../../runtime/untyped.ts'
import { findAct, lockAct, updateAct } from './act-queries.ts'
import { findAccount } from './case-queries.ts'
import { openCase } from './cases.ts'

type Act = ModerationActTable

export const noSuchNotice = () => new Problem('not_found', 'No such notice')

const proofOf = async (secretFor: SecretFor, actId: string) => keyedHash(await secretFor('appeal'), 'appeal', actId)

/** Names an act, and proves that we made it. */
export const appealToken = async (secretFor: SecretFor, actId: string): Promise<string> =>
  `${actId}.${await proofOf(secretFor, actId)}`

/** The act of a token; undefined for one that we did not make. */
export async function readAppealToken(secretFor: SecretFor, token: string): Promise<string | undefined> {
  const [actId = '', proof = '', ...rest] = token.split('.')
  return rest.length === 0 && sameHash(proof, await proofOf(secretFor, actId)) ? actId : undefined
}

/** Whether an act is a block that still holds; 409 where the account is not blocked any more. */
export async function isBlocking(act: Act, db: Db): Promise<boolean> {
  if (act.action !== 'block' || act.accountId === null) return false
  const account = await findAccount(db, act.accountId)
  if (account && account.blockedAt === null) throw new Problem('conflict', 'This account is not blocked')
  return account !== undefined
}

interface Appeal {
  id: string
  text: string
  now: string
  /** Whether the caller may answer the notice of this act; throws where more than that is said. */
  mayAnswer(act: Act, db: Db): boolean | Promise<boolean>
}

/** Stores an appeal, and opens a case on the thing. A second one is refused, and one against what was undone. */
export async function appeal(
  db: Db,
  spend: (transaction: Parameters<typeof lockAct>[0]) => Promise<unknown>,
  { id, text, now, mayAnswer }: Appeal,
): Promise<{ id: string }> {
  await db.transaction().execute(async (transaction) => {
    const seen = await findAct(transaction, id)
    if (!seen || !noticed.has(seen.action) || !(await mayAnswer(seen, transaction))) throw noSuchNotice()
    const { targetType: type, targetId, accountId: authorId } = seen
    // The case first, as where it is decided.
    await openCase(transaction, { type, id: targetId, authorId, now }, { appealCount: 1 })
    const act = required(await lockAct(transaction, id))
    if (act.appealedAt !== null) throw new Problem('conflict', 'There is an appeal against this already')
    if (act.undoneAt !== null) throw new Problem('conflict', 'This was undone')
    await spend(transaction)
    await updateAct(transaction, id, { appeal: text, appealedAt: now })
  })
  return { id }
}

type MailDependencies = Pick<Context, 'outbox' | 'config' | 'secretFor'>

/** Queues the mail, if the address is verified. */
export async function mailBlock(
  { outbox, config, secretFor }: MailDependencies,
  db: Transaction,
  { id, accountId, reason }: { id: string; accountId: string; reason: string },
): Promise<void> {
  const account = await findAccount(db, accountId)
  if (!account?.emailVerifiedAt) return
  const { baseUrl } = config
  const link = `${baseUrl}/appeal?token=${await appealToken(secretFor, id)}`
  const { write } = letter((t) => {
    const said = reason === '' ? '' : `\n\n${t('mails.block.reason', { reason: quotedLines(reason) })}`
    return { subject: t('mails.block.subject'), body: t('mails.block.body', { baseUrl, said, link }) }
  })
  await outbox.enqueue(db, { recipient: account.email, write })
}
