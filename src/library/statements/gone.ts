// A name and a version that everybody could see never mean other bytes: the hash stays when the version goes. What was only ever private
// leaves nothing.
import { listSlugsOf } from '../../content/slug-queries.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { compareVersions, nextPatch, precedenceOf } from '../../formats/version.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Kind } from '../items/item-contract.ts'
import { insertGone, listGone, listHashes, listSeen } from './queries.ts'

interface NamedItem {
  id: string
  kind: Kind
  slug: string
}

/** Keeps the hashes of what everybody could see of an item that goes, under each of its names. Before its names go. */
export async function keepHashes(db: Transaction, { id, kind, slug }: NamedItem): Promise<void> {
  const seen = await listSeen(db, id)
  if (seen.length === 0) return
  const slugs = new Set([slug, ...(await listSlugsOf(db, id))])
  const rows = seen.flatMap(({ version, text }) => {
    const { sha256 } = parseJson<{ sha256: string }>(text)
    if (version === null) return []
    return [...slugs].map((name) => ({ kind, slug: name, precedence: precedenceOf(version), version, sha256 }))
  })
  await insertGone(db, rows)
}

interface FreeVersionOptions {
  kind: Kind
  /** Every name under which the version will be found. */
  slugs: readonly string[]
  /** The version that is asked for; undefined where the next free one is taken. */
  asked: string | undefined
  /** The version where none is asked for and nothing is gone. */
  otherwise: string
  sha256: string
}

/**
 * The version to publish. Throws `version_conflict` where one was asked for that everybody could see with other bytes; the same bytes may
 * come again.
 */
export async function freeVersion(
  db: Db,
  { kind, slugs, asked, otherwise, sha256 }: FreeVersionOptions,
): Promise<string> {
  const gone = await listGone(db, { kind, slugs })
  const version = asked ?? otherwise
  const same = gone.filter(({ precedence }) => precedence === precedenceOf(version))
  const other = same.find((one) => one.sha256 !== sha256)
  if (asked === undefined) return same.length > 0 && !other ? version : nextFree(version, gone)
  if (other) throw otherBytes({ kind, slug: other.slug }, version)
  return version
}

/** Newer than everything that is gone, where anything is. */
function nextFree(otherwise: string, gone: readonly { version: string }[]): string {
  const newest = gone.reduce<string | undefined>(
    (most, { version }) => (most === undefined || compareVersions(version, most) > 0 ? version : most),
    undefined,
  )
  return newest === undefined || compareVersions(otherwise, newest) > 0 ? otherwise : nextPatch(newest)
}

const otherBytes = ({ kind, slug }: Pick<NamedItem, 'kind' | 'slug'>, version: string) =>
  new Problem(
    'version_conflict',
    `version: ${kind}/${slug} ${version} was published with other bytes; take another version`,
  )

/** Throws `version_conflict` where an item would bring back versions under a new name with other bytes. */
export async function assertNameFree(db: Db, { id, kind, slug }: NamedItem): Promise<void> {
  const gone = await listGone(db, { kind, slugs: [slug] })
  if (gone.length === 0) return
  const hashes = new Map((await listHashes(db, id)).map(({ precedence, sha256 }) => [precedence, sha256]))
  const other = gone.find(({ precedence, sha256 }) => (hashes.get(precedence) ?? sha256) !== sha256)
  if (other) throw otherBytes({ kind, slug }, other.version)
}
