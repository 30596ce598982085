// The version of an item that a caller asks for.
import { Problem } from '../contract/problem.ts'
import { isVersion, precedenceOf } from '../formats/version.ts'
import type { Context } from '../request/handler.ts'
import type { readFileOf } from './publishing/file.ts'
import { findVersion, type ItemRow } from './queries.ts'
import { getVisible, type Ref } from './record.ts'

export type Asked = Ref & { version?: string | undefined }
/** What reading is given: the formats of files are known to `readFile` alone. */
export type Reading = Context & { readFile: typeof readFileOf }

/** An item that the caller may know of, and the version asked for or the current one; throws `not_found` or `invalid_request`. */
export async function versionAsked(context: Context, { version: asked, ...ref }: Asked) {
  const item = await getVisible(context, ref)
  return { item, version: asked === undefined ? item : await getVersion(context, item, asked) }
}

async function getVersion({ db }: Context, { id }: ItemRow, asked: string) {
  if (!isVersion(asked)) throw new Problem('invalid_request', 'version: must be a semantic version, such as 1.4.2')
  const found = await findVersion(db, id, precedenceOf(asked))
  if (!found) throw new Problem('not_found', `There is no version ${asked} of this item`)
  return found
}
