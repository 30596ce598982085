// An inbox as it is read now: by a caller, or where none is at hand.
import { partsOff } from '../../contract/parts.ts'
import { isPrivate, isReader } from '../../core/readers.ts'
import { findCaller } from '../../identity/grant-queries.ts'
import type { Caller, Dependencies } from '../../request/handler.ts'
import { closedBoardsOf, closedBoardsOfAccount } from '../board-access/reading.ts'
import type { InboxReading } from './queries.ts'

type InboxSource = Pick<Dependencies, 'db' | 'config'>

/** The inbox of a caller. */
export const inboxOf = ({ db, config, caller }: InboxSource & { caller: Caller }): InboxReading => ({
  userId: caller.id,
  off: partsOff(config),
  boards: () => closedBoardsOf({ db, config }, caller),
})

/** The inbox of an account, for what is sent to it. */
export const inboxOfAccount = ({ db, config }: InboxSource, userId: string): InboxReading => ({
  userId,
  off: partsOff(config),
  boards: () => closedBoardsOfAccount({ db, config }, userId),
})

/** Whether an account is among the readers of the instance now: a private one mails to no other. */
export async function isReaderNow({ db, config }: InboxSource, id: string): Promise<boolean> {
  if (!isPrivate(config)) return true
  const account = await findCaller(db, { id })
  return account !== undefined && isReader(config, { ...account, verified: account.emailVerifiedAt !== null })
}
