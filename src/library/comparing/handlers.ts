// Compares two versions of an item. Files never change, so results are cached by the hashes of both.
import { Problem } from '../../contract/problem.ts'
import type { ItemComparison } from '../../formats/kinds/item-comparison.ts'
import { precedenceOf } from '../../formats/version.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { withArtifactFile } from '../../storage/blobs.ts'
import { GivenUp, inThread, jobOf } from '../../workers/workers.ts'
import type { ItemRow, VersionFile } from '../items/queries.ts'
import { filenameOf } from '../items/rules.ts'
import { getChosen } from '../naming/versions.ts'
import { listFigures } from '../outcome-figures/queries.ts'
import { isWorse, outcomesOf } from '../outcome-figures/showing.ts'
import { getVisible, type Ref } from '../records/record.ts'
import type { compareInThread } from './compare-job.ts'
import type { comparing } from './contract.ts'
import { findVersionBefore } from './queries.ts'

const MAX_MILLISECONDS = 15_000
const job = jobOf<typeof compareInThread>(import.meta.resolve('./compare-job.ts'), 'compareInThread', MAX_MILLISECONDS)

/** Recent comparisons by the hashes of both files, least recently used first. */
const kept = new Map<string, ItemComparison>()
const MAX_KEPT = 32

export const comparingHandlers: Handlers<typeof comparing> = { compare, findCompare: compare }

async function compare(
  context: Context,
  { from, to, ...ref }: Ref & { from?: string | undefined; to?: string | undefined },
) {
  const item = await getVisible(context, ref)
  const later = to === undefined ? item : (await getChosen(context.db, item.id, { field: 'to', asked: to })).version
  const earlier =
    from === undefined
      ? await findVersionBefore(context.db, { itemId: item.id, precedence: precedenceOf(later.version) })
      : (await getChosen(context.db, item.id, { field: 'from', asked: from })).version
  const comparison = await comparisonOf(context, item.kind, { earlier, later })
  const meta = parseJson<Record<string, unknown>>(item.meta)
  const name = filenameOf({ kind: item.kind, slug: item.slug, meta }, later.version)
  // The only file of a workflow or an org has no path of its own.
  const named = <File extends { path: string }>(file: File): File => (file.path === '' ? { ...file, path: name } : file)
  const { added, removed, changed, unchanged } = comparison.files
  return {
    from: earlier ? told(earlier) : null,
    to: told(later),
    ...comparison,
    outcomes: await outcomesIn(context, item.id, { earlier, later }),
    files: { added: added.map(named), removed: removed.map(named), changed: changed.map(named), unchanged },
  }
}

/** What is reported of both versions, where enough accounts did. */
async function outcomesIn(
  { db }: Context,
  itemId: string,
  { earlier, later }: { earlier: VersionFile | undefined; later: VersionFile },
) {
  const versions = [earlier, later].flatMap((one) => (one ? [one.version] : []))
  const figures = await listFigures(db, itemId, versions)
  const [before, after] = [earlier && figures.get(earlier.version), figures.get(later.version)]
  const [{ outcomes: from }, { outcomes: to }] = [outcomesOf(before), outcomesOf(after)]
  return { ...(from && { from }), ...(to && { to }), worse: isWorse(before, after) }
}

const told = ({ version, sha256, size }: VersionFile): VersionFile => ({ version, sha256, size })

async function comparisonOf(
  context: Context,
  kind: ItemRow['kind'],
  { earlier, later }: { earlier: VersionFile | undefined; later: VersionFile },
): Promise<ItemComparison> {
  const key = `${kind} ${earlier?.sha256 ?? ''} ${later.sha256}`
  const known = kept.get(key)
  kept.delete(key)
  const comparison = known ?? (await compareStored(context, kind, { earlier, later }))
  kept.set(key, comparison)
  for (const [oldest] of kept) if (kept.size > MAX_KEPT) kept.delete(oldest)
  return comparison
}

async function compareStored(
  context: Context,
  kind: ItemRow['kind'],
  { earlier, later }: { earlier: VersionFile | undefined; later: VersionFile },
): Promise<ItemComparison> {
  const { blobs } = context
  const run = (from: string | undefined) =>
    withArtifactFile(blobs, later, (to) => inThread(job, { kind, from, to }, context.worker()))
  const comparison = await (earlier ? withArtifactFile(blobs, earlier, run) : run(undefined)).catch(
    (error: unknown) => {
      if (error instanceof GivenUp) throw new Problem('unavailable', 'These versions take too long to compare')
      throw error
    },
  )
  if ('refused' in comparison) throw new Problem('invalid_artifact', comparison.refused)
  return comparison
}
