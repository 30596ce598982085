// audit: which installed versions their servers no longer vouch for. It changes nothing.
import type { Client } from '../../client/src/create-client.ts'
import { GuildhallError } from '../../client/src/errors.ts'
import type { Context } from './command.ts'
import { homeOf, type ItemName, nameText, readName, type Spec } from './home.ts'
import { entriesOf, resolveEntries } from './install.ts'
import { type LockedItem, readLock, serverOf } from './lock-file.ts'
import { verifyKept } from './proofs.ts'
import { type Found, resolveAny } from './resolving.ts'
import { bold, red } from './style.ts'
import { line } from './text.ts'
import { RefusedError } from './usage.ts'

interface Problem {
  type: 'hidden' | 'yanked' | 'severe' | 'other_file' | 'key_revoked'
  reason: string
}

const AT_ONCE = 4
const HIDDEN = 'the server does not show it: it is hidden or deleted, or not for you'

export async function audit(context: Context, { words }: { words: string[] }): Promise<void> {
  const home = homeOf(context)
  const lock = await readLock(home)
  const audited = await resolveEntries(entriesOf(lock, words), async (group, server) => {
    const client = await context.client({ url: server })
    // What is installed is an exact version, whatever its range means now.
    const specs = group.map((spec) => ({ ...spec, range: entryOf(lock, spec).version }))
    const resolved = await resolveAny(client, specs)
    const revoked = await revokedKeys(context, server)
    return inTurns(specs, async (spec, at) => {
      const entry = entryOf(lock, spec)
      const found = resolved[at]
      const problems: Problem[] = found?.found
        ? await problemsOf(client, found, entry)
        : [{ type: 'hidden', reason: HIDDEN }]
      const isRevoked = revoked.size > 0 && revoked.has((await publisherKeyOf(home, nameText(spec), entry)) ?? '')
      if (isRevoked) problems.push({ type: 'key_revoked', reason: 'you revoked the key that signed it' })
      return problems
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
async function problemsOf(client: Client, found: Found, entry: LockedItem): Promise<Problem[]> {
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

/** The keys that this account revoked at this server; none where it is not signed in. Those of others are not told. */
async function revokedKeys(context: Context, server: string): Promise<Set<string>> {
  if ((await context.tokens.read())?.url !== server) return new Set()
  try {
    const { items } = await (await context.client({ url: server })).publisherKeys.list()
    return new Set(items.flatMap(({ public_key, revoked_at }) => (revoked_at === null ? [] : [public_key])))
  } catch (error) {
    // A token that may not read keys can audit the rest.
    if (error instanceof GuildhallError && error.status === 403) return new Set()
    throw error
  }
}

/** The key of the publisher in the kept proof; undefined where there is none, or `verify` would doubt it. */
async function publisherKeyOf(home: string, name: string, entry: LockedItem): Promise<string | undefined> {
  const item = readName(name) as ItemName
  const { version, sha256, key } = entry
  const proven = { ...item, server: serverOf(entry), version, sha256, key }
  try {
    return (await verifyKept(home, proven))?.publisherKey ?? undefined
  } catch (error) {
    if (error instanceof RefusedError) return undefined
    throw error
  }
}
