// The step of a publication that states it: by whom and when, before the log gets its digest.
import type { Step } from '../publishing/step.ts'
import { insertStatement } from './queries.ts'
import { payloadOf } from './statement.ts'

export const state: Step = async ({ caller: { id, username }, now }) => {
  return async (db, { item, version, sha256, size }) => {
    const name = `${item.kind}/${item.slug}`
    const publisher = { id, username }
    const payload = payloadOf({ item: item.id, name, version, sha256, size, publisher, time: now })
    const unsigned = { keyId: null, signature: null }
    await insertStatement(db, { itemId: item.id, version, payload, publisherId: id, ...unsigned })
  }
}
