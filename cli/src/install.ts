// install, update and outdated.

import type { Client } from '../../client/src/create-client.ts'
import { mcpClients } from '../../src/formats/kinds/mcp-server/clients.ts'
import { compareVersions } from '../../src/formats/version.ts'
import { builtWords } from './built-by.ts'
import type { CommandLine, Context, Values } from './command.ts'
import { consentOf } from './consent.ts'
import { beginDownloads } from './early.ts'
import { homeOf, type ItemName, nameText, readName, type Spec } from './home.ts'
import { deprecation } from './info.ts'
import { installedOf } from './installed-of.ts'
import { type Installed, type InstallRequest, installAll, type Target } from './installing.ts'
import { findSpecs, readSpec } from './item-of.ts'
import { type LockedItem, type LockedItems, readLock, serverOf } from './lock-file.ts'
import { reportFailure, reportInstalled, type Step, showOutcomes } from './outcomes.ts'
import { agents, type PlaceRequest } from './places.ts'
import { type ResolvedVersion, resolve, resolveAny, resolveKept } from './resolving.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

export async function install(context: Context, { words, values }: CommandLine): Promise<void> {
  const home = homeOf(context)
  const lock = await readLock(home)
  const consent = consentOf(values)
  const places = placesIn(values)
  if (words.length === 0) {
    const all = { home, lock, targets: lockedTargets(lock), consent, places }
    return installReported(context, all, values['report'] === true)
  }
  const reading = words.map(readSpec)
  const client = await context.client()
  const specs = await findSpecs(client, reading)
  await assertInstallable(context, lock, specs)
  const fresh = specs.filter((spec) => !lock.has(nameText(spec)))
  const early = beginDownloads(client, home, fresh)
  try {
    const targets = await askedTargets(context, client, specs)
    await installReported(context, { home, lock, targets, consent, early, places }, values['report'] === true)
  } finally {
    await early.end()
  }
}

/** Installs and says what; where the person wants that, the server is told how it went. */
async function installReported(context: Context, request: InstallRequest, isReported: boolean): Promise<void> {
  await showOutcomes(context, stepsOf(request.lock, request.targets))
  const all = await installAll(context, request).catch(async (error: unknown) => {
    if (isReported) await reportFailure(context, request.targets, error)
    throw error
  })
  if (isReported) await reportInstalled(context, all)
  tell(context, all)
}

/** What another version comes for. */
const stepsOf = (lock: LockedItems, targets: readonly Target[]): Step[] =>
  targets.flatMap(({ version: to, ...target }) => {
    const from = lock.get(nameText(target))?.version
    return from === undefined || from === to ? [] : [{ ...target, from, to }]
  })

/** Where skills and MCP servers go, as options say. */
function placesIn({ agent, dir, client }: Values): PlaceRequest {
  const named = chosen('agent', agent, agents)
  return { agents: named, dir: dir as string | undefined, clients: chosen('client', client, mcpClients) }
}

/** The names that an option has, with commas between them or each by itself. */
function chosen<Name extends string>(option: string, value: unknown, known: readonly Name[]): Name[] | undefined {
  const named = (value as string[] | undefined)?.flatMap((one) => one.split(','))
  if (named?.some((one) => !(known as readonly string[]).includes(one)))
    throw new UsageError(`--${option} is one of ${known.join(', ')}`)
  return named as Name[] | undefined
}

/** Exactly what the lock says. */
const lockedTargets = (lock: LockedItems): Target[] => [...lock].map(([name, entry]) => targetOf(name, entry))

function targetOf(name: string, entry: LockedItem): Target {
  const { version, range, sha256 } = entry
  return { ...(readName(name) as ItemName), server: serverOf(entry), version, range, sha256 }
}

/** Throws for a name that is there twice, and for one that another server has. */
async function assertInstallable(context: Context, lock: LockedItems, specs: readonly Spec[]): Promise<void> {
  const names = specs.map(nameText)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new UsageError(`${twice} is named twice`)
  const server = await context.url()
  for (const name of names) {
    const entry = lock.get(name)
    if (entry && serverOf(entry) !== server)
      throw new RefusedError('server', `${name} is installed from ${serverOf(entry)}: remove it first`)
  }
}

async function askedTargets(context: Context, client: Client, specs: readonly Spec[]): Promise<Target[]> {
  const server = await context.url()
  const found = await resolve(client, specs)
  for (const [at, one] of found.entries()) warn(context, one, nameText(specs[at] as Spec))
  return found.map(({ version, sha256, size }, at) => ({ ...(specs[at] as Spec), server, version, sha256, size }))
}

