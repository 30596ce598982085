// audit: which installed versions their servers no longer vouch for. It changes nothing.
import type { Client } from '../../client/src/create-client.ts'
import { GuildhallError } from '../../client/src/errors.ts'
import { VerifyError } from '../../client/src/verify-error.ts'
import type { Context } from './command.ts'
import { homeOf, nameText, type Spec } from './home.ts'
import { resolveEntries } from './install.ts'
import { installedOf } from './installed-of.ts'
import { type LockedItem, readLock, serverOf } from './lock-file.ts'
import { type Proven, proveNow } from './proofs.ts'
import { type ResolvedVersion, resolveAny } from './resolving.ts'
import { bold, red } from './style.ts'
import { line } from './text.ts'
import { RefusedError } from './usage.ts'

interface Problem {
  type: 'hidden' | 'yanked' | 'severe' | 'other_file' | 'key_revoked' | 'doubted'
  reason: string
}

const AT_ONCE = 4
const HIDDEN = 'the server does not show it: it is hidden or deleted, or not for you'

export async function audit(context: Context, { words }: { words: string[] }): Promise<void> {
  const home = homeOf(context)
  const lock = await readLock(home)
  const audited = await resolveEntries(await installedOf(context, lock, words), async (group, server) => {
    const client = await context.client({ url: server })
    // What is installed is an exact version, whatever its range means now.
    const specs = group.map((spec) => ({ ...spec, range: entryOf(lock, spec).version }))
    const resolved = await resolveAny(client, specs)
    return inTurns(specs, async (spec, at) => {
      const entry = entryOf(lock, spec)
      const found = resolved[at]
      if (!found?.found) return [{ type: 'hidden', reason: HIDDEN } satisfies Problem]
      const problems = await problemsOf(client, found, entry)
      // The proof is of the file that the server has.
      if (found.sha256 !== entry.sha256) return problems
      const { kind, slug, version, sha256 } = found
      const proven = { kind, slug, server, version, sha256, key: entry.key }
      return [...problems, ...(await doubtsOf(context, home, proven))]
    })
  })
  const bad = audited
    .filter(({ result }) => result.length > 0)
    .map(({ name, entry, result }) => ({ name, version: entry.version, server: serverOf(entry), problems: result }))
  for (const { name, version, problems } of bad) {
    for (const { type, reason } of problems)
      context.say(bold(name), ` ${line(version)}  `, red(type.replace('_', ' ')), `: ${line(reason)}`)
  }
  if (bad.length === 0)
    context.say(audited.length === 0 ? 'Nothing is installed.' : `${audited.length} installed, no problem found.`)
  context.report(bad)
  if (bad.length > 0) throw new RefusedError('audit', `${bad.length} of ${audited.length} installed have problems`)
}

const entryOf = (lock: ReadonlyMap<string, LockedItem>, spec: Spec) => lock.get(nameText(spec)) as LockedItem

/** Some at a time, in order. */
async function inTurns<One, Result>(
  all: readonly One[],
  ask: (one: One, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    results.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map((one, n) => ask(one, at + n)))))
  return results
}

/** What the server says of a version that it has. */
async function problemsOf(client: Client, found: ResolvedVersion, entry: LockedItem): Promise<Problem[]> {
  const { kind, slug, version, sha256, yanked } = found
  const problems: Problem[] = []
  const [item, scan, stated] = await Promise.all([
    ifThere(client.library.find({ kind, slug })),
    ifThere(client.library.findScan({ kind, slug, version })),
    yanked ? ifThere(client.library.findVersion({ kind, slug, version })) : undefined,
  ])
  if (!item) problems.push({ type: 'hidden', reason: HIDDEN })
  else if (item.state !== undefined) problems.push({ type: 'hidden', reason: `it is ${item.state}` })
  if (sha256 !== entry.sha256)
    problems.push({ type: 'other_file', reason: 'the server has another file of this version than guildhall.lock' })
  if (yanked) problems.push({ type: 'yanked', reason: stated?.yank_reason || 'without a reason' })
  const severe = scan?.verdict === 'severe' ? scan.findings.filter(({ severity }) => severity === 'severe') : []
  for (const { path, line: at, reason } of severe)
    problems.push({ type: 'severe', reason: `${[path, at].filter(Boolean).join(':')} ${reason}`.trim() })
  return problems
}

/** What the server has; undefined for what it does not show. */
async function ifThere<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof GuildhallError && error.status === 404) return undefined
    throw error
  }
}

/** What the server proves of it now: the key of its publisher may have been revoked since. */
async function doubtsOf(context: Context, home: string, proven: Proven): Promise<Problem[]> {
  try {
    const at = (await proveNow(context, home, proven))?.keyRevokedAt ?? null
    return at === null ? [] : [{ type: 'key_revoked', reason: `the key that signed it was revoked on ${at}` }]
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error
    return [{ type: error.doubt === 'revoked' ? 'key_revoked' : 'doubted', reason: error.message }]
  }
}
