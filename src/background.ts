// What a server does in the background besides deliveries: erasure, exports, the index of the search and the clean-up. `start` calls it
// again and again.
import { deleteExpiredExports, isExportUsed } from './accounts/export-queries.ts'
import { prepareExports } from './accounts/exporting.ts'
import { auditHead } from './audit/audit.ts'
import { deleteExpiredTries } from './budgets/clean-up.ts'
import { closeAll } from './community/changelog/closing.ts'
import { isDefinitionUsed } from './community/orgs/orgs.ts'
import { deleteOldDrafts } from './content/drafts/erasure.ts'
import type { Hiding } from './content/hiding/hiding.ts'
import { sweepAll } from './content/hiding/sweeping.ts'
import { forgetOldMerges } from './content/merging/clean-up.ts'
import { hidingOfMerged } from './content/merging/hiding.ts'
import { moveAll } from './content/merging/moving.ts'
import { returnAll } from './content/merging/undoing.ts'
import { deleteOldNotifications } from './content/notifications/clean-up.ts'
import { deliverAll } from './content/notifications/delivery.ts'
import type { HeadsOf } from './content/notifications/letters.ts'
import { mailDue } from './content/notifications/mailing.ts'
import { deleteOldPending } from './content/pending/clean-up.ts'
import { deleteOldEvidence } from './content/reports/clean-up.ts'
import { purgeRemoved } from './content/reports/purging.ts'
import { deleteLooseImages } from './content/text-images/clean-up.ts'
import { deleteOldDeliveries } from './content/webhooks/clean-up.ts'
import { openCleanUpTime } from './database/clean-up-time.ts'
import { findNamed, objectFolders } from './database/stored.ts'
import { erasureSteps } from './erasure.ts'
import { deleteExpired } from './identity/clean-up.ts'
import { eraseDue } from './identity/erasure.ts'
import * as libraryFront from './library/library.ts'
import { readFileOf } from './library/publishing/file.ts'
import { handOverAll } from './library/teams/leaving.ts'
import { deleteOldMails } from './mail/mail.ts'
import type { Dependencies } from './request/handler.ts'
import { deleteExpiredKeys } from './request/idempotency-queries.ts'
import { alone } from './runtime/batches.ts'
import { timestamp } from './runtime/clock.ts'
import { buildSearch } from './search/building.ts'
import { searchSources } from './search-sources.ts'
import { sweepArtifacts } from './storage/sweep.ts'
import { type Named, sweepObjects } from './storage/sweep-objects.ts'
import { sequenceLog } from './transparency/sequencing.ts'

export interface Background {
  /** Builds the index of the search again, if this version makes it otherwise; one call at a time. */
  buildSearch(): Promise<void>
  /** Prepares exports, and erases the accounts whose time has come; one call at a time. */
  work(): Promise<void>
  /** Gives what was written to the log its place in the tree; one call at a time. */
  sequenceLog(): Promise<void>
  /** Takes in what was public before there was a log, and what files say that came before it was stored, once; one call at a time. */
  fillLog(): Promise<void>
  /** Removes expired rows (sessions, codes, tokens, counted tries, sent mail) and unreferenced stored bytes. */
  cleanUp(): Promise<void>
}

interface Parts {
  /** The authorization server. */
  server: { cleanUp(now: string): Promise<void> }
  hidings: ReadonlyMap<string, Hiding>
}

export function backgroundOf(dependencies: Dependencies, parts: Parts): Background {
  const cleanUpTime = openCleanUpTime(dependencies)
  return {
    buildSearch: buildOf(dependencies),
    work: alone(async () => {
      await prepareExports(dependencies)
      await eraseDue(dependencies, erasureSteps, await cleanUpTime())
    }),
    ...logOf(dependencies),
    cleanUp: cleanUpOf(dependencies, parts, cleanUpTime),
  }
}

function buildOf({ db, clock }: Dependencies): () => Promise<void> {
  let isDone = false
  return alone(async () => {
    if (isDone) return
    await buildSearch({ db, sources: searchSources, now: () => timestamp(clock.now()) })
    isDone = true
  })
}

/** Giving places and taking in what was there before: two things, since the second can take minutes. */
function logOf({
  db,
  blobs,
  config,
  secretFor,
  log,
  clock,
}: Dependencies): Pick<Background, 'sequenceLog' | 'fillLog'> {
  const now = () => timestamp(clock.now())
  let isFilled = false
  return {
    sequenceLog: alone(async () => {
      await sequenceLog({ db, config, secretFor, log, now })
    }),
    fillLog: alone(async () => {
      if (isFilled) return
      await libraryFront.fillLog(db, now)
      await libraryFront.fillFromFiles({ db, blobs, now, readFile: readFileOf })
      isFilled = true
    }),
  }
}

function cleanUpOf(
  dependencies: Dependencies,
  { server, hidings }: Parts,
  cleanUpTime: () => Promise<string>,
): () => Promise<void> {
  let noted = 0
  // Logged outside the database, it can later prove that rows at the end of the audit log were removed (npm run admin -- verify
  // <head>).
  const noteHead = async () => {
    const head = await auditHead(dependencies.db)
    if (head && head.position !== noted) dependencies.log.info({ head: `${head.position}:${head.hash}` }, 'audit log')
    noted = head?.position ?? noted
  }
  return alone(async () => {
    const now = await cleanUpTime()
    const time = new Date(now)
    await deleteExpired(dependencies.db, now)
    await deleteExpiredTries(dependencies.db, now)
    await deleteExpiredKeys(dependencies.db, now)
    await dependencies.outbox.cleanUp(now)
    await deleteOldNotifications(dependencies.db, now)
    await deleteOldPending(dependencies.db, now)
    await deleteOldDrafts(dependencies.db, now)
    await deleteLooseImages(dependencies, now)
    await forgetOldMerges(dependencies.db, now)
    await purgeRemoved(dependencies, hidings, now)
    await deleteOldEvidence(dependencies.db, now)
    await deleteOldDeliveries(dependencies.db, now)
    await deleteOldMails(dependencies.config, time.getTime())
    await noteHead()
    await deleteExpiredExports(dependencies.db, now)
    await server.cleanUp(now)
    await libraryFront.cleanUp(dependencies.db, now)
    await sweepArtifacts(dependencies, time, [libraryFront.isArtifactUsed, isDefinitionUsed, isExportUsed])
    await sweepObjects(dependencies, time, namedObjects)
  })
}

/** For each folder of objects, the query that finds referenced names for the sweep. */
const namedObjects: Record<string, Named> = Object.fromEntries(
  objectFolders.map((folder) => [folder, (db, names) => findNamed(db, folder, names)]),
)

interface Delivered {
  mergeables: Parameters<typeof moveAll>[1] & Parameters<typeof returnAll>[1] & Parameters<typeof hidingOfMerged>[0]
  releasings: Parameters<typeof closeAll>[1]
  /** Every kind of thing that can be hidden. */
  hidings: readonly Hiding[]
  makeLeft(): Promise<void>
  headsOf: HeadsOf
}

/** What happens after writes, one call at a time (app.ts). */
export const deliverOf = (
  dependencies: Dependencies,
  { mergeables, releasings, hidings, makeLeft, headsOf }: Delivered,
) =>
  alone(async () => {
    await moveAll(dependencies, mergeables)
    await returnAll(dependencies, mergeables)
    await closeAll(dependencies, releasings)
    await makeLeft()
    await deliverAll(dependencies)
    await handOverAll(dependencies)
    await sweepAll(dependencies, [...hidings, hidingOfMerged(mergeables)])
    await mailDue({ ...dependencies, headsOf })
  })
