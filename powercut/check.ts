// Checks a disk after a power cut as the operator would find it: the server opens its database, `verify` finds nothing, and everything
// that was acknowledged before the cut is there.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listErrors } from '@guildhall/durable-sqlite'
import { sql } from 'kysely'
import { openDatabase } from '../src/database/open.ts'
import type { Db } from '../src/database/schema.ts'
import { openBlobs } from '../src/storage/open-blobs.ts'
import { verifyEverything } from '../src/verify/verify.ts'
import type { Files } from './disk.ts'
import { isShared } from './record.ts'
import type { Acknowledged } from './work.ts'

const DATA = '/new/data'
const KEY = `${DATA}/signing-key.json`

interface Expected {
  /** Where the files are written for the check; removed afterwards. */
  folder: string
  acknowledged: readonly Acknowledged[]
  /** The files at the end of the recording: the mails and the key as they must be. */
  final: Files
}

/** Sentences about what is wrong with the files after a power cut. */
export async function findingsIn(files: Files, { folder, acknowledged, final }: Expected): Promise<string[]> {
  const findings: string[] = []
  for (const [path, bytes] of files) {
    if (isShared(path)) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  mkdirSync(join(folder, DATA), { recursive: true })
  const database = join(folder, DATA, 'guildhall.db')
  try {
    if (acknowledged.length > 0 && !isSame(files, final, KEY)) findings.push('the signing key is lost')
    const { db } = await openDatabase(database)
    const blobs = await openBlobs(`file:${join(folder, DATA, 'blobs')}`)
    try {
      await verifyEverything({ db, blobs }, (sentence) => findings.push(sentence))
      findings.push(...(await listLost(db, acknowledged)), ...(await listLostMails(db, files, final)))
    } finally {
      blobs.close()
      await db.destroy()
    }
    findings.push(...listErrors(database, 'integrity_check'))
  } catch (error) {
    findings.push(`the server does not start: ${(error as Error).message}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return findings
}

const isSame = (files: Files, final: Files, path: string): boolean => {
  const expected = final.get(path)
  return expected !== undefined && files.get(path)?.equals(expected) === true
}

async function listLost(db: Db, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const lost: string[] = []
  for (const { what, table, row } of acknowledged) {
    const conditions = Object.entries(row).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    const found = await sql`select 1 from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`.execute(db)
    if (found.rows.length === 0) lost.push(`${what} is lost: ${JSON.stringify(row)}`)
  }
  return lost
}

async function listLostMails(db: Db, files: Files, final: Files): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from outbox where "sentAt" is not null`.execute(db)
  return rows
    .map(({ id }) => `${DATA}/mail/${id}.eml`)
    .filter((path) => !isSame(files, final, path))
    .map((path) => `${path} counts as sent and is ${files.has(path) ? 'damaged' : 'missing'}`)
}
