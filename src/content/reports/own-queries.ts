// Reports as those who wrote them see them: their own, with the act that decided them, and never who else reported or who decided.
import { sql } from 'kysely'
import { decisions } from '../../contract/kinds.ts'
import type { PartsOff } from '../../contract/parts.ts'
import type { Range } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { isCaseOn } from './case-queries.ts'

const ofCase = sql`act."caseId" = report."caseId" and act.action in (${sql.join(decisions.map((one) => sql.lit(one)))})`

/** The act by which a closed report was decided: the first one of its case that came later. */
const decidedBy = sql<string>`(select coalesce(min(case when act.id > report.id then act.id end), max(act.id))
  from "moderationAct" act where ${ofCase})`

/** The reports of an account, newest first. */
export function listOwnReports(
  db: Db,
  { reporterId, off }: { reporterId: string; off: PartsOff },
  { limit, offset, after }: Range,
) {
  const on = isCaseOn(off, 'one')
  return db
    .selectFrom('report')
    .innerJoin('moderationCase as one', 'one.id', 'report.caseId')
    .leftJoin('moderationAct as decided', (join) =>
      join.on('report.closed', '=', sql.lit(1)).on('decided.id', '=', decidedBy),
    )
    .select(['report.id', 'report.reason', 'report.text', 'report.createdAt', 'report.closed'])
    .select(['one.targetType', 'one.targetId'])
    .select(['decided.action', 'decided.createdAt as decidedAt', 'decided.undoneAt'])
    .where('report.reporterId', '=', reporterId)
    .$if(on !== undefined, (reports) => reports.where(required(on)))
    .$if(after !== undefined, (reports) => reports.where('report.id', '<', String(after?.[0])))
    .orderBy('report.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The accounts whose reports an act decided, without the one that decided, in the order of their ids. */
export async function listReportersOf(
  db: Db,
  { actId, after, limit }: { actId: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('moderationAct as made')
    .innerJoin('report', 'report.caseId', 'made.caseId')
    .innerJoin('user', 'user.id', 'report.reporterId')
    .select('report.reporterId')
    .distinct()
    .where('made.id', '=', actId)
    .where('report.closed', '=', sql.lit(1))
    .where(sql<boolean>`${decidedBy} = made.id`)
    .where(sql<boolean>`(made."actorId" is null or report."reporterId" <> made."actorId")`)
    .where('report.reporterId', '>', after)
    .orderBy('report.reporterId')
    .limit(limit)
    .execute()
  return rows.map(({ reporterId }) => reporterId)
}