function warn(context: Context, { version, yanked, deprecated }: ResolvedVersion, name: string): void {
  if (yanked) context.show(`${name} ${line(version)} was yanked by its owner`)
  if (deprecated) context.show(`${name}: ${deprecation(deprecated)}`)
}

function tell(context: Context, all: readonly Installed[]): void {
  for (const { name, status, version, from, path, built } of all) {
    const what = from === undefined ? version : `${from} -> ${version}`
    context.say(bold(name), ` ${line(what)} ${status}: ${line(path)}`)
    const by = built && status !== 'unchanged' ? builtWords(built) : ''
    if (by !== '') context.say(`  built ${by}`)
  }
  if (all.length === 0) context.say('Nothing to install.')
  context.report(all)
}

/** What the range of each entry means now, at the server that it came from. */
export async function resolveEntries<Result>(
  entries: readonly [string, LockedItem][],
  ask: (group: readonly Spec[], server: string) => Promise<readonly Result[]>,
): Promise<{ name: string; entry: LockedItem; result: Result }[]> {
  const groups = new Map<string, [string, LockedItem][]>()
  for (const one of entries) groups.set(serverOf(one[1]), [...(groups.get(serverOf(one[1])) ?? []), one])
  const all = []
  for (const [server, group] of groups) {
    const specs = group.map(([name, { range }]) => ({ ...(readName(name) as ItemName), range }))
    const results = await ask(specs, server)
    for (const [at, [name, entry]] of group.entries()) all.push({ name, entry, result: results[at] as Result })
  }
  return all
}

export async function update(context: Context, { words, values }: CommandLine): Promise<void> {
  const home = homeOf(context)
  const lock = await readLock(home)
  const resolved = await resolveEntries(await installedOf(context, lock, words), async (specs, url) =>
    resolveKept(await context.client({ url }), specs),
  )
  const targets: Target[] = []
  for (const { name, entry, result } of resolved) {
    if (!result) context.show(`${name}: no version is in ${line(entry.range)} now, so ${line(entry.version)} stays`)
    if (!result) continue
    warn(context, result, name)
    // A version that was yanked leaves an older one in the range: going back is for `install`.
    if (compareVersions(result.version, entry.version) < 0) continue
    targets.push({ ...targetOf(name, entry), version: result.version, sha256: result.sha256, size: result.size })
  }
  await installReported(context, { home, lock, targets, consent: consentOf(values) }, values['report'] === true)
}

export async function outdated(context: Context, { words }: CommandLine): Promise<void> {
  const lock = await readLock(homeOf(context))
  const shown = await resolveEntries(await installedOf(context, lock, words), async (specs, url) => {
    const client = await context.client({ url })
    const wanted = await resolveAny(client, specs)
    const latest = await resolveAny(
      client,
      specs.map((spec) => ({ ...spec, range: 'latest' })),
    )
    const own = await resolveAny(
      client,
      specs.map((spec) => ({ ...spec, range: lock.get(nameText(spec))?.version ?? '' })),
    )
    return specs.map((_, at) => ({ wanted: wanted[at], latest: latest[at], own: own[at] }))
  })
  const all = shown.map(({ name, entry, result: { wanted, latest, own } }) => ({
    name,
    installed: entry.version,
    range: entry.range,
    wanted: wanted?.found ? wanted.version : null,
    latest: latest?.found ? latest.version : null,
    yanked: own?.found === true && own.yanked,
    deprecated: (own?.found && own.deprecated) || null,
    is_gone: !own?.found,
  }))
  const news = all.filter((one) => one.is_gone || one.yanked || one.deprecated || isOlder(one.installed, one.latest))
  for (const { name, installed, wanted, latest, ...state } of news) {
    const notes = [
      state.is_gone && 'this version is gone',
      state.yanked && 'this version was yanked',
      state.deprecated && 'deprecated',
    ].filter(Boolean)
    const note = notes.length > 0 ? `  (${notes.join(', ')})` : ''
    context.say(
      bold(name),
      `  ${installed}  in ${line(state.range)}: ${line(wanted ?? 'none')}  latest: ${line(latest ?? 'none')}${note}`,
    )
  }
  if (news.length === 0) context.say('Everything is up to date.')
  context.report(news)
}

const isOlder = (installed: string, latest: string | null) => latest !== null && compareVersions(installed, latest) < 0
