// What `npm run admin -- check` looks at besides the proxy.
import { randomUUID } from 'node:crypto'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { pendingOf } from '../database/existing.ts'
import { openMailer } from '../mail/mail.ts'
import { hasStoredKey, openKeys } from '../oauth/server/server.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { backupAges } from '../runtime/backup-times.ts'
import { machineClock, systemClock, timestamp } from '../runtime/clock.ts'
import { newId } from '../runtime/ids.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import type { CheckResult } from './checking-proxy.ts'
import * as queries from './queries.ts'
import { dueOfRotation } from './rotate-key.ts'
import { withDatabase } from './with-accounts.ts'

const ok = (detail: string): CheckResult => ({ state: 'ok', detail })
const warning = (detail: string): CheckResult => ({ state: 'warning', detail })
const error = (detail: string): CheckResult => ({ state: 'error', detail })
const skipped = (detail: string): CheckResult => ({ state: 'skipped', detail })

/** Where the database has not been made yet, or must be migrated first, the checks that read it are skipped. */
const isCurrent = async ({ databaseUrl }: Config) => (await pendingOf(databaseUrl)).length === 0

export async function checkDatabase({ databaseUrl }: Config): Promise<CheckResult> {
  const engine = isPostgres(databaseUrl) ? 'PostgreSQL' : 'SQLite'
  const pending = await pendingOf(databaseUrl)
  return pending.length === 0
    ? ok(`${engine} responds and has every migration`)
    : warning(`${engine}: the next start runs ${pending.length} migrations (npm run admin -- migrate --dry-run)`)
}

/** Writes, reads, lists and removes an object. */
export async function checkFiles({ blobUrl }: Config): Promise<CheckResult> {
  const blobs = await openBlobs(blobUrl)
  const key = `checks/${randomUUID()}`
  try {
    const bytes = Buffer.from(key)
    await blobs.objects.put(key, bytes, 'text/plain')
    try {
      const read = await blobs.objects.get(key)
      if (!read?.bytes.equals(bytes)) return error('an object that was written is not read back')
      let isListed = false
      for await (const entry of blobs.objects.list('checks')) isListed ||= entry.key === key
      if (!isListed) return error('an object that was written is not listed')
    } finally {
      await blobs.objects.delete(key)
    }
    if (await blobs.objects.get(key)) return error('an object that was removed is still there')
    return ok(`${blobUrl.startsWith('s3:') ? 'the bucket' : 'the folder'} takes, gives, lists and removes objects`)
  } finally {
    blobs.close()
  }
}

export async function checkKey(config: Config): Promise<CheckResult> {
  if (!config.signingKey && !(await hasStoredKey(config.dataDir)))
    return skipped('the first start makes the signing key')
  const { signing } = await openKeys(config)
  const place = config.signingKey ? 'SIGNING_KEY' : join(config.dataDir, 'signing-key.json')
  if (!config.signingKey) {
    const { mode } = await stat(place)
    if ((mode & 0o077) !== 0) return error(`${place} can be read by others: chmod 600`)
  }
  const due = (await isCurrent(config)) && (await withDatabase(config, (db) => dueOfRotation(config, db)))
  if (due) {
    const isDue = due <= timestamp(systemClock.now())
    const step = 'the second step of the rotation (npm run admin -- rotate-key --finish)'
    return isDue ? warning(`${step} is due since ${due}`) : ok(`${signing.kid} signs; ${step} is due at ${due}`)
  }
  return ok(`${signing.kid} signs, from ${place}`)
}

const MAX_SKEW_MILLISECONDS = 5_000

export async function checkClock(config: Config): Promise<CheckResult> {
  if (!(await isCurrent(config))) return skipped('the database has no times yet')
  return withDatabase(config, async (db) => {
    const theirs = await queries.findDatabaseTime(db)
    const skew = theirs ? Math.abs(theirs.getTime() - machineClock.now()) : 0
    if (skew > MAX_SKEW_MILLISECONDS)
      return error(`this machine and PostgreSQL differ by ${(skew / 1000).toFixed(0)} s`)
    const newest = await queries.findNewestAct(db)
    const ahead = newest ? Date.parse(newest) - machineClock.now() : 0
    if (ahead > MAX_SKEW_MILLISECONDS)
      return error(`the audit log was written in the future, at ${newest}: the clock went back`)
    return ok(theirs ? `differs from PostgreSQL by ${skew} ms` : 'is not behind what was stored')
  })
}

const LEAST_FREE_BYTES = 1_000_000_000
const LEAST_FREE_SHARE = 0.1

/** The disks of the data folder and of stored files. */
export async function checkDisk({ dataDir, blobUrl }: Config): Promise<CheckResult> {
  const folders = [dataDir, ...(blobUrl.startsWith('file:/') ? [fileURLToPath(blobUrl)] : [])]
  const found: string[] = []
  let isShort = false
  for (const folder of folders) {
    const disk = await statfs(folder).catch(() => undefined)
    if (!disk || disk.blocks === 0) continue
    const [free, share] = [disk.bavail * disk.bsize, disk.bavail / disk.blocks]
    isShort ||= free < LEAST_FREE_BYTES || share < LEAST_FREE_SHARE
    found.push(`${(free / 1e9).toFixed(1)} GB (${(share * 100).toFixed(0)} %) are free at ${folder}`)
  }
  const detail = [...new Set(found)].join('; ')
  if (detail === '') return skipped('the data folder is not there yet')
  return isShort ? warning(`${detail}: less than 10 % or 1 GB`) : ok(detail)
}

/** A day for the daily one, and a day to notice; a continuous one is never a minute behind. */
const OLDEST_SECONDS = { backup: 2 * 86_400, changes: 60 }

/** The backups that were taken on this machine. */
export async function checkBackup({ dataDir }: Config): Promise<CheckResult> {
  const { backup, changes } = backupAges(dataDir, machineClock.now())
  if (Number.isNaN(backup)) return skipped('no backup was taken on this machine')
  const ago = (seconds: number) =>
    seconds < 7_200 ? `${Math.round(seconds)} s` : `${(seconds / 3_600).toFixed(0)} hours`
  const taken = `the last one was taken ${ago(backup)} ago`
  if (Number.isNaN(changes)) return backup > OLDEST_SECONDS.backup ? warning(taken) : ok(taken)
  const detail = `${taken}; the continuous one has all changes until ${ago(changes)} ago`
  return changes > OLDEST_SECONDS.changes ? warning(detail) : ok(detail)
}

export async function checkMail(
  { mailUrl, mailFrom: from, baseUrl, name }: Config,
  { mail }: { mail?: string },
): Promise<CheckResult> {
  if (mail === undefined) return skipped('--mail <address> sends a test mail')
  const mailer = openMailer(mailUrl, { from, baseUrl, name })
  try {
    const body = `This mail was sent by npm run admin -- check of ${baseUrl}.\n\nLook at its headers: SPF, DKIM and DMARC should pass.\n`
    await mailer.send({ id: newId(), recipient: mail, subject: `Test mail of ${name}`, body })
    const where = mailUrl.startsWith('file:') ? mailUrl.slice('file:'.length) : new URL(mailUrl).host
    return ok(`${where} took a mail to ${mail}; look whether it arrived`)
  } finally {
    mailer.close()
  }
}
