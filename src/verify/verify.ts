// `npm run admin -- verify`: checks all stored data and reports every problem: files, the pages of the database, stored counts, and
// the audit log. It works while the server runs.
import { existsSync } from 'node:fs'
import { verifyAudit } from '../audit/audit.ts'
import type { Head } from '../audit/chain.ts'
import type { Config } from '../config/config.ts'
import { listErrors } from '../database/check.ts'
import { engineOf } from '../database/engine.ts'
import { openDatabase } from '../database/open.ts'
import type { Db } from '../database/schema.ts'
import { checkStatements, checkUses } from '../library/library.ts'
import { required } from '../runtime/untyped.ts'
import type { Blobs } from '../storage/blobs.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import { checkLog } from '../transparency/checking.ts'
import { listUnbound } from './bound-queries.ts'
import { type Report, verifyFiles } from './files.ts'
import * as queries from './queries.ts'
import { listUnfindable } from './search-queries.ts'

/**
 * Prints the problems and returns the exit code: 1 if there are any. `noted` is the head of the audit log from an earlier run, as
 * `position:hash`.
 */
export async function verify({ databaseUrl, blobUrl }: Config, noted?: string): Promise<number> {
  const known = noted === undefined ? undefined : headOf(noted)
  if (known === 'unreadable') {
    console.error(`${noted} is not a head of the audit log as verify prints it, such as 12:9f86d0...`)
    return 2
  }
  if (!databaseUrl.startsWith('postgres') && existsSync(databaseUrl)) {
    const errors = listErrors(databaseUrl, 'integrity_check')
    for (const error of errors) console.error(`The database is malformed: ${error}`)
    if (errors.length > 0) {
      console.error('Restore from a backup.')
      return 1
    }
  }
  const { db } = await openDatabase(databaseUrl, { patient: true })
  const blobs = await openBlobs(blobUrl)
  let errors = 0
  const report = (sentence: string) => {
    errors++
    console.error(sentence)
  }
  try {
    for (const line of await verifyEverything({ db, blobs, noted: known }, report)) console.log(line)
    return errors === 0 ? 0 : 1
  } finally {
    blobs.close()
    await db.destroy()
  }
}

const comparisons = [
  ...[queries.compareCounters, queries.compareTagCounts, queries.compareKept, queries.compareStoredBytes],
  queries.compareUnread,
]

interface Everything {
  db: Db
  blobs: Blobs
  noted?: Head | undefined
}

/** Reports every problem, and returns lines about the checked data. */
export async function verifyEverything({ db, blobs, noted }: Everything, report: Report): Promise<string[]> {
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
  const audit = await verifyAudit(db, noted)
  if (audit.broken !== undefined) report(audit.broken)
  const log = await checkLog(db)
  if (log.broken !== undefined) report(log.broken)
  await checkStatements(db, report)
  await checkUses(db, report)
  const { sound, damaged, missing, hashed } = await verifyFiles(db, blobs, report)
  return [
    `${sound} files are sound, ${damaged} damaged, ${missing} missing${hashed > 0 ? `; ${hashed} had no hash and have one now` : ''}.`,
    counts === 0 ? 'The counts are right.' : `${counts} counts are wrong.`,
    `The public log is ${log.broken === undefined ? 'whole' : 'broken'}: ${log.leaves} leaves.`,
    `The audit log is ${audit.broken === undefined ? 'whole' : 'broken'}: ${audit.rows} rows, head ${audit.head.position}:${audit.head.hash || '-'}`,
  ]
}

function headOf(text: string): Head | 'unreadable' {
  const [, position, hash] = text.match(/^(\d+):([0-9a-f]{64}|-)$/) ?? []
  return position === undefined
    ? 'unreadable'
    : { position: Number(position), hash: hash === '-' ? '' : required(hash) }
}
