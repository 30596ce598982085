// The version of an item that a caller asks for.
import type { Context } from '../request/handler.ts'
import type { readFileOf } from './publishing/file.ts'
import { getVersion, getVisible, type Ref } from './record.ts'

export type Asked = Ref & { version?: string | undefined }
/** What reading is given: the formats of files are known to `readFile` alone. */
export type Reading = Context & { readFile: typeof readFileOf }

/** An item that the caller may know of, and the version asked for or the current one; throws `not_found` or `invalid_request`. */
export async function versionAsked(context: Context, { version: asked, ...ref }: Asked) {
  const item = await getVisible(context, ref)
  return { item, version: asked === undefined ? item : await getVersion(context, item, asked) }
}
