// The id of a thing that was merged leads to what it was merged into, in one step. It is looked up only where there is no thing of an id,
// so that nothing else waits for it.
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import { findMerged } from './queries.ts'

/** Runs `run` with an id; where that is not found because it was merged, with the id of what it was merged into. */
export async function forwarded<Result>(db: Db, id: string, run: (id: string) => Promise<Result>): Promise<Result> {
  try {
    return await run(id)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    const merged = await findMerged(db, id)
    if (!merged) throw error
    return run(merged.targetId)
  }
}
