// publish: checks a file, finds out whether it is a new item or a new version of one, and sends it.
import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { CallOptions } from '../../client/src/call.ts'
import type { Client } from '../../client/src/create-client.ts'
import type { Item } from '../../client/src/derived/api.ts'
import { factsOf } from '../../src/contract/item-kinds.ts'
import { isVersion } from '../../src/formats/version.ts'
import type { CommandLine, Context, Values } from './command.ts'
import { type ItemName, readName } from './home.ts'
import { isId, readItem } from './item-of.ts'
import { type LintResult, validators } from './linting.ts'
import { keyPath } from './profiles.ts'
import { type Check, checkBefore } from './publish-check.ts'
import { signed } from './signing.ts'
import { bold, red } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

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

export async function publish(context: Context, { words: [path = ''], values }: CommandLine): Promise<void> {
  const upload = await checked(context, path)
  const { visibility, version } = values
  if (visibility !== undefined && !['private', 'public', 'official'].includes(String(visibility)))
    throw new UsageError('--visibility is private or public')
  if (!['suspicious', 'severe', undefined].includes(values['stop-for'] as string | undefined))
    throw new UsageError('--stop-for is suspicious or severe')
  if (typeof version === 'string' && !isVersion(version)) throw new UsageError('--version is a version such as 1.2.0')
  const changelog = values['changelog'] === '-' ? { changelog: await context.readInput() } : {}
  if (values['ci'] === true) return publishInCi(context, { upload, values: { ...values, ...changelog } })
  const client = await context.ownClient({ onSent: progressOf(context) })
  const item = values['new'] === true ? undefined : await itemOf(client, upload, values)
  const { check, stopFor } = await checkBefore(context, client, { upload, item, values })
  const told = { ...values, ...changelog, 'stop-for': stopFor }
  if (values['dry-run'] === true) return foretell(context, { upload, item, values: told, check }, client)
  const signature =
    values['unsigned'] === true ? undefined : await signatureOf(context, client, { upload, item, values })
  const stated = signature && { signature: signature.signature, version: signature.version }
  const given = { upload, values: { ...told, ...stated } }
  const published = item ? await sendVersion(client, { ...given, item }) : await sendNew(client, given)
  context.progress('')
  context.say(
    'Published ',
    bold(`${published.kind}/${published.slug} ${published.version}`),
    ` (${published.visibility}): ${line(published.href)}`,
  )
  context.say(`sha256 ${published.sha256}`)
  if (signature) context.say(`signed with ${signature.key}`)
  context.report({ ...published, signed_with: signature?.key ?? null, check })
}

/** By the run of a CI that this is a part of. What the scan finds stops it: there is no person who could accept that. */
async function publishInCi(context: Context, { upload, values }: Omit<Plan, 'item'>): Promise<void> {
  const { item: text, publisher, accept } = values
  const name = typeof text === 'string' ? readName(text) : undefined
  if (name?.kind !== upload.kind) throw new UsageError(`Say which item: --item ${upload.kind}/SLUG`)
  if (accept !== undefined) throw new UsageError('--accept needs a person, and --ci has none')
  const { ciClient } = await import('./ci-token.ts')
  const choice = { onSent: progressOf(context), publisher: publisher as string | undefined }
  const { client, itemId } = await ciClient(context, name, choice)
  const given = { upload, values: { 'stop-for': 'severe', ...values } }
  const options = { dryRun: values['dry-run'] === true }
  const published = itemId
    ? await client.library.publishVersion(
        { id: itemId, file: fileOf(upload), ...textsOf(given.values, OF_LATER) },
        options,
      )
    : await sendNew(client, given, options)
  context.progress('')
  const did = options.dryRun ? 'Would publish ' : 'Published '
  context.say(did, bold(`${published.kind}/${published.slug} ${published.version}`), `: ${line(published.url)}`)
  context.say(`sha256 ${published.sha256}`)
  context.report({ ...published, dry_run: options.dryRun })
}

/** The signature of what is sent, with the version that it is for; undefined where there is no key. */
function signatureOf(context: Context, client: Client, { upload, item, values }: Plan) {
  const { kind, id, name, version, content } = upload
  const asked = (values['version'] as string | undefined) ?? version ?? undefined
  const called = factsOf(kind).namedBy !== undefined ? (id ?? name) : ((values['name'] as string | undefined) ?? name)
  const team = values['team'] as string | undefined
  const path = typeof values['key'] === 'string' ? values['key'] : keyPath(context.environment)
  return signed(context, client, { path, what: { kind, id: item?.id, name: called, version: asked, team, content } })
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
  { item: asked, team }: Values,
): Promise<Item | undefined> {
  if (typeof asked === 'string') {
    const find = readItem(asked)
    const item = readName(asked)?.kind === kind || isId(asked) ? await find(client) : undefined
    if (item?.kind === kind) return item
    throw new UsageError(`The file is of kind ${kind}, and ${asked} is not`)
  }
  const own: Item[] = []
  const among = typeof team === 'string' ? ({ scope: 'maintained', team } as const) : ({ scope: 'mine' } as const)
  for await (const item of client.library.all({ kind, ...among }, { limit: Infinity })) {
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

/** What `--dry-run` says: the server makes every check, and keeps nothing. */
async function foretell(
  { say, report }: Context,
  { upload, item, values, check }: Plan & { check: Check },
  client: Client,
): Promise<void> {
  const { kind, name, content } = upload
  const tried = { dryRun: true }
  const { version, ...published } = item
    ? await sendOnlyVersion(client, { upload, item, values }, tried)
    : await sendNew(client, { upload, values }, tried)
  const visibility = values['visibility'] ?? published.visibility
  const what = item
    ? `${kind}/${item.slug} ${version}, after ${item.version}`
    : `a new ${kind}, "${line(name)}" ${version}`
  say(`Would publish ${what} (${visibility}): ${content.byteLength} bytes`)
  const target = item ? { item: `${kind}/${item.slug}`, after: item.version } : { item: null, after: null }
  report({ dry_run: true, kind, name, version, visibility, size: content.byteLength, ...target, check })
}

/** What is said of a version alone; only a later one closes bugs. */
const OF_VERSION = ['version', 'changelog', 'stop-for', 'signature']
const OF_LATER = [...OF_VERSION, 'closes']

const fileOf = ({ content, filename }: Upload) => ({ content, name: filename })
const textsOf = (values: Values, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => values[name] !== undefined).map((name) => [name.replace('-', '_'), values[name] as string]),
  )

async function sendNew(
  { library }: Client,
  { upload, values }: Omit<Plan, 'item'>,
  options: CallOptions = {},
): Promise<Item> {
  const about = textsOf(values, ['name', 'description', 'tags', 'visibility', 'team', ...OF_VERSION])
  return library.publish({ kind: upload.kind, file: fileOf(upload), ...about }, options)
}

const sendOnlyVersion = (
  { library }: Client,
  { upload, item: { id }, values }: Plan & { item: Item },
  options: CallOptions = {},
): Promise<Item> => library.publishVersion({ id, file: fileOf(upload), ...textsOf(values, OF_LATER) }, options)

/** A version is sent alone; what is said of the item is changed after it. */
async function sendVersion(client: Client, plan: Plan & { item: Item }): Promise<Item> {
  const published = await sendOnlyVersion(client, plan)
  const about = textsOf(plan.values, ['name', 'description', 'tags', 'visibility'])
  return Object.keys(about).length === 0 ? published : client.library.update({ id: plan.item.id, ...about })
}
