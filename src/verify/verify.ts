// `npm run admin -- verify`: checks all stored data and reports every problem: files, the pages of the database, stored counts, and
// the audit log. It works while the server runs.
import { listErrors } from '@guildhall/durable-sqlite'
import { type AuditState, verifyAudit } from '../audit/audit.ts'
import type { Head } from '../audit/chain.ts'
import type { Config } from '../config/config.ts'
import { engineOf } from '../database/engine.ts'
import { refuseMissing, refuseUnready } from '../database/existing.ts'
import { openDatabase } from '../database/open.ts'
import type { Db } from '../database/schema.ts'
import { checkOutcomes, checkRanks, checkStatements, checkUses } from '../library/library.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { required } from '../runtime/untyped.ts'
import type { Blobs } from '../storage/blobs.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import { checkLog, type LogCheck } from '../transparency/checking.ts'
import { listUnbound } from './bound-queries.ts'
import { type Report, verifyFiles } from './files.ts'
import * as queries from './queries.ts'
import { listUnfindable } from './search-queries.ts'
import { listWrongTeams } from './team-queries.ts'

/** What is printed: each problem as it is found, and the end. */
export interface VerifyOutput {
  complain(sentence: string): void
  /** The current check, for progress output. */
  progress(sentence: string): void
  /** The value is for programs, the sentence for people. */
  result(value: object, sentence: string): void
}

/**
 * Prints the problems and returns the exit code: 1 if there are any. `noted` is the head of the audit log from an earlier run, as
 * `position:hash`.
 */
export async function verify({ databaseUrl, blobUrl }: Config, output: VerifyOutput, noted?: string): Promise<number> {
  const known = noted === undefined ? undefined : headOf(noted)
  if (known === 'unreadable') {
    output.complain(`${noted} is not a head of the audit log as verify prints it, such as 12:9f86d0...`)
    return 2
  }
  refuseMissing(databaseUrl)
  const problems: string[] = []
  const report = (sentence: string) => {
    problems.push(sentence)
    output.complain(sentence)
  }
  if (!isPostgres(databaseUrl)) {
    for (const error of listErrors(databaseUrl, 'integrity_check')) report(`The database is malformed: ${error}`)
    if (problems.length > 0) {
      output.result({ ok: false, problems }, 'Restore from a backup.')
      return 1
    }
  }
  await refuseUnready(databaseUrl)
  const { db } = await openDatabase(databaseUrl, { patient: true })
  const blobs = await openBlobs(blobUrl)
  try {
    const { lines, ...found } = await verifyEverything({ db, blobs, noted: known, progress: output.progress }, report)
    output.result({ ok: problems.length === 0, problems, ...found }, lines.join('\n'))
    return problems.length === 0 ? 0 : 1
  } finally {
    blobs.close()
    await db.destroy()
  }
}

const comparisons = [
  ...[queries.compareCounters, queries.compareTagCounts, queries.compareKept, queries.compareStoredBytes],
  queries.compareUnread,
]

interface VerifyOptions {
  db: Db
  blobs: Blobs
  noted?: Head | undefined
  progress?: (sentence: string) => void
}

/** What was checked: figures for programs, and the lines that people read. */
export interface VerifyResult {
  lines: string[]
  files: { sound: number; damaged: number; missing: number; hashed: number }
  counts: { wrong: number }
  log: { leaves: number }
  audit: { rows: number; head: string }
}

/** Reports every problem of rows, and returns what was checked. */
export async function verifyRows(
  { db, noted, progress = () => {} }: Omit<VerifyOptions, 'blobs'>,
  report: Report,
): Promise<Pick<VerifyResult, 'counts'> & { audit: AuditState; log: LogCheck }> {
  progress('Checking rows')
  if (engineOf(db) === 'postgres') await queries.readEverything(db, report)
  else for (const sentence of await queries.listDangling(db)) report(sentence)
  let counts = 0
  for (const compare of comparisons) {
    for (const { name, stored, expected } of await compare(db)) {
      counts++
      report(`The count ${name} is ${stored} and should be ${expected}`)
    }
  }
  for (const sentence of await listUnbound(db)) report(sentence)
  for (const sentence of await listUnfindable(db)) report(sentence)
  for (const sentence of await listWrongTeams(db)) report(sentence)
  progress('Checking the audit log')
  const audit = await verifyAudit(db, noted)
  if (audit.broken !== undefined) report(audit.broken)
  const log = await checkLog(db)
  if (log.broken !== undefined) report(log.broken)
  await checkStatements(db, report)
  await checkUses(db, report)
  await checkOutcomes(db, report)
  await checkRanks(db, report)
  return { counts: { wrong: counts }, audit, log }
}

/** Reports every problem, and returns what was checked. */
export async function verifyEverything(options: VerifyOptions, report: Report): Promise<VerifyResult> {
  const { db, blobs, progress = () => {} } = options
  const {
    counts: { wrong: counts },
    audit,
    log,
  } = await verifyRows(options, report)
  progress('Checking files')
  const files = await verifyFiles(db, blobs, report)
  const head = `${audit.head.position}:${audit.head.hash || '-'}`
  const figures = { files, counts: { wrong: counts }, log: { leaves: log.leaves }, audit: { rows: audit.rows, head } }
  const { sound, damaged, missing, hashed } = files
  const lines = [
    `${sound} files are sound, ${damaged} damaged, ${missing} missing${hashed > 0 ? `; ${hashed} had no hash and have one now` : ''}.`,
    counts === 0 ? 'The counts are right.' : `${counts} counts are wrong.`,
    `The public log is ${log.broken === undefined ? 'whole' : 'broken'}: ${log.leaves} leaves.`,
    `The audit log is ${audit.broken === undefined ? 'whole' : 'broken'}: ${audit.rows} rows, head ${head}`,
  ]
  return { lines, ...figures }
}

function headOf(text: string): Head | 'unreadable' {
  const [, position, hash] = text.match(/^(\d+):([0-9a-f]{64}|-)$/) ?? []
  return position === undefined
    ? 'unreadable'
    : { position: Number(position), hash: hash === '-' ? '' : required(hash) }
}
