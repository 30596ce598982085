// Who may judge: no moderator their own case, and a moderator undoes no act of an admin (behaviour.md, section 2). The refusal is that of a role that
// is missing (interface.md, section 7); the case itself says for whom it waits.
import { Problem } from '../../contract/problem.ts'
import type { Db, ModerationActTable } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import { hasOtherModerator, isAdminOrOperator } from './act-queries.ts'

type Judge = Pick<Caller, 'id' | 'role'>

/** Throws where the caller is the one whom the case or the act concerns: it waits for another one. */
export function requireNotOwn(caller: Judge, accountId: string): void {
  if (accountId === caller.id) throw new Problem('forbidden', 'Forbidden')
}

/** Throws where a moderator would undo what an admin or the operator did. */
export async function requireRankToUndo(
  { caller, db }: { caller: Judge; db: Db },
  { actorId }: Pick<ModerationActTable, 'actorId'>,
): Promise<void> {
  if (caller.role !== 'admin' && (await isAdminOrOperator(db, actorId))) throw new Problem('forbidden', 'Forbidden')
}

/** For whom a case waits: the reader; others, where it is about the reader; or no account that is there now. */
export async function judgeOf(db: Db, caller: Judge, accountId: string): Promise<'you' | 'others' | 'nobody'> {
  if (accountId !== caller.id) return 'you'
  return (await hasOtherModerator(db, caller.id)) ? 'others' : 'nobody'
}
