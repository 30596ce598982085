// Who may judge: no moderator their own case, and a moderator undoes no act of an admin (behaviour.md, section 2). The refusal is that of a role that
// is missing (interface.md, section 7); the case itself says for whom it waits.
import { Problem } from '../../contract/problem.ts'
import type { Db, ModerationActTable } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import { findRoleOf, hasOtherModerator } from './act-queries.ts'

/** A moderator, an admin, or null for the operator at the command line, whom no case concerns. */
export type Judge = Pick<Caller, 'id' | 'role'> | null

/** The account in the log; null for the operator. */
export const actorIdOf = (judge: Judge): string | null => judge?.id ?? null

/** Throws where the caller is the one whom the case or the act concerns: it waits for another one. */
export function requireNotOwn(caller: Judge, accountId: string): void {
  if (accountId === caller?.id) throw new Problem('forbidden', 'Forbidden')
}

/** Throws where a moderator would undo what an admin or the operator did, and a moderator of a board what one of the instance did. */
export async function requireRankToUndo(
  { caller, db }: { caller: Judge; db: Db },
  { actorId }: Pick<ModerationActTable, 'actorId'>,
): Promise<void> {
  if (caller === null || caller.role === 'admin') return
  const role = await findRoleOf(db, actorId)
  if (role === 'admin' || (caller.role === 'member' && role !== 'member')) throw new Problem('forbidden', 'Forbidden')
}

/** For whom a case waits: the reader; others, where it is about the reader; or no account that is there now. */
export async function judgeOf(
  db: Db,
  caller: Pick<Caller, 'id'>,
  accountId: string,
): Promise<'you' | 'others' | 'nobody'> {
  if (accountId !== caller.id) return 'you'
  return (await hasOtherModerator(db, caller.id)) ? 'others' : 'nobody'
}

/** Whether a moderator may decide a case now; otherwise it waits for the operator. */
export const hasJudge = (db: Db, accountId: string): Promise<boolean> => hasOtherModerator(db, accountId)
