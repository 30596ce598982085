// `npm run admin -- verify`: whether the names that count as uses are those of the versions that items show.
import type { Db } from '../../database/schema.ts'
import { listWronglyShown } from './filling-queries.ts'

const MAX_REPORTED = 100

/** Reports each version whose names count and should not, or the other way round; a hundred at most. */
export async function checkUses(db: Db, report: (sentence: string) => void): Promise<void> {
  for (const { itemId, version } of await listWronglyShown(db, MAX_REPORTED)) {
    report(`What version ${version} of item ${itemId} names is counted wrongly`)
  }
}
