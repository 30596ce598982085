// The scan of an upload, in a thread with a deadline. What it finds never keeps a publication from being stored: a scan that cannot
// finish is a verdict of its own. An item that gets another name or slug is compared with popular names again.
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { nameKey } from '../../formats/archive-names.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { distance } from '../../search/typos.ts'
import { GivenUp, inThread, jobOf } from '../../workers/workers.ts'
import type { Step } from '../changing/step.ts'
import type { Kind } from '../items/item-contract.ts'
import type { StoredItem } from '../items/queries.ts'
import { FIRST_VERSION, filenameOf } from '../items/rules.ts'
import { findCurrentScan, findingsOf, insertScan, listKnown, updateFindings } from './queries.ts'
import { type Finding, Findings, isAtLeast, mayBeAsBad } from './rules.ts'
import type { scanFile } from './scan-file.ts'

// Names that look like those of popular items of others. Pure.

/** Letters of other scripts, and digits, that look like a Latin letter (Unicode Technical Standard 39, the ones of everyday fonts). */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', н: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', о: 'o', р: 'p' },
  ...{ ԛ: 'q', ѕ: 's', т: 't', у: 'y', х: 'x', ѵ: 'v', ԝ: 'w', г: 'r', α: 'a', β: 'b', ε: 'e', ι: 'i', κ: 'k', ν: 'v' },
  ...{ ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', γ: 'y', η: 'n', ı: 'i', ɡ: 'g', ո: 'n', օ: 'o', ս: 'u', ⅼ: 'l' },
  ...{ '0': 'o', '1': 'l', '|': 'l', '5': 's', $: 's', '@': 'a' },
}
const SHORTEST = 5
/** From here on two letters may differ. */
const LONG = 12

