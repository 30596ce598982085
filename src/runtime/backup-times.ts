// When the last backup was taken on this machine, and until when a continuous one has all changes: noted in the data folder by the commands
// that take them, and read by /metrics and by `npm run admin -- check`.
import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonIn } from './json.ts'

const Times = z.object({
  backup: z.string().optional(),
  changes: z.string().optional(),
  restore: z.string().optional(),
})

/** ISO 8601; missing where there was none. `changes` is of a continuous backup; `restore` says when the folder was restored from one. */
export type BackupTimes = z.infer<typeof Times>

const pathIn = (dataDir: string) => join(dataDir, 'backup-times.json')

/** What was noted; nothing where that cannot be read. */
export function readBackupTimes(dataDir: string): BackupTimes {
  try {
    return Times.safeParse(jsonIn(readFileSync(pathIn(dataDir), 'utf8'))).data ?? {}
  } catch {
    return {}
  }
}

/** Notes one of the times. A folder that does not take it, or is gone, stops no backup: then the age grows. */
export function noteBackup(dataDir: string, times: BackupTimes): void {
  const path = pathIn(dataDir)
  const unfinished = `${path}.${randomUUID()}`
  try {
    writeFileSync(unfinished, JSON.stringify({ ...readBackupTimes(dataDir), ...times }), { mode: 0o600 })
    renameSync(unfinished, path)
  } catch {}
}

/** How old each is, in seconds; NaN where there was none. */
export function backupAges(dataDir: string, now: number): Record<'backup' | 'changes', number> {
  const { backup, changes } = readBackupTimes(dataDir)
  const ageOf = (time: string | undefined) => (time ? Math.max(0, (now - Date.parse(time)) / 1000) : Number.NaN)
  return { backup: ageOf(backup), changes: ageOf(changes) }
}
