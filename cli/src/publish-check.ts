// What is looked at before a publication: what the server's scan finds in the file, and what the version may newly do.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../../client/src/create-client.ts'
import type { Item } from '../../client/src/derived/api.ts'
import { GuildhallError } from '../../client/src/errors.ts'
import { comparePermissions, type Permission } from '../../src/formats/permissions.ts'
import type { Context, Values } from './command.ts'
import { permissionText } from './consent.ts'
import type { ItemName } from './home.ts'
import { itemFiles } from './item-files.ts'
import { bold, red } from './style.ts'
import { line } from './text.ts'
import { RefusedError } from './usage.ts'

type Scan = Awaited<ReturnType<Client['library']['scanFile']>>
type Finding = Scan['findings'][number]

interface Planned {
  upload: { kind: ItemName['kind']; content: Uint8Array; filename: string }
  item: Item | undefined
  values: Values
}

/** What is said of a publication before it is made, and what the server is to stop for. */
export interface Check {
  /** null where the server did not check: its allowance of checks is spent. */
  verdict: Scan['verdict'] | null
  findings: Finding[]
  /** What the version may do, beyond the one before if there is one; as `type:name`. */
  may_newly: string[]
}

/**
 * Scans the file as the publication will, and tells what was found and what the version may newly do. Resolves with that, and with what the
 * server is to stop for. Throws RefusedError where severe things are found that were not accepted.
 */
export async function checkBefore(
  context: Context,
  client: Client,
  plan: Planned,
): Promise<{ check: Check; stopFor: string | undefined }> {
  const [scan, mayNewly] = await Promise.all([scanOf(context, client, plan), growthOf(client, plan)])
  context.progress('')
  const findings = scan?.findings ?? []
  for (const finding of findings) tellFinding(context, finding)
  tellGrowth(context, plan.item, mayNewly)
  const check = { verdict: scan?.verdict ?? null, findings, may_newly: mayNewly.map(permissionText) }
  return { check, stopFor: stopFor(check, plan.values) }
}

/** Not made where no more checks are left for now: the publication is scanned all the same. */
async function scanOf(context: Context, { library }: Client, { upload }: Planned): Promise<Scan | undefined> {
  const { kind, content, filename: name } = upload
  try {
    // A dry run: an agent that has to ask before it writes can check all the same.
    return await library.scanFile({ kind, file: { content, name } }, { dryRun: true })
  } catch (error) {
    if (!(error instanceof GuildhallError && error.status === 429)) throw error
    context.show(`Not checked before: ${line(error.message)}`)
    return undefined
  }
}

/** What the file may do that the version before it may not. */
async function growthOf({ library }: Client, { upload, item }: Planned): Promise<Permission[]> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, upload.content)
    const { readPermissions } = await itemFiles()
    const [now, before] = await Promise.all([
      readPermissions({ kind: upload.kind, path }),
      item ? library.contents({ id: item.id }) : undefined,
    ])
    return before ? comparePermissions(before.may_do, now).added : now
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function tellFinding({ show }: Context, { rule, severity, path, line: at, reason }: Finding): void {
  const place = `${line(path)}${at === null ? '' : `:${at}`}`
  const word = severity === 'severe' ? red(severity) : severity
  show(word, ` ${rule}${place === '' ? '' : ` ${place}`}: ${line(reason)}`)
}

function tellGrowth({ show }: Context, item: Item | undefined, added: readonly Permission[]): void {
  if (added.length === 0) return
  if (item) show(bold('It may do more'), ` than ${line(item.version)}:`)
  else show(bold('It may use'), ':')
  for (const one of added) show(`  ${item ? '+ ' : ''}${line(permissionText(one).replace(':', ': '))}`)
}

/** A scan that did not finish is as bad as can be, and is accepted by this name. */
const UNFINISHED = 'unfinished'

/** What the server is to stop for: severe findings, or what --stop-for says, but for what was accepted. */
function stopFor({ verdict, findings }: Check, values: Values): string | undefined {
  const level = (values['stop-for'] as string | undefined) ?? 'severe'
  const accepted = ((values['accept'] as string[] | undefined) ?? []).flatMap((text) => text.split(/[\s,]+/))
  const serious = findings.filter(({ severity }) => severity === 'severe' || severity === level)
  const rules = new Set(serious.map(({ rule }): string => rule))
  if (verdict === UNFINISHED) rules.add(UNFINISHED)
  const open = [...rules].filter((rule) => !accepted.includes(rule))
  if (open.length > 0) throw stopped({ verdict, findings }, open)
  if (rules.size === 0) return level
  const isSevere = verdict === UNFINISHED || serious.some(({ severity }) => severity === 'severe')
  return isSevere ? undefined : 'severe'
}

function stopped(found: Pick<Check, 'verdict' | 'findings'>, open: readonly string[]): RefusedError {
  const what = found.verdict === UNFINISHED ? 'The scan could not finish' : 'Look at what the scan found'
  return new RefusedError(
    'suspicious',
    `Nothing was published. ${what}. To publish it all the same, run it again with --accept ${open.join(',')}`,
    found,
  )
}
