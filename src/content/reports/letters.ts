// The mail about a block: the account cannot read its inbox, so it appeals by a link that needs no sign-in.
import type { Transaction } from '../../database/schema.ts'
import { letter, quotedLines } from '../../mail/words.ts'
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
  const link = `${baseUrl}/appeal?token=${await appealToken(secretFor, id)}`
  const { write } = letter((t) => {
    const said = reason === '' ? '' : `\n\n${t('mails.block.reason', { reason: quotedLines(reason) })}`
    return { subject: t('mails.block.subject'), body: t('mails.block.body', { baseUrl, said, link }) }
  })
  await outbox.enqueue(db, { recipient: account.email, write })
}