/** What is left of a name for the eye: letters and digits, in the shape of Latin ones. */
function shapeOf(name: string): string {
  const plain = nameKey(name)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
  const shaped = [...plain].map((letter) => LOOKS_LIKE[letter] ?? letter).join('')
  return shaped
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

interface PopularItem {
  name: string
  kind: string
  slug: string
}

/** Whether the letters are the same, apart from case, accents and signs. */
const isSameText = (one: string, other: string): boolean =>
  one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase()

/** The worst finding about the name and the slug of an item, compared with those of popular items; undefined for none. */
function worstAlike(
  { name, slug }: { name: string; slug: string | undefined },
  popular: readonly PopularItem[],
): Finding | undefined {
  const ofName = lookAlike(name, popular)
  if (slug === undefined || ofName?.severity === 'suspicious') return ofName
  const bySlug = popular.map((other) => ({ ...other, name: other.slug }))
  const ofSlug = lookAlike(slug, bySlug, 'slug')
  return ofSlug?.severity === 'suspicious' ? ofSlug : (ofName ?? ofSlug)
}

/** A finding about the first of the popular items that the name looks like; undefined where there is none. */
function lookAlike(name: string, popular: readonly PopularItem[], what: 'name' | 'slug' = 'name'): Finding | undefined {
  const shape = shapeOf(name)
  if (shape.length < SHORTEST) return undefined
  const most = shape.length < LONG ? 1 : 2
  for (const other of popular) {
    const theirs = shapeOf(other.name)
    if (theirs.length < SHORTEST) continue
    const edits = distance(shape, theirs, most)
    if (edits > most) continue
    const isDisguised = edits === 0 && !isSameText(name, other.name)
    const reason = `the ${what} ${edits === 0 && !isDisguised ? 'is that of' : 'looks like that of'} ${other.kind}/${other.slug}, which is another owner's`
    return { rule: 'look-alike', severity: isDisguised ? 'suspicious' : 'note', path: '', line: null, reason }
  }
  return undefined
}

const MAX_MILLISECONDS = 10_000
const job = {
  ...jobOf<typeof scanFile>(import.meta.resolve('./scan-file.ts'), 'scanFile', MAX_MILLISECONDS),
  queue: 'scans' as const,
}

interface ScanParams {
  kind: Kind
  /** Of the file on this machine. */
  path: string
  /** What findings call the file. */
  filename: string
  /** What the item is called. */
  name: string
  /** Where it is, once it is anywhere. */
  slug?: string | undefined
  /** Whose it is; the caller's unless told. */
  ownerId?: string | undefined
}

/** What is found in a file; null where the scan could not finish. */
export async function scanUpload(
  context: Context<Caller>,
  { kind, path, filename, name, slug, ownerId = context.caller.id }: ScanParams,
): Promise<Finding[] | null> {
  const findings = await inThread(job, { kind, path, name: filename }, context.worker()).catch((error) => {
    // The file took too long, or too much waits.
    if (error instanceof GivenUp || (error instanceof Problem && error.code === 'unavailable')) return null
    throw error
  })
  if (findings === null) return null
  const alike = worstAlike({ name, slug }, await listKnown(context.db, ownerId))
  if (!alike) return findings
  const found = new Findings()
  for (const finding of [alike, ...findings]) found.add(finding)
  return found.list
}

type ScannedItem = Pick<StoredItem, 'ownerId' | 'name' | 'slug'>

/** A finding about the item's name, not about a file. */
const isOfName = ({ rule, path }: Finding) => rule === 'look-alike' && path === ''

/**
 * Looks for popular items that new names look like. The result writes that into the scan of the current version of the item, which is
 * locked, and gives whether something was found. A version without a finished scan stays as it is.
 */
export async function lookAgain(
  { db }: { db: Db },
  item: ScannedItem,
  changes: { name?: string | undefined; slug?: string | undefined },
): Promise<(db: Transaction, locked: Pick<StoredItem, 'id'>) => Promise<boolean>> {
  const { name = item.name, slug = item.slug } = changes
  const alike = worstAlike({ name, slug }, await listKnown(db, item.ownerId))
  return async (transaction, { id }) => {
    const scan = await findCurrentScan(transaction, id)
    const before = scan && findingsOf(scan)
    if (!scan || !before) return false
    const found = new Findings()
    for (const finding of [...(alike ? [alike] : []), ...before.filter((one) => !isOfName(one))]) found.add(finding)
    await updateFindings(transaction, { itemId: id, version: scan.version, findings: JSON.stringify(found.list) })
    return alike !== undefined
  }
}

/** The most findings that an error lists. */
const TOLD = 5

/** Every version that is published is scanned before it is stored, so what is clean shows at once and nothing shows unscanned. */
export const scanStep: Step = async (context, { kind, file, content, item, name, stopFor }) => {
  const { meta, warnings } = content
  const slug = item?.slug ?? content.slug ?? 'file'
  const filename = filenameOf({ kind, slug, meta }, content.version ?? FIRST_VERSION)
  const findings = await scanUpload(context, {
    ...{ kind, path: file.path, filename, name },
    ...{ slug: item?.slug, ownerId: item?.ownerId },
  })
  if (stopFor !== undefined && mayBeAsBad(findings, stopFor)) throw stopped(findings, stopFor)
  const row = {
    findings: findings && JSON.stringify(findings),
    warnings: JSON.stringify(warnings),
    ...{ scannedAt: context.now, answer: null, answeredAt: null },
  }
  return (db, { item: { id: itemId }, version }) => insertScan(db, { itemId, version, ...row })
}

function stopped(findings: readonly Finding[] | null, stopFor: 'suspicious' | 'severe'): Problem {
  if (findings === null)
    return new Problem('suspicious', 'The scan of the file could not finish, so nothing is published')
  const serious = findings.filter(
    ({ rule, severity }) => rule === 'not-read' || isAtLeast(severity === 'note' ? 'notes' : severity, stopFor),
  )
  const told = serious.slice(0, TOLD).map(({ path, line, reason }) => {
    const place = [path, ...(line === null ? [] : [`line ${line}`])].filter(Boolean).join(', ')
    return place === '' ? reason : `${place}: ${reason}`
  })
  const more = serious.length > TOLD ? `; and ${serious.length - TOLD} more` : ''
  return new Problem('suspicious', `Nothing is published yet. The scan found ${told.join('; ')}${more}`)
}
