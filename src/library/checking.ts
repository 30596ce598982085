// `npm run admin -- verify`: statements of versions against the versions and the log, and the names that count as uses against the versions
// that items show.

import type { Db } from '../database/schema.ts'
import { parseJson } from '../runtime/untyped.ts'
import { findLeaf, listStated } from './statements/queries.ts'
import { digestOf, readPayload } from './statements/statement.ts'
import { listWronglyShown } from './uses/queries.ts'

const AT_ONCE = 200
const MAX_REPORTED = 100

/** Reports each version whose statement, or whose leaf, is about another file, and each public one that the log should have and has not. */
export async function checkStatements(db: Db, report: (sentence: string) => void): Promise<void> {
  let after = { itemId: '', version: '' }
  for (;;) {
    const rows = await listStated(db, after, AT_ONCE)
    for (const { itemId, version, payload, isLogged, sha256 } of rows) {
      const name = `version ${version} of item ${itemId}`
      if (readPayload(payload).sha256 !== sha256) report(`The statement of ${name} is about another file`)
      const leaf = isLogged === 1 ? await findLeaf(db, { itemId, version }) : undefined
      const said = leaf && parseJson<{ sha256: string; statement: string }>(leaf.text)
      if (isLogged === 1 && !said) report(`The log has no leaf of ${name}`)
      if (said && said.sha256 !== sha256) report(`The log has another file of ${name}`)
      if (said && said.statement !== digestOf(payload)) report(`The log has another statement of ${name}`)
    }
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    after = last
  }
}

/** Reports each version whose names count and should not, or the other way round; a hundred at most. */
export async function checkUses(db: Db, report: (sentence: string) => void): Promise<void> {
  for (const { itemId, version } of await listWronglyShown(db, MAX_REPORTED)) {
    report(`What version ${version} of item ${itemId} names is counted wrongly`)
  }
}
