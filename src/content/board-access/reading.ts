// Who reads closed boards now, asked without a call: by what sends events of the things in them. Access changes, so this is asked when an event is sent
// and again when it is read or sent.
import type { Standings } from '../../contract/standing.ts'
import { groupsOfCaller, type Readers } from '../../core/readers.ts'
import type { Db } from '../../database/schema.ts'
import { findCaller } from '../../identity/grant-queries.ts'
import type { Caller, Dependencies } from '../../request/handler.ts'
import { allBoards, type Board, standingsOf } from './boards.ts'
import { listInvited, listRuledAccounts, listTeamsOf } from './queries.ts'
import { isClosed, standingOf } from './rules.ts'

/** Whether any board is closed. */
export const hasClosed = async (db: Db): Promise<boolean> => (await allBoards(db)).some(isClosed)

/** The ids of the closed boards that a caller reads now. */
export async function closedBoardsOf(
  { db, config }: { db: Db; config: Readers },
  caller: Pick<Caller, 'id' | 'role' | 'externalGroups'>,
): Promise<readonly string[]> {
  const closed = (await allBoards(db)).filter(isClosed)
  if (closed.length === 0) return []
  const standings = await standingsOf({ db, config }, caller)
  return closed.filter(({ id }) => standings?.get(id)?.read).map(({ id }) => id)
}

/** An account as rules of boards know it where no session is at hand: in which no passkey was used, so a role that needs one counts for nothing. */
async function findAccount({ db, config }: Pick<Dependencies, 'db' | 'config'>, id: string) {
  const account = await findCaller(db, { id })
  return account && { ...account, ...(config.rolesNeedPasskey && { role: 'member' as const }) }
}

/** What an account may do in boards; undefined where there are none. */
export async function standingsOfAccount(
  dependencies: Pick<Dependencies, 'db' | 'config'>,
  id: string,
): Promise<Standings | undefined> {
  const account = await findAccount(dependencies, id)
  return account && standingsOf(dependencies, account)
}

/** The ids of the closed boards that an account reads now. */
export async function closedBoardsOfAccount(
  dependencies: Pick<Dependencies, 'db' | 'config'>,
  id: string,
): Promise<readonly string[]> {
  const account = await findAccount(dependencies, id)
  return account ? closedBoardsOf(dependencies, account) : []
}

/** Those of these accounts that read a board now, by their roles as they are. */
export async function readersAmong(
  { db, config }: { db: Db; config: Readers },
  board: Board,
  ids: readonly string[],
): Promise<string[]> {
  const rules = [board.readers, board.moderators]
  const teams = rules.some((rule) => rule.teams.length > 0) ? await listTeamsOf(db, ids) : []
  const byAccount = Map.groupBy(teams, ({ accountId }) => accountId)
  const invited = board.readers.invited ? await listInvited(db, board.id, ids) : new Set<string>()
  const accounts = await listRuledAccounts(db, ids)
  return accounts
    .filter((account) => {
      const { id, role } = account
      const slugs = (byAccount.get(id) ?? []).map(({ slug }) => slug)
      const visitor = { role, groups: groupsOfCaller(config, account), teams: slugs }
      return standingOf(board, { ...visitor, invitedTo: invited.has(id) ? [board.id] : [] }).read
    })
    .map(({ id }) => id)
}
