// publish: checks a file, finds out whether it is a new item or a new version of one, and sends it.
import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Client } from '../../client/src/create-client.ts'
import type { Item } from '../../client/src/derived/api.ts'
import { isVersion, nextPatch } from '../../src/formats/version.ts'
import type { Context, Values } from './command.ts'
import { type ItemName, nameText, readName } from './home.ts'
import { type LintResult, validators } from './linting.ts'
import { bold, red } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

interface Given {
  words: string[]
  values: Values
}

/** What is sent. */
interface Upload {
  kind: ItemName['kind']
  /** Of an automation; null for others. */
  id: string | null
  /** That of the file. */
  name: string
  /** That of the file; null where the server chooses. */
  version: string | null
  content: Uint8Array
  filename: string
}

export async function publish(context: Context, { words: [path = ''], values }: Given): Promise<void> {
  const upload = await checked(context, path)
  const { visibility, version } = values
  if (visibility !== undefined && !['private', 'public', 'official'].includes(String(visibility)))
    throw new UsageError('--visibility is private or public')
  if (!['suspicious', 'severe', undefined].includes(values['stop-for'] as string | undefined))
    throw new UsageError('--stop-for is suspicious or severe')
  if (typeof version === 'string' && !isVersion(version)) throw new UsageError('--version is a version such as 1.2.0')
  const changelog = values['changelog'] === '-' ? { changelog: await context.readInput() } : {}
  const client = await context.ownClient({ onSent: progressOf(context) })
  const item = values['new'] === true ? undefined : await itemOf(client, upload, values['item'] as string | undefined)
  if (values['dry-run'] === true) return foretell(context, { upload, item, values })
  const given = { upload, values: { ...values, ...changelog } }
  const published = item ? await sendVersion(client, { ...given, item }) : await sendNew(client, given)
  context.progress('')
  context.say(
    'Published ',
    bold(`${published.kind}/${published.slug} ${published.version}`),
    ` (${published.visibility}): ${line(published.url)}`,
  )
  context.say(`sha256 ${published.sha256}`)
  context.report(published)
}

/** The file as it is sent. Throws RefusedError for what the library would refuse. */
async function checked(context: Context, path: string): Promise<Upload> {
  const { lint, packFolder } = await validators()
  const result = await lint(path)
  const kind = result.kind === 'manifest' ? null : result.kind
  tellProblems(context, result)
  if (result.errors.length > 0 || kind === null || result.name === null) {
    throw new RefusedError('invalid', `The library would refuse ${path}`, result)
  }
  const isFolder = (await stat(path)).isDirectory()
  const { bytes, filename } = isFolder
    ? await packFolder(path)
    : { bytes: await readFile(path), filename: basename(resolve(path)) }
  return { kind, id: result.id, name: result.name, version: result.version, content: bytes, filename }
}

function tellProblems({ show }: Context, { file, errors, warnings }: LintResult): void {
  const place = (path: string, at: number | null) => `${line(file)}${at === null ? '' : `:${at}`} ${line(path)}`.trim()
  for (const { path, line: at, message } of errors) show(red('error'), ` ${place(path, at)}: ${line(message)}`)
  for (const { path, line: at, message } of warnings) show(`warning ${place(path, at)}: ${line(message)}`)
}

const progressOf =
  ({ progress }: Context) =>
  (sent: number, total: number) =>
    progress(`Sent ${Math.floor((100 * sent) / Math.max(total, 1))}% of ${total} bytes`)

/** The caller's item of which this is a version; undefined for a new one. */
async function itemOf(
  client: Client,
  { kind, id, name }: Upload,
  asked: string | undefined,
): Promise<Item | undefined> {
  if (asked !== undefined) {
    const named = readName(asked)
    if (!named) throw new UsageError('--item is kind/slug, such as workflow/morning-digest')
    if (named.kind !== kind) throw new UsageError(`The file is of kind ${kind}, and ${nameText(named)} is not`)
    return client.library.find({ ...named })
  }
  const own: Item[] = []
  for await (const item of client.library.all({ kind, scope: 'mine' }, { limit: Infinity })) {
    if (id === null ? item.name === name : item.slug === id) own.push(item)
  }
  if (own.length > 1) {
    const names = own.map(({ slug }) => `${kind}/${slug}`).join(', ')
    throw new UsageError(`You have several items of this name: say which by --item (${names}), or --new`)
  }
  return own[0]
}

interface Plan {
  upload: Upload
  item: Item | undefined
  values: Values
}

/** What `--dry-run` says. */
function foretell({ say, report }: Context, { upload, item, values }: Plan): void {
  const { kind, name, content } = upload
  const next = item ? nextPatch(item.version) : '1.0.0'
  const version = (values['version'] as string | undefined) ?? upload.version ?? next
  const visibility = values['visibility'] ?? item?.visibility ?? 'private'
  const what = item
    ? `${kind}/${item.slug} ${version}, after ${item.version}`
    : `a new ${kind}, "${line(name)}" ${version}`
  say(`Would publish ${what} (${visibility}): ${content.byteLength} bytes`)
  const target = item ? { item: `${kind}/${item.slug}`, after: item.version } : { item: null, after: null }
  report({ dry_run: true, kind, name, version, visibility, size: content.byteLength, ...target })
}

/** What is said of a version alone. */
const OF_VERSION = ['version', 'changelog', 'stop-for']

const fileOf = ({ content, filename }: Upload) => ({ content, name: filename })
const textsOf = (values: Values, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => values[name] !== undefined).map((name) => [name.replace('-', '_'), values[name] as string]),
  )

async function sendNew({ library }: Client, { upload, values }: Omit<Plan, 'item'>): Promise<Item> {
  const about = textsOf(values, ['name', 'description', 'tags', 'visibility', ...OF_VERSION])
  return library.publish({ kind: upload.kind, file: fileOf(upload), ...about })
}

/** A version is sent alone; what is said of the item is changed after it. */
async function sendVersion({ library }: Client, { upload, item, values }: Plan & { item: Item }): Promise<Item> {
  const { id } = item
  const published = await library.publishVersion({
    id,
    file: fileOf(upload),
    ...textsOf(values, OF_VERSION),
  })
  const about = textsOf(values, ['name', 'description', 'tags', 'visibility'])
  return Object.keys(about).length === 0 ? published : library.update({ id, ...about })
}
