// Accounts: signing up and in, credentials, deletion and export.

import type { Feature, JobSource, Work } from '../content/manifest.ts'
import type { Job } from '../core/jobs/job.ts'
import { deleteExpired } from '../identity/credentials.ts'
import { credentialErasure } from '../identity/erasure.ts'
import { handlers as address } from './address-handlers.ts'
import { handlers as deletion } from './deletion-handlers.ts'
import { handlers as dataExports } from './export-handlers.ts'
import { deleteExpiredExports, isExportUsed, listWaiting } from './export-queries.ts'
import { type ExportDependencies, giveUpExport, MAX_ATTEMPTS, prepareExport, retryExport } from './exporting.ts'
import { handlers as external } from './external/handlers.ts'
import { handlers as feeds } from './feeds-handlers.ts'
import { handlers as accounts, languageHandlers as language, usageHandlers as usage } from './handlers.ts'
import { handlers as passkeys } from './passkeys/handlers.ts'
import { handlers as reauthentication } from './reauthentication-handlers.ts'
import { handlers as sessions } from './sessions-handlers.ts'
import { handlers as setup } from './setup/handlers.ts'

/** `bounds` are for tests. */
export const exportJob = (
  { db }: Pick<JobSource, 'db'>,
  work: () => ExportDependencies,
  bounds?: Parameters<typeof prepareExport>[2],
): Job => ({
  kind: 'exports.prepare',
  summary: 'prepares the archive that an account asked for',
  wake: { find: ({ limit }) => listWaiting(db, limit) },
  attempts: MAX_ATTEMPTS,
  batch: async ({ key, renew }) => void (await prepareExport(work(), { id: key, renew }, bounds)),
  giveUp: ({ key }) => giveUpExport(work(), key),
  retry: retryExport,
})

export const accountsFeature = {
  handlers: {
    accounts,
    passkeys,
    external,
    reauthentication,
    sessions,
    usage,
    language,
    deletion,
    dataExports,
    feeds,
    address,
    setup,
  },
  erasure: { first: () => [credentialErasure] },
  jobs: (source: JobSource, work: Work) => [exportJob(source, () => work().dependencies)],
  cleanUps: {
    credentials: ['expired sessions, codes and invitations', (now, { db }) => deleteExpired(db, now)],
    exports: ['exports whose time is over', (now, { db }) => deleteExpiredExports(db, now)],
  },
  isFileUsed: isExportUsed,
} satisfies Feature
