// info: what the server says of an item and of a version of it.
import type { Client } from '../../client/src/create-client.ts'
import type { Context } from './command.ts'
import { homeOf, nameText, readSpec, type Spec } from './home.ts'
import { readLock } from './lock-file.ts'
import { type Found, resolve } from './resolving.ts'
import { bold, red, type Words } from './style.ts'
import { line } from './text.ts'

const SHOWN_VERSIONS = 10

export async function info(context: Context, { words: [word = ''] }: { words: string[] }): Promise<void> {
  const spec = readSpec(word)
  const client = await context.client()
  const known = await about(client, spec)
  const { item, meant, versions } = known
  const installed = (await readLock(homeOf(context.environment))).get(nameText(spec))
  const lines: [string, ...Words[]][] = [
    ['by', line(item.owner.username ?? item.owner.name ?? 'a deleted user')],
    ['about', line(item.description)],
    ['tags', line(item.tags.join(', '))],
    ['page', line(item.url)],
    ['sha256', `${meant.sha256} (${meant.size} bytes)`],
    ['versions', line(versions.slice(0, SHOWN_VERSIONS).join(', ')), versions.length > SHOWN_VERSIONS ? ', ...' : ''],
    ['installed', line(installed?.version ?? '')],
    ['install', `guildhall install ${nameText(spec)}${spec.range === 'latest' ? '' : `@${line(spec.range)}`}`],
  ]
  context.say(bold(`${nameText(spec)} ${line(meant.version)}`), `  ${line(item.name)} (${item.visibility})`)
  if (meant.yanked) context.say(red('This version was yanked by its owner.'))
  if (meant.deprecated) context.say(red(deprecation(meant.deprecated)))
  for (const [name, ...rest] of lines) if (rest.some((part) => part !== '')) context.say(`${name}: `, ...rest)
  context.report({ ...item, meant, versions, installed: installed?.version ?? null })
}

async function about(client: Client, spec: Spec) {
  const [meant] = (await resolve(client, [spec])) as [Found]
  const item = await client.library.find({ kind: spec.kind, slug: spec.slug })
  const versions: string[] = []
  for await (const { version } of client.library.versions.all({ id: item.id }, { limit: SHOWN_VERSIONS + 1 }))
    versions.push(version)
  return { item, meant, versions }
}

/** What the owner of a deprecated item says. */
export const deprecation = ({ message, successor }: NonNullable<Found['deprecated']>): string =>
  `Deprecated. ${line(message)}${successor === null ? '' : ` Use ${line(successor)}.`}`
