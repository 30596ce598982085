// Statements, proofs and changes, for reading; and cosignatures of witnesses.
import { toBase64 } from '@guildhall/verifiable'
import { assertCosignatureRoom, countCosignature } from '../../budgets/caused.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { precedenceOf } from '../../formats/version.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { openLogSigner, readLog } from '../../transparency/serving.ts'
import { findVersion } from '../items/queries.ts'
import { isListed } from '../items/rules.ts'
import { artifactUrl, getVisible, itemsOf, type Ref } from '../records/record.ts'
import type { transparency } from './contract.ts'
import { findKey, findLeaf, findStatement, listShown, listVersionsOf } from './queries.ts'
import { envelopeOf } from './statement.ts'

type VersionRef = Ref & { version: string }

async function getStatement(context: Context, { version: asked, ...ref }: VersionRef) {
  const item = await getVisible(context, ref)
  const version = await findVersion(context.db, item.id, precedenceOf(asked))
  if (!version) throw new Problem('not_found', `There is no version ${asked} of this item`)
  const statement = await findStatement(context.db, { itemId: item.id, version: version.version })
  if (!statement) throw new Problem('not_found', 'There is no statement of this version yet')
  return { item, statement }
}

async function readStatement(context: Context, ref: VersionRef) {
  const { statement } = await getStatement(context, ref)
  return { ...envelopeOf(statement, await openLogSigner(context)), ...(await signingKey(context, statement)) }
}

/** The key of the publisher, with its revocation as it is now; nothing where the publisher did not sign. */
async function signingKey({ db }: Context, { keyId }: { keyId: string | null }) {
  const key = keyId === null ? undefined : await findKey(db, keyId)
  return key && { publisher_key: { keyid: key.id, public_key: key.publicKey, revoked_at: key.revokedAt } }
}

/** What waits for its place gets it within seconds, in the background: a read writes nothing. Clients ask again. */
const SEQUENCED_WITHIN_SECONDS = 1

/** The newest leaf of a version: an older one is about an older statement. */
async function getLeaf({ db }: Context, { item, statement }: Awaited<ReturnType<typeof getStatement>>) {
  const leaf = await findLeaf(db, statement)
  if (leaf && leaf.position !== null) return { index: leaf.position, entry: leaf.text }
  if (!isListed(item)) throw new Problem('not_found', 'This version is not public')
  const retryAfterSeconds = SEQUENCED_WITHIN_SECONDS
  throw new Problem('not_found', 'This version is not in the log yet', { retryAfterSeconds })
}

async function readProof(context: Context, { seen, ...ref }: VersionRef & { seen?: number | undefined }) {
  const found = await getStatement(context, ref)
  const { index, entry } = await getLeaf(context, found)
  const { statement } = found
  const log = readLog(context)
  const size = await log.sizeFor(index)
  return {
    statement: envelopeOf(statement, await openLogSigner(context)),
    ...(await signingKey(context, statement)),
    ...{ key: await log.key(), entry, index },
    hashes: inBase64(await log.inclusion(index, size)),
    checkpoint: required(await log.checkpoint(size)),
    ...(seen && { consistency: await consistencyOf(log, seen, size) }),
  }
}

/** Of the smaller of the two trees with the larger one. */
async function consistencyOf(log: ReturnType<typeof readLog>, seen: number, size: number) {
  const [old, newer] = seen < size ? [seen, size] : [size, seen]
  const isKnown = newer <= (await log.size())
  return { old, hashes: isKnown ? inBase64(await log.consistency(old, newer)) : [] }
}

const inBase64 = (hashes: readonly Uint8Array[]) => hashes.map(toBase64)

/** The log as a list of changes, for mirrors: each entry with the item and the version as they are now. */
async function listChanges(context: Context, { after, limit }: { after: number; limit: number }) {
  const { db, config, now } = context
  const entries = await readLog(context).entries(after + 1, limit)
  const ids = [...new Set(entries.map(({ itemId }) => itemId))]
  const { kinds } = partsOff(config)
  const rows = (await listShown(db, ids)).filter(({ kind }) => !kinds.has(kind))
  const items = new Map((await itemsOf({ db, config, now, caller: undefined }, rows)).map((item) => [item.id, item]))
  const versions = await listVersionsOf(db, [...items.keys()])
  const changes = entries.map(({ position, type, at, text, itemId, version }) => {
    const found = versions.find((row) => row.itemId === itemId && row.version === version)
    return {
      ...{ index: position ?? 0, type, at: at ?? '', entry: text, item_id: itemId },
      item: items.get(itemId) ?? null,
      version: found ? versionOf(found, artifactUrl(config.baseUrl, itemId)) : null,
    }
  })
  return { changes, next: changes.at(-1)?.index ?? after, size: await readLog(context).size() }
}

function versionOf(
  { version, sha256, size, createdAt, yankedAt }: Awaited<ReturnType<typeof listVersionsOf>>[number],
  url: string,
) {
  const artifact_url = `${url}?version=${encodeURIComponent(version)}`
  return { version, sha256, size, created_at: createdAt, artifact_url, yanked_at: yankedAt }
}

export const handlers: Handlers<typeof transparency> = {
  statement: readStatement,
  findStatement: readStatement,
  proof: readProof,
  findProof: readProof,

  async consistency(context, { old, size }) {
    const log = readLog(context)
    if (old > size) throw new Problem('invalid_request', 'old: must be at most size')
    if (size > (await log.size())) throw new Problem('not_found', `The log has no ${size} leaves`)
    return { old, size, hashes: inBase64(await log.consistency(old, size)) }
  },

  async cosign(context, { size, line }) {
    const { db, now, budget } = context
    await assertCosignatureRoom(context, db)
    const checkpoint = await readLog(context).cosign({
      ...{ size, line: line.endsWith('\n') ? line : `${line}\n`, now },
      count: async (transaction) => budget.note(await countCosignature(context, transaction)),
    })
    if (checkpoint === 'unknown checkpoint')
      throw new Problem('not_found', `The log signed no checkpoint of size ${size}`)
    if (checkpoint === 'not a cosignature')
      throw new Problem('forbidden', 'This is not a cosignature of that checkpoint by a known witness')
    return { checkpoint: checkpoint.note }
  },

  changes: listChanges,
}
