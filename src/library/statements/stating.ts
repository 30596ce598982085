// The step of a publication that states it: by whom and when, before the log gets its digest. A publisher that signed the statement before
// has it as it was signed.
import type { Step } from '../publishing/step.ts'
import { assertSignedBy, assertStates } from './drafts.ts'
import { owningTeam } from './owning.ts'
import { insertStatement } from './queries.ts'
import { payloadOf } from './statement.ts'

export const state: Step = async ({ caller, now }, { signed }) => {
  const publisher = { id: caller.id, username: caller.username }
  return async (db, { item, version, sha256, size }) => {
    const owner = await owningTeam(db, item.teamId)
    const published = { item: item.id, name: `${item.kind}/${item.slug}`, version, sha256, size, publisher, owner }
    const of = { itemId: item.id, version, publisherId: caller.id }
    if (!signed) {
      const payload = payloadOf({ ...published, time: now })
      return insertStatement(db, { ...of, payload, keyId: null, signature: null })
    }
    assertStates(signed, published)
    // Once more: the key can have been revoked since. A revocation locks the account, as a publication does.
    await assertSignedBy(db, caller, signed)
    const { payload, keyId, signature } = signed
    return insertStatement(db, { ...of, payload, keyId, signature })
  }
}
