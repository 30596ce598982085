// `npm run admin -- verify`: statements of versions against the versions and the log.
import type { Db } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'
import * as queries from './queries.ts'
import { digestOf, readPayload } from './statement.ts'

const AT_ONCE = 200

/** Reports each version whose statement, or whose leaf, is about another file, and each public one that the log should have and has not. */
export async function checkStatements(db: Db, report: (sentence: string) => void): Promise<void> {
  let after = { itemId: '', version: '' }
  for (;;) {
    const rows = await queries.listStated(db, after, AT_ONCE)
    for (const { itemId, version, payload, isLogged, sha256 } of rows) {
      const name = `version ${version} of item ${itemId}`
      if (readPayload(payload).sha256 !== sha256) report(`The statement of ${name} is about another file`)
      const leaf = isLogged === 1 ? await queries.findLeaf(db, { itemId, version }) : undefined
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
