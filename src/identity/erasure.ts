// The erasure of accounts, in the background. Each slice declares its steps: what they clear, and how to clear some of it in a short
// transaction. A step finds what is left by itself, so that a process that ends loses nothing and another one goes on.
import type { Db } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'

/** Rows that a step works on in one transaction. */
export const ERASURE_BATCH = 50

export interface ErasedAccount {
  id: string
  email: string
  /** What becomes of what the account wrote. What only its owner sees is deleted either way. */
  content: 'delete' | 'anonymise'
}

export type ErasureDependencies = Pick<Dependencies, 'db' | 'blobs' | 'log' | 'clock' | 'outbox' | 'config'>

export interface ErasureStep {
  /** Unique; stored, so that another process goes on with it. */
  name: string
  /** What the account wrote and did in public, or what belongs to the account itself. */
  part: 'content' | 'account'
  /** Columns (`table.column`) in which nothing names the account after the step. */
  clears: readonly string[]
  /** Clears some of it. Gives whether there may be more. */
  erase(dependencies: ErasureDependencies, account: ErasedAccount): Promise<boolean>
}

/** A step that clears the rows of an account itself, some at a time: `clear` takes at most so many, and gives how many it found. */
export const clearing = (
  name: string,
  clears: readonly string[],
  clear: (db: Db, userId: string, limit: number) => Promise<number>,
): ErasureStep => ({
  ...{ name, part: 'account', clears },
  erase: async ({ db }, { id }) => (await clear(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
})

/** What goes with the row of the account, after all steps. */
export const clearedAtTheEnd = [
  ...['user.id', 'user.email', 'profile.userId', 'accountDeletion.userId', 'accountSweep.userId', 'dataExport.userId'],
  ...['emailChange.userId', 'emailChange.oldEmail'],
  ...['invitationLink.createdById', 'invitationUse.userId', 'boardMember.userId'],
  ...['scimUser.userName', 'scimUser.userNameKey', 'scimUser.userId', 'scimMember.userId', 'signal.userId'],
  'signalDelivery.userId',
  'widgetIdentity.userId',
  ...['searchText.id', 'searchDocument.id'],
] as const
