// Gathers the overview. Its parts are read one after the other: it is for one admin now and then, and is not to take connections from others.
import type { z } from 'zod'
import { partsOff } from '../../contract/parts.ts'
import { keysOf } from '../../contract/records.ts'
import type { JobReport } from '../../core/jobs/report.ts'
import { engineOf } from '../../database/engine.ts'
import { migrationNames } from '../../database/migrations.ts'
import type { Db } from '../../database/schema.ts'
import { listWaiting } from '../../database/waiting-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { readBackupTimes } from '../../runtime/backup-times.ts'
import { SERVER_VERSION } from '../../runtime/installation.ts'
import type { overview } from './overview-contract.ts'
import * as queries from './overview-queries.ts'
import { medianOf, momentsOf, spansOf, weeksUntil } from './overview-rules.ts'

type Overview = z.input<typeof overview.get.output>

const TOP_ITEMS = 5
const TOP_DAYS_MILLISECONDS = 6 * 86_400_000

/** `listJobs` says how the work besides requests goes. */
export const overviewHandlers = (listJobs: () => Promise<readonly JobReport[]>): Handlers<typeof overview> => ({
  async get({ db, now, config }) {
    return {
      countedAt: now,
      waiting: await waitingIn(db, now),
      weeks: await weeksIn(db, now),
      bugs: await bugsIn(db, now),
      downloads: (await downloadsIn(db, now)).filter(({ url }) => !partsOff(config).hasPage(url)),
      failing: { ...(await queries.countFailing(db)), jobs: failingOf(await listJobs()) },
      backups: backupsIn(config.dataDir),
      version: versionOf(db),
    }
  },
})

async function waitingIn(db: Db, now: string): Promise<Overview['waiting']> {
  const queues = await listWaiting(db, now)
  return [
    { name: 'cases', ...(await queries.findWaitingCases(db)) },
    ...keysOf(queues).map((name) => ({ name, ...queues[name] })),
  ]
}

async function weeksIn(db: Db, now: string): Promise<Overview['weeks']> {
  const weeks = weeksUntil(now)
  const noted = new Map((await queries.listWeekFigures(db, weeks[0] ?? '')).map((row) => [row.week, row]))
  const found: Overview['weeks'] = []
  for (const week of weeks) {
    const span = momentsOf(week)
    const { all, byAgents } = await queries.countWritten(db, span)
    const { activeMembers = null, databaseBytes = null, storedBytes = null } = noted.get(week) ?? {}
    const joined = await queries.countJoined(db, span)
    found.push({ week, joined, active: activeMembers, byPeople: all - byAgents, byAgents, databaseBytes, storedBytes })
  }
  return found
}

async function bugsIn(db: Db, now: string): Promise<Overview['bugs']> {
  const open: Overview['bugs']['open'] = []
  for (const { age, ...span } of spansOf(now)) open.push({ age, count: await queries.countOpenBugs(db, span) })
  const newest = await queries.listAnswers(db)
  const seconds = newest.flatMap(({ createdAt, answeredAt }) =>
    answeredAt === null ? [] : [Math.max(0, (Date.parse(answeredAt) - Date.parse(createdAt)) / 1_000)],
  )
  return { open, medianAnswerSeconds: medianOf(seconds), answered: seconds.length, lookedAt: newest.length }
}

async function downloadsIn(db: Db, now: string): Promise<Overview['downloads']> {
  const since = new Date(Date.parse(now) - TOP_DAYS_MILLISECONDS).toISOString().slice(0, 10)
  const items = await queries.listDownloaded(db, { since, limit: TOP_ITEMS })
  return items.map(({ id, kind, slug, name, downloads }) => ({
    ...{ id, name, url: `/library/${kind}s/${slug}`, count: downloads },
  }))
}

const failingOf = (jobs: readonly JobReport[]): Overview['failing']['jobs'] =>
  jobs
    .filter(({ failing, givenUp }) => failing > 0 || givenUp > 0)
    .map(({ kind, failing, givenUp, lastError }) => ({ kind, failing, givenUp, error: lastError }))

function backupsIn(dataDir: string): Overview['backups'] {
  const { backup = null, changes = null, restore = null } = readBackupTimes(dataDir)
  return { backupAt: backup, changesAt: changes, restoredAt: restore }
}

const versionOf = (db: Db): Overview['version'] => ({
  ...{ server: SERVER_VERSION, node: process.version, database: engineOf(db) },
  migration: migrationNames().toSorted().at(-1) ?? '',
})
