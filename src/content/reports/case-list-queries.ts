// Lists of cases with their filters, and the agents through which came what they are about.
import { sql } from 'kysely'
import type { PartsOff } from '../../contract/parts.ts'
import { boardsWithinReach } from '../../contract/standing.ts'
import type { Range } from '../../database/cursor.ts'
import { clientIn } from '../../database/engine.ts'
import type { Db, ModerationCaseTable } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { isBehind } from '../listing-queries.ts'
import { columns, isCaseOn, isOnBoard, isOnBoards } from './case-queries.ts'
import type { caseSources } from './contract.ts'

/** Closed later, about the same thing. */
const laterClosed = sql<boolean>`exists (select 1 from "moderationCase" later
  where later."targetId" = one."targetId" and later.id > one.id and later.state = 'closed')`

/** Which cases a list has. */
export interface CaseFilters {
  state: ModerationCaseTable['state']
  reason?: string | undefined
  type?: string | undefined
  /** Those of a board, as lists are filtered by it. */
  within?: Readonly<Record<string, string | undefined>> | undefined
  from?: (typeof caseSources)[number] | undefined
  /** The client through which what they are about came. */
  agent?: string | undefined
}

const isReported = (reason?: string) => sql<boolean>`exists (select 1 from report r
  where r."caseId" = one.id ${reason === undefined ? sql`` : sql`and r.reason = ${reason}`})`

const isFrom = {
  members: isReported(),
  automatic: sql<boolean>`(one.held = 1 or one."machineVerdict" is not null)`,
  appeal: sql<boolean>`one."appealCount" > 0`,
}

/** Cases of a state, for moderators of boards those on what is in these: open ones oldest first; closed ones newest first, the last one of each thing. */
export function listCases(
  db: Db,
  { state, off, reason, type, within, from, agent }: CaseFilters & { off: PartsOff },
  { limit, offset, after }: Range,
) {
  const on = isCaseOn(off, 'one')
  const boards = boardsWithinReach()
  const direction = state === 'open' ? 'asc' : 'desc'
  return db
    .selectFrom('moderationCase as one')
    .leftJoin('user as author', 'author.id', 'one.authorId')
    .select(columns.map((name) => `one.${name}` as const))
    .select('author.username as authorUsername')
    .where('one.state', '=', state)
    .$if(on !== undefined, (cases) => cases.where(required(on)))
    .$if(boards !== undefined, (cases) => cases.where(isOnBoards(db, 'one', required(boards))))
    .$if(type !== undefined, (cases) => cases.where('one.targetType', '=', required(type)))
    .$if(reason !== undefined, (cases) => cases.where(isReported(reason)))
    .$if(within !== undefined, (cases) => cases.where(isOnBoard('one', required(within))))
    .$if(from !== undefined, (cases) => cases.where(isFrom[required(from)]))
    .$if(agent !== undefined, (cases) =>
      cases.where('one.viaClientId', 'is not', null).where(clientIn(db, 'one.viaClientId'), '=', required(agent)),
    )
    .$if(state === 'closed', (cases) => cases.where(sql<boolean>`not ${laterClosed}`))
    .$if(after !== undefined, (cases) =>
      cases.where(isBehind({ of: 'one', sort: 'latest', backwards: state === 'open' }, after ?? [])),
    )
    .orderBy('one.createdAt', direction)
    .orderBy('one.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The agents through which what cases of a state are about came, with how many each; those with the most first. */
export async function listCaseAgents(
  db: Db,
  { state, off, limit }: Pick<CaseFilters, 'state'> & { off: PartsOff; limit: number },
): Promise<{ viaClientId: string; count: number }[]> {
  const on = isCaseOn(off, 'one')
  const boards = boardsWithinReach()
  const agent = clientIn(db, 'one.viaClientId')
  const rows = await db
    .selectFrom('moderationCase as one')
    .select(({ fn }) => [agent.as('viaClientId'), fn.countAll().as('count')])
    .where('one.state', '=', state)
    .where('one.viaClientId', 'is not', null)
    .$if(on !== undefined, (cases) => cases.where(required(on)))
    .$if(boards !== undefined, (cases) => cases.where(isOnBoards(db, 'one', required(boards))))
    .$if(state === 'closed', (cases) => cases.where(sql<boolean>`not ${laterClosed}`))
    .groupBy(agent)
    .orderBy('count', 'desc')
    .orderBy(agent)
    .limit(limit)
    .execute()
  return rows.map(({ viaClientId, count }) => ({ viaClientId, count: Number(count) }))
}
