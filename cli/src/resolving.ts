// Which versions names mean, asked of the server, 50 names at a time.
import type { Client } from '../../client/src/create-client.ts'
import { compareVersions, isVersion } from '../../src/formats/version.ts'
import { nameText, type Spec } from './home.ts'
import { RefusedError } from './usage.ts'

const NAMES_AT_ONCE = 50

type Resolution = Awaited<ReturnType<Client['library']['resolve']>>['items'][number]
export type ResolvedVersion = Extract<Resolution, { found: true }>
type Reason = Extract<Resolution, { found: false }>['reason']

const reasons: Record<Reason, string> = {
  invalid_name: 'no name',
  invalid_version: 'neither a version nor a range',
  not_found: 'not there, or not for you',
  no_version: 'there is no such version',
}

/** What each means, in the order of the specs; undefined where nothing is meant. */
export async function resolveAny(client: Client, specs: readonly Spec[]): Promise<Resolution[]> {
  const all: Resolution[] = []
  for (let at = 0; at < specs.length; at += NAMES_AT_ONCE) {
    const items = specs
      .slice(at, at + NAMES_AT_ONCE)
      .map(({ range, ...name }) => ({ name: nameText(name), version: range }))
    all.push(...(await client.library.resolve({ items })).items)
  }
  for (const [at, spec] of specs.entries()) assertExact(spec, all[at])
  return all
}

/** What a server says a range means is a version, and its hash; of an exact version it is that one. */
function assertExact({ range, ...name }: Spec, one: Resolution | undefined): void {
  const isMeant = (version: string) =>
    isVersion(version) && (!isVersion(range) || compareVersions(version, range) === 0)
  if (one && (!one.found || (isMeant(one.version) && /^[0-9a-f]{64}$/.test(one.sha256)))) return
  throw new RefusedError('resolve', `The server names no exact version for ${nameText(name)}@${range}`)
}

/** The same, where all must be found. */
export async function resolve(client: Client, specs: readonly Spec[]): Promise<ResolvedVersion[]> {
  const all = await resolveAny(client, specs)
  refuse(all.map((one, n) => problemOf(one, specs[n] as Spec)))
  return all as ResolvedVersion[]
}

/** The same for items that are installed: undefined where every version of the range was yanked or deleted. Other items must be found. */
export async function resolveKept(client: Client, specs: readonly Spec[]): Promise<(ResolvedVersion | undefined)[]> {
  const all = await resolveAny(client, specs)
  const isGone = (one: Resolution) => !one.found && one.reason === 'no_version'
  refuse(all.map((one, n) => (isGone(one) ? undefined : problemOf(one, specs[n] as Spec))))
  return all.map((one) => (one.found ? one : undefined))
}

function refuse(problems: readonly (string | undefined)[]): void {
  const all = problems.filter((one) => one !== undefined)
  if (all.length > 0) throw new RefusedError('not_found', all.join('\n'))
}

function problemOf(one: Resolution, { kind, slug, range }: Spec): string | undefined {
  if (!one.found) return `${kind}/${slug}@${range}: ${reasons[one.reason]}`
  // Files are named after this: it must be what was asked.
  return one.kind === kind && one.slug === slug ? undefined : `${kind}/${slug} is ${one.kind}/${one.slug} now`
}
