// Whether versions work: reporting it, and what others reported.
import { arch, platform } from 'node:os'
import type { Client } from '../../client/src/create-client.ts'
import type { ItemVersion } from '../../client/src/derived/api.ts'
import { GuildhallError } from '../../client/src/errors.ts'
import type { CommandLine, Context } from './command.ts'
import { type ItemName, nameText } from './home.ts'
import type { Installed, Target } from './installing.ts'
import { readSpec } from './item-of.ts'
import { resolve } from './resolving.ts'
import { red } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'
import { version } from './version.ts'

export type Outcomes = NonNullable<ItemVersion['outcomes']>
type Report = Parameters<Client['library']['report']>[0]

const AT_ONCE = 8

const systems: Readonly<Record<string, Report['os']>> = { linux: 'linux', darwin: 'macos', win32: 'windows' }
const processors: Readonly<Record<string, Report['arch']>> = { x64: 'x64', arm64: 'arm64' }

/** What a report says of this machine. */
const environment = () => ({
  os: systems[platform()] ?? ('other' as const),
  arch: processors[arch()] ?? ('other' as const),
  client: 'guildhall',
  client_version: version(),
})

/** Reports whether a version worked: that which is named, or the newest. */
export async function report(context: Context, { words: [outcome, word = ''], values }: CommandLine): Promise<void> {
  if (outcome !== 'worked' && outcome !== 'failed') throw new UsageError('A version worked or failed: write which')
  const find = readSpec(word)
  const client = await context.ownClient()
  const spec = await find(client)
  const [meant] = await resolve(client, [spec])
  if (!meant) return
  const { error, text } = values as { error?: Report['error']; text?: string }
  const said: Report = { item: meant.id, version: meant.version, outcome, ...environment() }
  const answer = await client.library.report({ ...said, ...(error && { error }), ...(text && { text }) })
  context.say(`Reported that ${nameText(spec)} ${line(meant.version)} ${outcome}.`)
  context.report(answer)
}

/** Reports that what was installed could be installed. Where that is refused, the installation stays. */
export async function reportInstalled(context: Context, all: readonly Installed[]): Promise<void> {
  const fresh = all.filter(({ status }) => status !== 'unchanged')
  if (fresh.length === 0) return
  const { library } = await context.ownClient()
  for (const { name: item, version } of fresh) {
    try {
      await library.report({ item, version, outcome: 'worked', ...environment() })
    } catch (error) {
      context.show(`${item} ${line(version)}: not reported: ${line(error instanceof Error ? error.message : '')}`)
    }
  }
}

/** Reports that the one item that was asked for could not be installed, unless the person or a check refused it. */
export async function reportFailure(context: Context, targets: readonly Target[], error: unknown): Promise<void> {
  const [target] = targets
  if (!target || targets.length > 1 || error instanceof RefusedError || error instanceof UsageError) return
  const said = { item: nameText(target), version: target.version, outcome: 'failed', error: 'install' } as const
  try {
    await (await context.ownClient()).library.report({ ...said, ...environment() })
  } catch {
    // The failure itself is what is said.
  }
}

/** "97 % of 320 reports worked" */
export const outcomeText = ({ worked, failed, rate }: Outcomes): string =>
  `${Math.round(rate * 100)} % of ${worked + failed} reports worked`

export interface Step extends ItemName {
  server: string
  from: string
  to: string
}

/** Shows what others reported of the versions that an update brings, and which of them work less often than those that are there. */
export async function showOutcomes(context: Context, steps: readonly Step[]): Promise<void> {
  for (let at = 0; at < steps.length; at += AT_ONCE) {
    const some = steps.slice(at, at + AT_ONCE)
    const found = await Promise.all(some.map((step) => outcomesOf(context, step)))
    for (const [n, step] of some.entries()) {
      const { to, from, worse } = found[n] ?? {}
      if (!to) continue
      const said = `${nameText(step)} ${line(step.to)}: ${outcomeText(to)}`
      context.show(worse && from ? red(`${said}, less than of ${line(step.from)}: ${outcomeText(from)}`) : said)
    }
  }
}

/** Undefined where the server does not say: it may be older, or the version that is installed is gone. */
async function outcomesOf(context: Context, { kind, slug, server, from, to }: Step) {
  try {
    const { library } = await context.client({ url: server })
    return (await library.findCompare({ kind, slug, from, to })).outcomes
  } catch (error) {
    if (error instanceof GuildhallError) return undefined
    throw error
  }
}
