// The mail about a block: the account cannot read its inbox, so it appeals by a link that needs no sign-in.
import type { Transaction } from '../../database/schema.ts'
import type { Context } from '../../request/handler.ts'
import { appealToken } from './appeals.ts'
import { findAccount } from './case-queries.ts'

type Mailing = Pick<Context, 'outbox' | 'config' | 'secretFor'>

/** Queues the mail, if the address is verified. */
export async function mailBlock(
  { outbox, config, secretFor }: Mailing,
  db: Transaction,
  { id, accountId, reason }: { id: string; accountId: string; reason: string },
): Promise<void> {
  const account = await findAccount(db, accountId)
  if (!account?.emailVerifiedAt) return
  const { baseUrl } = config
  const said = reason === '' ? '' : `\n\nThe reason:\n\n${reason.replaceAll(/^/gm, '> ')}`
  const link = `${baseUrl}/appeal?token=${await appealToken(secretFor, id)}`
  const body = `Your account at ${baseUrl} was blocked, and what it wrote is hidden.${said}\n\nIf you think that this is wrong, reply once at this address; a moderator decides:\n\n${link}\n`
  await outbox.enqueue(db, { recipient: account.email, subject: 'Your account was blocked', body })
}
