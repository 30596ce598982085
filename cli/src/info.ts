// info: what the server says of an item and of a version of it.
import type { Client } from '../../client/src/create-client.ts'
import type { Item } from '../../client/src/derived/api.ts'
import { GuildhallError } from '../../client/src/errors.ts'
import { VerifyError } from '../../client/src/verify-error.ts'
import { statementToSign, type ToSign } from '../../client/src/verify-statement.ts'
import { builtWords } from './built-by.ts'
import type { Context } from './command.ts'
import { permissionText } from './consent.ts'
import { homeOf, nameText, type Spec } from './home.ts'
import { readSpec } from './item-of.ts'
import { readLock } from './lock-file.ts'
import { type Outcomes, outcomeText } from './outcomes.ts'
import { type ResolvedVersion, resolve } from './resolving.ts'
import { bold, red, type Words } from './style.ts'
import { line } from './text.ts'

type Statement = Pick<ToSign, 'time' | 'publisher' | 'owner' | 'run' | 'approver'>

const SHOWN_VERSIONS = 10
const SHOWN_USERS = 5

export async function info(context: Context, { words: [word = ''] }: { words: string[] }): Promise<void> {
  const find = readSpec(word)
  const client = await context.client()
  const spec = await find(client)
  const known = await about(client, spec)
  const { item, meant, stated, versions, uses, users, mayDo } = known
  const installed = (await readLock(homeOf(context))).get(nameText(spec))
  const lines: [string, ...Words[]][] = [
    ['by', line(item.owner.username ?? item.owner.name ?? 'a deleted user')],
    ['team', item.team ? `${line(item.team.name)} (${line(item.team.slug)})` : ''],
    ['about', line(item.description)],
    ['id', item.id],
    ['tags', line(item.tags.join(', '))],
    ['page', line(item.href)],
    ['licence', line(item.license ?? '')],
    ['may use', line(mayDo.map(permissionText).join(', ')) || 'nothing'],
    ['uses', line(uses.map(({ kind, slug, item }) => `${kind}/${slug}${item ? '' : ' (not found)'}`).join(', '))],
    ['used by', line(users.items.map(nameText).join(', ')), more(users.total - users.items.length)],
    ['downloads', countsOf(item.downloads)],
    ['outcomes', known.version.outcomes ? outcomesOf(known.version.outcomes) : ''],
    ['sha256', `${meant.sha256} (${meant.size} bytes)`],
    ['published', stated ? publication(stated) : ''],
    ['built', stated ? builtWords(stated) : ''],
    ['versions', line(versions.slice(0, SHOWN_VERSIONS).join(', ')), versions.length > SHOWN_VERSIONS ? ', ...' : ''],
    ['installed', line(installed?.version ?? '')],
    ['install', `guildhall install ${nameText(spec)}${spec.range === 'latest' ? '' : `@${line(spec.range)}`}`],
  ]
  context.say(bold(`${nameText(spec)} ${line(meant.version)}`), `  ${line(item.name)} (${item.visibility})`)
  if (meant.yanked) context.say(red('This version was yanked by its owner.'))
  if (meant.deprecated) context.say(red(deprecation(meant.deprecated)))
  for (const [name, ...rest] of lines) if (rest.some((part) => part !== '')) context.say(`${name}: `, ...rest)
  const by = stated && saidOf(stated)
  context.report({
    ...item,
    meant,
    published: by ?? null,
    versions,
    may_do: mayDo,
    outcomes: known.version.outcomes ?? null,
    uses,
    used_by: users,
    installed: installed?.version ?? null,
  })
}

/** More than are listed; the server counts up to a thousand. */
const more = (count: number) => (count > 0 ? ` and ${count} more` : '')

const countsOf = (downloads: Item['downloads']) =>
  downloads ? `${downloads.total} in all, ${downloads.week} in the last 7 days` : ''

function outcomesOf(outcomes: Outcomes): string {
  const errors = outcomes.errors.map(({ error, reports }) => `${line(error)} ${reports}`).join(', ')
  const bound = `at least ${Math.floor(outcomes.lower_bound * 100)} %`
  return `${outcomeText(outcomes)} (${bound})${errors && `; errors: ${errors}`}`
}

async function about(client: Client, spec: Spec) {
  const [meant] = (await resolve(client, [spec])) as [ResolvedVersion]
  const { kind, slug } = spec
  const [item, stated, { items: uses }, users, { may_do: mayDo }, version] = await Promise.all([
    client.library.find({ kind, slug }),
    statementOf(client, { kind, slug, version: meant.version }),
    client.library.findDependencies({ kind, slug, version: meant.version }),
    client.library.findUsedBy({ kind, slug, per_page: SHOWN_USERS }),
    client.library.findContents({ kind, slug, version: meant.version }),
    client.library.findVersion({ kind, slug, version: meant.version }),
  ])
  const versions: string[] = []
  for await (const { version } of client.library.versions.all({ id: item.id }, { limit: SHOWN_VERSIONS + 1 }))
    versions.push(version)
  return { item, meant, stated, versions, uses, users, mayDo, version }
}

/** What the statement of a version says, unchecked (`guildhall verify` checks it); undefined where there is none. */
async function statementOf(client: Client, { version, ...name }: Pick<Spec, 'kind' | 'slug'> & { version: string }) {
  try {
    return statementToSign(await client.transparency.findStatement({ ...name, version }), { ...name, version })
  } catch (error) {
    if (error instanceof GuildhallError && error.status === 404) return undefined
    // A name from before a rename leads to the item, whose statement has the new one.
    if (error instanceof VerifyError) return undefined
    throw error
  }
}

const saidOf = ({ time, publisher, owner, run, approver }: Statement) => ({ time, publisher, owner, run, approver })

function publication({ time, publisher, owner }: Statement): string {
  const by = publisher?.username ? ` by ${line(publisher.username)}` : ''
  return `${line(time)}${by}${owner ? ` for team ${line(owner.slug)}` : ''}`
}

/** What the owner of a deprecated item says. */
export const deprecation = ({ message, successor }: NonNullable<ResolvedVersion['deprecated']>): string =>
  `Deprecated. ${line(message)}${successor === null ? '' : ` Use ${line(successor)}.`}`
